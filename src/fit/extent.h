/* The largest |x| of each column: one pass. */
#ifndef LINPRED_FIT_EXTENT_H
#define LINPRED_FIT_EXTENT_H

#include "core/threads.h"
#include "data/data.h"

/* `largest` is columns long. */
linpred_status linpred__find_extent(const linpred_data *data, linpred__pool *pool, double *largest,
                                    linpred_error *error);

#endif
