/* A good first halfspace, which proves nothing: near the minimum of the logistic loss, or far along the way if there is
 * no minimum. */
#ifndef LINPRED_SEPARATE_LOGISTIC_START_H
#define LINPRED_SEPARATE_LOGISTIC_START_H

#include "core/run.h"
#include "minimise/logistic_problem.h"
#include "pass/problem.h"

typedef struct linpred__logistic_halfspace {
    double b;
    bool found;   /* w and b were set; so they are also if the run was stopped on the way */
    bool stalled; /* no step went further, as where there is no minimum: rounding decides where the search ends */
} linpred__logistic_halfspace;

/* w is as long as there are columns. */
linpred_status linpred__find_logistic_start(linpred__run *run, const linpred__problem *problem,
                                            const linpred__logistic_terms *terms, double *w,
                                            linpred__logistic_halfspace *start, linpred_error *error);

#endif
