/* Data in NumPy's npz container, as linpred convert writes it.
 *
 * Dense rows are the arrays `features` (rows x features, float64), `target`, and `weights` if there are some. Sparse
 * rows are `data`, `indices`, `indptr`, `shape` and `format` as scipy.sparse.save_npz writes compressed rows, and
 * `target`. `names` are the names of the features. A text column holds the numbers of its levels. What else the table
 * of the source said is in `recipe`, as JSON, so that a fit of the archive is that of the source.
 */
#ifndef LINPRED_TABLE_NPZ_NPZ_H
#define LINPRED_TABLE_NPZ_NPZ_H

#include "core/text.h"
#include "table/npz/zip.h"
#include "table/recipe/roles.h"
#include "table/table.h"

/* The columns of a table in the order in which an archive holds them: features, then weights, then the target. */
typedef struct linpred__npz_columns {
    int32_t *column;  /* of the table; features first. NULL for sparse rows, which have all */
    int32_t features; /* how many of `column` are features */
    bool weights;     /* the next one is that of weights */
    bool target;      /* the last one is the target */
    int64_t missing;  /* values of features that are missing; -1: nobody has counted them */
} linpred__npz_columns;

/* Writes what the table says of its columns as JSON. */
void linpred__npz_describe(const linpred__table *table, const linpred__npz_columns *columns, linpred__text *text);
/* Makes the head of a table, without rows, from this JSON; *columns has no list. The caller has set table->name. */
linpred_status linpred__npz_head(const char *json, size_t bytes, linpred__table *table, linpred__npz_columns *columns,
                                 linpred_error *error);

/* Where a table is written to. */
typedef struct linpred__npz_target {
    int descriptor;                 /* an empty file */
    const char *name;               /* of the file, for messages */
    bool matrix;                    /* one npy matrix rather than an archive */
    linpred__npz_columns columns;   /* what is written */
    const linpred_options *options; /* for progress */
} linpred__npz_target;
linpred_status linpred__npz_write(const linpred__table *table, const linpred__npz_target *to, linpred__pool *pool,
                                  linpred_error *error);

/* Sets `use` of each column, by the request; a column of dates stays one. */
linpred_status linpred__npz_choose(linpred__table *table, const linpred__read_request *request, linpred_error *error);

/* Opens the archive of a source that holds its first bytes: finds its members, reads the head of the table, and chooses
   columns. */
linpred_status linpred__npz_open(int descriptor, uint64_t size, linpred__zip *zip, linpred__table *table,
                                 linpred__npz_columns *columns, linpred_error *error);

/* The code points of a UTF-8 text, which is whole; returns how many there are. `points` may be NULL. */
size_t linpred__npz_code_points(const char *text, uint32_t *points);

/* The error of an array whose checksum is not that of the archive. */
linpred_status linpred__npz_damaged(const linpred__zip *zip, const char *name, linpred_error *error);

/* Where the numbers of a member begin and how many bytes they have. Fails unless the member is there and holds `count`
   numbers of this type. */
typedef struct linpred__npz_array {
    uint64_t numbers;
    uint64_t bytes;
    uint32_t header_checksum; /* of the npy header */
    const linpred__zip_member *member;
} linpred__npz_array;
linpred_status linpred__npz_find(const linpred__zip *zip, const char *name, const char *type, uint64_t count,
                                 linpred__npz_array *array, linpred_error *error);

#endif
