/* What encode.c and encode_rows.c share: the state of one encoding. */
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
    int32_t **level_map; /* for each source: level of the table -> level of the recipe, -1: unknown. NULL for numbers */
    signed char *label_map; /* text labels: level of the table -> -1, +1, 0: neither */
    int32_t *column_map;    /* sparse: column of the table -> feature, -1: not used */
    bool as_is;             /* the features are whole number columns side by side: nothing needs to be written */
    bool in_place; /* every source gives at most one feature, in the file's order: a row fits where its columns were */
    bool has_gaps; /* missing values may stand beside the features of a row */
    double *target;
    double *weight;
    bool *keep;          /* NULL: all rows */
    int64_t bad_row;     /* the first row with a label or weight that cannot be, -1: none */
    double **new_values; /* new blocks where features do not fit in place */
    bool out_of_memory;
    int64_t unused; /* entries of a LIBSVM file beyond the last feature of the recipe */
} linpred__encoding;

/* Makes the maps, and finds out whether features fit in place. */
linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error);
/* Whether the features are whole number columns side by side. */
bool linpred__encode_can_stay(const linpred__encoding *work);
/* Whether missing values may stand beside the features, once they are encoded in place. */
bool linpred__encode_has_gaps(const linpred__encoding *work);
/* Block b, with labels and weights; `context` is the encoding. */
void linpred__encode_dense_block(void *context, int64_t b);
void linpred__encode_sparse_block(void *context, int64_t b);

#endif
