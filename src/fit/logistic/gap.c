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

/* The relative gap by the factor that Newton's method holds, if a = νρ <= 1/2; else INFINITY. With `exactly`, ρ is the
   exact leverage instead of an upper bound. */
static linpred_status gap_by_factor(linpred__newton *newton, bool exactly, double *gap, linpred_error *error)
{
    double kappa = linpred__newton_factor_bound(newton), rho, rounding = 0.0;
    linpred_status status = LINPRED_OK;
    *gap = INFINITY;
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
        *gap = square / (2.0 * (1.0 - a)) / newton->point.objective;
    return LINPRED_OK;
}

/* Factors the Hessian at the point. The gap is that by this factor. */
static linpred_status gap_by_fresh_factor(linpred__newton *newton, double *gap, linpred_error *error)
{
    linpred_status status = linpred__newton_refresh(newton, error);
    return status == LINPRED_OK ? gap_by_factor(newton, false, gap, error) : status;
}

/* A few more steps of Newton's method make ν smaller and are cheaper than the exact leverage. The gap is INFINITY if
   the run was stopped. */
static linpred_status gap_by_more_steps(linpred__newton *newton, double *gap, linpred_error *error)
{
    linpred__logistic_end end;
    *gap = INFINITY;
    linpred_status status = linpred__newton_run(newton, 1e-8 * newton->problem->terms.tolerance, true, &end, error);
    if (status != LINPRED_OK || end == LINPRED__LOGISTIC_STOPPED)
        return status;
    return gap_by_fresh_factor(newton, gap, error);
}

/* The gap by the exact ρ, which takes a solve for every row. That may cost more than the three-way question, so it is
   only done if it can succeed: |<x,H^-1 g>| <= νρ for every row, and if some row has more than 1/2, then νρ > 1/2. */
static linpred_status gap_by_exact_leverage(linpred__newton *newton, double *gap, linpred_error *error)
{
    double change = 0.0, cost = (double)newton->rank * newton->rank * (double)newton->problem->data->rows;
    *gap = INFINITY;
    linpred_status status = linpred__newton_max_score_change(newton, &change, error);
    if (status == LINPRED_OK && change <= 0.5 && cost <= linpred__max_exact_leverage)
        status = gap_by_factor(newton, true, gap, error);
    return status;
}

/* From cheap to expensive, until the gap is within the tolerance. */
linpred_status linpred__logistic_gap_by_newton(linpred__newton *newton, double known, double *gap, linpred_error *error)
{
    const linpred__logistic_problem *problem = newton->problem;
    double tolerance = problem->terms.tolerance, found = INFINITY, best = known;
    linpred_status status = LINPRED_OK;
    if (problem->terms.l2 > 0)
        status = gap_by_factor(newton, false, &found, error);
    best = fmin(best, found);
    if (status == LINPRED_OK && !(best <= tolerance))
        status = gap_by_fresh_factor(newton, &found, error);
    best = fmin(best, found);
    if (status == LINPRED_OK && problem->terms.l2 > 0 && !(best <= tolerance))
        status = gap_by_more_steps(newton, &found, error);
    best = fmin(best, found);
    if (status == LINPRED_OK && problem->run->stopped == LINPRED__NOT_STOPPED && !(best <= tolerance))
        status = gap_by_exact_leverage(newton, &found, error);
    *gap = fmin(best, found);
    return status;
}
