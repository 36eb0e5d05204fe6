/* Symmetric positive definite systems A x = b by Cholesky's factor.
 *
 *   D A D = L L',   D = diag(A)^-1/2
 *
 * If A = X'X is a Gram matrix, L_jj² is the part of the squared length of column j of X that its projection onto the
 * columns before it leaves. Column j depends on these columns if L_jj² is below a threshold.
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
/* Factors the rows and columns keep[0 .. n-1] of the symmetric matrix `a`, with each diagonal entry times 1 + ridge.
   Both triangles of `a` must be filled; its rows are `stride` apart. False: not positive definite in floating point. */
bool linpred__cholesky_factor(linpred__cholesky *cholesky, const double *a, int64_t stride, const int32_t *keep,
                              double ridge);
/* min L_jj² */
double linpred__cholesky_min_remainder(const linpred__cholesky *cholesky);
void linpred__cholesky_solve(const linpred__cholesky *cholesky, double *x); /* x <- A^-1 x */
/* x' A^-1 x = ||L^-1 D x||²; x is overwritten. */
double linpred__cholesky_squared_length(const linpred__cholesky *cholesky, double *x);
/* The same for `count` vectors that are stored one after another in x, by BLAS. The caller must hold BLAS to one
   thread. x is overwritten. */
void linpred__cholesky_squared_lengths(const linpred__cholesky *cholesky, double *x, int32_t count, double *square);
/* Fills `diagonal` with the diagonal of A^-1. False: out of memory. */
bool linpred__cholesky_inverse_diagonal(const linpred__cholesky *cholesky, double *diagonal);

/* Fills keep[0 .. rank-1] with independent columns of the n x n Gram matrix `a`, ascending. The last column is chosen
   first, because it is often the intercept. Then the column with the largest remainder L_jj² is chosen again and again,
   until all remainders are below `dependent`. Returns the rank, or -1 if memory ran out. */
int32_t linpred__independent_columns(const double *a, int32_t n, double dependent, int32_t *keep);
/* Changes keep[0 .. rank-1], independent columns of the n x n Gram matrix `a` on which all others depend, to those that
   are chosen from left to right: a column is left out if it depends on columns before it. The last column comes before
   all others if it is the intercept. False: out of memory. */
bool linpred__leftmost_columns(const double *a, int32_t n, bool has_intercept, int32_t rank, int32_t *keep);

#endif
