/* A good first halfspace, which proves nothing: near the minimum of the logistic loss without a penalty, or far along
 * the way if there is no minimum. */
#ifndef LINPRED_SEPARATE_LOGISTIC_START_H
#define LINPRED_SEPARATE_LOGISTIC_START_H

#include "core/run.h"
#include "pass/problem.h"

/* Classes are weighted by class_weight, -1 first. *found says whether w (columns long) and *b were set. They are set
   also if the run was stopped on the way. */
linpred_status linpred__find_logistic_start(linpred__run *run, const linpred__problem *problem,
                                            const double class_weight[2], double *w, double *b, bool *found,
                                            linpred_error *error);

#endif
