/* Symmetric positive definite systems A x = b by Cholesky's factor.
 *
 *   D A D = L L',   D = diag(A)^-1/2
 *
 * A column of a Gram matrix depends on others if they leave less than a given part of its squared length. That part is
 * the square of a diagonal entry of L.
 */
#ifndef LINPRED_SOLVE_DENSE_CHOLESKY_H
#define LINPRED_SOLVE_DENSE_CHOLESKY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__cholesky {
    int32_t n;
    double *factor; /* L, n x n by columns */
    double *scale;  /* the diagonal of D */
} linpred__cholesky;

bool linpred__cholesky_open(int32_t n, linpred__cholesky *cholesky); /* false: out of memory */
void linpred__cholesky_close(linpred__cholesky *cholesky);
/* Factors rows and columns keep[0 .. n-1] of `a`, each diagonal entry times 1 + ridge. Both triangles of `a` are
   filled, its rows are `stride` apart. False: not positive definite as computed. */
bool linpred__cholesky_factor(linpred__cholesky *cholesky, const double *a, int64_t stride, const int32_t *keep,
                              double ridge);
/* The smallest part of a column's squared length that the columns before it leave. */
double linpred__cholesky_min_remainder(const linpred__cholesky *cholesky);
void linpred__cholesky_solve(const linpred__cholesky *cholesky, double *x); /* x <- A^-1 x */
/* x' A^-1 x = ||L^-1 D x||²; x is overwritten. */
double linpred__cholesky_squared_length(const linpred__cholesky *cholesky, double *x);
/* The same for `count` vectors, one after another in x, by BLAS. The caller must hold BLAS to one thread. */
void linpred__cholesky_squared_lengths(const linpred__cholesky *cholesky, double *x, int32_t count, double *square);
/* diagonal <- that of A^-1. False: out of memory. */
bool linpred__cholesky_inverse_diagonal(const linpred__cholesky *cholesky, double *diagonal);

/* Fills keep[0 .. rank-1] with independent columns, ascending. Columns with the largest remainder are taken first.
   Answers the rank, -1: out of memory. */
int32_t linpred__independent_columns(const double *a, int32_t n, double dependent, int32_t *keep);

#endif
