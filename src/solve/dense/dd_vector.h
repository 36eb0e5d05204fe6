/* Vectors of double-doubles, leading and trailing parts in two arrays: products and sums at about 32 digits.
 *
 *   |computed <a, b> - exact <a, b>| <= (n+8)² 2^-104 Σ|a_i b_i|
 *
 * A dot product sums the leading parts by two_sum and every rounding error in a second sum (Ogita, Rump and Oishi's
 * Dot2). The order of summation is fixed, and machines with and without fused multiply-add give the same bits.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_VECTOR_H
#define LINPRED_SOLVE_DENSE_DD_VECTOR_H

#include <stdint.h>

#include "num/dd.h"

typedef struct linpred__dd_vector {
    double *hi;
    double *lo;
} linpred__dd_vector;

/* <a, b>: a of doubles; both of doubles, at the precision of doubles; both of double-doubles. */
linpred__dd linpred__dd_dot(int64_t n, const double *a, linpred__dd_vector b);
double linpred__dot(int64_t n, const double *a, const double *b);
linpred__dd linpred__dd_dot_both(int64_t n, linpred__dd_vector a, linpred__dd_vector b);

/* The first two for a sparse a: n entries a[k] at the places index[k]. */
linpred__dd linpred__dd_dot_sparse(int64_t n, const double *a, const int32_t *index, linpred__dd_vector b);
double linpred__dot_sparse(int64_t n, const double *a, const int32_t *index, const double *b);

/* y += c x: x of doubles, sparse, or of double-doubles. */
void linpred__dd_add_multiple(int64_t n, double c, const double *x, linpred__dd_vector y);
void linpred__dd_add_multiple_sparse(int64_t n, double c, const double *x, const int32_t *index, linpred__dd_vector y);
void linpred__dd_add_multiple_both(int64_t n, linpred__dd c, linpred__dd_vector x, linpred__dd_vector y);

/* (x, y) <- (cosine x + sine y, cosine y - sine x) */
void linpred__dd_rotate(int64_t n, linpred__dd cosine, linpred__dd sine, linpred__dd_vector x, linpred__dd_vector y);

linpred__dd linpred__dd_sum(int64_t n, linpred__dd_vector x);

/* The part that begins at element k; element k; and element k <- value. */
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
