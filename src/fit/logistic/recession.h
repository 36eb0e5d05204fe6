/* A direction in which the loss falls for ever, guessed from where a method ran away to. */
#ifndef LINPRED_FIT_LOGISTIC_RECESSION_H
#define LINPRED_FIT_LOGISTIC_RECESSION_H

#include "minimise/newton_state.h"
#include "separate/answer.h"

/* Both try their guesses on every row. The answer has a direction if one held: SEPARATED if it is strict on every row,
   else QUASI_SEPARATED, which is no proof that no other direction is strict. Without a direction: UNDECIDED. */
linpred_status linpred__recession_by_newton(linpred__newton *newton, linpred__three_way *answer, linpred_error *error);
/* `step` is the last step of conjugate gradients. */
linpred_status linpred__recession_by_step(const linpred__logistic *problem, const double *step,
                                          linpred__three_way *answer, linpred_error *error);

#endif
