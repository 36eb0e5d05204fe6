/* The score of a row, s = <w,x> + b, with a bound of its rounding error: (n+4) 2^-52 (Σ|w_j x_j| + |b|), or 2^-100 in
 * place of 2^-52 where that would be too much to tell the loss of the row. Cells that mean decimals are off them by
 * 2^-53 |x| at most, which the first bound covers; in double-double what they lack is added. With tails the products
 * are added exactly. */
#include <float.h>
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "check/rows/sums.h"
#include "check/rows/whole.h"
#include "data/limits.h"
#include "num/dd.h"
#include "num/exact_sum.h"

/* The score in double-double, where `size` is Σ|w_j x_j| + |b|. */
static linpred__measured_score score_again(const linpred__careful *careful, const linpred__block *block, int32_t r,
                                           linpred__row_sums sums, double size)
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

/* The score of coefficients with tails, rounded once; with decimals twice. */
static linpred__measured_score score_with_tails(const linpred__careful *careful, const linpred__block *block, int32_t r,
                                                linpred__row_sums sums)
{
    linpred__entries row = linpred__entries_of(block, r);
    int32_t last = careful->dimension - 1;
    double factor = linpred__row_factor(block);
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double part[2];
        linpred__read_cell(block, j, row.values[k], part);
        for (int half = 0; half < 2; half++) {
            linpred__exact_add(&sum, part[half], careful->w[j]);
            for (int32_t p = 0; p < careful->tails; p++)
                linpred__exact_add(&sum, part[half], careful->tail[p * careful->dimension + j]);
        }
    }
    if (careful->has_intercept) {
        linpred__exact_add(&sum, factor, careful->w[last]);
        for (int32_t p = 0; p < careful->tails; p++)
            linpred__exact_add(&sum, factor, careful->tail[p * careful->dimension + last]);
    }
    double score = linpred__exact_value(&sum) / factor, terms = ((double)row.count + 4.0) * (careful->tails + 1.0);
    double off = DBL_EPSILON * fabs(score) + terms * 0x1p-1073; /* a part in other units may underflow */
    if (!block->decimals)
        off += 1.01 * careful->off * sums.size; /* a copy in other units does not know decimals */
    return (linpred__measured_score){score, off, sums.square};
}

void linpred__careful_scores(const linpred__careful *careful, const linpred__block *block, int32_t from, int32_t to,
                             linpred__measured_score *out)
{
    double b = careful->has_intercept ? careful->w[careful->dimension - 1] : 0.0;
    linpred__row_sums sums[LINPRED__ROWS_AT_A_TIME];
    linpred__sum_rows(block, from, to, careful->w, careful->centred ? careful->centre : NULL, sums);
    for (int32_t r = from; r < to; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        linpred__row_sums s = sums[r - from];
        double terms = (double)row.count + 4.0, size = s.size + fabs(b);
        linpred__measured_score score = {s.score + b, terms * DBL_EPSILON * size + terms * 0x1p-1073, s.square};
        bool enough = !(score.off > LINPRED__SCORE_ROUNDING && isfinite(size));
        out[r - from] = careful->tails ? score_with_tails(careful, block, r, s)
                        : enough       ? score
                                       : score_again(careful, block, r, s, size);
    }
}
