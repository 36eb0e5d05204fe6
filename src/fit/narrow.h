/* Sparse rows without the columns that no row has an entry in: their coefficients stay where they start, at 0, and vectors as long
 * as w need not carry them along. */
#ifndef LINPRED_FIT_NARROW_H
#define LINPRED_FIT_NARROW_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__narrow {
    linpred_data data; /* a view: values, targets and weights are the other's */
    int32_t *column;   /* where each of its columns stands in the other; NULL: nothing is left out, and `data` is not set */
    int32_t *indices;
} linpred__narrow;

/* Leaves columns out if most are empty. `extent` is the largest |x| of each column. */
linpred_status linpred__narrow_open(const linpred_data *data, const double *extent, linpred__pool *pool,
                                    linpred__narrow *narrow, linpred_error *error);
void linpred__narrow_close(linpred__narrow *narrow);

#endif
