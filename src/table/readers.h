/* The readers. Each fills an empty table from an opened source whose first bytes are held; read.c chooses one. On
 * failure the caller frees what the table holds. */
#ifndef LINPRED_TABLE_READERS_H
#define LINPRED_TABLE_READERS_H

#include "core/options.h"
#include "table/bytes/source.h"
#include "table/table.h"

linpred_status linpred__csv_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error);
linpred_status linpred__libsvm_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                    linpred__table *table, linpred_error *error);
linpred_status linpred__npy_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error);
linpred_status linpred__sqlite_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                    linpred__table *table, linpred_error *error);
linpred_status linpred__parquet_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                     linpred__table *table, linpred_error *error);
linpred_status linpred__npz_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error);
/* The same for a file in memory; table->name must be set. */
linpred_status linpred__parquet_read_bytes(const unsigned char *data, size_t bytes,
                                           const linpred__read_request *request, linpred__pool *pool,
                                           linpred__table *table, linpred_error *error);

/* linpred__table_read with pieces of `piece_bytes`, so that tests can cut a file at every place. 0 means the usual
 * size.
 */
linpred_status linpred__table_read_pieces(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                          size_t piece_bytes, linpred__table **table, linpred_error *error);

#endif
