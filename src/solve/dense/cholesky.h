/* Symmetric positive definite systems A x = b by Cholesky's A = L L', scaled to a unit diagonal first.
 *
 * Also which columns of a Gram matrix are independent: a column is taken as dependent on others if what they leave over
 * of it is below a given part of its squared length.
 */
#ifndef LINPRED_SOLVE_DENSE_CHOLESKY_H
#define LINPRED_SOLVE_DENSE_CHOLESKY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__cholesky {
    int32_t n;
    double *factor; /* n x n, columns: L of the scaled matrix */
    double *scale;  /* 1 / sqrt of the diagonal */
} linpred__cholesky;

bool linpred__cholesky_open(int32_t n, linpred__cholesky *cholesky); /* false: out of memory */
void linpred__cholesky_close(linpred__cholesky *cholesky);
/* Rows and columns keep[0 .. n-1] of `a` (whole: both triangles, `stride` a row), each diagonal entry times 1 + ridge.
   False: not positive definite as computed. */
bool linpred__cholesky_factor(linpred__cholesky *cholesky, const double *a, int64_t stride, const int32_t *keep,
                              double ridge);
/* What the columns before leave of a column, at least, as a part of its squared length. */
double linpred__cholesky_least_rest(const linpred__cholesky *cholesky);
void linpred__cholesky_solve(const linpred__cholesky *cholesky, double *x); /* x <- A^-1 x */
/* The squared length x' A^-1 x, by one half of the solve; x is overwritten. */
double linpred__cholesky_square(const linpred__cholesky *cholesky, double *x);
/* The same for `count` vectors one after another, by BLAS; the caller sees to it that BLAS has one thread. */
void linpred__cholesky_squares(const linpred__cholesky *cholesky, double *x, int32_t count, double *square);
/* diagonal <- that of A^-1. False: out of memory. */
bool linpred__cholesky_inverse_diagonal(const linpred__cholesky *cholesky, double *diagonal);

/* Fills keep[0 .. rank-1], ascending, with independent columns, the longest remainder first; answers the rank, -1 if
   out of memory. */
int32_t linpred__independent_columns(const double *a, int32_t n, double dependent, int32_t *keep);

#endif
