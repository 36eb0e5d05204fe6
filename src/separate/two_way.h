/* The two-way question: can a halfspace separate the rows? The answer comes with a proof either way.
 *
 *     separated     w, b with y(<w,x>+b) > 0 on every row
 *     inseparable   rows with Σ λ_i z_i = 0, λ > 0
 *     undecided     no margin is above ||Σ α_i z_i|| / Σ α_i
 *
 * The method is constraint generation. The solvers of solve/working/working_rows.h hold a few working rows and propose
 * a halfspace for them. A pass over all rows finds those that the halfspace gets wrong, and the worst of them join the
 * working rows. This repeats until the halfspace is right on all rows, by certified signs, or until a positive
 * combination of working rows is exactly zero. A few passes of the perceptron come first, so that easy data needs no
 * linear program.
 */
#ifndef LINPRED_SEPARATE_TWO_WAY_H
#define LINPRED_SEPARATE_TWO_WAY_H

#include "core/run.h"
#include "separate/answer.h"

/* `max_work` limits the work of linear programs and exact arithmetic, in multiplications; 0: no limit. */
linpred_status linpred__ask_two_way(linpred__run *run, const linpred__problem *problem, double max_work,
                                    linpred__two_way *answer, linpred_error *error);

#endif
