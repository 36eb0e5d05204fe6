/* The state of one encoding, and the functions that encode a block. */
#ifndef LINPRED_TABLE_RECIPE_ENCODE_ROWS_H
#define LINPRED_TABLE_RECIPE_ENCODE_ROWS_H

#include "table/recipe/roles.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

/* What becomes of a row. */
typedef enum linpred__fate {
    LINPRED__ROW_KEPT,
    LINPRED__ROW_MISSING,    /* dropped: a value is missing */
    LINPRED__ROW_WEIGHTLESS, /* dropped: the weight is 0 */
    LINPRED__ROW_UNKNOWN     /* dropped: a text column has a level that the recipe does not have */
} linpred__fate;

/* A cell of the table. Encoding in place overwrites cells, so its value is kept. */
typedef struct linpred__cell_found {
    int64_t row; /* 1-based; 0 if there is no such cell */
    int32_t column;
    double value;
} linpred__cell_found;

/* What the features of a row lack. */
typedef struct linpred__lacks {
    bool missing; /* a value is missing, and no mean stands for it */
    bool filled;  /* a mean stands for a missing value */
    int32_t
        unknown_column; /* 1-based: the first column of the table with a level that the recipe does not have; 0: none */
    double unknown;     /* the table's level there */
} linpred__lacks;

/* What was found in one block. Blocks are encoded by several threads, so each has its own. */
typedef struct linpred__block_found {
    linpred__cell_found bad; /* the first cell that ends the encoding: an unknown label or level, a negative weight */
    linpred__cell_found unknown; /* the first unknown level that does not end it */
    int64_t unknown_rows;        /* rows with unknown levels that do not end it, whatever becomes of them */
    int64_t unknown_as_zero;     /* rows with unknown levels that are kept */
    int64_t filled;              /* rows in which a mean stands for a missing value */
    int64_t unused;              /* entries of a LIBSVM file whose features come after the last one of the recipe */
    bool out_of_memory;
} linpred__block_found;

/* Texts that a message lists: the first ones, in quotes. */
typedef struct linpred__listed {
    int64_t count; /* how many there are, also of those that are not listed */
    char text[200];
} linpred__listed;

typedef struct linpred__encoding {
    linpred__table *table;
    const linpred__recipe *recipe;
    const linpred__roles *roles;
    linpred__policy policy;
    int32_t **level_map;    /* level_map[k][i] is the recipe's level of source k that is the table's level i; -1 if it
                               has none. NULL for a number column. */
    signed char *label_map; /* text labels: label_map[i] is -1 or +1 for the table's level i; 0 if it is no label */
    int32_t *column_map;    /* sparse: the feature of each column of the table; -1 if the column is not used */
    int32_t mapped;         /* how long it is: columns behind it are not used */
    bool as_is;             /* the features are adjacent number columns without missing values, so that the values of
                               the table are the features */
    bool in_place;          /* each source gives at most one feature, and sources stand in the order of the file, so
                               that the features of a row can be written over its columns */
    bool has_gaps;          /* the cells of a row beside its features may hold NaN */
    double *target;         /* of each row: -1, +1, or the real target */
    bool targets_stay;      /* `target` is the memory of the table */
    double *weight;         /* of each row; NULL without weights */
    unsigned char *fate;    /* the linpred__fate of each row; NULL if all are kept */
    bool sparse;         /* the data is sparse: the table is, or text columns have so many levels that sparse rows are
                            much smaller */
    double **new_values; /* the features of each block; NULL if they are encoded in place or sparse */
    linpred__block_found *found; /* what was found in each block */
    linpred__decimals *decimals; /* of the data; NULL if there are none */
    linpred__listed unknown;     /* levels that the recipe does not have, with their columns */
    linpred__listed rest;        /* labels that the recipe takes as the rest */
    linpred__listed similar;     /* those of them that differ from the label +1 in capitals or blanks only */
} linpred__encoding;

/* Makes the maps, and sets in_place to false if the features do not fit. */
linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error);
/* The value of `as_is`. */
bool linpred__encode_can_stay(const linpred__encoding *work);
/* The value of `has_gaps`. */
bool linpred__encode_has_gaps(const linpred__encoding *work);
/* Whether a dense table is better encoded as sparse rows (encode_levels.c). */
bool linpred__encode_many_levels(const linpred__encoding *work);

/* The number for a cell of a number column: the mean, or 0, if the value is missing. What is lacking is noted. */
double linpred__encode_number(const linpred__encoding *work, const linpred__recipe_column *source, double value,
                              linpred__lacks *lacks);
/* The recipe's level for a cell of text column k; -1 if the value is missing or the level unknown, which is noted. */
int32_t linpred__encode_level(const linpred__encoding *work, int32_t k, double value, linpred__lacks *lacks);
/* Sets target and weight of a row. *bad is set to the cell of a negative weight or an unknown label, if there is one.
   To be called before the cells are overwritten. */
linpred__fate linpred__encode_label(linpred__encoding *work, const double *cell, int64_t row, linpred__cell_found *bad);
/* Decides what becomes of a row of block b, and notes it: label and weight say `fate` and `bad`, the features lack
   `lacks`. */
linpred__fate linpred__encode_judge(linpred__encoding *work, int64_t b, int64_t row, linpred__fate fate,
                                    const linpred__cell_found *bad, const linpred__lacks *lacks);

/* Encodes block b: features, targets, weights, and which rows to keep. `context` is the encoding. */
void linpred__encode_dense_block(void *context, int64_t b);
/* The same for a sparse table, in place. */
void linpred__encode_sparse_block(void *context, int64_t b);
/* The same for a dense table whose data is sparse: block b becomes sparse. It holds only the rows that are kept. */
void linpred__encode_levels_block(void *context, int64_t b);

/* After linpred__encode_levels_block, if rows were dropped: moves rows into earlier blocks, so that each block but the
   last has block_rows rows again; false if out of memory. */
bool linpred__encode_pack(linpred__table *table);

/* Who says what numbers mean: a table and its recipe. */
typedef struct linpred__meaning {
    bool decimal;                  /* the table says that its numbers are decimals */
    const linpred__column *column; /* of the table; NULL if they are not known */
    const linpred__recipe *recipe;
    const linpred__roles *roles;
    bool by_model;                      /* the recipe is that of a model */
    const struct linpred__need *stated; /* what the features need, as the file says; NULL: it does not */
} linpred__meaning;

/* Finds the decimals of the data that was made (decimals.c); *decimals stays as it is if there are none. */
linpred_status linpred__find_meaning(const linpred__meaning *meaning, const linpred_data *data, linpred__pool *pool,
                                     linpred__decimals **decimals, linpred_error *error);

/* Lists the levels and labels that messages name (listed.c): after the maps are made, before cells are overwritten. */
void linpred__list_unknown_levels(linpred__encoding *work);
void linpred__list_rest(linpred__encoding *work);
/* What the fit had in place of an unknown level of a column of the table, to follow "which was not in the data of the
   fit": the only level, or the one that is written nearly so. "" if neither is of help. */
enum { LINPRED__KNOWN_LEVEL = 120 };
const char *linpred__known_level(const linpred__encoding *work, int32_t column, const char *level,
                                 char text[LINPRED__KNOWN_LEVEL]);
/* Whether two texts are the same but for blanks and for capitals of ASCII. */
bool linpred__nearly_same(const char *a, const char *b);

/* Adds the warnings about a table to the data (warn.c). `found` is what encoding found in all blocks. */
void linpred__warn(linpred_data *data, const linpred__encoding *work, const linpred__block_found *found);
/* The part of it that is about features. */
void linpred__warn_of_features(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe,
                               const linpred__roles *roles);

#endif
