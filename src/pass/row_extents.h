/* What one pass over the rows tells before any search: the largest |x| of each column, the radius R = max ||(x,1)||,
 * the fingerprint and, if asked for, the range of each column among the rows of each label. */
#ifndef LINPRED_PASS_ROW_EXTENTS_H
#define LINPRED_PASS_ROW_EXTENTS_H

#include "core/threads.h"
#include "data/data.h"
#include "pass/column_ranges.h"

/* The largest ||(x,1)|| over all rows; without intercept the largest ||x||. It may be infinite. */
typedef struct linpred__radius {
    double above;   /* an upper bound of the radius */
    double nearest; /* the radius to the last digits */
    double squared; /* the radius squared, to the last digits; infinite beyond the range of double */
} linpred__radius;

typedef struct linpred__row_extents {
    double *extent; /* the largest |x| of each column */
    linpred__radius radius;
    uint64_t fingerprint;
    linpred__ranges ranges; /* of each column; empty unless asked for */
} linpred__row_extents;

linpred_status linpred__find_row_extents(const linpred_data *data, linpred__pool *pool, bool has_intercept, bool ranges,
                                         linpred__row_extents *extents, linpred_error *error);
void linpred__row_extents_clear(linpred__row_extents *extents);

#endif
