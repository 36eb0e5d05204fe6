/* X'QX + diag(ridge) for many rows X and weights Q = diag(q) >= 0, its Cholesky factor, and products with X: what each
 * step of an interior point method needs. The columns of X stand one after another. The caller has entered OpenBLAS
 * (core/blas.h).
 */
#ifndef LINPRED_SOLVE_DENSE_NORMAL_EQUATIONS_H
#define LINPRED_SOLVE_DENSE_NORMAL_EQUATIONS_H

#include <stdbool.h>

#include "core/threads.h"

typedef struct linpred__normal_equations {
    int64_t rows;
    int32_t columns;
    const double *x; /* entry i of column j at j · rows + i */
    linpred__pool *pool;
    double *matrix; /* columns x columns: the lower triangle, then its factor */
    bool no_memory; /* memory ran out in linpred__normal_factor */
} linpred__normal_equations;

/* Fills the matrix with the factor of X'QX + diag(ridge); no ridge if it is NULL. rows · columns² operations. False:
   the matrix is not positive definite to rounding, or memory ran out. */
bool linpred__normal_factor(linpred__normal_equations *equations, const double *q, const double *ridge);

/* x <- the solution of (X'QX + diag(ridge)) z = x. */
void linpred__normal_solve(const linpred__normal_equations *equations, double *x);

/* out <- factor out + X d */
void linpred__normal_times(const linpred__normal_equations *equations, const double *d, double factor, double *out);

/* out <- factor out + X'r */
void linpred__normal_times_transposed(const linpred__normal_equations *equations, const double *r, double factor,
                                      double *out);

#endif
