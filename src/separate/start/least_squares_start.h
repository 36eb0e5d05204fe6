/* A good first halfspace: least squares on the labels.
 *
 *     minimise  Σ weight_i (<w,x_i> + b - y_i)²
 *
 * Columns are scaled to a unit diagonal and given a touch of ridge. But for its offset this is Fisher's discriminant.
 * It is a start for searches and proves nothing.
 */
#ifndef LINPRED_SEPARATE_START_LEAST_SQUARES_START_H
#define LINPRED_SEPARATE_START_LEAST_SQUARES_START_H

#include "core/run.h"
#include "pass/problem.h"

/* Fills w (columns long) and *b, which is untouched through the origin. False: there are too many columns, or the
   system cannot be solved. */
bool linpred__find_least_squares_start(linpred__run *run, const linpred__problem *problem, double *w, double *b);

#endif
