/* A few passes of the perceptron before any linear program. Easy data is separated by them, and where they separate
 * nothing their last weights are a first proposal.
 */
#ifndef LINPRED_SEPARATE_START_FIRST_PASSES_H
#define LINPRED_SEPARATE_START_FIRST_PASSES_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__first_passes {
    bool separated; /* every row is on its right side */
    bool stopped;   /* the run was stopped */
    int64_t updates;
    int64_t passes; /* in rows visited; of large data only a sample is */
} linpred__first_passes;

/* w, columns + 1 long, becomes the last weights, the intercept's last. */
linpred_status linpred__ask_first_passes(linpred__run *run, const linpred__problem *problem, double *w,
                                         linpred__first_passes *answer, linpred_error *error);

#endif
