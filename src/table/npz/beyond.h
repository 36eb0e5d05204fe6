/* Archives that are larger than memory: data whose rows stay in the file. */
#ifndef LINPRED_TABLE_NPZ_BEYOND_H
#define LINPRED_TABLE_NPZ_BEYOND_H

#include "data/stored.h"
#include "table/npz/npz.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

typedef struct linpred__beyond_request {
    const linpred__read_request *read;
    linpred__recipe *recipe; /* of the model; NULL: a fit makes its own */
    linpred__policy policy;
    bool labels; /* targets and weights are needed */
    linpred__pool *pool;
} linpred__beyond_request;

/* If `path` is an archive that is larger than rows may be, makes data whose rows stay in it. If something must be made
   of its rows first (indicators of text, means for missing values, rows or columns left out), *data stays NULL and
   *spill is set: the rows are then read and encoded there. Both stay NULL if the rows fit into memory. */
linpred_status linpred__npz_beyond(const char *path, const linpred__beyond_request *request, linpred_data **data,
                                   linpred__spill **spill, linpred_error *error);
/* beyond_sparse.c: an archive of sparse rows, in place. */
typedef struct linpred__sparse_beyond {
    const linpred__beyond_request *request;
    const linpred__zip *zip;
    const linpred__npz_columns *columns;
    int descriptor;
    double memory; /* what rows may take */
    bool *unfit;   /* is set if the rows cannot stay in the file as they are; the status is then an error */
} linpred__sparse_beyond;
/* Makes the data. Takes the table, the head of the archive, over, also on failure. */
linpred_status linpred__npz_sparse_beyond(const linpred__sparse_beyond *ask, linpred__table *table, linpred_data **data,
                                          linpred_error *error);
/* Whether the rows are compared with the archive's checksums as they are read for something else: it says that no value
   is missing, and one process reads them all. Several processes read their shares and compare at once. */
bool linpred__looks_later(const linpred__npz_columns *columns);
/* stated_decimals.c: what the columns need, as the archive says; *needs is NULL if it does not. */
linpred_status linpred__npz_read_needs(const linpred__zip *zip, int32_t columns, struct linpred__need **needs,
                                       linpred_error *error);
/* Writes it. */
linpred_status linpred__npz_write_needs(linpred__zip *zip, const struct linpred__need *needs, int32_t columns,
                                        linpred_error *error);
/* What an archive states of an array. */
linpred__array_sums linpred__npz_sums(const linpred__npz_array *array);
/* Opens a spill in the folder that TMPDIR names, else beside the archive, of which `memory` bytes may be resident. */
linpred_status linpred__spill_beside(const char *path, double memory, linpred__spill **spill, linpred_error *error);
/* Makes data whose rows lie in a spill own it. On failure the data is freed, the spill is not closed. */
linpred_status linpred__own_spill(linpred_data **data, linpred__spill *spill, linpred_error *error);
/* The bytes that rows may take: --memory, or most of what the machine has free. */
linpred_status linpred__memory_limit(const linpred_options *options, double *bytes, linpred_error *error);
/* The bytes that the system can keep of a file while rows take `memory`. */
double linpred__cache_beside(double memory);

#endif
