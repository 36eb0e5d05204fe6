/* Which rows a rough Hessian of sparse rows is made from. */
#ifndef LINPRED_MINIMISE_HESSIAN_SAMPLE_H
#define LINPRED_MINIMISE_HESSIAN_SAMPLE_H

#include "minimise/logistic_problem.h"

/* Whether a sampled Hessian needs much fewer rows than there are. */
bool linpred__hessian_sample_pays(const linpred__logistic *problem);
/* Makes problem->leverage, which the sample needs, in two passes. Once is enough. */
linpred_status linpred__logistic_measure_leverage(linpred__logistic *problem, linpred_error *error);
/* Samples the rows of a block: the curvatures of rows that are left out become 0, those of rows that stand for others
   grow. `mean` is the expected mean curvature of all rows. */
void linpred__hessian_sample(const linpred__logistic *problem, const linpred__block *block, double mean,
                             double *curvature);

#endif
