/* X' D X of sparse rows (see sparse_gram.h). First the entries are listed by columns; then threads share out the
 * columns. */
#include "pass/sparse_gram.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"

enum {
    COLUMNS = 8, /* columns of X in one task */
    TILE = 64    /* rows of the product that one task mirrors */
};

/* The entries of a row up to that in some column. */
struct part {
    int32_t block;
    int32_t row;
    int32_t count; /* entries, that in the column included */
};

struct sparse_gram_work {
    const linpred_data *data;
    const double *curvature;
    const int64_t *first;
    bool has_intercept;
    size_t dimension;
    double *product;
    struct part *part;
    int64_t *start; /* the parts of column j are part[start[j]] .. part[start[j+1] - 1] */
};

/* Lists the parts of each column, in the order of the rows. */
static bool index_columns(struct sparse_gram_work *work)
{
    const linpred_data *data = work->data;
    int64_t entries = 0;
    work->start = linpred__calloc((size_t)data->columns + 2, sizeof *work->start);
    for (int64_t i = 0; work->start && i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int64_t k = block->start[0]; k < block->start[block->rows]; k++, entries++)
            work->start[block->indices[k] + 2]++;
    }
    work->part = work->start ? linpred__alloc((size_t)entries, sizeof *work->part) : NULL;
    if (!work->part)
        return false;
    int64_t *next = work->start + 1; /* next[j] counts up from the start of column j to its end */
    for (int32_t j = 0; j < data->columns; j++)
        next[j + 1] += next[j];
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++)
            for (int64_t from = block->start[r], k = from; k < block->start[r + 1]; k++)
                work->part[next[block->indices[k]]++] = (struct part){(int32_t)i, r, (int32_t)(k - from + 1)};
    }
    return true;
}

static void add_column(const struct sparse_gram_work *work, int32_t j)
{
    double *restrict to = work->product + (size_t)j * work->dimension;
    double ones = 0.0;
    for (int64_t i = work->start[j]; i < work->start[j + 1]; i++) {
        const struct part *part = &work->part[i];
        const linpred__block *block = linpred__block_at(work->data, part->block);
        const double *restrict value = block->values + block->start[part->row];
        const int32_t *restrict index = block->indices + block->start[part->row];
        double a = work->curvature[work->first[part->block] + part->row] * value[part->count - 1];
        for (int32_t k = 0; a != 0.0 && k < part->count; k++)
            to[index[k]] += a * value[k];
        ones += a;
    }
    if (work->has_intercept)
        work->product[(size_t)work->data->columns * work->dimension + (size_t)j] = ones;
}

static void add_columns(void *context, int64_t task)
{
    const struct sparse_gram_work *work = context;
    for (int32_t j = (int32_t)task * COLUMNS; j < (int32_t)(task + 1) * COLUMNS && j < work->data->columns; j++)
        add_column(work, j);
}

/* The same sums, in the same order, for rows that lie in a file and are read one after another. */
static void add_by_rows(const struct sparse_gram_work *work)
{
    double *ones = work->product + (size_t)work->data->columns * work->dimension;
    for (int64_t i = 0; i < work->data->blocks; i++) {
        const linpred__block *block = linpred__block_at(work->data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            linpred__entries row = linpred__entries_of(block, r);
            for (int64_t last = 0; row.indices && last < row.count; last++) {
                double a = work->curvature[work->first[i] + r] * row.values[last];
                double *restrict to = work->product + (size_t)row.indices[last] * work->dimension;
                for (int64_t k = 0; a != 0.0 && k <= last; k++)
                    to[row.indices[k]] += a * row.values[k];
                if (work->has_intercept)
                    ones[row.indices[last]] += a;
            }
        }
    }
}

/* Copies the lower triangle to the upper, a square at a time. */
static void mirror(void *context, int64_t task)
{
    const struct sparse_gram_work *work = context;
    size_t d = work->dimension, row = (size_t)task * TILE, end = row + TILE < d ? row + TILE : d;
    for (size_t from = 0; from < end; from += TILE)
        for (size_t i = row; i < end; i++)
            for (size_t j = from; j < from + TILE && j < i; j++)
                work->product[j * d + i] = work->product[i * d + j];
}

linpred_status linpred__sparse_gram(const linpred_data *data, linpred__pool *pool, const double *curvature,
                                    const int64_t *first, bool has_intercept, double *product, linpred_error *error)
{
    size_t d = (size_t)data->columns + has_intercept;
    struct sparse_gram_work work = {data, curvature, first, has_intercept, d, product, NULL, NULL};
    bool indexed = data->stored || index_columns(&work);
    if (indexed) {
        memset(product, 0, d * d * sizeof *product);
        for (int64_t i = 0; has_intercept && i < data->blocks; i++)
            for (int32_t r = 0; r < data->block[i].rows; r++)
                product[d * d - 1] += curvature[first[i] + r];
        if (data->stored)
            add_by_rows(&work);
        else
            linpred__pool_run(pool, (data->columns + COLUMNS - 1) / COLUMNS, add_columns, &work);
        linpred__pool_run(pool, (int64_t)((d + TILE - 1) / TILE), mirror, &work);
    }
    linpred__release(work.part);
    linpred__release(work.start);
    return indexed ? LINPRED_OK : linpred__no_memory(error);
}
