/* Newton's method by conjugate gradients, for problems with too many columns for a matrix of them. */
#ifndef LINPRED_MINIMISE_NEWTON_CG_H
#define LINPRED_MINIMISE_NEWTON_CG_H

#include "minimise/logistic_point.h"

typedef struct linpred__cg linpred__cg;

/* A run ends when one of these holds. */
typedef struct linpred__cg_goal {
    double gap;         /* the relative gap is at most this, by the method's own estimate */
    int64_t errors;     /* there is no penalty, and at most so many computed scores are mistakes */
    int64_t max_passes; /* problem->progress.passes is above this; it is checked before each step */
} linpred__cg_goal;

/* Takes steps from the point until the relative gap is reached, or, without a penalty, until the weights separate all
   rows. At the end F and its gradient are computed from the rows. */
linpred_status linpred__newton_cg(linpred__logistic_problem *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error);

/* The same in parts, for a caller that changes the goal. Between runs the caller may read the point but not write
   it. */
linpred_status linpred__cg_open(linpred__logistic_problem *problem, linpred__logistic_point *point, linpred__cg **cg,
                                linpred_error *error);
linpred_status linpred__cg_run(linpred__cg *cg, const linpred__cg_goal *goal, linpred__logistic_end *end,
                               linpred_error *error);
void linpred__cg_close(linpred__cg *cg);

#endif
