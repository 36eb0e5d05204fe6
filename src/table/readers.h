/* The readers, each of which fills a table from an opened source, and what they share. */
#ifndef LINPRED_TABLE_READERS_H
#define LINPRED_TABLE_READERS_H

#include "core/options.h"
#include "table/source.h"
#include "table/table.h"

linpred_status linpred__csv_read(linpred__source *source, const linpred_options *options, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error);
linpred_status linpred__libsvm_read(linpred__source *source, const linpred_options *options, linpred__pool *pool,
                                    linpred__table *table, linpred_error *error);
linpred_status linpred__npy_read(linpred__source *source, const linpred_options *options, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error);

/* linpred__table_read with pieces of another size, so that tests can have every cut fall everywhere. 0: the usual size.
 */
linpred_status linpred__table_read_pieces(const char *path, const linpred_options *options, linpred__pool *pool,
                                          size_t piece_bytes, linpred__table **table, linpred_error *error);

#endif
