/* Sparse rows without the columns that no row has an entry in and whose coefficient is 0: vectors as long as w need not
 * carry them along. */
#ifndef LINPRED_DATA_DROP_EMPTY_COLUMNS_H
#define LINPRED_DATA_DROP_EMPTY_COLUMNS_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__without_empty_columns {
    linpred_data data; /* a view: values, targets and weights are the other's */
    int32_t
        *column; /* where each of its columns stands in the other; NULL: nothing is left out, and `data` is not set */
    int32_t *indices;
} linpred__without_empty_columns;

/* Leaves columns out if most are empty. A column j where hint[j] is not 0 stays: the largest |x| of each column, or its
   coefficient. */
linpred_status linpred__drop_empty_columns(const linpred_data *data, const double *hint, linpred__pool *pool,
                                           linpred__without_empty_columns *narrow, linpred_error *error);
void linpred__without_empty_columns_close(linpred__without_empty_columns *narrow);

#endif
