/* An upper bound of F(v) - min F for l2 > 0. It needs the gradient but no Hessian. */
#ifndef LINPRED_MINIMISE_PENALISED_GAP_H
#define LINPRED_MINIMISE_PENALISED_GAP_H

#include "minimise/logistic_point.h"

double linpred__penalised_gap(const linpred__logistic_problem *problem, const linpred__logistic_point *point);

#endif
