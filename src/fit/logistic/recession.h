/* A direction along which the loss falls without end, guessed from the point or step at which a method ended. */
#ifndef LINPRED_FIT_LOGISTIC_RECESSION_H
#define LINPRED_FIT_LOGISTIC_RECESSION_H

#include "minimise/newton_state.h"
#include "separate/answer.h"

/* Both functions check their guesses on every row in exact arithmetic. If a guess holds, the answer has it as
   direction. kind is SEPARATED if it is strict on every row, else QUASI_SEPARATED; another direction may still be
   strict on every row. If no guess holds, kind is UNDECIDED. */
linpred_status linpred__recession_by_newton(linpred__newton *newton, linpred__three_way *answer, linpred_error *error);
/* `step` is the last step of conjugate gradients. */
linpred_status linpred__recession_by_step(linpred__logistic_problem *problem, const double *step,
                                          linpred__three_way *answer, linpred_error *error);

#endif
