/* How nearly vectors n have <n,(x,1)> = 0 in every row. */
#ifndef LINPRED_PASS_DEPENDENCE_H
#define LINPRED_PASS_DEPENDENCE_H

#include "core/threads.h"
#include "data/data.h"

/* worst[k] <- the largest |<n_k,(x,1)>| / Σ|n_kj x_j| of any row, 0 only if all are 0 in exact arithmetic. The vectors
   stand by rows, each as long as the columns, and one more with an intercept. */
linpred_status linpred__dependence(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                   const double *vectors, int32_t count, double *worst, linpred_error *error);

#endif
