/* Two passes that the three-way question needs. Which rows refute a direction v, that is have <v,z> < 0? Which rows lie
 * outside a span? */
#ifndef LINPRED_SEPARATE_ROWS_DIRECTION_ROWS_H
#define LINPRED_SEPARATE_ROWS_DIRECTION_ROWS_H

#include "core/run.h"
#include "num/integers.h"
#include "pass/problem.h"
#include "solve/exact_lp/span.h"

/* The rows that a pass found. */
typedef struct linpred__found_rows {
    int64_t count;    /* at most 16; 0 only if there are none */
    int64_t *row;     /* 0-based data rows, ascending; the caller gives it to linpred__release */
    int64_t positive; /* for a direction: the number of all rows with <v,z> > 0 */
} linpred__found_rows;

/* Finds the rows with the lowest <v,z> < 0, by exact signs. Unless `zero` is NULL, zero[i] is set to whether <v,z_i> =
 * 0.
 */
linpred_status linpred__try_direction(const linpred__run *run, const linpred__problem *problem,
                                      const linpred__integers *v, bool *zero, linpred__found_rows *tried,
                                      linpred_error *error);
/* Finds rows outside the span. */
linpred_status linpred__find_outside(const linpred__run *run, const linpred__problem *problem,
                                     const linpred__span *span, linpred__found_rows *outside, linpred_error *error);

/* v = (w, b) times the power of two that makes all entries integers, divided by their common divisor; b NULL: through
   the origin. Returns false if memory runs out. */
bool linpred__integers_of_doubles(const double *w, int32_t columns, const double *b, linpred__integers *v);

#endif
