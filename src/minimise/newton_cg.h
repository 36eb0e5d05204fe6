/* Newton's method by conjugate gradients, for problems with too many columns for a matrix of them. */
#ifndef LINPRED_MINIMISE_NEWTON_CG_H
#define LINPRED_MINIMISE_NEWTON_CG_H

#include "minimise/logistic_point.h"

typedef struct linpred__cg linpred__cg;

/* When to end. */
typedef struct linpred__cg_goal {
    double gap;         /* the relative gap, by the method's own estimate */
    int64_t errors;     /* without a penalty: at most so many rows on their wrong side, as computed */
    int64_t max_passes; /* problem->progress.passes is above this; checked before each step */
} linpred__cg_goal;

/* The whole of it: goes on from the point until the gap is reached, or until the weights separate all rows and there is
   no penalty. F and its gradient at the end are evaluated afresh. */
linpred_status linpred__newton_cg(linpred__logistic *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error);

/* The same in parts, for a caller that goes on with another goal. The point may be read between runs, not written. */
linpred_status linpred__cg_open(linpred__logistic *problem, linpred__logistic_point *point, linpred__cg **cg,
                                linpred_error *error);
linpred_status linpred__cg_run(linpred__cg *cg, const linpred__cg_goal *goal, linpred__logistic_end *end,
                               linpred_error *error);
void linpred__cg_close(linpred__cg *cg);

#endif
