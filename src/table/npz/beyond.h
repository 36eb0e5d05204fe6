/* Archives that are larger than memory: data whose rows stay in the files. */
#ifndef LINPRED_TABLE_NPZ_BEYOND_H
#define LINPRED_TABLE_NPZ_BEYOND_H

#include "data/stored.h"
#include "table/npz/archives.h"
#include "table/recipe/encode_rows.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

typedef struct linpred__beyond_request {
    const linpred__read_request *read;
    linpred__recipe *recipe; /* of the model; NULL: a fit makes its own */
    linpred__policy policy;
    bool labels; /* targets and weights are needed */
    bool keeps;  /* columns of the files are passed through */
    linpred__pool *pool;
} linpred__beyond_request;

/* If `path` and the further files of the options are archives that together are larger than rows may be, makes data
   whose rows stay in them; of several processes also if they are other files. If something must be made of the rows
   first (indicators of text, means for missing values, rows or columns left out), *data stays NULL and *spill is set:
   the rows are then read and encoded there. Both stay NULL if the rows fit into memory. */
linpred_status linpred__npz_beyond(const char *path, const linpred__beyond_request *request, linpred_data **data,
                                   linpred__spill **spill, linpred_error *error);

/* How data of archives is made. */
typedef struct linpred__beyond {
    const linpred__beyond_request *request;
    linpred__archives *archives;
    double memory; /* what rows may take */
    bool *unfit;   /* is set if the rows cannot stay in the files as they are; the status is then an error */
} linpred__beyond;
/* parts.c: makes archives of the files that `path` and the options name, one for each process that has read some rows,
   and opens all. Fails and sets *unfit if the features are not the numbers of the files as they are. */
linpred_status linpred__archives_make(const linpred__beyond *work, const char *path, linpred_error *error);
/* beyond_sparse.c: makes data of archives of sparse rows, in place. Takes the head of all archives over. */
linpred_status linpred__npz_sparse_beyond(const linpred__beyond *work, linpred_data **data, linpred_error *error);
/* beyond_rows.c: gives the data, which is encoded but for its features, the rows of the archives, and finds what their
   numbers mean. `start`, which is taken over, says where each of sparse rows begins; NULL: they are dense. */
linpred_status linpred__beyond_add_rows(const linpred__beyond *work, const linpred__meaning *meaning, int64_t *start,
                                        linpred_data *data, linpred_error *error);

/* stated_decimals.c: raises `needs` to what the columns of an archive need, as it says. *stated becomes false if it
   does not. */
linpred_status linpred__npz_read_needs(const linpred__zip *zip, int32_t columns, struct linpred__need *needs,
                                       bool *stated, linpred_error *error);
/* Writes it. */
linpred_status linpred__npz_write_needs(linpred__zip *zip, const struct linpred__need *needs, int32_t columns,
                                        linpred_error *error);
/* Opens a spill in the folder that TMPDIR names, else beside the archive, of which `memory` bytes may be resident. */
linpred_status linpred__spill_beside(const char *path, double memory, linpred__spill **spill, linpred_error *error);
/* Makes data whose rows lie in a spill own it. On failure the data is freed, the spill is not closed. */
linpred_status linpred__own_spill(linpred_data **data, linpred__spill *spill, linpred_error *error);
/* The bytes that rows may take: --memory, or most of what the machine has free. */
linpred_status linpred__memory_limit(const linpred_options *options, double *bytes, linpred_error *error);
/* The bytes that the system can keep of a file while rows take `memory`. */
double linpred__cache_beside(double memory);

#endif
