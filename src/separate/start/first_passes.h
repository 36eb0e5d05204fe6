/* A few passes of the perceptron before any linear program. They separate easy data. If they do not separate the rows,
 * their last weights are the first proposal for constraint generation.
 */
#ifndef LINPRED_SEPARATE_START_FIRST_PASSES_H
#define LINPRED_SEPARATE_START_FIRST_PASSES_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__first_passes {
    bool separated; /* every row is on its right side */
    bool stopped;   /* the run was stopped */
    int64_t updates;
    int64_t passes; /* rows visited / rows of the data; large data is sampled, so this may be 0 */
} linpred__first_passes;

/* Sets w, columns + 1 long, to the last weights, the intercept last. */
linpred_status linpred__ask_first_passes(linpred__run *run, const linpred__problem *problem, double *w,
                                         linpred__first_passes *answer, linpred_error *error);

#endif
