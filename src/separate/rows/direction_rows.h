/* What the three-way oracle asks of all rows, in one pass each: which refute a direction, which lie outside a span. */
#ifndef LINPRED_SEPARATE_ROWS_DIRECTION_ROWS_H
#define LINPRED_SEPARATE_ROWS_DIRECTION_ROWS_H

#include "core/run.h"
#include "num/integers.h"
#include "pass/problem.h"
#include "solve/exact_lp/span.h"

typedef struct linpred__tried {
    int64_t count;
    int64_t *row;     /* 0-based data rows, ascending: the worst of those sought; to be given to linpred__release */
    int64_t positive; /* rows with <v,z> > 0 */
} linpred__tried;

/* Rows with <v,z> < 0, each sign certain. `zero`, unless NULL, is filled for each row: whether <v,z> = 0. */
linpred_status linpred__try_direction(const linpred__run *run, const linpred__problem *problem,
                                      const linpred__integers *v, bool *zero, linpred__tried *tried,
                                      linpred_error *error);
/* Rows outside the span. */
linpred_status linpred__find_outside(const linpred__run *run, const linpred__problem *problem,
                                     const linpred__span *span, linpred__tried *outside, linpred_error *error);

/* (w, b) times a power of two that makes all of them integers; b NULL: through the origin. False: out of memory. */
bool linpred__integers_of_doubles(const double *w, int32_t columns, const double *b, linpred__integers *v);

#endif
