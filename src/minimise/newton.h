/* Newton's method with Cholesky factors of the Hessian.
 *
 *   v <- v - t H^-1 g,   ν² = g' H^-1 g,   F(v) - min F ≈ ν²/2 near the minimum
 *
 * Proofs, dependencies and standard errors use what it leaves in linpred__newton: the factor, the kept columns and the
 * Gram matrix.
 */
#ifndef LINPRED_MINIMISE_NEWTON_H
#define LINPRED_MINIMISE_NEWTON_H

#include "minimise/newton_state.h"

/* Opens the method at v. If v is NULL, it begins at the start of the terms; without one, near the minimum of a
   sample. */
linpred_status linpred__newton_open(linpred__logistic_problem *problem, const double *v, linpred__newton *newton,
                                    linpred_error *error);
void linpred__newton_close(linpred__newton *newton);
/* Moves back to v = 0 and forgets the factor. */
void linpred__newton_reset(linpred__newton *newton);

/* Takes steps from the point until ν²/2 <= gap F. With `polish` it goes on to working precision, unless Hessians are
   costly. */
linpred_status linpred__newton_run(linpred__newton *newton, double gap, bool polish, linpred__logistic_end *end,
                                   linpred_error *error);
/* Takes steps from the point on the objective of the sample, until ν²/2F is small beside the difference between the
   sample and all rows. */
linpred_status linpred__newton_run_on_sample(linpred__newton *newton, const linpred__row_sample *sample,
                                             linpred__logistic_end *end, linpred_error *error);

#endif
