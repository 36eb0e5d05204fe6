/* The rows with the lowest y(<w,x>+b), found in one pass. */
#ifndef LINPRED_PASS_VIOLATORS_H
#define LINPRED_PASS_VIOLATORS_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__violators {
    int64_t count;
    int64_t *row;     /* 0-based data rows, ascending */
    int64_t mistakes; /* the number of all rows with y(<w,x>+b) <= 0, listed or not */
    double lowest;    /* the smallest y(<w,x>+b) of all rows, rounded once if it is positive */
} linpred__violators;

/* Which rows are sought: those with y(<w,x>+b) <= 0 or < below, the lowest first. Block i of the data belongs to
   stratum i mod 16. Each stratum has the same share of the list, so that near copies of one row do not fill it. */
typedef struct linpred__violators_sought {
    const double *w;
    double b;
    int32_t max;  /* the list holds at most this many rows, rounded up to a multiple of 16 */
    double below; /* INFINITY: any row may be listed; -INFINITY: mistakes only */
} linpred__violators_sought;

linpred_status linpred__find_violators(linpred__run *run, const linpred__problem *problem,
                                       const linpred__violators_sought *sought, linpred__violators *violators,
                                       linpred_error *error);
void linpred__violators_clear(linpred__violators *violators);

#endif
