/* Sums of rows in eight interleaved parts, with vectors of eight doubles: the bounds of the checker hold for any order.
 */
#include "check/rows/sums.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"

enum { WIDTH = 8 };

typedef double lanes __attribute__((vector_size(WIDTH * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(WIDTH * sizeof(int64_t))));

LINPRED__INLINED double add_lanes(lanes a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

LINPRED__INLINED lanes all_of(const double *x)
{
    lanes out;
    memcpy(&out, x, sizeof out);
    return out;
}

/* Rows of WIDTH columns or more. The last vector of a row ends with its last column; the columns in it that the vector
   before had too are masked out. */
LINPRED__INLINED void sum_wide(const linpred__block *block, int32_t from, int32_t to, const double *w, const double *c,
                               linpred__row_sums *out)
{
    const bits no_sign = (bits){0} + INT64_MAX, place = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t n = block->columns, whole = n - n % WIDTH, last = n - WIDTH;
    const bits mine = place >= (bits){0} + (whole - last);
    for (int32_t r = from; r < to; r++) {
        const double *x = block->values + r * block->stride;
        lanes score = {0}, size = {0}, square = {0};
        for (int64_t j = 0; j < whole; j += WIDTH) {
            lanes cell = all_of(x + j), product = cell * all_of(w + j), value = c ? cell - all_of(c + j) : cell;
            score += product;
            size += (lanes)((bits)product & no_sign);
            square += value * value;
        }
        if (whole < n) {
            lanes cell = (lanes)((bits)all_of(x + last) & mine), product = cell * all_of(w + last), value = cell;
            if (c)
                value -= (lanes)((bits)all_of(c + last) & mine);
            score += product;
            size += (lanes)((bits)product & no_sign);
            square += value * value;
        }
        out[r - from] = (linpred__row_sums){add_lanes(score), add_lanes(size), add_lanes(square)};
    }
}

LINPRED__INLINED void sum_narrow(const linpred__block *block, int32_t from, int32_t to, const double *w,
                                 const double *c, linpred__row_sums *out)
{
    for (int32_t r = from; r < to; r++) {
        const double *x = block->values + r * block->stride;
        linpred__row_sums sums = {0};
        for (int32_t j = 0; j < block->columns; j++) {
            double product = x[j] * w[j], value = c ? x[j] - c[j] : x[j];
            sums.score += product;
            sums.size += fabs(product);
            sums.square += value * value;
        }
        out[r - from] = sums;
    }
}

LINPRED__INLINED void sum_dense(const linpred__block *block, int32_t from, int32_t to, const double *w, const double *c,
                                linpred__row_sums *out)
{
    if (block->columns < WIDTH)
        sum_narrow(block, from, to, w, c, out);
    else
        sum_wide(block, from, to, w, c, out);
}

LINPRED__FAST static void sum_centred(const linpred__block *block, int32_t from, int32_t to, const double *w,
                                      const double *c, linpred__row_sums *out)
{
    sum_dense(block, from, to, w, c, out);
}

LINPRED__FAST static void sum_plain(const linpred__block *block, int32_t from, int32_t to, const double *w,
                                    linpred__row_sums *out)
{
    sum_dense(block, from, to, w, NULL, out);
}

static linpred__row_sums sum_sparse(const linpred__entries *row, const double *w)
{
    linpred__row_sums sums = {0};
    for (int64_t k = 0; k < row->count; k++) {
        double product = row->values[k] * w[row->indices[k]];
        sums.score += product;
        sums.size += fabs(product);
        sums.square += row->values[k] * row->values[k];
    }
    return sums;
}

void linpred__sum_rows(const linpred__block *block, int32_t from, int32_t to, const double *w, const double *c,
                       linpred__row_sums *out)
{
    if (block->layout == LINPRED__DENSE && c)
        sum_centred(block, from, to, w, c, out);
    else if (block->layout == LINPRED__DENSE)
        sum_plain(block, from, to, w, out);
    for (int32_t r = from; block->layout == LINPRED__SPARSE && r < to; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        out[r - from] = sum_sparse(&row, w);
    }
}
