/* Scores of a dense block are computed row by row, as memory gives them. Sums come after the scores, when the block is
 * in cache, and are computed for TOGETHER rows at a time, which share the loads of the sums. A row is read up to a
 * whole number of vectors; the last rows of a block, where this would read outside, are handled one by one. */
#include "data/block_sums.h"

#include "data/row.h"

enum {
    WIDTH = 8,   /* doubles of a vector */
    TOGETHER = 4 /* rows at a time */
};

/* How many of the first rows may be read up to a whole number of vectors, rounded down to a multiple of TOGETHER. */
static int32_t rows_to_read_over(const linpred__block *block)
{
    if (!linpred__reads_over(block))
        return 0;
    int64_t padding = (int64_t)linpred__padded(block->columns) - block->columns;
    int64_t rows = block->rows - (block->stride > 0 ? (padding + block->stride - 1) / block->stride : block->rows);
    return rows > 0 ? (int32_t)(rows / TOGETHER * TOGETHER) : 0;
}

/* Scores with the bits of linpred__dot_dense. One row after another: side by side they would share the loads of w, but
   rows that come from memory would come half as fast (row.h). */
LINPRED__FAST static void score_padded(const linpred__block *block, int32_t rows, const double *w, double b, double *z)
{
    for (int32_t r = 0; r < rows; r++)
        z[r] = linpred__dot_padded(block->values + r * block->stride, w, block->columns) + b;
}

LINPRED__FAST static void score_rows_singly(const linpred__block *block, int32_t first, const double *w, double b,
                                            double *z)
{
    for (int32_t r = first; r < block->rows; r++)
        z[r] = linpred__row_dot_quick(block, r, w) + b;
}

void linpred__block_scores(const linpred__block *block, const double *w, double b, double *z)
{
    int32_t first = rows_to_read_over(block);
    score_padded(block, first, w, b, z);
    score_rows_singly(block, first, w, b, z);
}

/* Adds row after row, TOGETHER rows on each trip over the sums. What is read after a row goes to the padding. */
LINPRED__FAST static void add_together(const linpred__block *block, int32_t rows, const double *a, const double *c,
                                       double *sum)
{
    int32_t n = (int32_t)linpred__padded(block->columns);
    for (int32_t r = 0; r < rows; r += TOGETHER) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < n; j += WIDTH) {
            linpred__lanes total, value, centre = {0};
            memcpy(&total, sum + j, sizeof total);
            if (c)
                memcpy(&centre, c + j, sizeof centre);
            for (int32_t k = 0; k < TOGETHER; k++) {
                memcpy(&value, x + k * block->stride + j, sizeof value);
                total += a[r + k] * (value - centre);
            }
            memcpy(sum + j, &total, sizeof total);
        }
    }
}

LINPRED__FAST static void add_rows_singly(const linpred__block *block, int32_t first, const double *a, const double *c,
                                          double *sum)
{
    for (int32_t r = first; r < block->rows; r++) {
        if (!c)
            linpred__row_add(block, r, a[r], sum);
        for (int32_t j = 0; c && j < block->columns; j++)
            sum[j] += a[r] * (block->values[r * block->stride + j] - c[j]);
    }
}

void linpred__block_add(const linpred__block *block, const double *a, const double *c, double *sum)
{
    int32_t first = rows_to_read_over(block);
    add_together(block, first, a, c, sum);
    add_rows_singly(block, first, a, c, sum);
}
