/* Sparse rows without their empty columns. A column is empty if no row has an entry in it and its hint is 0. Without
 * empty columns vectors of the length of w are shorter. */
#ifndef LINPRED_DATA_DROP_EMPTY_COLUMNS_H
#define LINPRED_DATA_DROP_EMPTY_COLUMNS_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__without_empty_columns {
    linpred_data data; /* a view: values, targets and weights belong to the data with all columns */
    int32_t *column;   /* column[j] is column j of `data` among all columns; NULL if nothing was dropped: then `data` is
                          not set */
    int32_t *indices;  /* indices of all blocks, one block after the other */
    int64_t *start;    /* starts of all blocks, one block after the other; those of each block begin with 0 */
    int32_t *place;    /* of rows that lie in a file: what each column becomes */
    linpred_data *renumbered;    /* such rows, which `data` is a copy of */
    linpred__decimals *decimals; /* those of the columns that are kept; NULL if the data has none */
} linpred__without_empty_columns;

/* Drops the empty columns, if the hints of at least half of the columns are 0. The hint is the largest |x| of a column,
   or its coefficient; a column with hint[j] != 0 is kept. */
linpred_status linpred__drop_empty_columns(const linpred_data *data, const double *hint, linpred__pool *pool,
                                           linpred__without_empty_columns *kept, linpred_error *error);
void linpred__without_empty_columns_close(linpred__without_empty_columns *kept);

#endif
