/* Two rows with the same x and opposite labels: the shortest proof that nothing separates the rows. One pass for a hash
 * of each row, and a table of those that another with the other label may equal. */
#ifndef LINPRED_SEPARATE_ROWS_CONTRADICTORY_ROWS_H
#define LINPRED_SEPARATE_ROWS_CONTRADICTORY_ROWS_H

#include "core/threads.h"
#include "data/data.h"

/* Data rows of the first such pair among the first `rows` rows (the pair whose second row comes first), or *found
 * false. */
linpred_status linpred__find_contradictory_rows(const linpred_data *data, linpred__pool *pool, int64_t rows,
                                                bool *found, int64_t pair[2], linpred_error *error);

#endif
