/* Whether vectors n have <n,(x,1)> = 0 in every row, and how far from it the worst row is. */
#ifndef LINPRED_PASS_DEPENDENCE_H
#define LINPRED_PASS_DEPENDENCE_H

#include "core/threads.h"
#include "data/data.h"

/* worst[k] = max over rows of |<n_k,(x,1)>| / Σ_j |n_kj x_j|. It is 0 only if all rows have 0 in exact arithmetic.
   Vector k stands in vectors[k width] .. vectors[(k+1) width - 1], width = columns + has_intercept. */
linpred_status linpred__dependence(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                   const double *vectors, int32_t count, double *worst, linpred_error *error);

#endif
