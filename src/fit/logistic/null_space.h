/* Dependent columns of a logistic fit, and the coefficients of minimum norm among those that predict the same. */
#ifndef LINPRED_FIT_LOGISTIC_NULL_SPACE_H
#define LINPRED_FIT_LOGISTIC_NULL_SPACE_H

#include "minimise/newton_state.h"
#include "model/dependency.h"
#include "num/dd.h"

typedef struct linpred__null_space {
    linpred__dependencies dependencies; /* vectors n with <n,(x,1)> = 0 in every row, in the units of the file; their
                                           sentences are not written */
    int32_t inexact;                    /* the number of vectors that hold only up to rounding */
    bool nearly_dependent; /* Newton's method left out a column that does not depend on others, not even up to rounding,
                              or in a way that doubles cannot hold; `dependencies` is empty then */
} linpred__null_space;

/* Finds the dependencies of the columns that Newton's method left out, and moves its point to the coefficients of
   minimum norm, or to 0 in dropped columns. If the point moved, newton->evaluated is false afterwards. */
linpred_status linpred__find_null_space(linpred__newton *newton, linpred__null_space *answer, linpred_error *error);

/* Moves coefficients in the units of the file, the intercept last, along the dependencies: to the least norm, or, if
   dependent columns are dropped, to 0 in these. False: out of memory. */
bool linpred__null_space_choose(const linpred__dependencies *dependencies, int32_t columns, linpred__dd *w);

/* Finds a null vector of the Gram matrix a (n x n) with null[k] = 1 and its other entries in the columns kept[], whose
   factor is given. `scratch` has one number for each of these columns. An entry is set to 0 if it contributes less than
   1e-7 of the length of column k. */
void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *kept, int32_t k,
                          double *scratch, double *null);

#endif
