/* The state of one encoding, and the functions that encode a block. */
#ifndef LINPRED_TABLE_RECIPE_ENCODE_ROWS_H
#define LINPRED_TABLE_RECIPE_ENCODE_ROWS_H

#include "table/recipe/roles.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

typedef struct linpred__encoding {
    linpred__table *table;
    const linpred__recipe *recipe;
    const linpred__roles *roles;
    linpred_unknown_level unknown;
    int32_t **level_map;    /* level_map[k][i] is the recipe's level of source k that is the table's level i; -1 if it
                               has none. NULL for a number column. */
    signed char *label_map; /* text labels: label_map[i] is -1 or +1 for the table's level i; 0 if it is no label */
    int32_t *column_map;    /* sparse: the feature of each column of the table; -1 if the column is not used */
    bool as_is;             /* the features are adjacent number columns without missing values, so that the values of
                               the table are the features */
    bool in_place;          /* each source gives at most one feature, and sources stand in the order of the file, so
                               that the features of a row can be written over its columns */
    bool has_gaps;          /* the cells of a row beside its features may hold NaN */
    double *target;         /* of each row: -1, +1, or the real target */
    double *weight;         /* of each row; NULL without weights */
    bool *keep;             /* which rows stay in the data; NULL if all do */
    int64_t bad_row;        /* the first row with an unknown label or a negative weight; -1 if there is none */
    bool sparse;         /* the data is sparse: the table is, or text columns have so many levels that sparse rows are
                            much smaller */
    double **new_values; /* the features of each block; NULL if they are encoded in place or sparse */
    bool out_of_memory;
    int64_t unused; /* entries of a LIBSVM file whose features come after the last one of the recipe */
} linpred__encoding;

/* Makes the maps, and sets in_place to false if the features do not fit. */
linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error);
/* The value of `as_is`. */
bool linpred__encode_can_stay(const linpred__encoding *work);
/* The value of `has_gaps`. */
bool linpred__encode_has_gaps(const linpred__encoding *work);
/* Whether a dense table is better encoded as sparse rows (encode_levels.c). */
bool linpred__encode_many_levels(const linpred__encoding *work);

/* Sets target and weight of a row; false if the row is dropped because one of them is missing or the weight is 0. *bad
   is set if the weight is negative or the label unknown. */
bool linpred__encode_label(linpred__encoding *work, const double *cell, int64_t row, bool *bad);
/* Notes whether a row is kept, and, if it is, whether it is bad. */
void linpred__encode_keep(linpred__encoding *work, int64_t row, bool keep, bool bad);

/* Encodes block b: features, targets, weights, and which rows to keep. `context` is the encoding. */
void linpred__encode_dense_block(void *context, int64_t b);
/* The same for a sparse table, in place. */
void linpred__encode_sparse_block(void *context, int64_t b);
/* The same for a dense table whose data is sparse: block b becomes sparse. It holds only the rows that are kept. */
void linpred__encode_levels_block(void *context, int64_t b);

/* After linpred__encode_levels_block, if rows were dropped: moves rows into earlier blocks, so that each block but the
   last has block_rows rows again; false if out of memory. */
bool linpred__encode_pack(linpred__table *table);

#endif
