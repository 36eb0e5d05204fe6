/* Newton's method with factors: how the factor of the Hessian is made, the step that it gives, and what it bounds. */
#include "minimise/newton_factor.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/fused.h"

/* ---- making it --------------------------------------------------------------------------------------------------- */

bool linpred__newton_make_factor(linpred__newton *newton, const linpred__row_sample *sample, linpred__hessian hessian)
{
    const linpred__logistic_problem *problem = newton->problem;
    memcpy(newton->factor_at, newton->point.v, (size_t)problem->dimension * sizeof(double));
    linpred__release(newton->inverse);
    newton->inverse = NULL;
    for (double ridge = 0.0; ridge < 1e-3; ridge = (ridge > 0 ? ridge * 100 : 1e-13))
        if (linpred__cholesky_factor(&newton->cholesky, newton->point.hessian, problem->dimension, newton->kept,
                                     ridge)) {
            bool exact = ridge == 0.0 && hessian == LINPRED__HESSIAN_WHOLE;
            newton->factor = exact ? LINPRED__FACTOR_FRESH : LINPRED__FACTOR_NEAR;
            newton->factor_share = !exact ? 0.0 : sample ? sample->weight / problem->weight : 1.0;
            return true;
        }
    newton->factor = LINPRED__FACTOR_NONE;
    return false;
}

linpred_status linpred__newton_make_some_factor(linpred__newton *newton, const linpred__row_sample *sample,
                                                linpred__hessian hessian, bool *made, linpred_error *error)
{
    *made = linpred__newton_make_factor(newton, sample, hessian);
    if (*made || hessian != LINPRED__HESSIAN_SAMPLED)
        return LINPRED_OK;
    newton->samples_hessians = false;
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, sample, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    *made = status == LINPRED_OK && linpred__newton_make_factor(newton, sample, LINPRED__HESSIAN_WHOLE);
    return status;
}

/* ---- steps by it ------------------------------------------------------------------------------------------------- */

void linpred__newton_find_step(linpred__newton *newton)
{
    linpred__logistic_point *point = &newton->point;
    int32_t d = newton->problem->dimension;
    double *step = newton->step, *kept_step = step + d;
    for (int32_t i = 0; i < newton->rank; i++)
        kept_step[i] = -point->gradient[newton->kept[i]];
    linpred__cholesky_solve(&newton->cholesky, kept_step);
    memset(step, 0, (size_t)d * sizeof *step);
    point->decrement = 0.0;
    for (int32_t i = 0; i < newton->rank; i++) {
        step[newton->kept[i]] = kept_step[i];
        point->decrement -= kept_step[i] * point->gradient[newton->kept[i]];
    }
}

linpred_status linpred__newton_refresh(linpred__newton *newton, linpred_error *error)
{
    if (newton->factor == LINPRED__FACTOR_FRESH)
        return LINPRED_OK;
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, NULL, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    if (status == LINPRED_OK && linpred__newton_make_factor(newton, NULL, LINPRED__HESSIAN_WHOLE))
        linpred__newton_find_step(newton);
    return status;
}

/* ---- what it bounds ---------------------------------------------------------------------------------------------- */

double linpred__newton_factor_bound(const linpred__newton *newton)
{
    /* When v changes by δ, the curvature of row i changes by a factor of at least exp(-|<x_i,δ>|). H is a sum over
       rows. So the Hessian of some rows at another point, times their share in W and the smallest such factor, is at
       most H. */
    double distance = 0.0;
    for (int32_t j = 0; j < newton->problem->dimension; j++)
        distance += newton->problem->extent[j] * fabs(newton->point.v[j] - newton->factor_at[j]);
    return newton->factor == LINPRED__FACTOR_NONE ? 0.0 : newton->factor_share * exp(-distance);
}

linpred_status linpred__newton_invert(linpred__newton *newton, linpred_error *error)
{
    if (newton->inverse)
        return LINPRED_OK;
    newton->inverse = linpred__alloc((size_t)newton->rank, sizeof *newton->inverse);
    if (newton->inverse && linpred__cholesky_inverse_diagonal(&newton->cholesky, newton->inverse))
        return LINPRED_OK;
    linpred__release(newton->inverse);
    newton->inverse = NULL;
    return linpred__no_memory(error);
}

linpred_status linpred__newton_factor_rounding(linpred__newton *newton, double *rounding_bound, linpred_error *error)
{
    const linpred__cholesky *cholesky = &newton->cholesky;
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    double n = newton->rank, trace = 0.0;
    for (int32_t i = 0; i < newton->rank; i++)
        trace += newton->inverse[i] / (cholesky->scale[i] * cholesky->scale[i]);
    double off = n * (linpred__fused_chain(newton->problem->data) + 2.0 * n + 8.0) * 0x1p-52;
    *rounding_bound = isfinite(trace) ? trace * off : INFINITY;
    return LINPRED_OK;
}
