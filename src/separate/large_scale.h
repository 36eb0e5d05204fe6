/* Separable or not where columns and rows are both too many for linear programs and exact work.
 *
 * The unpenalised logistic loss is minimised by Newton's method with conjugate gradients. Once it gets all but one row
 * in a thousand right, passes of the perceptron from there put right the others, if the rows are separable with any
 * room: that is the answer. If not, it goes on; in the end its derivatives α_i = 1/(1 + exp(y_i(<w,x_i>+b))) are
 * multipliers that prove a bound: no homogeneous margin is above ||Σ α z|| / Σ α, which is small near a minimum. The
 * verifier makes the α anew from w.
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
