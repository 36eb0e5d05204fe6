/* Newton's method with Cholesky factors of the Hessian.
 *
 *   v <- v - t H^-1 g,   ν² = g' H^-1 g,   F(v) - min F ≈ ν²/2 near the minimum
 *
 * What it leaves behind (the factor, the kept columns, the Gram matrix) serves proofs, dependencies and standard
 * errors.
 */
#ifndef LINPRED_MINIMISE_NEWTON_H
#define LINPRED_MINIMISE_NEWTON_H

#include "minimise/newton_state.h"

/* Begins at v; with v NULL at the start of the terms, or else near the minimum of a sample of the rows. */
linpred_status linpred__newton_open(linpred__logistic *problem, const double *v, linpred__newton *newton,
                                    linpred_error *error);
void linpred__newton_close(linpred__newton *newton);
/* Moves back to v = 0 and forgets the factor. */
void linpred__newton_reset(linpred__newton *newton);

/* Goes on from the point until ν²/2 <= gap F. `polish`: on to working precision, unless Hessians are costly. */
linpred_status linpred__newton_run(linpred__newton *newton, double gap, bool polish, linpred__logistic_end *end,
                                   linpred_error *error);
/* Goes on from the point, for the sample's objective, until one more step would end below what the sample can tell. */
linpred_status linpred__newton_run_on_sample(linpred__newton *newton, const linpred__row_sample *sample,
                                             linpred__logistic_end *end, linpred_error *error);

#endif
