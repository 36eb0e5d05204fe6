/* What one pass over the rows tells before any search: the largest |x| of each column, the radius R and the
 * fingerprint. */
#ifndef LINPRED_PASS_ROW_EXTENTS_H
#define LINPRED_PASS_ROW_EXTENTS_H

#include "core/threads.h"
#include "data/data.h"
#include "pass/column_ranges.h"

/* The largest ||(x,1)|| over all rows, ||x|| through the origin; may be infinite. */
typedef struct linpred__radius {
    double above;   /* rounded up, for bounds */
    double nearest; /* of the longest row */
    double squared; /* its square; infinite where that leaves the range */
} linpred__radius;

typedef struct linpred__row_extents {
    double *extent; /* the largest |x| of each column */
    linpred__radius radius;
    uint64_t fingerprint;
    linpred__ranges ranges; /* where asked for */
} linpred__row_extents;

linpred_status linpred__find_row_extents(const linpred_data *data, linpred__pool *pool, bool has_intercept, bool ranges,
                                         linpred__row_extents *extents, linpred_error *error);
void linpred__row_extents_clear(linpred__row_extents *extents);

#endif
