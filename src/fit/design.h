/* The rows as a regression sees them: powers as orthogonal polynomials, columns and targets in units (powers of two) in
 * which nothing overflows. The data itself is never touched.
 *
 *   entry j of a row = φ_j(x) 2^-exponent_j, the intercept's 1 behind them;   target = y 2^-target_exponent
 */
#ifndef LINPRED_FIT_DESIGN_H
#define LINPRED_FIT_DESIGN_H

#include "core/threads.h"
#include "model/basis.h"

typedef struct linpred__design {
    const linpred_data *data;
    linpred__pool *pool;
    linpred__polynomial_basis *basis; /* the model's own */
    int32_t width;
    bool plain; /* no polynomials and all exponents 0: the rows are those of the data */
    int *exponent;
    int target_exponent;
    double weight;      /* total; after linpred__design_measure */
    double target_mean; /* of the scaled targets, by weight */
} linpred__design;

/* Plain units; nothing is measured yet. */
linpred_status linpred__design_open(linpred__design *design, const linpred_data *data, linpred__polynomial_basis *basis,
                                    linpred__pool *pool, linpred_error *error);
void linpred__design_close(linpred__design *design);
/* Finds the units, and the polynomials that are orthogonal over the rows: a pass for the first, one a degree for these.
 */
linpred_status linpred__design_measure(linpred__design *design, linpred_error *error);
/* Measured units cost a pass: they are needed for polynomials, and where numbers (of some of the rows) are very large
 * or small. */
bool linpred__design_needs_units(const linpred__design *design);
/* Total weight and mean target in plain units. */
void linpred__design_total(linpred__design *design);
/* The error of a fit that doubles cannot carry: powers too high, or columns too near to depending on each other. */
linpred_status linpred__design_lost(const linpred__design *design, linpred_error *error);
/* Row r, leading and trailing parts; fits linpred__residual.expand with the design as context. */
void linpred__design_row(const void *design, const linpred__block *block, int32_t r, double *hi, double *lo);

#endif
