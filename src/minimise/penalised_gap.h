/* A bound of the gap where there is a penalty: F(v) - min F is at most this. No Hessian is needed. l2 must be > 0. */
#ifndef LINPRED_MINIMISE_PENALISED_GAP_H
#define LINPRED_MINIMISE_PENALISED_GAP_H

#include "minimise/logistic_point.h"

double linpred__penalised_gap(const linpred__logistic *problem, const linpred__logistic_point *point);

#endif
