/* Data: a sequence of row blocks with targets and optional row weights.
 *
 * All blocks have `block_rows` rows, the last one at most. That number depends on the shape of the data alone, not on
 * threads or on how the rows came in, so that sums over blocks have one order. A block is dense (rows of values,
 * `stride` apart) or sparse (CSR). Intercept, scaling and weights are never written into the values.
 */
#ifndef LINPRED_DATA_DATA_H
#define LINPRED_DATA_DATA_H

#include "data/remark.h"
#include "linpred/linpred.h"

typedef enum linpred__layout { LINPRED__DENSE, LINPRED__SPARSE } linpred__layout;

/* A read-only view of some rows. */
typedef struct linpred__block {
    int64_t first_row; /* its first row, counted from 0 through all the data */
    int32_t rows;
    int32_t columns;
    linpred__layout layout;
    const double *values; /* dense: row r is values[r stride] .. values[r stride + columns - 1]; sparse: see `start` */
    int64_t stride;       /* dense: columns or more */
    bool filled;          /* dense: the doubles between the rows are finite; they mean nothing */
    const int64_t *start; /* sparse: row r is values[start[r]] .. values[start[r+1] - 1]; rows + 1 numbers */
    const int32_t *indices; /* sparse: the column of each entry, from 0, ascending within a row */
    const double *target;   /* of each row */
    const double *weight;   /* of each row; NULL: all 1 */
} linpred__block;

enum { LINPRED__WARNINGS = 4 };

struct linpred__recipe; /* how features and labels were made (table/recipe/recipe.h); data only holds it */

struct linpred_data {
    linpred__layout layout;
    int64_t rows;
    int32_t columns;
    int64_t entries;    /* dense: rows times columns; sparse: those that are stored */
    int32_t block_rows; /* rows of each block but the last */
    int64_t blocks;
    linpred__block *block; /* owned by the data; what its blocks point to is not */
    bool from_arrays;      /* the names of its columns are made up, and labels may stand for themselves */
    bool labelled;         /* false: the targets are zeros, since the file has none */

    /* Frees the memory that the blocks point to; NULL: it belongs to somebody else. */
    void (*release)(void *context);
    void *context; /* of `release` */

    int64_t *source_row;        /* the row of the file, from 0, that each row came from; NULL: row i came from row i */
    int64_t rows_in_file;       /* those that were dropped included */
    int64_t dropped_missing;    /* rows left out since a value was missing */
    int64_t dropped_weightless; /* rows left out since their weight was 0 */
    int32_t index_base;         /* LIBSVM: whether columns count from 0 or from 1; else -1 */

    linpred__warning warning[LINPRED__WARNINGS]; /* what a careful user wants to know */
    int warnings;                                /* how many there are */

    struct linpred__recipe *recipe;
    void (*release_recipe)(struct linpred__recipe *recipe);
};

/* The entries of a row, whatever the layout. */
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

/* The block that holds a row of the data, counted from 0, and the place *r of the row in it. */
static inline const linpred__block *linpred__block_of(const linpred_data *data, int64_t row, int32_t *r)
{
    *r = (int32_t)(row % data->block_rows);
    return &data->block[row / data->block_rows];
}

/* A view of every `every`-th block of the data. False: out of memory. The caller releases sample->block and nothing
   else. */
bool linpred__data_sample(const linpred_data *data, int64_t every, linpred_data *sample);

/* Rows of a block: the largest power of two between 16 and 4,096 for which a block has at most 32,768 values, or 16. */
int32_t linpred__block_rows(double values_per_row);

/* Makes data->block from data->rows and data->block_rows. Sets first_row, rows, columns and layout; pointers are NULL.
 */
linpred_status linpred__data_make_blocks(linpred_data *data, linpred_error *error);
/* LINPRED_ERROR_INPUT if the sum of the weights overflows: there would be no means. */
linpred_status linpred__data_check_weights(const linpred_data *data, linpred_error *error);

/* A view of the same rows with other targets, +1 or -1, one for each row. The view borrows rows and targets. */
linpred_status linpred__data_relabel(const linpred_data *data, const double *targets, linpred_data **view,
                                     linpred_error *error);

/* A copy with column j times 2^-exponent[j]; the caller frees it. *exact says whether no value lost bits below the
   range of double; `exact` may be NULL. */
linpred_status linpred__data_scaled(const linpred_data *data, const int *exponent, linpred_data **copy, bool *exact,
                                    linpred_error *error);

/* linpred_data_from_arrays but for the recipe. */
linpred_shape linpred__shape_of(const linpred_data *data);
linpred_status linpred__data_of_arrays(const linpred_arrays *arrays, linpred_data **data, linpred_error *error);

/* Row r of a block as `columns` values, zeros included. */
void linpred__row_expand(const linpred__block *block, int32_t r, double *values);

/* The block and place of a row of the file, counted from 1; NULL if the data has no such row. */
const linpred__block *linpred__row_of_file(const linpred_data *data, int64_t row, int32_t *r);

#endif
