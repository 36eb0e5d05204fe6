/* The rows as a regression sees them: powers as orthogonal polynomials, columns and targets in units (powers of two) in
 * which nothing overflows.
 *
 *   entry j of a row = φ_j(x) 2^-exponent_j, then the intercept's 1;   target = y 2^-target_exponent
 *
 * The φ_j are those of `basis` (model/basis.h). A design reads the data and never changes it.
 */
#ifndef LINPRED_FIT_DESIGN_H
#define LINPRED_FIT_DESIGN_H

#include "core/run.h"
#include "model/basis.h"

typedef struct linpred__design {
    linpred__run *run;
    const linpred_data *data;
    const linpred__recipe *recipe;
    linpred__polynomial_basis basis; /* the design owns it; assembling a result takes it */
    int32_t width;                   /* entries of a row, the intercept's 1 included */
    bool plain;                      /* no polynomials, all exponents 0: the rows are those of the data */
    int *exponent;                   /* of each entry of a row */
    int target_exponent;
    double weight;      /* total weight of the rows; set by _measure or _total */
    double target_mean; /* weighted mean of the scaled targets; set by _measure or _total */
} linpred__design;

/* Opens a design with plain powers and all exponents 0. It does not read the rows. */
linpred_status linpred__design_open(linpred__design *design, linpred__run *run, const linpred_data *data,
                                    const linpred__recipe *recipe, bool has_intercept, linpred_error *error);
void linpred__design_close(linpred__design *design);

/* Finds the units in one pass, then the polynomials that are orthogonal over the rows in one pass for each degree. */
linpred_status linpred__design_measure(linpred__design *design, linpred_error *error);
/* Whether _measure is worth its passes: there are polynomials, or a sample of the rows has very large or small
   numbers. */
bool linpred__design_needs_units(const linpred__design *design);
/* Sets total weight and mean target of a plain design. */
void linpred__design_total(linpred__design *design);

/* The highest degree of any column, at least 1. */
int32_t linpred__design_degree(const linpred__design *design);
/* Returns the error that doubles are too coarse for this fit: the degree is too high, or columns nearly depend on each
   other. */
linpred_status linpred__design_lost(const linpred__design *design, linpred_error *error);

/* Refuses columns in units so far apart, by more than 2^limit, that what is said of them together leaves the range of
   doubles: a penalty, or a dependency. */
linpred_status linpred__design_check_spread(const linpred__design *design, const char *what, int limit,
                                            linpred_error *error);

/* Refuses columns so large beside the targets that doubles do not hold their coefficients. */
linpred_status linpred__design_check_coefficients(const linpred__design *design, linpred_error *error);

/* Writes row r: leading parts, trailing parts, each `width` long. It fits linpred__residual.expand with the design as
   context. */
void linpred__design_row(const void *design, const linpred__block *block, int32_t r, double *hi, double *lo);
/* The columns of row r where they stand in the data, without the intercept's 1. NULL if the data does not hold them as
   the design has them: then linpred__design_row writes them. */
static inline const double *linpred__design_row_in_place(const linpred__design *design, const linpred__block *block,
                                                         int32_t r)
{
    return design->plain && block->layout == LINPRED__DENSE ? block->values + r * block->stride : NULL;
}

/* Turns coefficients c of the design (entry j is c[j stride]) into the user's units: in_basis_j = c_j 2^(shift -
   exponent_j). `plain` gets the coefficients of the same function in plain powers. */
void linpred__design_to_user(const linpred__design *design, const linpred__dd *c, size_t stride, int shift,
                             linpred__dd *in_basis, linpred__dd *plain);

#endif
