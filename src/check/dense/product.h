/* The checker's dense algebra in doubles: C += A'B, and X <- L^-1 X.
 *
 * Matrices are stored by rows. Rows of A, B and C are a whole number of vectors long: linpred__whole_vectors(n) for n
 * columns. What stands behind the n columns must be finite, and what it adds to C means nothing.
 */
#ifndef LINPRED_CHECK_DENSE_PRODUCT_H
#define LINPRED_CHECK_DENSE_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* n, rounded up to a multiple of 8. */
static inline size_t linpred__whole_vectors(size_t n)
{
    return (n + 7) / 8 * 8;
}

/* How many rows of this length to gather before they are multiplied: they stay in cache. */
size_t linpred__product_rows(size_t length);

/* C += A'B for `rows` rows of A, `m` long, and of B, `n` long. With `upper` only the entries (i,j) of C with i <= j
   mean something: half the work for A = B. */
void linpred__product_add(size_t rows, const double *a, size_t m, const double *b, size_t n, bool upper, double *c);

/* Vectors that are solved for side by side. */
enum { LINPRED__SIDE_BY_SIDE = 16 };
/* X <- L^-1 X for a lower triangle L, n x n, whose rows are `l_stride` apart, and LINPRED__SIDE_BY_SIDE columns of X,
   whose rows are `x_stride` apart. */
void linpred__substitute(const double *l, size_t l_stride, size_t n, double *x, size_t x_stride);

#endif
