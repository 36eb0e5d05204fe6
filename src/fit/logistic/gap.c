/* The gap F(v) - min F by the factor of the Hessian.
 *
 * With ν² = g' H^-1 g and ρ = max ||x||_{H^-1} over the rows, a = νρ <= 1/2 proves that there is a minimum, and
 *
 *   F(v) - min F <= (a + (1-a) ln(1-a)) / ρ² <= ν² / (2(1-a)).
 *
 * Instead of H a factor L with H >= κ L L' may be used, such as one of a nearby point or of some of the rows. Then ν
 * and ρ are at most those of L L', divided by √κ.
 */
#include <math.h>

#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "minimise/leverage_bound.h"
#include "minimise/newton_factor.h"

/* Lowers answer.gap by the factor that Newton's method holds, if a = νρ <= 1/2. With `exactly`, ρ is the exact leverage
   instead of an upper bound. */
static linpred_status gap_by_factor(linpred__logistic_work *work, bool exactly, linpred_error *error)
{
    linpred__newton *newton = &work->newton;
    double kappa = linpred__newton_factor_bound(newton), rho, rounding = 0.0;
    linpred_status status = LINPRED_OK;
    if (kappa > 0) /* far along a direction of recession the last pivot of the factor may be only rounding */
        status = linpred__newton_factor_rounding(newton, &rounding, error);
    kappa *= 1.0 - rounding;
    if (status != LINPRED_OK || !(kappa > 0 && rounding <= 0.5))
        return status;
    status = linpred__leverage_bound(newton, exactly, &rho, error);
    if (status != LINPRED_OK)
        return status;
    double square = newton->point.decrement / kappa, a = sqrt(square / kappa) * rho;
    if (a <= 0.5)
        work->answer.gap = fmin(work->answer.gap, square / (2.0 * (1.0 - a)) / newton->point.objective);
    return LINPRED_OK;
}

/* Factors the Hessian at the point, then lowers the gap by it. */
static linpred_status gap_by_fresh_factor(linpred__logistic_work *work, linpred_error *error)
{
    linpred_status status = linpred__newton_refresh(&work->newton, error);
    return status == LINPRED_OK ? gap_by_factor(work, false, error) : status;
}

/* Lowers the gap by the exact ρ, which takes a solve for every row. That may cost more than the three-way question, so
   it is only done if it can succeed: |<x,H^-1 g>| <= νρ for every row, and if some row has more than 1/2, then νρ >
   1/2. */
static linpred_status gap_by_exact_leverage(linpred__logistic_work *work, linpred_error *error)
{
    linpred__newton *newton = &work->newton;
    double change = 0.0, cost = (double)newton->rank * newton->rank * (double)work->problem.data->rows;
    linpred_status status = linpred__newton_max_score_change(newton, &change, error);
    if (status == LINPRED_OK && change <= 0.5 && cost <= linpred__max_exact_leverage)
        status = gap_by_factor(work, true, error);
    return status;
}

linpred_status linpred__logistic_gap_by_newton(linpred__logistic_work *work, linpred_error *error)
{
    const linpred__logistic_problem *problem = &work->problem;
    linpred_status status = LINPRED_OK;
    if (problem->terms.l2 > 0)
        status = gap_by_factor(work, false, error);
    if (status != LINPRED_OK || linpred__logistic_is_optimal(work))
        return status;
    status = gap_by_fresh_factor(work, error);
    if (status == LINPRED_OK && problem->terms.l2 > 0 && !linpred__logistic_is_optimal(work)) {
        /* A few more steps of Newton's method make ν smaller and are cheaper than the exact leverage. */
        status = linpred__newton_run(&work->newton, 1e-8 * problem->terms.tolerance, true, &work->end, error);
        if (status != LINPRED_OK || work->end == LINPRED__LOGISTIC_STOPPED)
            return status;
        status = gap_by_fresh_factor(work, error);
    }
    if (status == LINPRED_OK && !linpred__logistic_is_optimal(work))
        status = gap_by_exact_leverage(work, error);
    return status;
}
