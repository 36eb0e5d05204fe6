/* Residuals and their gradient in double-double, in one trip over the rows:
 *
 *   r_i = y_i - <x_i, w>,   g = Σ weight_i r_i x_i,   Σ weight r²,  Σ weight |r|,  Σ weight (y-center)²
 *
 * with w itself in double-double. This is what refinement needs to leave the conditioning of a problem behind, and what
 * a verifier needs to bound an error. With an intercept the coordinate 1 stands behind the columns. Rows are those of
 * the data, or what `expand` makes of them.
 */
#ifndef LINPRED_PASS_RESIDUAL_H
#define LINPRED_PASS_RESIDUAL_H

#include "num/dd.h"
#include "data/tree.h"

typedef struct linpred__residual {
    /* in */
    int32_t width; /* entries of a row, the 1 of the intercept included */
    bool has_intercept;
    const double *hi; /* w: width long */
    const double *lo;
    double center;
    int target_exponent; /* y is taken times 2^-this */
    /* NULL: the rows of the data. Else fills all `width` entries, leading and trailing parts. */
    void (*expand)(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo);
    const void *context;
    /* out */
    linpred__dd *gradient; /* width long, or NULL */
    double *size; /* NULL, or 2 width long: Σ weight |x_j| |r|, then Σ weight |x_j| A with A = |y| + Σ_k |x_k w_k| */
    double doubt; /* with size: Σ weight A², A 2^-104 being about the rounding error of r */
    uint64_t *fingerprint; /* of the data, or NULL: it costs less than a trip of its own */
    linpred__dd weight;
    linpred__dd squares;
    linpred__dd absolute;
    linpred__dd around; /* Σ weight (y-center)² */
} linpred__residual;

linpred_status linpred__residual_pass(const linpred_data *data, linpred__pool *pool, linpred__residual *residual,
                                      linpred_error *error);
/* How the pass cuts the rows: linpred__pass_chain tells how many additions a term of the gradient takes part in. */
static inline linpred__cut linpred__residual_cut(const linpred_data *data)
{
    return linpred__cut_vector(data, 4.0 * data->columns);
}

#endif
