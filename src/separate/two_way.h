/* Can a halfspace separate the rows? Answered with a proof either way, for any number of rows.
 *
 *     separated     w, b with y(<w,x>+b) > 0 on every row
 *     inseparable   rows with Σ λ_i z_i = 0, λ > 0
 *     undecided     no margin is above ||Σ α_i z_i|| / Σ α_i
 *
 * The method is constraint generation. The exact solvers of solve/working/working_rows.h hold a few working rows. A
 * pass over all rows finds those that the proposed halfspace gets wrong; the worst of them join the working rows, and
 * so on. A combination of working rows that is zero proves the answer for all data; a halfspace is accepted only if the
 * sign of every row is certain. A few passes of the perceptron come first: easy data needs no linear program.
 */
#ifndef LINPRED_SEPARATE_TWO_WAY_H
#define LINPRED_SEPARATE_TWO_WAY_H

#include "core/run.h"
#include "separate/answer.h"

/* `max_work`: what linear programs and exact arithmetic may do, in multiplications; 0: no limit. */
linpred_status linpred__ask_two_way(linpred__run *run, const linpred__problem *problem, double max_work,
                                    linpred__two_way *answer, linpred_error *error);

#endif
