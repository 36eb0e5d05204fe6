/* A good first halfspace: least squares on the labels.
 *
 *     minimise  Σ weight_i (<w,x_i> + b - y_i)²
 *
 * The normal equations are scaled to a unit diagonal, and 1e-9 is added to the diagonal. Up to the intercept the
 * solution is Fisher's discriminant. It is a start for searches and proves nothing.
 */
#ifndef LINPRED_SEPARATE_START_LEAST_SQUARES_START_H
#define LINPRED_SEPARATE_START_LEAST_SQUARES_START_H

#include "core/run.h"
#include "pass/problem.h"

/* Sets w (columns long) and, with an intercept, *b. Returns false if there are too many columns, or if the system
   cannot be solved. */
bool linpred__find_least_squares_start(linpred__run *run, const linpred__problem *problem, double *w, double *b);

#endif
