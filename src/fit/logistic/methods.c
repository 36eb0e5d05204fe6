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

void linpred__logistic_take_coefficients(linpred__logistic_work *work)
{
    linpred__logistic_coefficients(&work->problem, work->point->v, work->answer.w, &work->answer.b);
}

static double penalised_gap(const linpred__logistic_work *work)
{
    return linpred__penalised_gap(&work->problem, work->point) / work->point->objective;
}

/* ---- Newton's method --------------------------------------------------------------------------------------------- */

/* Moves the point to the coefficients of minimum norm, then proves the gap, or asks whether there is a minimum. */
static linpred_status finish_newton(linpred__logistic_work *work, linpred_error *error)
{
    const linpred__logistic_terms *terms = &work->problem.terms;
    linpred__logistic_answer *answer = &work->answer;
    linpred__newton *newton = &work->newton;
    linpred_status status = linpred__find_null_space(newton, &answer->null_space, error);
    if (status == LINPRED_OK &&
        !newton->evaluated) /* the point moved along null vectors; a step corrects its rounding */
        status = linpred__newton_run(newton, terms->tolerance * 1e-8, false, &work->end, error);
    if (status != LINPRED_OK || work->end == LINPRED__LOGISTIC_STOPPED)
        return status;
    if (answer->null_space.nearly_dependent)
        return linpred__logistic_ask_existence(work, error);
    if (terms->l2 > 0)
        answer->gap = penalised_gap(work);
    status = linpred__logistic_gap_by_newton(work, error);
    if (status != LINPRED_OK || terms->l2 > 0)
        return status;
    if (linpred__logistic_is_optimal(work) && answer->null_space.inexact == 0)
        answer->kind = LINPRED_SEPARATION_OVERLAPPING;
    else if (isinf(answer->gap))
        status = linpred__logistic_ask_existence(work, error);
    return status;
}

/* Runs Newton's method from its current point, then finish_newton. */
static linpred_status run_newton(linpred__logistic_work *work, linpred_error *error)
{
    const linpred__logistic_terms *terms = &work->problem.terms;
    /* With a penalty, stop well below the tolerance. Without one, stop where the next step would change nothing:
       standard errors need the Hessian at the minimum anyway. */
    double gap = terms->l2 > 0 ? 0.01 * terms->tolerance : fmin(terms->tolerance * terms->tolerance, 1e-16);
    work->point = &work->newton.point;
    work->answer.has_matrix = true;
    linpred_status status = linpred__newton_run(&work->newton, gap, true, &work->end, error);
    if (status == LINPRED_OK && work->end == LINPRED__LOGISTIC_STALLED && terms->start) {
        linpred__newton_reset(&work->newton); /* the start may be the cause, so the method begins again at 0 */
        work->problem.progress.start_ignored = true;
        status = linpred__newton_run(&work->newton, gap, true, &work->end, error);
    }
    if (status != LINPRED_OK || work->end == LINPRED__LOGISTIC_STOPPED)
        return status;
    return work->end == LINPRED__LOGISTIC_SEPARATES ? linpred__logistic_ask_existence(work, error)
                                                    : finish_newton(work, error);
}

linpred_status linpred__logistic_by_newton(linpred__logistic_work *work, linpred_error *error)
{
    linpred_status status = linpred__newton_open(&work->problem, NULL, &work->newton, error);
    return status == LINPRED_OK ? run_newton(work, error) : status;
}

/* ---- conjugate gradients ----------------------------------------------------------------------------------------- */

static linpred_status run_conjugate_gradients(linpred__logistic_work *work, linpred_error *error)
{
    linpred__logistic_problem *problem = &work->problem;
    double tolerance = problem->terms.tolerance;
    linpred_status status = LINPRED_OK;
    if (problem->terms.start)
        status = linpred__logistic_begin(problem, work->point, error);
    if (status == LINPRED_OK)
        status = linpred__newton_cg(problem, work->point, tolerance, &work->end, error);
    if (status == LINPRED_OK && problem->terms.start && work->end == LINPRED__LOGISTIC_STALLED) {
        memset(work->point->v, 0, (size_t)problem->dimension * sizeof *work->point->v);
        problem->progress.start_ignored = true;
        status = linpred__newton_cg(problem, work->point, tolerance, &work->end, error);
    }
    return status;
}

linpred_status linpred__logistic_by_conjugate_gradients(linpred__logistic_work *work, linpred_error *error)
{
    linpred__logistic_problem *problem = &work->problem;
    if (!linpred__logistic_point_open(problem, false, &work->cg_point))
        return linpred__no_memory(error);
    work->point = &work->cg_point;
    linpred_status status = run_conjugate_gradients(work, error);
    if (status != LINPRED_OK || work->end == LINPRED__LOGISTIC_STOPPED)
        return status;
    if (problem->terms.l2 > 0) {
        work->answer.gap = penalised_gap(work);
        return LINPRED_OK;
    }
    bool separates = work->end == LINPRED__LOGISTIC_SEPARATES;
    if (!separates)
        status = linpred__logistic_try_step(work, error);
    if (status != LINPRED_OK || linpred__logistic_is_over(work))
        return status;
    bool many = problem->data->columns > LINPRED__MAX_MATRIX_FEATURES;
    if (many && work->end == LINPRED__LOGISTIC_SMALL && linpred__is_large_scale(problem->original->data))
        return LINPRED_OK; /* at this scale the question about separation would only minimise the same loss again */
    if (many || separates)
        return linpred__logistic_ask_existence(work, error);
    status = linpred__newton_open(problem, work->point->v, &work->newton, error);
    return status == LINPRED_OK ? run_newton(work, error) : status;
}
