/* Vectors of doubles: their sum, their norm, and the whole numbers that they are nearly proportional to. */
#ifndef LINPRED_NUM_VECTOR_H
#define LINPRED_NUM_VECTOR_H

#include <stdint.h>

#include "num/dd.h"

/* The Euclidean norm ||(v, extra)|| to the last digits, and its square, which is infinite or 0 beyond the range of
 * double. */
double linpred__norm(const double *v, int64_t n, double extra);
double linpred__norm_squared(const double *v, int64_t n, double extra);
/* An upper bound of ||(v, extra)||, n values in v. It is infinite only if the norm is about beyond the range. */
double linpred__norm_above(const double *v, int64_t n, double extra);

/* The sum at nearly twice the precision of doubles. Eight double-doubles are summed side by side and then added in a
   fixed order, so the bits are the same on every machine. */
linpred__dd linpred__sum(const double *x, int64_t n);

/* Finds the smallest q <= 16 for which every q n_j is within a relative 1e-6 of a whole number other than 0 (or n_j is
   0), replaces n by these whole numbers, and returns q. If there is none, n does not change and 0 is returned. */
int linpred__round_to_fractions(double *n, int32_t d);

#endif
