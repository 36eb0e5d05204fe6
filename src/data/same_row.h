/* Whether two rows of the data hold the same values. Labels and weights do not matter. */
#ifndef LINPRED_DATA_SAME_ROW_H
#define LINPRED_DATA_SAME_ROW_H

#include "data/data.h"

bool linpred__same_row(const linpred_data *data, int64_t row, int64_t other);

#endif
