/* Data: a sequence of row blocks with targets and optional row weights.
 *
 * All blocks have `block_rows` rows except the last; that number depends on the shape alone, never on threads or on how
 * the rows came in, so sums over blocks have one order. A block is dense (rows of values, `stride` apart) or sparse
 * (CSR). The intercept, scaling and weights are never written into the values.
 */
#ifndef LINPRED_DATA_DATA_H
#define LINPRED_DATA_DATA_H

#include "data/remark.h"
#include "linpred/linpred.h"

typedef enum linpred__layout { LINPRED__DENSE, LINPRED__SPARSE } linpred__layout;

/* A read-only view. target and weight are rows long; weight NULL: all 1. */
typedef struct linpred__block {
    int64_t first_row;
    int32_t rows;
    int32_t columns;
    linpred__layout layout;
    const double *values;   /* dense: row r starts at values + r*stride; sparse: entries of all rows */
    int64_t stride;         /* dense */
    bool filled;            /* dense: what stands between the rows is finite too, though it means nothing */
    const int64_t *start;   /* sparse: row r is values[start[r] .. start[r+1]) */
    const int32_t *indices; /* sparse: 0-based, ascending within a row */
    const double *target;
    const double *weight;
} linpred__block;

enum { LINPRED__WARNINGS = 4 };

struct linpred__recipe; /* how features and labels were made (table/recipe/recipe.h); data only carries it along */

struct linpred_data {
    linpred__layout layout;
    int64_t rows;
    int32_t columns;
    int64_t entries;
    int32_t block_rows;
    int64_t blocks;
    linpred__block *block;
    bool from_arrays; /* its names are made up, and the labels may stand for themselves */
    bool labelled;    /* the targets are there, not zeros in their place */

    /* Blocks of the reader's that hold the memory behind the views; freed by `release`. */
    void (*release)(void *context);
    void *context;

    int64_t *source_row; /* 0-based row of the file for each row; NULL: row i came from row i */
    int64_t rows_in_file;
    int64_t dropped_missing;
    int64_t dropped_weightless;
    int32_t index_base;

    linpred__warning warning[LINPRED__WARNINGS]; /* what a careful user wants to know */
    int warnings;

    struct linpred__recipe *recipe;
    void (*release_recipe)(struct linpred__recipe *recipe);
};

/* Row r of a block, entry by entry. */
typedef struct linpred__entries {
    int64_t count;
    const double *values;
    const int32_t *indices; /* NULL: entry k is in column k */
} linpred__entries;

static inline linpred__entries linpred__entries_of(const linpred__block *block, int32_t r)
{
    if (block->layout == LINPRED__DENSE)
        return (linpred__entries){block->columns, block->values + r * block->stride, NULL};
    int64_t from = block->start[r];
    return (linpred__entries){block->start[r + 1] - from, block->values + from, block->indices + from};
}

static inline int32_t linpred__entry_column(const linpred__entries *entries, int64_t k)
{
    return entries->indices ? entries->indices[k] : (int32_t)k;
}

/* Writes where the rows of a sparse block start, counted from its first entry: rows + 1 numbers. Answers the place
   behind them. */
static inline int64_t *linpred__copy_starts(const linpred__block *block, int64_t *start)
{
    for (int32_t r = 0; r <= block->rows; r++)
        *start++ = block->start[r] - block->start[0];
    return start;
}

/* The block of a data row (0-based), and its place there. */
static inline const linpred__block *linpred__block_of(const linpred_data *data, int64_t row, int32_t *r)
{
    *r = (int32_t)(row % data->block_rows);
    return &data->block[row / data->block_rows];
}

/* Every `every`-th block of the data as data of its own: views of the same rows. False: out of memory. The caller
   releases sample->block, and nothing else of it. */
bool linpred__data_sample(const linpred_data *data, int64_t every, linpred_data *sample);

/* How many rows a block has: about 32,768 values, a power of two between 16 and 4,096. */
int32_t linpred__block_rows(double values_per_row);

/* Makes data->block for data->rows rows of block_rows each: first_row, rows, columns and layout; pointers are NULL. */
linpred_status linpred__data_make_blocks(linpred_data *data, linpred_error *error);
/* Refuses weights whose sum overflows: every mean would be lost. */
linpred_status linpred__data_check_weights(const linpred_data *data, linpred_error *error);

/* A view of the same rows with other targets, which are borrowed as the rows are: one for each row, +1 or -1. */
linpred_status linpred__data_relabel(const linpred_data *data, const double *targets, linpred_data **view,
                                     linpred_error *error);

/* A copy with column j times 2^-exponent[j], to be freed; *exact (NULL: not asked for) says whether no value lost bits
 * below the range. */
linpred_status linpred__data_scaled(const linpred_data *data, const int *exponent, linpred_data **copy, bool *exact,
                                    linpred_error *error);

/* linpred_data_from_arrays but for the recipe. */
linpred_shape linpred__shape_of(const linpred_data *data);
linpred_status linpred__data_of_arrays(const linpred_arrays *arrays, linpred_data **data, linpred_error *error);

/* Row r of a block as `columns` values, zeros written out. */
void linpred__row_expand(const linpred__block *block, int32_t r, double *values);

/* The block and place of a row of the file (1-based); NULL if the data has no such row. */
const linpred__block *linpred__row_of_file(const linpred_data *data, int64_t row, int32_t *r);

#endif
