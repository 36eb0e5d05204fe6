/* L L' = a symmetric matrix scaled to a unit diagonal, less the columns that leave too little; and lengths by it.
 *
 * Blocks of columns are brought up to date by BLAS, on all threads in parts that do not depend on their number; what a
 * block leaves of itself is factored column by column, since a column that depends on those before it is left out.
 */
#ifndef LINPRED_CHECK_LOGISTIC_FACTOR_H
#define LINPRED_CHECK_LOGISTIC_FACTOR_H

#include "core/threads.h"

typedef struct linpred__factor {
    int32_t dimension;
    int32_t n; /* columns kept */
    int32_t *keep;
    double *scale;  /* of kept columns: a_jj^-1/2 */
    double *l;      /* n rows, `dimension` apart */
    double *length; /* of kept columns: ||e_j||_{(L L')^-1}, scaled */
    double trace;   /* of (L L')^-1 */
} linpred__factor;

/* Of the matrix a (dimension x dimension) without the columns that are `spare` (NULL: none). On false, out of memory,
   there is nothing to close. */
bool linpred__factor_open(const double *a, int32_t dimension, const bool *spare, linpred__pool *pool,
                          linpred__factor *factor);
void linpred__factor_close(linpred__factor *factor);

/* x <- L^-1 x for one x, n long; and for `count` of them one after another, by BLAS, which the caller has on one
 * thread. */
void linpred__factor_solve(const linpred__factor *factor, double *x);
void linpred__factor_solve_rows(const linpred__factor *factor, double *x, int32_t count);
/* <x,x>, n long. */
double linpred__factor_square(const linpred__factor *factor, const double *x);

#endif
