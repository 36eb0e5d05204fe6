/* A rough Hessian of sparse rows, made from a sample of them. */
#ifndef LINPRED_MINIMISE_HESSIAN_SAMPLE_H
#define LINPRED_MINIMISE_HESSIAN_SAMPLE_H

#include "minimise/logistic_problem.h"

/* Whether a sampled Hessian is worth it: it needs at most a third of the rows. */
bool linpred__hessian_sample_pays(const linpred__logistic_problem *problem);
/* Computes problem->leverage, which the sample needs, in two passes, unless it is known. */
linpred_status linpred__logistic_measure_leverage(linpred__logistic_problem *problem, linpred_error *error);
/* Samples the rows of a block. The curvatures of rows that are left out become 0; those of rows that represent others
   are increased. `mean` is the expected mean curvature of all rows. */
void linpred__hessian_sample(const linpred__logistic_problem *problem, const linpred__block *block, double mean,
                             double *curvature);

#endif
