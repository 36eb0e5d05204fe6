/* Residuals and their gradient in double-double, in one pass:
 *
 *   r_i = y_i - <x_i, w>,   g = Σ weight_i r_i x_i,   Σ weight r²,   Σ weight |r|,   Σ weight (y - centre)²
 *
 * w is in double-double too. Iterative refinement needs this to be accurate beyond the condition of a problem, and a
 * checker needs it to bound an error. With an intercept the coordinate 1 stands behind the columns. The rows are those
 * of the data, or what `expand` makes of them.
 */
#ifndef LINPRED_PASS_RESIDUAL_H
#define LINPRED_PASS_RESIDUAL_H

#include "num/dd.h"
#include "data/tree.h"

typedef struct linpred__residual {
    /* in */
    int32_t width; /* entries of a row, the 1 of the intercept included */
    bool has_intercept;
    const double *hi;    /* leading parts of w: width long */
    const double *lo;    /* trailing parts of w: width long */
    double centre;       /* of `around` */
    int target_exponent; /* y is the target times 2^-target_exponent */
    /* NULL: rows are those of the data. Else it fills the `width` entries of a row, leading and trailing parts. */
    void (*expand)(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo);
    const void *context; /* of `expand` */
    /* out */
    linpred__dd *gradient; /* g, width long; NULL: not computed */
    double *size; /* 2 width long: Σ weight |x_j| |r|, then Σ weight |x_j| A, A = |y| + Σ_k |x_k w_k|; NULL: neither */
    double doubt;          /* with `size`: Σ weight A². The rounding error of r is about A 2^-104. */
    uint64_t *fingerprint; /* of the data; NULL: not computed */
    linpred__dd weight;    /* Σ weight */
    linpred__dd squares;   /* Σ weight r² */
    linpred__dd absolute;  /* Σ weight |r| */
    linpred__dd around;    /* Σ weight (y - centre)² */
} linpred__residual;

linpred_status linpred__residual_pass(const linpred_data *data, linpred__pool *pool, linpred__residual *residual,
                                      linpred_error *error);
/* How the pass cuts the rows: linpred__pass_chain tells how many additions a term of the gradient takes part in. */
static inline linpred__cut linpred__residual_cut(const linpred_data *data)
{
    return linpred__cut_vector(data, 4.0 * data->columns);
}

#endif
