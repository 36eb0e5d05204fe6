/* Powers of columns as a basis of polynomials that are orthogonal, or nearly so, over the training rows.
 *
 *   φ_1 = (x - a_0) 2^-e,   φ_{k+1} = (x - a_k) 2^-e φ_k - b_k φ_{k-1},   φ_0 = 1, or 0 in a model without intercept
 *
 * Any numbers a, b give a basis of the same space of polynomials. A fit chooses those that make it orthogonal over the
 * training rows. A column without powers is its own term. The coordinates of a row are its terms, then 1 for the
 * intercept. They are evaluated in double-double from the x of the data.
 */
#ifndef LINPRED_MODEL_BASIS_H
#define LINPRED_MODEL_BASIS_H

#include "num/dd.h"
#include "data/data.h"
#include "table/recipe/recipe.h"

typedef struct linpred__polynomial {
    int32_t feature; /* column of the data */
    int32_t term;    /* the number of its first term */
    int32_t degree;  /* the highest power, above 1 */
    int exponent;    /* e */
    double *centre;  /* a_0 … a_{degree-1} */
    double *step;    /* b_0 … b_{degree-1}; b_0 is not used */
} linpred__polynomial;

typedef struct linpred__polynomial_basis {
    int32_t terms;    /* the number of terms of all columns */
    int32_t features; /* columns of the data */
    bool has_intercept;
    int32_t polynomials; /* 0: the terms are the columns */
    linpred__polynomial *polynomial;
    int32_t *term_of; /* for each column of the data, its first term */
} linpred__polynomial_basis;

/* Makes the basis of plain powers: a = 0, b = 0, e = 0. False: out of memory, nothing to clear. */
bool linpred__polynomial_basis_make(linpred__polynomial_basis *basis, const linpred__recipe *recipe,
                                    bool has_intercept);
bool linpred__polynomial_basis_copy(linpred__polynomial_basis *to, const linpred__polynomial_basis *from);
void linpred__polynomial_basis_clear(linpred__polynomial_basis *basis);

/* The number of coordinates: terms, and one for the intercept. */
static inline int32_t linpred__polynomial_basis_width(const linpred__polynomial_basis *basis)
{
    return basis->terms + basis->has_intercept;
}

/* Writes the coordinates of row r, leading and trailing parts. Rows must be dense if there are polynomials. */
void linpred__polynomial_basis_row(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                   double *hi, double *lo);

/* Writes the same function in plain powers: Σ plain_j x^j = Σ c_j φ_j(x). `plain` and `c` must not overlap. */
void linpred__polynomial_basis_to_powers(const linpred__polynomial_basis *basis, const linpred__dd *c,
                                         linpred__dd *plain);

/* Σ (c_j + tail_j) φ_j(x) in double-double, rounded once. Rows must be dense. */
double linpred__polynomial_basis_score(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                       const double *c, const double *tail);

#endif
