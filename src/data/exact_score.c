/* Scores with the exact sign: see exact_score.h for the rounding bound. */
#include "data/exact_score.h"

#include <math.h>

#include "num/exact_sum.h"
#include "data/row.h"

/* Σ |w_j x_j| */
LINPRED__FAST static double magnitude(const linpred__block *block, int32_t r, const double *w)
{
    double sum = 0.0;
    if (block->layout == LINPRED__DENSE) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < block->columns; j++)
            sum += fabs(x[j] * w[j]);
        return sum;
    }
    for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
        sum += fabs(block->values[k] * w[block->indices[k]]);
    return sum;
}

double linpred__exact_score(const linpred__block *block, int32_t r, const double *w, double b)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < row.count; k++)
        linpred__exact_add(&sum, row.values[k], w[linpred__entry_column(&row, k)]);
    linpred__exact_add(&sum, b, 1.0);
    double value = linpred__exact_value(&sum);
    return value == 0.0 ? linpred__exact_sign(&sum) * 0x1p-1074 : value; /* an underflow keeps its sign */
}

double linpred__row_score(const linpred__block *block, int32_t r, const double *w, double b)
{
    double score = linpred__row_dot(block, r, w) + b;
    double bound = linpred__score_bound(block->columns, magnitude(block, r, w) + fabs(b));
    return fabs(score) > bound ? score : linpred__exact_score(block, r, w, b);
}
