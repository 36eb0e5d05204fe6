/* Newton's method with Cholesky factors: the steps.
 *
 * Near the minimum a step has length 1. Far from it a line search finds the length (line_search.h). If F does not
 * decrease by a fair part of what the step promises, the step is shortened. A factor is kept while steps with it shrink
 * ν well, because a pass for the gradient alone is much cheaper than one for the Hessian. Far from the minimum Hessians
 * of sparse rows are sampled (row_sample.h).
 */
#include "minimise/newton.h"

#include <math.h>

#include "core/error.h"
#include "minimise/limits.h"
#include "minimise/logistic_point.h"
#include "minimise/newton_factor.h"

struct descent {
    linpred__newton *newton;
    const linpred__row_sample *sample; /* NULL: all rows */
    linpred__logistic_point trial;
    double gap;               /* the steps end when ν²/2F is at most this */
    bool polish;              /* go on to working precision */
    bool keeps_factor;        /* Hessians are costly, so a factor may serve several points */
    double keep_factor_below; /* a factor is kept if ν²/F is below this */
};

static void swap(linpred__logistic_point *a, linpred__logistic_point *b)
{
    linpred__logistic_point t = *a;
    *a = *b;
    *b = t;
}

/* After a step that was too long, the part of it to try next: where the slope would be 0 if it changed linearly. */
static double shorter_part(const linpred__newton *newton, const linpred__logistic_point *trial)
{
    double slope = 0.0;
    for (int32_t j = 0; j < newton->problem->dimension; j++)
        slope += trial->gradient[j] * newton->step[j];
    double part = newton->point.decrement / (newton->point.decrement + slope);
    return part > 0.1 ? fmin(part, 0.5) : 0.1; /* also if it is NaN */
}

/* Tries v + t step with the first length, then with shorter ones. The last trial is left in descent->trial. *found
   false: no length lowers F. */
static linpred_status try_step(struct descent *descent, linpred__hessian hessian, bool *found, linpred_error *error)
{
    linpred__newton *newton = descent->newton;
    const linpred__logistic_point *point = &newton->point;
    linpred__logistic_point *trial = &descent->trial;
    double t = 1.0, curvature = point->curvature;
    if (point->decrement > linpred__line_search_above * point->objective)
        t = linpred__line_search_step(&newton->line, newton->problem, point->v, newton->step, point->decrement,
                                      &curvature);
    /* Near the minimum the change of F is lost in its rounding. There the change of ν decides whether the step is
       good. */
    double rounding = 1e-13 * point->objective;
    *found = false;
    for (int k = 0; k < LINPRED__NEWTON_MAX_TRIES && !*found; k++) {
        for (int32_t j = 0; j < newton->problem->dimension; j++)
            trial->v[j] = point->v[j] + t * newton->step[j];
        trial->curvature = curvature;
        linpred_status status = linpred__logistic_evaluate(newton->problem, descent->sample, hessian, trial, error);
        if (status != LINPRED_OK)
            return status;
        *found = trial->objective <= point->objective - 1e-4 * t * point->decrement + rounding;
        t *= *found ? 1.0 : shorter_part(newton, trial);
    }
    if (t < linpred__rough_min_step && newton->factor_share == 0.0)
        newton->samples_hessians = false; /* the sampled Hessian is too rough */
    return LINPRED_OK;
}

/* Which Hessian the next point needs. `before` is ν² one step earlier. */
static linpred__hessian next_hessian(struct descent *descent, double before)
{
    const linpred__newton *newton = descent->newton;
    const linpred__logistic_point *point = &newton->point;
    if (!descent->keeps_factor)
        return LINPRED__HESSIAN_WHOLE;
    if (newton->factor == LINPRED__FACTOR_OF_SAMPLE ||
        point->decrement <= descent->keep_factor_below * point->objective) {
        if (newton->factor == LINPRED__FACTOR_FRESH || point->decrement <= linpred__good_shrink * before)
            return LINPRED__HESSIAN_NONE;
        /* The factor was kept too early: keep the next one only nearer to the minimum. */
        descent->keep_factor_below = fmin(descent->keep_factor_below, 0.01 * point->decrement / point->objective);
    }
    return newton->samples_hessians && point->decrement > linpred__rough_above * point->objective
               ? LINPRED__HESSIAN_SAMPLED
               : LINPRED__HESSIAN_WHOLE;
}

static bool is_small(const struct descent *descent, double before)
{
    const linpred__newton *newton = descent->newton;
    const linpred__logistic_point *point = &newton->point;
    double half = 0.5 * point->decrement;
    double wanted = descent->polish && !descent->keeps_factor ? 1e-30 : descent->gap;
    if (descent->sample)
        return newton->factor == LINPRED__FACTOR_FRESH && half <= wanted * point->objective;
    if (descent->keeps_factor && newton->problem->terms.l2 > 0) {
        /* With a penalty there are no standard errors, so the fit needs no Hessian of all rows. The checker needs none
           either if the bound by the penalty is within the tolerance. If that bound is not far above it, one more step
           is cheaper than a Hessian. */
        double bound = linpred__penalised_gap(newton->problem, point) / point->objective;
        double tolerance = newton->problem->terms.tolerance;
        bool within_reach = bound <= 16.0 * tolerance && point->decrement <= linpred__good_shrink * before;
        if (bound > 0.9 * tolerance)
            half = within_reach ? INFINITY : half / linpred__newton_factor_bound(newton);
    }
    return half <= wanted * point->objective ||
           (descent->polish && newton->factor == LINPRED__FACTOR_FRESH &&
            half <= linpred__rounding_gap * point->objective && point->decrement > 0.25 * before);
}

/* Whether to end before the next step, and how. */
static bool ends(const struct descent *descent, double before, linpred__logistic_end *end)
{
    const linpred__newton *newton = descent->newton;
    const linpred__logistic_problem *problem = newton->problem;
    problem->run->gap = 0.5 * newton->point.decrement / newton->point.objective; /* near the minimum; NaN: not known */
    if (!isfinite(newton->point.decrement))
        *end = LINPRED__LOGISTIC_STALLED;
    else if (is_small(descent, before))
        *end = LINPRED__LOGISTIC_SMALL;
    else if (!descent->sample && newton->point.errors == 0.0 && problem->terms.l2 == 0.0)
        *end = LINPRED__LOGISTIC_SEPARATES;
    else if (linpred__run_should_stop(problem->run, "newton", problem->progress.iterations, problem->progress.passes,
                                      NAN))
        *end = LINPRED__LOGISTIC_STOPPED;
    else
        return false;
    return true;
}

static linpred_status descend(struct descent *descent, int64_t max_steps, linpred__logistic_end *end,
                              linpred_error *error)
{
    linpred__newton *newton = descent->newton;
    double before = INFINITY;
    for (int64_t i = 0; i < max_steps; i++) {
        bool found, made = true;
        linpred__newton_find_step(newton);
        if (ends(descent, before, end))
            return LINPRED_OK;
        *end = LINPRED__LOGISTIC_STALLED;
        linpred__hessian hessian = next_hessian(descent, before);
        before = newton->point.decrement;
        linpred_status status = try_step(descent, hessian, &found, error);
        if (status != LINPRED_OK || !found)
            return status;
        swap(&descent->trial, &newton->point);
        newton->problem->progress.iterations++;
        if (hessian != LINPRED__HESSIAN_NONE)
            status = linpred__newton_make_some_factor(newton, descent->sample, hessian, &made, error);
        else if (newton->factor == LINPRED__FACTOR_FRESH)
            newton->factor = LINPRED__FACTOR_NEAR;
        if (status != LINPRED_OK || !made)
            return status;
    }
    return LINPRED_OK;
}

/* Evaluates the point and makes a factor, if that has not been done, then takes steps. */
static linpred_status run_descent(struct descent *descent, int64_t max_steps, linpred__logistic_end *end,
                                  linpred_error *error)
{
    linpred__newton *newton = descent->newton;
    linpred__logistic_problem *problem = newton->problem;
    if (!linpred__logistic_point_open(problem, true, &descent->trial))
        return linpred__no_memory(error);
    linpred__hessian hessian = newton->samples_hessians ? LINPRED__HESSIAN_SAMPLED : LINPRED__HESSIAN_WHOLE;
    bool made = newton->factor != LINPRED__FACTOR_NONE;
    linpred_status status = LINPRED_OK;
    if (!made || !newton->evaluated)
        status = linpred__logistic_evaluate(problem, descent->sample, made ? LINPRED__HESSIAN_NONE : hessian,
                                            &newton->point, error);
    newton->evaluated = true;
    *end = LINPRED__LOGISTIC_STALLED;
    if (status == LINPRED_OK && !made)
        status = linpred__newton_make_some_factor(newton, descent->sample, hessian, &made, error);
    if (status == LINPRED_OK && made)
        status = descend(descent, max_steps, end, error);
    linpred__logistic_point_close(&descent->trial);
    return status;
}

linpred_status linpred__newton_run(linpred__newton *newton, double gap, bool polish, linpred__logistic_end *end,
                                   linpred_error *error)
{
    struct descent descent = {.newton = newton,
                              .gap = gap,
                              .polish = polish,
                              .keeps_factor = newton->costly_hessian,
                              .keep_factor_below = linpred__keep_factor_below};
    return run_descent(&descent, LINPRED__NEWTON_MAX_STEPS, end, error);
}

linpred_status linpred__newton_run_on_sample(linpred__newton *newton, const linpred__row_sample *sample,
                                             linpred__logistic_end *end, linpred_error *error)
{
    struct descent descent = {.newton = newton,
                              .sample = sample,
                              .gap = linpred__sample_gap,
                              .keep_factor_below = linpred__keep_factor_below};
    return run_descent(&descent, LINPRED__SAMPLE_MAX_STEPS, end, error);
}
