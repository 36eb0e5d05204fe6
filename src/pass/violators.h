/* The rows that a halfspace gets most wrong: one pass. */
#ifndef LINPRED_PASS_VIOLATORS_H
#define LINPRED_PASS_VIOLATORS_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__violators {
    int64_t count;
    int64_t *row;     /* 0-based data rows, ascending */
    int64_t mistakes; /* rows with y(<w,x>+b) <= 0, in all */
    double lowest;    /* the smallest y(<w,x>+b) of all rows, rounded once if it is positive */
} linpred__violators;

/* The rows with y(<w,x>+b) <= 0 or below `below` (infinite: any row), the lowest first; at most `max` of them (rounded
   up to a multiple of 16). Block i of the data belongs to stratum i mod 16, and each stratum has the same share of the
   list, so that near copies of one row do not fill it. */
typedef struct linpred__violators_sought {
    const double *w;
    double b;
    int32_t max;
    double below;
} linpred__violators_sought;

linpred_status linpred__find_violators(linpred__run *run, const linpred__problem *problem,
                                       const linpred__violators_sought *sought, linpred__violators *violators,
                                       linpred_error *error);
void linpred__violators_clear(linpred__violators *violators);

#endif
