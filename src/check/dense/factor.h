/* The Cholesky factor L of a symmetric matrix scaled to a unit diagonal, and lengths in the norm of (L L')^-1. A column
 * that depends on those before it is left out.
 *
 * Columns are factored in blocks. The columns before a block are subtracted on all threads, in parts that do not
 * depend on the number of threads. The rest of the block is factored column by column, so that single columns can be
 * left out.
 */
#ifndef LINPRED_CHECK_DENSE_FACTOR_H
#define LINPRED_CHECK_DENSE_FACTOR_H

#include "check/dense/product.h"
#include "core/threads.h"

typedef struct linpred__factor {
    int32_t dimension;
    int32_t n;      /* the number of kept columns */
    int32_t *keep;  /* the kept columns, ascending */
    double *scale;  /* for each kept column a_jj^-1/2 */
    double *l;      /* L: n rows, `dimension` apart */
    double *length; /* for each kept column ||e_j|| in the norm of (L L')^-1, scaled */
    double trace;   /* the trace of (L L')^-1 */
} linpred__factor;

/* Factors the matrix a (dimension x dimension) without the columns that are `spare` (NULL: none). Returns false if
   memory runs out; then there is nothing to close. */
bool linpred__factor_open(const double *a, int32_t dimension, const bool *spare, linpred__pool *pool,
                          linpred__factor *factor);
void linpred__factor_close(linpred__factor *factor);

/* x <- L^-1 x, n long. */
void linpred__factor_solve(const linpred__factor *factor, double *x);
/* The same for LINPRED__SIDE_BY_SIDE vectors: entry i of vector k is x[i LINPRED__SIDE_BY_SIDE + k]. */
void linpred__factor_solve_rows(const linpred__factor *factor, double *x);
/* Columns from, from + 1, … of L^-1, side by side, without their first `from` entries, which are 0. Beyond the last
   column there are zeros. */
void linpred__factor_inverse_columns(const linpred__factor *factor, int32_t from, double *x);
/* <x,x>, n long. */
double linpred__factor_square(const linpred__factor *factor, const double *x);

#endif
