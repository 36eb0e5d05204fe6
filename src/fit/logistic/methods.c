/* The two methods: each minimises F, then asks what is needed to prove the gap, or that there is no minimum.
 *
 * With a penalty the gradient proves the gap (minimise/penalised_gap.h). Without one the Hessian is needed. So after
 * conjugate gradients Newton's method goes on from their last point, if there are not too many features for a matrix.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "fit/logistic/logistic.h"
#include "minimise/newton_cg.h"
#include "minimise/penalised_gap.h"
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
    if (status != LINPRED_OK || end == LINPRED__LOGISTIC_STOPPED)
        return status;
    bool provable = end != LINPRED__LOGISTIC_SEPARATES && !found->null_space.nearly_dependent;
    if (provable) {
        double known = problem->terms.l2 > 0 ? penalised_gap(problem, &newton->point) : INFINITY;
        status = linpred__logistic_gap_by_newton(newton, known, &found->gap, error);
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
