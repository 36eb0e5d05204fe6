/* The leverage bound ρ: the norm of rows with respect to H^-1. And how far a Newton step changes scores. */
#ifndef LINPRED_MINIMISE_LEVERAGE_BOUND_H
#define LINPRED_MINIMISE_LEVERAGE_BOUND_H

#include "minimise/newton_state.h"

/* Sets *rho >= max ||x||_{(L L')^-1} over the rows, from the diagonal of (L L')^-1 and without a pass. With `exactly`
   it is the maximum itself, found in one pass. */
linpred_status linpred__leverage_bound(linpred__newton *newton, bool exactly, double *rho, linpred_error *error);
/* The largest change of a score by newton->step, in one pass. It is at most νρ. */
linpred_status linpred__newton_max_score_change(linpred__newton *newton, double *max, linpred_error *error);

#endif
