/* The coefficients of least norm among those that fit the same, or those without dependent columns.
 *
 * If columns depend on each other, <n_i,(x,1)> = 0 in every row for i = 1 .. k, then all (w,b) + Σ a_i n_i fit the
 * same. Every learner without a penalty takes those of least ‖w‖. The intercept b does not count, as if columns and
 * target had been centred: w is orthogonal to the part of each n_i that belongs to columns. So a constant column has
 * the coefficient 0, and a row in which it has another value gets the same prediction. One (w,b) only has this
 * property: if that part of n were 0, the intercept's entry of n would be 0 too. If dependent columns are dropped, w is
 * 0 in them instead.
 */
#ifndef LINPRED_FIT_LEAST_NORM_H
#define LINPRED_FIT_LEAST_NORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "num/dd.h"

/* Adds multiples of the `count` vectors of `null` to the vector w. All have `length` entries. Norm and orthogonality
   are those of the first `terms` entries; the intercept and whatever else follows is carried along. `null` is changed.
 */
void linpred__take_least_norm(linpred__dd *null, int32_t count, size_t terms, size_t length, linpred__dd *w);

/* Whether the parts of a vector are near enough in size for double-double to take the least norm along it. */
bool linpred__has_least_norm(const double *vector, int32_t terms);

/* Adds multiples of the vectors to w, so that w is 0 in the last of the `terms` that each vector has a part in. No
   other vector may have a part there. */
void linpred__take_dropped(const double *null, int32_t count, size_t terms, size_t length, linpred__dd *w);

#endif
