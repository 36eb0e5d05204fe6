/* The score of a row, s = <w,x> + b, with a bound of its rounding error: (n+4) 2^-52 (Σ|w_j x_j| + |b|), or 2^-100 in
 * place of 2^-52 where that would be too much to tell the loss of the row. */
#include <float.h>
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "num/dd.h"

double linpred__careful_score(const linpred__careful *careful, const linpred__entries *row, double *off)
{
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
    for (int64_t k = 0; k < row->count; k++)
        sum = linpred__dd_add(sum, linpred__two_product(row->values[k], w[linpred__entry_column(row, k)]));
    *off = terms * 0x1p-100 * size + DBL_EPSILON * fabs(sum.hi) + denormal;
    return sum.hi;
}
