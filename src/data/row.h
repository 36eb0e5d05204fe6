/* Kernels for one row x, inlined into the loops over a block: <w,x> and w += a x.
 *
 * A dot product has one order of summation for every layout and machine: the product of column j is added to lane
 * j mod 8, and the lanes are added as ((0+4)+(2+6)) + ((1+5)+(3+7)). A zero changes no lane, so that dense and sparse
 * rows give the same bits. Only linpred__row_dot_quick adds a sparse row in another order.
 *
 * A row is read from its beginning to its end, without prefetches: the machine's own prefetchers follow that best. Rows
 * read side by side come from memory half as fast, unless they are asked for ahead.
 *
 * A *padded* vector has linpred__padded(columns) entries, a multiple of 8, and zeros from `columns` on.
 */
#ifndef LINPRED_DATA_ROW_H
#define LINPRED_DATA_ROW_H

#include <string.h>

#include "core/fast.h"
#include "data/data.h"

typedef double linpred__lanes __attribute__((vector_size(64)));
typedef int64_t linpred__half_bits __attribute__((vector_size(32)));
typedef double linpred__half_lanes __attribute__((vector_size(32)));

static inline __attribute__((always_inline)) double linpred__add_lanes(const double lane[8])
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Eight lanes in two vectors: where a machine has none of eight doubles, compilers keep one such vector in memory, and
   each addition waits for the store before it. */
typedef struct linpred__lane_sums {
    linpred__half_lanes low;  /* lanes 0 .. 3 */
    linpred__half_lanes high; /* lanes 4 .. 7 */
} linpred__lane_sums;

static inline __attribute__((always_inline)) linpred__half_lanes linpred__load_half(const double *x)
{
    linpred__half_lanes half;
    memcpy(&half, x, sizeof half);
    return half;
}

/* Adds the products of eight columns. */
static inline __attribute__((always_inline)) void linpred__add_products(linpred__lane_sums *sums, const double *x,
                                                                        const double *w)
{
    sums->low += linpred__load_half(x) * linpred__load_half(w);
    sums->high += linpred__load_half(x + 4) * linpred__load_half(w + 4);
}

static inline __attribute__((always_inline)) double linpred__dot_dense(const double *x, const double *w, int32_t n)
{
    linpred__lane_sums sums = {{0}, {0}};
    int32_t j = 0;
    for (; j + 8 <= n; j += 8)
        linpred__add_products(&sums, x + j, w + j);
    double lane[8];
    memcpy(lane, &sums, sizeof lane);
    for (int32_t k = 0; j < n; j++, k++)
        lane[k] += x[j] * w[j];
    return linpred__add_lanes(lane);
}

static inline __attribute__((always_inline)) double linpred__dot_sparse(const double *value, const int32_t *index,
                                                                        int64_t n, const double *w)
{
    double lane[8] = {0};
    for (int64_t k = 0; k < n; k++)
        lane[index[k] & 7] += value[k] * w[index[k]];
    return linpred__add_lanes(lane);
}

/* linpred__dot_dense for a padded w. x is read up to the padded length; what stands after its columns is multiplied by
   0 and must be finite. */
static inline __attribute__((always_inline)) double linpred__dot_padded(const double *x, const double *w, int32_t n)
{
    linpred__lane_sums sums = {{0}, {0}};
    for (int32_t j = 0; j < n; j += 8)
        linpred__add_products(&sums, x + j, w + j);
    linpred__half_lanes t = sums.low + sums.high; /* the order of linpred__add_lanes */
    return (t[0] + t[2]) + (t[1] + t[3]);
}

/* The length of a padded vector. */
static inline size_t linpred__padded(int32_t columns)
{
    return ((size_t)columns + 7) / 8 * 8;
}

/* <w, x_r> for row r of a block. */
static inline __attribute__((always_inline)) double linpred__row_dot(const linpred__block *block, int32_t r,
                                                                     const double *w)
{
    if (block->layout == LINPRED__DENSE)
        return linpred__dot_dense(block->values + r * block->stride, w, block->columns);
    int64_t from = block->start[r];
    return linpred__dot_sparse(block->values + from, block->indices + from, block->start[r + 1] - from, w);
}

/* <w, x_r>, faster for a sparse row: it is added in four sums without lanes in memory. The result is the same on every
   machine and for any number of threads, but its last bits may differ from those of the same row in dense layout. */
static inline __attribute__((always_inline)) double linpred__row_dot_quick(const linpred__block *block, int32_t r,
                                                                           const double *w)
{
    if (block->layout == LINPRED__DENSE)
        return linpred__dot_dense(block->values + r * block->stride, w, block->columns);
    const double *value = block->values + block->start[r];
    const int32_t *index = block->indices + block->start[r];
    int64_t n = block->start[r + 1] - block->start[r], k = 0;
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (; k + 4 <= n; k += 4) {
        a += value[k] * w[index[k]];
        b += value[k + 1] * w[index[k + 1]];
        c += value[k + 2] * w[index[k + 2]];
        d += value[k + 3] * w[index[k + 3]];
    }
    for (; k < n; k++)
        a += value[k] * w[index[k]];
    return (a + b) + (c + d);
}

/* Whether the doubles between the rows of a block are finite, so that they may be read and multiplied by 0. */
static inline __attribute__((always_inline)) bool linpred__reads_over(const linpred__block *block)
{
    return block->layout == LINPRED__DENSE && (block->stride == block->columns || block->filled);
}

/* Whether `reach` doubles may be read from the beginning of row r: the block does not end before them. */
static inline __attribute__((always_inline)) bool linpred__row_reaches(const linpred__block *block, int32_t r,
                                                                       int64_t reach)
{
    return linpred__reads_over(block) &&
           r * block->stride + reach <= (block->rows - 1) * block->stride + block->columns;
}

/* Whether row r may be read up to the padded length. In most dense blocks this holds for all rows but the last few. */
static inline __attribute__((always_inline)) bool linpred__row_reads_padded(const linpred__block *block, int32_t r)
{
    return linpred__row_reaches(block, r, (int64_t)linpred__padded(block->columns));
}

/* linpred__row_dot for a padded w: the same bits, but faster. */
static inline __attribute__((always_inline)) double linpred__row_dot_padded(const linpred__block *block, int32_t r,
                                                                            const double *w)
{
    if (linpred__row_reads_padded(block, r))
        return linpred__dot_padded(block->values + r * block->stride, w, block->columns);
    return linpred__row_dot(block, r, w);
}

/* w += a x_r */
static inline __attribute__((always_inline)) void linpred__row_add(const linpred__block *block, int32_t r, double a,
                                                                   double *restrict w)
{
    if (block->layout == LINPRED__DENSE) {
        const double *restrict x = block->values + r * block->stride;
        for (int32_t j = 0; j < block->columns; j++)
            w[j] += a * x[j];
        return;
    }
    for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
        w[block->indices[k]] += a * block->values[k];
}

/* linpred__row_add for a padded w, whose padding stays 0. Only whole vectors are stored, so that the next dot product
   can load them without delay. */
static inline __attribute__((always_inline)) void linpred__row_add_padded(const linpred__block *block, int32_t r,
                                                                          double a, double *restrict w)
{
    int32_t n = block->columns;
    if (!linpred__row_reads_padded(block, r)) {
        linpred__row_add(block, r, a, w);
        return;
    }
    const double *restrict x = block->values + r * block->stride;
    const linpred__half_bits place = {0, 1, 2, 3};
    linpred__half_lanes factor = {a, a, a, a};
    for (int32_t j = 0; j < n; j += 4) {
        if (n - j < 4)
            factor = (linpred__half_lanes)((linpred__half_bits)factor & (place < (linpred__half_bits){0} + (n - j)));
        linpred__half_lanes u = linpred__load_half(w + j) + factor * linpred__load_half(x + j);
        memcpy(w + j, &u, sizeof u);
    }
}

static inline double linpred__row_weight(const linpred__block *block, int32_t r)
{
    return block->weight ? block->weight[r] : 1.0;
}

#endif
