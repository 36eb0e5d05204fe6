/* The score of a row, s = <w,x> + b, with a bound of its rounding error: (n+4) 2^-52 (Σ|w_j x_j| + |b|), or 2^-100 in
 * place of 2^-52 where that would be too much to tell the loss of the row. Cells that mean decimals are off them by
 * 2^-53 |x| at most, which the first bound covers; in double-double what they lack is added. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "check/whole.h"
#include "core/fast.h"
#include "data/limits.h"
#include "num/dd.h"

enum { WIDTH = 8 };

typedef double lanes __attribute__((vector_size(WIDTH * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(WIDTH * sizeof(int64_t))));

/* The sums of one row. */
struct sums {
    double score;  /* Σ w_j x_j */
    double size;   /* Σ |w_j x_j| */
    double square; /* Σ (x_j - c_j)² */
};

LINPRED__INLINED double add_lanes(lanes a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/* The first `count` numbers, and zeros. */
LINPRED__INLINED lanes some_of(const double *x, int64_t count)
{
    lanes out = {0};
    for (int64_t k = 0; k < count; k++)
        out[k] = x[k];
    return out;
}

/* The sums of dense rows from .. to - 1, each in eight interleaved parts. */
LINPRED__FAST static void sum_dense(const linpred__careful *careful, const linpred__block *block, int32_t from,
                                    int32_t to, struct sums *out)
{
    const double *w = careful->w, *c = careful->centre;
    const bits no_sign = (bits){0} + INT64_MAX;
    int64_t n = block->columns, whole = n - n % WIDTH;
    lanes last_w = some_of(w + whole, n - whole), last_c = some_of(c + whole, n - whole);
    for (int32_t r = from; r < to; r++) {
        const double *x = block->values + r * block->stride;
        lanes score = {0}, size = {0}, square = {0}, cell, weight, centre;
        for (int64_t j = 0; j < n; j += WIDTH) {
            if (j < whole) {
                memcpy(&cell, x + j, sizeof cell);
                memcpy(&weight, w + j, sizeof weight);
                memcpy(&centre, c + j, sizeof centre);
            } else {
                cell = some_of(x + whole, n - whole);
                weight = last_w;
                centre = last_c;
            }
            lanes product = cell * weight, value = cell - centre;
            score += product;
            size += (lanes)((bits)product & no_sign);
            square += value * value;
        }
        out[r - from] = (struct sums){add_lanes(score), add_lanes(size), add_lanes(square)};
    }
}

/* The sums of a sparse row, whose columns have no centres. */
static struct sums sum_sparse(const linpred__entries *row, const double *w)
{
    struct sums sums = {0};
    for (int64_t k = 0; k < row->count; k++) {
        double product = row->values[k] * w[row->indices[k]];
        sums.score += product;
        sums.size += fabs(product);
        sums.square += row->values[k] * row->values[k];
    }
    return sums;
}

/* The score in double-double, where `size` is Σ|w_j x_j| + |b|. */
static linpred__measured_score score_again(const linpred__careful *careful, const linpred__block *block, int32_t r,
                                           struct sums sums, double size)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__dd sum = {careful->has_intercept ? careful->w[careful->dimension - 1] : 0.0, 0.0};
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        sum = linpred__dd_add(sum, linpred__two_product(row.values[k], careful->w[j]));
        sum = linpred__dd_add_double(sum, linpred__cell_rest(block, j, row.values[k]) * careful->w[j]);
    }
    double terms = (double)row.count + 4.0, off = terms * 0x1p-100 * size + DBL_EPSILON * fabs(sum.hi);
    if (!block->decimals)
        off += careful->off * size; /* a copy in other units does not know decimals */
    return (linpred__measured_score){sum.hi, off + terms * 0x1p-1073, sums.square};
}

void linpred__careful_scores(const linpred__careful *careful, const linpred__block *block, int32_t from, int32_t to,
                             linpred__measured_score *out)
{
    double b = careful->has_intercept ? careful->w[careful->dimension - 1] : 0.0;
    struct sums sums[LINPRED__ROWS_AT_A_TIME];
    if (block->layout == LINPRED__DENSE)
        sum_dense(careful, block, from, to, sums);
    for (int32_t r = from; r < to; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        struct sums s = row.indices ? sum_sparse(&row, careful->w) : sums[r - from];
        double terms = (double)row.count + 4.0, size = s.size + fabs(b);
        linpred__measured_score score = {s.score + b, terms * DBL_EPSILON * size + terms * 0x1p-1073, s.square};
        bool enough = !(score.off > LINPRED__SCORE_ROUNDING && isfinite(size));
        out[r - from] = enough ? score : score_again(careful, block, r, s, size);
    }
}
