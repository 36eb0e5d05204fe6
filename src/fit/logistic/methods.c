/* The two methods: each minimises F, then asks what is needed to prove the gap, or that there is no minimum.
 *
 * With a penalty the gradient proves the gap (minimise/logistic_point.h). Without one the Hessian is needed. So after
 * conjugate gradients Newton's method goes on from their last point, if there are not too many features for a matrix.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "minimise/leverage_bound.h"
#include "minimise/limits.h"
#include "minimise/logistic_point.h"
#include "minimise/newton_cg.h"
#include "minimise/newton_factor.h"
#include "pass/fused.h"
#include "proof/limits.h"
#include "separate/large_scale.h"

void linpred__logistic_found_clear(linpred__logistic_found *found)
{
    linpred__newton_close(&found->newton);
    linpred__logistic_point_close(&found->cg_point);
    linpred__dependencies_clear(&found->null_space.dependencies);
    linpred__three_way_clear(&found->existence);
}

static double penalised_gap(const linpred__logistic_problem *problem, const linpred__logistic_point *point)
{
    return linpred__penalised_gap(problem, point) / point->objective;
}

/* ---- the gap ----------------------------------------------------------------------------------------------------- */

/* The gap F(v) - min F by the factor of the Hessian.
 *
 * With ν² = g' H^-1 g and ρ = max ||x||_{H^-1} over the rows, a = νρ <= 1/2 proves that there is a minimum, and
 *
 *   F(v) - min F <= (a + (1-a) ln(1-a)) / ρ² <= ν² / (2(1-a)).
 *
 * Instead of H a factor L with H >= κ L L' may be used, such as one of a nearby point or of some of the rows. Then ν
 * and ρ are at most those of L L', divided by √κ.
 */

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
    /* Without a penalty the factor gives standard errors too, which must have some digits. */
    double usable = newton->problem->terms.l2 > 0 ? 0.5 : linpred__usable_rounding;
    if (status != LINPRED_OK || !(kappa > 0 && rounding <= usable))
        return status;
    status = linpred__leverage_bound(newton, exactly, &rho, error);
    if (status != LINPRED_OK)
        return status;
    /* A sum of the gradient is off by K 2^-52 Σ |r x|, and mean |r| <= F. So ν is off by K 2^-52 F ρ. */
    double noise = (linpred__fused_chain(newton->problem->data) + 20.0) * 0x1p-52 * newton->point.objective * rho;
    double nu = (sqrt(newton->point.decrement) + noise) / sqrt(kappa), a = nu / sqrt(kappa) * rho;
    if (a <= 0.5)
        *gap = nu * nu / (2.0 * (1.0 - a)) / newton->point.objective;
    return LINPRED_OK;
}

linpred_status linpred__logistic_gap_by_factor(linpred__newton *newton, double *gap, linpred_error *error)
{
    double cost = (double)newton->rank * newton->rank * (double)newton->problem->data->rows, closer;
    linpred_status status = gap_by_factor(newton, false, gap, error);
    if (status != LINPRED_OK || *gap <= newton->problem->terms.tolerance || cost > linpred__max_exact_leverage)
        return status;
    status = gap_by_factor(newton, true, &closer, error);
    if (status == LINPRED_OK)
        *gap = fmin(*gap, closer);
    return status;
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
/* Proves that (F - min F) / F is at most *gap, by the factor of the Hessian. `known` is a bound that was proved before;
   INFINITY: none. *gap is the lower of both. A few more steps of Newton's method may move the point. */
static linpred_status gap_by_newton(linpred__newton *newton, double known, double *gap, linpred_error *error)
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

/* ---- Newton's method --------------------------------------------------------------------------------------------- */

/* Takes the steps. If the method stalls after a start, the start may be the cause, so it begins again at 0. */
static linpred_status run_newton(linpred__newton *newton, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    const linpred__logistic_terms *terms = &problem->terms;
    /* With a penalty, stop well below the tolerance. Without one, stop where the next step would change nothing:
       standard errors need the Hessian at the minimum anyway. */
    double gap = terms->l2 > 0 ? 0.01 * terms->tolerance : fmin(terms->tolerance * terms->tolerance, 1e-16);
    linpred_status status = linpred__newton_run(newton, gap, true, end, error);
    if (status != LINPRED_OK || *end != LINPRED__LOGISTIC_STALLED || !terms->start)
        return status;
    linpred__newton_reset(newton);
    problem->progress.start_ignored = true;
    return linpred__newton_run(newton, gap, true, end, error);
}

/* Moves the point to the coefficients of minimum norm. */
static linpred_status take_minimum_norm(linpred__newton *newton, linpred__null_space *null_space,
                                        linpred__logistic_end *end, linpred_error *error)
{
    linpred_status status = linpred__find_null_space(newton, null_space, error);
    if (status == LINPRED_OK &&
        !newton->evaluated) /* the point moved along null vectors; a step corrects its rounding */
        status = linpred__newton_run(newton, newton->problem->terms.tolerance * 1e-8, false, end, error);
    return status;
}

/* Columns were found to depend on others at v = 0. Where weights are very unequal, rounding hides there what can be
   told from others at the minimum, where the heavy rows have little curvature. A fit that left such columns out is not
   even the best among coefficients that respect the dependencies, as far as anybody can tell. */
static linpred_status look_for_hidden_columns(linpred__newton *newton, linpred__null_space *null_space,
                                              linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    if (null_space->inexact == 0)
        return LINPRED_OK;
    int32_t *kept = linpred__alloc((size_t)d, sizeof *kept);
    linpred_status status =
        kept ? linpred__logistic_evaluate(newton->problem, NULL, LINPRED__HESSIAN_WHOLE, &newton->point, error)
             : linpred__no_memory(error);
    int32_t rank = -1;
    if (status == LINPRED_OK) {
        rank = linpred__independent_columns(newton->point.hessian, d, linpred__dependent_part, kept);
        if (rank < 0)
            status = linpred__no_memory(error);
    }
    if (rank > newton->rank) {
        null_space->nearly_dependent = true;
        null_space->inexact = 0;
        linpred__dependencies_clear(&null_space->dependencies);
    }
    linpred__release(kept);
    return status;
}

/* Newton's method from v (NULL: from the start), then the proof of its gap, or whether there is a minimum. */
static linpred_status ask_newton(linpred__logistic_problem *problem, const double *v, linpred__logistic_found *found,
                                 linpred_error *error)
{
    linpred__newton *newton = &found->newton;
    linpred__logistic_end end;
    linpred_status status = linpred__newton_open(problem, v, newton, error);
    if (status != LINPRED_OK)
        return status;
    found->has_matrix = true;
    status = run_newton(newton, &end, error);
    if (status == LINPRED_OK && end != LINPRED__LOGISTIC_STOPPED && end != LINPRED__LOGISTIC_SEPARATES)
        status = take_minimum_norm(newton, &found->null_space, &end, error);
    if (status == LINPRED_OK && end != LINPRED__LOGISTIC_STOPPED)
        status = look_for_hidden_columns(newton, &found->null_space, error);
    if (status != LINPRED_OK || end == LINPRED__LOGISTIC_STOPPED)
        return status;
    bool provable = end != LINPRED__LOGISTIC_SEPARATES && !found->null_space.nearly_dependent;
    if (provable) {
        double known = problem->terms.l2 > 0 ? penalised_gap(problem, &newton->point) : INFINITY;
        status = gap_by_newton(newton, known, &found->gap, error);
    }
    if (status == LINPRED_OK && (!provable || (problem->terms.l2 == 0.0 && isinf(found->gap))))
        status = linpred__logistic_ask_existence(problem, newton, newton->point.v, &found->existence, error);
    return status;
}

linpred_status linpred__logistic_by_newton(linpred__logistic_problem *problem, linpred__logistic_found *found,
                                           linpred_error *error)
{
    found->gap = INFINITY;
    found->existence = linpred__logistic_not_asked();
    return ask_newton(problem, NULL, found, error);
}

/* ---- conjugate gradients ----------------------------------------------------------------------------------------- */

/* Takes the steps. If the method stalls after a start, it begins again at 0. */
static linpred_status run_conjugate_gradients(linpred__logistic_problem *problem, linpred__logistic_point *point,
                                              linpred__logistic_end *end, linpred_error *error)
{
    double tolerance = problem->terms.tolerance;
    linpred_status status = LINPRED_OK;
    if (problem->terms.start)
        status = linpred__logistic_begin(problem, point, error);
    if (status == LINPRED_OK)
        status = linpred__newton_cg(problem, point, tolerance, end, error);
    if (status == LINPRED_OK && problem->terms.start && *end == LINPRED__LOGISTIC_STALLED) {
        memset(point->v, 0, (size_t)problem->dimension * sizeof *point->v);
        problem->progress.start_ignored = true;
        status = linpred__newton_cg(problem, point, tolerance, end, error);
    }
    return status;
}

/* Without a penalty: is there a minimum, and how near is it? Newton's method goes on from the point, unless features
   are too many for a matrix or the weights separate the rows. */
static linpred_status go_on(linpred__logistic_problem *problem, linpred__logistic_end end,
                            linpred__logistic_found *found, linpred_error *error)
{
    const double *v = found->cg_point.v;
    bool many = problem->data->columns > LINPRED__MAX_MATRIX_FEATURES;
    if (many && end == LINPRED__LOGISTIC_SMALL && linpred__is_large_scale(problem->original->data))
        return LINPRED_OK; /* at this scale the question about separation would only minimise the same loss again */
    if (many || end == LINPRED__LOGISTIC_SEPARATES)
        return linpred__logistic_ask_existence(problem, NULL, v, &found->existence, error);
    return ask_newton(problem, v, found, error);
}

linpred_status linpred__logistic_by_conjugate_gradients(linpred__logistic_problem *problem,
                                                        linpred__logistic_found *found, linpred_error *error)
{
    linpred__logistic_point *point = &found->cg_point;
    linpred__logistic_end end;
    linpred__three_way step = linpred__logistic_not_asked();
    found->gap = INFINITY;
    found->existence = linpred__logistic_not_asked();
    if (!linpred__logistic_point_open(problem, false, point))
        return linpred__no_memory(error);
    linpred_status status = run_conjugate_gradients(problem, point, &end, error);
    if (status != LINPRED_OK || end == LINPRED__LOGISTIC_STOPPED)
        return status;
    if (problem->terms.l2 > 0) {
        found->gap = penalised_gap(problem, point);
        return LINPRED_OK;
    }
    if (end != LINPRED__LOGISTIC_SEPARATES)
        status = linpred__logistic_try_step(problem, point, &step, error);
    if (status != LINPRED_OK)
        return status;
    if (step.direction.count > 0 || problem->run->stopped != LINPRED__NOT_STOPPED) {
        found->existence = step;
        return LINPRED_OK;
    }
    status = go_on(problem, end, found, error);
    found->existence.passes += step.passes;
    return status;
}
