/* Can a halfspace separate the rows, where rows and columns are both too many for linear programs and exact work?
 *
 * The unpenalised logistic loss is minimised by Newton's method with conjugate gradients. Once all but one row in a
 * thousand are on their right side, passes of the perceptron from there correct the others, if the rows are separable
 * with some margin. If they do not, the minimisation goes on, until all but one row in ten thousand are right, and so
 * on.
 *
 * If nothing separates the rows in the end, the derivatives α_i = 1/(1 + exp(y_i(<w,x_i>+b))) are multipliers that
 * prove a bound: no homogeneous margin is above ||Σ α z|| / Σ α, which is small near a minimum. The verifier computes
 * the α anew from w, b.
 */
#ifndef LINPRED_SEPARATE_LARGE_SCALE_H
#define LINPRED_SEPARATE_LARGE_SCALE_H

#include "core/run.h"
#include "separate/answer.h"

bool linpred__is_large_scale(const linpred_data *data);
/* SEPARATED by w, b, or UNDECIDED with margin_bound, by the derivatives at w, b. */
linpred_status linpred__ask_large_scale(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                        linpred_error *error);

#endif
