/* The Euclidean norm of a vector with one more entry, `extra`. */
#ifndef LINPRED_NUM_NORM_H
#define LINPRED_NUM_NORM_H

#include <stdint.h>

/* ||(v, extra)|| to the last digits, and its square, which is infinite or 0 beyond the range of double. */
double linpred__norm(const double *v, int64_t n, double extra);
double linpred__norm_squared(const double *v, int64_t n, double extra);
/* An upper bound of ||(v, extra)||, n values in v. It is infinite only if the norm is about beyond the range. */
double linpred__norm_above(const double *v, int64_t n, double extra);

#endif
