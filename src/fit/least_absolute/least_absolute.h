/* The question of least absolute deviations: which coefficients minimise the mean absolute (or quantile) loss?
 *
 *   minimise  (1/W) Σ v ρ(y - <x, w>),   ρ(r) = 2τ r for r > 0, 2(τ-1) r for r < 0,   W = Σ v
 *
 * The answer is an exact vertex with the duals that prove it. τ = 1/2 gives ρ(r) = |r|. All vectors are in the user's
 * units and have one entry for each coefficient, the intercept last.
 */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_LEAST_ABSOLUTE_H
#define LINPRED_FIT_LEAST_ABSOLUTE_LEAST_ABSOLUTE_H

#include "core/run.h"
#include "fit/coefficients.h"
#include "fit/least_absolute/deviations.h"
#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__least_absolute {
    linpred__deviation_effort effort;

    linpred__coefficients coefficients;
    int32_t rank; /* the fit goes through this many rows; -1: the run was stopped before the rank was known */
    int unique;   /* 1: no other fit is as good; 0: another is; -1: not known */

    linpred__support support; /* the rows on the fit with their duals; the others' duals follow from their residuals */
    double gap;               /* if duals_prove: the loss exceeds its minimum by at most gap times the loss */
    bool duals_prove;         /* the duals are within their bounds and Σ a x = 0, up to the tolerance */
    bool proved;              /* duals_prove, and the gap is within the tolerance too */

    int target_exponent; /* the sums below are for targets multiplied by 2^-target_exponent */
    double weight;       /* W */
    double loss;         /* Σ v ρ(r) */
    double absolute;     /* Σ v |r| */
    double squares;      /* Σ v r² */
} linpred__least_absolute;

/* `recipe` says which columns have powers. `drop`: columns that depend on those before them have the coefficient 0,
   instead of the least norm; it goes without powers. A stopped run gives the best fit so far, which may be the
   intercept alone. The caller clears the answer in any case. */
linpred_status linpred__ask_least_absolute(linpred__run *run, const linpred__problem *problem,
                                           const linpred__recipe *recipe, double quantile, bool drop,
                                           linpred__least_absolute *answer, linpred_error *error);
void linpred__least_absolute_clear(linpred__least_absolute *answer);

#endif
