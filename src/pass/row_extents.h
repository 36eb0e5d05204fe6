/* What one pass over the rows tells before any search: the largest |x| of each column, the radius R = max ||(x,1)||,
 * the fingerprint and, if asked for, the range of each column among the rows of each label. */
#ifndef LINPRED_PASS_ROW_EXTENTS_H
#define LINPRED_PASS_ROW_EXTENTS_H

#include "core/threads.h"
#include "pass/problem.h"

linpred_status linpred__find_row_extents(const linpred_data *data, linpred__pool *pool, bool has_intercept, bool ranges,
                                         linpred__row_extents *extents, linpred_error *error);
void linpred__row_extents_clear(linpred__row_extents *extents);

#endif
