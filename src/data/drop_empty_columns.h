/* Sparse rows without their empty columns. A column is empty if no row has an entry in it and its coefficient is 0.
 * Vectors as long as w then need no place for it. */
#ifndef LINPRED_DATA_DROP_EMPTY_COLUMNS_H
#define LINPRED_DATA_DROP_EMPTY_COLUMNS_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__without_empty_columns {
    linpred_data data; /* a view: values, targets and weights belong to the data with all columns */
    int32_t *column;   /* column[j]: the number of column j among all columns. NULL: none was dropped, no `data` */
    int32_t *indices;  /* of all blocks, one after the other */
    int64_t *start;    /* likewise; each block begins with 0 */
} linpred__without_empty_columns;

/* Drops the empty columns if they are at least half of all. A column j with hint[j] != 0 is kept: hint is the largest
   |x| of each column, or its coefficient. */
linpred_status linpred__drop_empty_columns(const linpred_data *data, const double *hint, linpred__pool *pool,
                                           linpred__without_empty_columns *kept, linpred_error *error);
void linpred__without_empty_columns_close(linpred__without_empty_columns *kept);

#endif
