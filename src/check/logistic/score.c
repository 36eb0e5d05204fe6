/* The score of a row, s = <w,x> + b, with a bound of its rounding error: (n+4) 2^-52 (Σ|w_j x_j| + |b|), or 2^-100 in
 * place of 2^-52 where that would be too much to tell the loss of the row. Cells that mean decimals are off them by
 * 2^-53 |x| at most, which the first bound covers; in double-double what they lack is added. */
#include <float.h>
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "check/whole.h"
#include "num/dd.h"

double linpred__careful_score(const linpred__careful *careful, const linpred__block *block, int32_t r, double *off)
{
    linpred__entries entries = linpred__entries_of(block, r), *row = &entries;
    const double *w = careful->w;
    double score = careful->has_intercept ? w[careful->dimension - 1] : 0.0, size = fabs(score);
    double terms = (double)row->count + 4.0, denormal = terms * 0x1p-1073;
    linpred__dd sum = {score, 0.0};
    for (int64_t k = 0; k < row->count; k++) {
        double product = row->values[k] * w[linpred__entry_column(row, k)];
        score += product;
        size += fabs(product);
    }
    *off = terms * DBL_EPSILON * size + denormal;
    if (!(*off > LINPRED__SCORE_ROUNDING && isfinite(size)))
        return score;
    for (int64_t k = 0; k < row->count; k++) {
        int32_t j = linpred__entry_column(row, k);
        sum = linpred__dd_add(sum, linpred__two_product(row->values[k], w[j]));
        sum = linpred__dd_add_double(sum, linpred__cell_rest(block, j, row->values[k]) * w[j]);
    }
    *off = terms * 0x1p-100 * size + DBL_EPSILON * fabs(sum.hi) + denormal;
    if (!block->decimals)
        *off += careful->off * size; /* a copy in other units does not know decimals */
    return sum.hi;
}
