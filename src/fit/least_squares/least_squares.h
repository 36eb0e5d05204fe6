/* The question of least squares: which coefficients minimise the mean squared error (plus a penalty)?
 *
 *   minimise  (1/W) Σ v (y - <x, w>)² + (l2/2) ||w||²,   W = Σ v,   the intercept is not in ||w||
 *
 * v are the weights of the rows. If columns depend on each other the answer is the minimiser of smallest norm,
 * or the one in which columns that depend on those before them have the coefficient 0. All vectors are in the user's
 * units and have one entry for each coefficient, the intercept last.
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_LEAST_SQUARES_H
#define LINPRED_FIT_LEAST_SQUARES_LEAST_SQUARES_H

#include "core/run.h"
#include "fit/coefficients.h"
#include "pass/problem.h"

typedef struct linpred__least_squares {
    linpred_method method; /* gram, qr or cg */
    bool in_double_double; /* qr ran in double-double throughout */
    bool converged;        /* false: conjugate gradients ended before the gradient was small */
    double accuracy;       /* cg: |gradient| / |residual|, with columns scaled to length 1 */
    int64_t passes;        /* of conjugate gradients; -1: not counted */

    linpred__coefficients coefficients; /* as `drop` says if columns depend on each other */

    int32_t rank;         /* of the columns; -1: not determined */
    double condition;     /* condition number of the columns scaled to one length; NaN: not known */
    double threshold;     /* a column is dependent if others leave less than this part of its length; NaN: not tested */
    double *factor;       /* S in the basis, width x rank by rows; NULL: not known or too large to keep */
    double *error_per_sd; /* standard errors / residual standard deviation; NaN: not estimable; NULL: S not known */
    double *basis_dependency; /* the dependencies in the basis; NULL: no polynomials */

    double weight;        /* W */
    int target_exponent;  /* the three sums below are for targets multiplied by 2^-target_exponent */
    double squares;       /* Σ v r² */
    double absolute;      /* Σ v |r| */
    double around;        /* Σ v (y - mean)²; mean 0 without intercept */
    uint64_t fingerprint; /* of the data; a pass of the fit computes it too */
} linpred__least_squares;

/* `recipe` says which columns have powers, and names columns in messages. `drop`: columns that depend on those before
   them have the coefficient 0, instead of the least norm; it goes without powers and without a penalty. The caller
   clears the answer in any case. */
linpred_status linpred__ask_least_squares(linpred__run *run, const linpred__problem *problem,
                                          const linpred__recipe *recipe, double l2, bool drop,
                                          linpred__least_squares *answer, linpred_error *error);
void linpred__least_squares_clear(linpred__least_squares *answer);

#endif
