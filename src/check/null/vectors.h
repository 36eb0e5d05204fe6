/* Null vectors: vectors n with <n,(x,1)> = 0 in every row, an entry for each coefficient and the intercept's last.
 *
 * k independent null vectors leave the columns a rank of at most width - k. Along a null vector the predictor does not
 * change, so coefficients w of least norm have n'w = 0.
 */
#ifndef LINPRED_CHECK_NULL_VECTORS_H
#define LINPRED_CHECK_NULL_VECTORS_H

#include "core/threads.h"
#include "model/model.h"

typedef struct linpred__null_vectors {
    int32_t count;
    int32_t width;
    const double *vector; /* count x width by rows */
} linpred__null_vectors;

/* rows.c. worst[k] <- the largest |<n_k,(x,1)>| / Σ|n_kj x_j| of any row; it is 0 only if all are 0 in exact
   arithmetic. */
linpred_status linpred__null_residuals(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                       const linpred__null_vectors *vectors, double *worst, linpred_error *error);

/* Gauss-Jordan on `a` (count x p by rows), which is changed: `inverse` (count x count, I when called) such that inverse
   times the columns `pivot` of `a` is about I. In row k the pivot has the largest |a_j| scale_j; scale NULL: all 1. */
bool linpred__null_eliminate(double *a, size_t count, size_t p, const double *scale, double *inverse, size_t *pivot);

/* Whether the vectors (count x p by rows) are independent of each other for sure, even if only the columns `pivot` are
   left of them (count of them, chosen here; NULL: not asked for). -1: out of memory. */
int linpred__null_independent(const double *vectors, size_t count, size_t p, const double *scale, size_t *pivot);

/* The largest |n'w| / (||n|| ||w||) of the vectors, the intercept counted. With `extent`, the largest |x_j|, the
   denominator has Σ |n_j| / extent_j added: where w is 0 but for rounding, n'w is 1e-16 of such numbers. */
double linpred__null_norm_left(const linpred_model *model, const linpred__null_vectors *vectors, const double *extent);

#endif
