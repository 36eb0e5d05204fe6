/* Contradictory rows: two rows with the same x and opposite labels. They are the shortest proof that nothing separates
 * the rows. One pass hashes all rows; rows whose hash may be that of a row with the other label are compared. */
#ifndef LINPRED_SEPARATE_ROWS_CONTRADICTORY_ROWS_H
#define LINPRED_SEPARATE_ROWS_CONTRADICTORY_ROWS_H

#include "core/threads.h"
#include "data/data.h"

/* Finds the contradictory pair whose second row comes first, among the first `rows` rows. *found is false if there is
   none. */
linpred_status linpred__find_contradictory_rows(const linpred_data *data, linpred__pool *pool, int64_t rows,
                                                bool *found, int64_t pair[2], linpred_error *error);

#endif
