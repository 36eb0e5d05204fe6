/* The factor L of the Hessian that Newton's method holds: how it is made, the steps it gives, and what it bounds. */
#ifndef LINPRED_MINIMISE_NEWTON_FACTOR_H
#define LINPRED_MINIMISE_NEWTON_FACTOR_H

#include "minimise/newton_state.h"

/* Makes L from the Hessian of the point. If rounding makes the Hessian indefinite, a ridge is added, so that steps go
   downhill. Returns false if there is no factor. `sample` is what the point was evaluated on (NULL: all rows). */
bool linpred__newton_make_factor(linpred__newton *newton, const linpred__row_sample *sample, linpred__hessian hessian);
/* The same. If a sampled Hessian has no factor, the Hessian of all rows is computed and factored. */
linpred_status linpred__newton_make_some_factor(linpred__newton *newton, const linpred__row_sample *sample,
                                                linpred__hessian hessian, bool *made, linpred_error *error);

/* step = -(L L')^-1 g on the kept columns, 0 elsewhere; point.decrement = ν² by L. */
void linpred__newton_find_step(linpred__newton *newton);

/* Computes the Hessian at the point, its factor and the step, unless the factor is that of the point already. */
linpred_status linpred__newton_refresh(linpred__newton *newton, linpred_error *error);

/* Returns κ with H(v) >= κ L L' at the point; 0 if none is known. */
double linpred__newton_factor_bound(const linpred__newton *newton);
/* Makes newton->inverse. */
linpred_status linpred__newton_invert(linpred__newton *newton, linpred_error *error);
/* Sets a bound δ of the rounding of L: H >= (1 - δ) L L' for the factor of the Hessian of all rows at the point. With H
   scaled to a unit diagonal, the sums and the factorisation make an error of at most (K + 2n) 2^-52 in each entry,
   where K is the number of terms of a sum. The norm of the error matrix is at most n times that. With x'x <= trace((L
   L')^-1) x'L L'x it is a part δ of L L'. */
linpred_status linpred__newton_factor_rounding(linpred__newton *newton, double *rounding_bound, linpred_error *error);

#endif
