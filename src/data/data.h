/* Data: a sequence of blocks of rows, with targets and optional row weights.
 *
 * Every block has `block_rows` rows; the last may have fewer. This number depends on the shape of the data alone, not
 * on threads or on how the rows were read, so that sums over blocks have one order. A block is dense (rows of values,
 * `stride` apart) or sparse (compressed rows). Intercept, scaling and weights are never written into the values.
 */
#ifndef LINPRED_DATA_DATA_H
#define LINPRED_DATA_DATA_H

#include "linpred/linpred.h"
#include "num/entries.h"

typedef enum linpred__layout { LINPRED__DENSE, LINPRED__SPARSE } linpred__layout;

/* What the numbers of data mean that were read from text: decimals.h says how. */
typedef struct linpred__decimals {
    int most;             /* K; 0 if no column has decimals */
    double unit;          /* 10^K */
    bool long_cells;      /* some 10^K x needs two doubles */
    signed char target;   /* decimals of real targets; -1: they are doubles, or labels */
    signed char column[]; /* decimals of each column; -1: its cells mean their doubles. For whole numbers it is 0, and
                             the two are the same. */
} linpred__decimals;

/* A read-only view of some rows. */
typedef struct linpred__block {
    int64_t first_row; /* the 0-based row of the data with which the block begins */
    int32_t rows;
    int32_t columns;
    linpred__layout layout;
    const double *values; /* dense: row r is values[r stride] .. values[r stride + columns - 1]; sparse: see `start` */
    int64_t stride;       /* dense: columns or more */
    bool filled;          /* dense: the doubles between the rows are finite, so that they may be multiplied by 0 */
    const int64_t *start; /* sparse: row r is values[start[r]] .. values[start[r+1] - 1]; rows + 1 numbers */
    const int32_t *indices;            /* sparse: the column of each entry, from 0, ascending within a row */
    const double *target;              /* of each row */
    const double *weight;              /* of each row; NULL if all are 1 */
    const linpred__decimals *decimals; /* what the values mean; NULL if they mean the doubles that they are */
} linpred__block;

typedef enum linpred__note_kind {
#define LINPRED__NOTE_KIND(constant, word) LINPRED__NOTE_##constant,
#include "data/note_kind.def"
#undef LINPRED__NOTE_KIND
} linpred__note_kind;

/* A remark about data, as values: its kind, and the column, count and line that it is about. Notes of a recipe and
   warnings about a file are remarks with a sentence. */
typedef struct linpred__remark {
    linpred__note_kind kind;
    char column[128]; /* the name of the column, cut if it is longer; "" if the remark is about no column */
    int64_t count;    /* what the kind counts; -1 if it counts nothing */
    int64_t line;     /* 1-based line of the file; 0 if the remark is about no line */
} linpred__remark;

typedef struct linpred__warning {
    linpred__remark about;
    char sentence[560];
} linpred__warning;

/* Warnings that data can hold. Few files give more than one; further ones are dropped. */
enum { LINPRED__WARNINGS = 20 };

/* A column of the file that is passed through. Row i of the file holds the text level[cell[i]], or the number cell[i]
   if `level` is NULL; NaN is a missing value. */
typedef struct linpred__kept {
    const char *name;
    char *const *level;
    double *cell;
    bool days; /* the numbers are days since 1970-01-01, and are shown as dates */
} linpred__kept;

struct linpred__recipe; /* how features and labels were made (table/recipe/recipe.h); data only holds it */

struct linpred__stored; /* rows that lie in a file: stored.h */
struct linpred__spill;  /* core/spill.h */

struct linpred_data {
    linpred__layout layout;
    int64_t rows;
    int32_t columns;
    int64_t entries;    /* dense: rows times columns; sparse: stored entries */
    int32_t block_rows; /* rows of each block but the last */
    int64_t blocks;
    linpred__block *block;          /* owned by the data; the memory that the blocks point to is not */
    struct linpred__stored *stored; /* where the values of the blocks lie; NULL: in memory. Not owned. If it is set,
                                       block[i].values is NULL: ask linpred__block_at. */
    struct linpred__spill *spill; /* where the values lie if memory is short (core/spill.h); NULL: in memory, or stored.
                                     Not owned. */
    bool from_arrays; /* made from the caller's arrays: columns are named x1, x2, …, and a fit may use the targets
                         as labels or as real targets */
    bool labelled;    /* the data has targets; if false, the targets are zeros */

    void (*release)(void *context); /* frees the memory that the blocks point to; NULL if the data does not own it */
    void *context;                  /* of `release` */

    int64_t *source_row;               /* the 0-based row of the file that each row came from; NULL if row i is row i */
    int64_t rows_in_file;              /* rows of the file, dropped ones included */
    int64_t dropped_missing;           /* rows dropped because a value is missing */
    int64_t dropped_weightless;        /* rows dropped because their weight is 0 */
    int64_t dropped_unknown;           /* rows dropped because the recipe does not have a level of theirs */
    int64_t filled_missing;            /* rows in which a mean stands for a missing value */
    int64_t unknown_as_zero;           /* rows in which the indicators of an unknown level are 0 */
    int32_t index_base;                /* LIBSVM: the first index of the file, 0 or 1; -1 for other formats */
    const linpred__decimals *decimals; /* not owned; NULL if neither values nor targets have decimals */

    linpred__kept *kept; /* columns that are passed through; owned by `context` */
    int32_t kept_columns;

    linpred__warning warning[LINPRED__WARNINGS]; /* about the file, for the user */
    int warnings;                                /* how many of `warning` are set */

    struct linpred__recipe *recipe;
    void (*release_recipe)(struct linpred__recipe *recipe);
};

/* The entries of a row, whatever the layout. */
static inline linpred__entries linpred__entries_of(const linpred__block *block, int32_t r)
{
    if (block->layout == LINPRED__DENSE)
        return (linpred__entries){block->columns, block->values + r * block->stride, NULL};
    int64_t from = block->start[r];
    return (linpred__entries){block->start[r + 1] - from, block->values + from, block->indices + from};
}

/* Copies `start` of a sparse block, rows + 1 numbers, so that the copy begins with 0. Returns the end of the copy. */
static inline int64_t *linpred__copy_starts(const linpred__block *block, int64_t *start)
{
    for (int32_t r = 0; r <= block->rows; r++)
        *start++ = block->start[r] - block->start[0];
    return start;
}

/* For data whose rows lie in a file: a block with its values, or one row as a block. What a thread gets stays valid
   until it has asked for LINPRED__BLOCKS_HELD more blocks, or LINPRED__ROWS_HELD more rows. */
const linpred__block *linpred__stored_block(const linpred_data *data, const linpred__block *block);
const linpred__block *linpred__stored_row(const linpred_data *data, int64_t row);

/* Block i with its values. A pass is faster: it reads ahead. */
static inline const linpred__block *linpred__block_at(const linpred_data *data, int64_t i)
{
    return data->stored ? linpred__stored_block(data, &data->block[i]) : &data->block[i];
}

/* Which block of the data this is; a pass may hand out a copy of it. */
static inline int64_t linpred__block_number(const linpred_data *data, const linpred__block *block)
{
    if (!data->stored)
        return block - data->block;
    int64_t low = 0, high = data->blocks - 1; /* bisection: a sample has gaps */
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (data->block[middle].first_row <= block->first_row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The block that holds a 0-based row of the data; *r is the row's place in it. */
static inline const linpred__block *linpred__block_of(const linpred_data *data, int64_t row, int32_t *r)
{
    if (data->stored) {
        *r = 0;
        return linpred__stored_row(data, row);
    }
    *r = (int32_t)(row % data->block_rows);
    return &data->block[row / data->block_rows];
}

/* Makes a view of the blocks 0, every, 2 every, … of the data; false if out of memory. The caller releases
   sample->block and nothing else. */
bool linpred__data_sample(const linpred_data *data, int64_t every, linpred_data *sample);

/* Rows of a block: the largest power of two between 16 and 4,096 for which a block has at most 32,768 values, or 16. */
int32_t linpred__block_rows(double values_per_row);

/* Makes data->block from data->rows and data->block_rows. Sets first_row, rows, columns and layout of each block; its
   pointers are NULL. */
linpred_status linpred__data_make_blocks(linpred_data *data, linpred_error *error);
/* Fails with LINPRED_ERROR_INPUT if the sum of the weights overflows, because weighted means would not exist. */
linpred_status linpred__data_check_weights(const linpred_data *data, linpred_error *error);

/* A view of the same rows with other targets, +1 or -1, one for each row. The view borrows rows and targets. */
linpred_status linpred__data_relabel(const linpred_data *data, const double *targets, linpred_data **view,
                                     linpred_error *error);

/* Rows that are made from other stored rows whenever they are read. `make` writes the values of all rows of a block:
   `columns` numbers a row, or as many as `from` has entries if the rows are sparse. Several threads may call it. */
typedef struct linpred__stored_view {
    const linpred_data *under; /* must stay */
    linpred__layout layout;    /* sparse only if those of `under` are */
    int32_t columns;
    void (*make)(const void *context, const linpred__block *from, double *values); /* NULL: sparse, the same values */
    void *context;            /* released with linpred__release, also on failure */
    const int32_t *new_index; /* sparse: the column that each column becomes; NULL: the same. Not owned */
} linpred__stored_view;

/* Makes data of rows that are made from others, with targets, weights and the cut into blocks of `under`; the caller
   frees it. It has no recipe and no decimals. */
linpred_status linpred__data_derive(const linpred__stored_view *view, linpred_data **data, linpred_error *error);

/* Makes a dense copy of sparse data; the caller frees it. Targets and weights are those of the data. */
linpred_status linpred__data_dense(const linpred_data *data, linpred_data **copy, linpred_error *error);

/* Makes a copy in which shift[j] is subtracted from column j, also where a sparse row has no entry there; the caller
   frees it. Rows, targets and weights are those of the data. */
linpred_status linpred__data_shifted(const linpred_data *data, const double *shift, linpred_data **copy,
                                     linpred_error *error);

/* Makes the decimals, which are not owned, those of the data and its blocks. */
void linpred__set_decimals(linpred_data *data, const linpred__decimals *decimals);
/* The decimals of some columns: column j of the result is column[j]. NULL if out of memory. */
linpred__decimals *linpred__decimals_of_columns(const linpred__decimals *decimals, const int32_t *column,
                                                int32_t columns);

/* Makes a copy in which column j is multiplied by 2^-exponent[j]; the caller frees it. *exact is false if a value
   became subnormal or 0 and may have lost bits; `exact` may be NULL. */
linpred_status linpred__data_scaled(const linpred_data *data, const int *exponent, linpred_data **copy, bool *exact,
                                    linpred_error *error);

/* How many targets of a block are -1, and how many +1. */
void linpred__count_labels(const linpred__block *block, int32_t count[2]);
/* Shape, total weights and counts of the data. */
linpred_shape linpred__shape_of(const linpred_data *data);
/* linpred_data_from_arrays, except that the data gets no recipe. */
linpred_status linpred__data_of_arrays(const linpred_arrays *arrays, linpred_data **data, linpred_error *error);

/* Writes row r of a block as `columns` values, zeros included. */
void linpred__row_expand(const linpred__block *block, int32_t r, double *values);

/* The block that holds a 1-based row of the file, and the row's place *r in it; NULL if the data has no such row. */
const linpred__block *linpred__row_of_file(const linpred_data *data, int64_t row, int32_t *r);

/* Makes a remark; `column` may be NULL. */
linpred__remark linpred__remark_of(linpred__note_kind kind, const char *column, int64_t count, int64_t line);
/* Fills the caller's struct; false if its struct_size is not set. */
bool linpred__remark_fill(const linpred__remark *note, const char *sentence, linpred_note *out);

/* Whether two 0-based rows of the data hold the same values. Labels and weights are not compared. */
bool linpred__same_row(const linpred_data *data, int64_t row, int64_t other);

#endif
