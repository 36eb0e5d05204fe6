/* Dependent columns of a logistic fit, and the minimum norm among equal fits. */
#ifndef LINPRED_FIT_LOGISTIC_NULL_SPACE_H
#define LINPRED_FIT_LOGISTIC_NULL_SPACE_H

#include "minimise/newton_state.h"
#include "model/dependency.h"

typedef struct linpred__null_space {
    linpred__dependencies dependencies; /* vectors n with <n,(x,1)> = 0 in every row, in the units of the file; their
                                           sentences are not written */
    int32_t inexact;                    /* how many of them hold to rounding only */
    bool nearly_dependent; /* a column that Newton's method left out depends on others not even to rounding; there are
                              no dependencies then */
} linpred__null_space;

/* Finds the dependencies of the columns that Newton's method left out, and moves its point to the fit of minimum norm.
   If it does, newton->evaluated is false afterwards. */
linpred_status linpred__find_null_space(linpred__newton *newton, linpred__null_space *answer, linpred_error *error);

/* A null vector of the Gram matrix a (n x n) with null[k] = 1, by the columns kept[] that its factor is of. `scratch`
   is as long as they are. Parts below 1e-7 of the length of column k are taken as 0. */
void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *kept, int32_t k,
                          double *scratch, double *null);

#endif
