/* The factor L of the Hessian that Newton's method holds: making it, steps by it, and what it bounds. */
#ifndef LINPRED_MINIMISE_NEWTON_FACTOR_H
#define LINPRED_MINIMISE_NEWTON_FACTOR_H

#include "minimise/newton_state.h"

/* Makes L from the Hessian of the point. Where rounding makes the Hessian indefinite, a ridge is added that keeps every
   step downhill. False: there is no factor. `sample`: what the point was evaluated on (NULL: all rows). */
bool linpred__newton_make_factor(linpred__newton *newton, const linpred__row_sample *sample, linpred__hessian hessian);
/* The same; a sampled Hessian without a factor is replaced by the whole one. */
linpred_status linpred__newton_make_some_factor(linpred__newton *newton, const linpred__row_sample *sample,
                                                linpred__hessian hessian, bool *made, linpred_error *error);

/* step = -(L L')^-1 g on the kept columns, 0 elsewhere; point.decrement = ν² by L. */
void linpred__newton_find_step(linpred__newton *newton);

/* Makes the factor and the step those of the Hessian at the point. */
linpred_status linpred__newton_refresh(linpred__newton *newton, linpred_error *error);

/* κ with H(v) >= κ L L' at the point; 0: not known. */
double linpred__newton_factor_bound(const linpred__newton *newton);
/* Makes newton->inverse. */
linpred_status linpred__newton_invert(linpred__newton *newton, linpred_error *error);
/* A bound δ of the rounding of L: H >= (1 - δ) L L' for the factor of the Hessian of all rows at the point. With a unit
   diagonal an entry of H is off by at most (K + 2n) 2^-52, K the terms of its sums, and so is the factor; the whole
   matrix is off by at most n times that. And x'x <= trace((L L')^-1) x'L L'x. */
linpred_status linpred__newton_factor_rounding(linpred__newton *newton, double *rounding_bound, linpred_error *error);

#endif
