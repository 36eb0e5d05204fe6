/* Whether two 0-based rows of the data hold the same values. Labels and weights are not compared. */
#ifndef LINPRED_DATA_SAME_ROW_H
#define LINPRED_DATA_SAME_ROW_H

#include "data/data.h"

bool linpred__same_row(const linpred_data *data, int64_t row, int64_t other);

#endif
