/* Table: named columns as a file holds them, in blocks of rows. What the readers make and encode takes apart.
 *
 * A dense table holds one double per cell: a number; NaN for a missing value (a reader never lets a NaN of the file
 * through); or, in a text column, the index of the cell's level. A sparse table (LIBSVM) holds CSR rows, and its label
 * in `target`.
 */
#ifndef LINPRED_TABLE_TABLE_H
#define LINPRED_TABLE_TABLE_H

#include "core/options.h"
#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__column {
    char *name; /* UTF-8, trimmed, unique (one may be ""); x1, x2, … if the file has no names */
    linpred_column_type type;
    int64_t missing;
    int64_t first_missing_line; /* 1-based physical line (npy: row) */
    int64_t altered;            /* numbers that no double holds: linpred__number_altered */
    int64_t first_altered_line;
    char **level; /* text: distinct values in order of first appearance */
    int32_t levels;
} linpred__column;

typedef struct linpred__table_block {
    int32_t rows;
    double *values;   /* dense: rows x columns; sparse: entries */
    int64_t *start;   /* sparse: rows + 1 */
    int32_t *indices; /* sparse: 0-based */
    double *target;   /* sparse: the labels */
} linpred__table_block;

typedef struct linpred__table {
    char *name; /* the file's name for messages */
    linpred__layout layout;
    int64_t rows;
    int32_t columns;         /* sparse: features only, the label is not one of them */
    linpred__column *column; /* NULL in a sparse table: features are x1, x2, … and the label "label" */
    int64_t entries;
    int32_t block_rows; /* linpred__block_rows of the table's shape; every block but the last has that many rows */
    int64_t blocks;
    linpred__table_block *block;
    bool has_names;     /* the names come from the file; one may be "", in a column that is left out */
    int64_t names_line; /* which line holds them; 0: none */
    char format[160];   /* what was recognised, as a sentence: "CSV, separated by ';', with names in line 1" */
    int64_t altered;    /* LIBSVM: as in a column */
    int64_t first_altered_line;
    int32_t index_base; /* LIBSVM: 0 or 1, else -1 */
    void *mapping;      /* npy: the mapped file the blocks point into; private and writable (copy on write) */
    size_t mapping_bytes;
} linpred__table;

/* Reads a whole file by its format. Options used: format, header, separator, index_base, as_text. */
linpred_status linpred__table_read(const char *path, const linpred_options *options, linpred__pool *pool,
                                   linpred__table **table, linpred_error *error);
void linpred__table_free(linpred__table *table);

#endif
