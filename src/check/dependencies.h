/* Vectors n with <n,(x,1)> = 0 in every row (pass/dependence.h tells whether they have): whether they depend on each
 * other, whether coefficients have the least norm along them. k independent ones leave a rank of at most width - k. */
#ifndef LINPRED_CHECK_DEPENDENCIES_H
#define LINPRED_CHECK_DEPENDENCIES_H

#include "model/model.h"

/* Gauss-Jordan on `a` (count x p by rows), which is changed: `inverse` (count x count, I when called) such that inverse
   times the columns `pivot` of `a` is about I. In row k the pivot has the largest |a_j| scale_j; scale NULL: all 1. */
bool linpred__null_eliminate(double *a, size_t count, size_t p, const double *scale, double *inverse, size_t *pivot);

/* Whether the vectors (count x p by rows) are independent of each other for sure, also if no more is left of them than
   the columns `pivot` (count of them, chosen here; NULL: not asked for); -1: out of memory. */
int linpred__null_independent(const double *vectors, size_t count, size_t p, const double *scale, size_t *pivot);

/* |n'w| beside ||n|| ||w||, of the vector with the largest, the intercept counted. With `extent`, the largest |x_j|,
   also beside Σ |n_j| / extent_j: where w is 0 but for rounding, that is 1e-16 of such numbers. */
double linpred__null_norm_left(const linpred_model *model, const double *vectors, int32_t count, int32_t width,
                               const double *extent);

#endif
