/* Can a halfspace separate the rows, if both rows and columns are too many for linear programs and exact arithmetic?
 *
 * The logistic loss without penalty is minimised by Newton's method with conjugate gradients. Once at most one row in a
 * thousand is a mistake, some passes of the perceptron from there try to correct the rest. They succeed if the rows are
 * separable with some margin. If they do not, the minimisation goes on until at most one row in ten thousand is a
 * mistake, and so on.
 *
 * If nothing separates the rows in the end, the derivatives α_i = 1/(1 + exp(y_i(<w,x_i>+b))) are multipliers that
 * prove a bound: no homogeneous margin is above ||Σ α z|| / Σ α, which is small near a minimum. The checker computes
 * the α again from w, b.
 */
#ifndef LINPRED_SEPARATE_LARGE_SCALE_H
#define LINPRED_SEPARATE_LARGE_SCALE_H

#include "core/run.h"
#include "separate/answer.h"

/* Whether rows and columns are both above the limits. */
bool linpred__is_large_scale(const linpred_data *data);
/* The answer is SEPARATED by w, b, or UNDECIDED with the margin_bound of the derivatives at w, b. */
linpred_status linpred__ask_large_scale(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                        linpred_error *error);

#endif
