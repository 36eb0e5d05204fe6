/* Vectors of double-doubles: products and sums at about 32 digits. Leading and trailing parts are in two arrays.
 *
 *   |computed <a, b> - exact <a, b>| <= (n+8)² 2^-104 Σ|a_i b_i|   for results of type linpred__dd
 *
 * A dot product adds the leading parts by two_sum and all rounding errors in a second sum (Dot2 of Ogita, Rump and
 * Oishi). The order of summation is fixed. Machines with and without a fused multiply-add instruction give the same
 * bits.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_VECTOR_H
#define LINPRED_SOLVE_DENSE_DD_VECTOR_H

#include <stdint.h>

#include "num/dd.h"

/* Element k is hi[k] + lo[k]. */
typedef struct linpred__dd_vector {
    double *hi; /* leading parts */
    double *lo; /* trailing parts */
} linpred__dd_vector;

/* <a, b> for a vector of doubles and one of double-doubles. */
linpred__dd linpred__dd_dot(int64_t n, const double *a, linpred__dd_vector b);
/* <a, b> for two vectors of doubles, in double arithmetic. */
double linpred__dot(int64_t n, const double *a, const double *b);
/* <a, b> for two vectors of double-doubles. */
linpred__dd linpred__dd_dot_both(int64_t n, linpred__dd_vector a, linpred__dd_vector b);

/* The first two functions for a sparse a with n entries a[k] at the places index[k]. */
linpred__dd linpred__dd_dot_sparse(int64_t n, const double *a, const int32_t *index, linpred__dd_vector b);
double linpred__dot_sparse(int64_t n, const double *a, const int32_t *index, const double *b);

/* y += c x, for a vector x of doubles, a sparse vector x with n entries at the places index[k], and a vector x of
   double-doubles. */
void linpred__dd_add_multiple(int64_t n, double c, const double *x, linpred__dd_vector y);
void linpred__dd_add_multiple_sparse(int64_t n, double c, const double *x, const int32_t *index, linpred__dd_vector y);
void linpred__dd_add_multiple_both(int64_t n, linpred__dd c, linpred__dd_vector x, linpred__dd_vector y);

/* Rotates two vectors: (x, y) <- (cosine x + sine y, cosine y - sine x). */
void linpred__dd_rotate(int64_t n, linpred__dd cosine, linpred__dd sine, linpred__dd_vector x, linpred__dd_vector y);

linpred__dd linpred__dd_sum(int64_t n, linpred__dd_vector x);

/* The part of x that begins at element k. */
static inline linpred__dd_vector linpred__dd_from(linpred__dd_vector x, int64_t k)
{
    return (linpred__dd_vector){x.hi + k, x.lo + k};
}

static inline linpred__dd linpred__dd_get(linpred__dd_vector x, int64_t k)
{
    return (linpred__dd){x.hi[k], x.lo[k]};
}

static inline void linpred__dd_set(linpred__dd_vector x, int64_t k, linpred__dd value)
{
    x.hi[k] = value.hi;
    x.lo[k] = value.lo;
}

#endif
