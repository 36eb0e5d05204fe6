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
    double **new_values;    /* the features of each block; NULL if they are encoded in place */
    bool out_of_memory;
    int64_t unused; /* entries of a LIBSVM file whose features come after the last one of the recipe */
} linpred__encoding;

/* Makes the maps, and sets in_place to false if the features do not fit. */
linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error);
/* The value of `as_is`. */
bool linpred__encode_can_stay(const linpred__encoding *work);
/* The value of `has_gaps`. */
bool linpred__encode_has_gaps(const linpred__encoding *work);
/* Encodes block b: features, targets, weights, and which rows to keep. `context` is the encoding. */
void linpred__encode_dense_block(void *context, int64_t b);
void linpred__encode_sparse_block(void *context, int64_t b);

#endif
