/* How far rows reach in the norm of H^-1, and how far a step of Newton's method moves their scores. */
#ifndef LINPRED_MINIMISE_LEVERAGE_BOUND_H
#define LINPRED_MINIMISE_LEVERAGE_BOUND_H

#include "minimise/newton_state.h"

/* ρ >= max ||x||_{(L L')^-1} over the rows, by the diagonal of the inverse; `exactly`: ρ itself, in one pass. */
linpred_status linpred__leverage_bound(linpred__newton *newton, bool exactly, double *rho, linpred_error *error);
/* The largest change of a score by newton->step, in one pass. It is at most νρ. */
linpred_status linpred__newton_max_score_change(linpred__newton *newton, double *max, linpred_error *error);

#endif
