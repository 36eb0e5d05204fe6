/* Newton's method by conjugate gradients: the loop. cg_step.c describes a step.
 *
 * A product H p = (1/W) X' D X p + penalty p takes one trip over the rows. The scores z = Xv, the curvatures D and the
 * products Xp are stored, one number for each row. So F at the end of a step needs no trip, and the gradient needs only
 * one. Before a run ends because the gap is small, F and its gradient are computed from the rows again, because stored
 * scores collect rounding errors.
 */
#include "minimise/newton_cg.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "minimise/cg_state.h"
#include "minimise/limits.h"
#include "minimise/logistic_point.h"

/* ---- whether to end ---------------------------------------------------------------------------------------------- */

/* Whether the gap is small. With a penalty the bound of logistic_point.h decides, without one the length of the
   gradient in the norm of the preconditioner. */
static bool is_small(const linpred__cg *cg, double gap)
{
    const linpred__logistic_point *point = cg->point;
    if (cg->problem->terms.l2 > 0)
        return linpred__penalised_gap(cg->problem, point) <= gap * point->objective;
    double square = 0.0;
    for (int32_t j = 0; j < cg->problem->dimension; j++)
        square += point->gradient[j] * point->gradient[j] * cg->inverse[j];
    return square <= 0.01 * gap * point->objective;
}

/* Computes F and its gradient from the rows and sets *small if the gap is small by them. If it is not, the scores are
   computed from the rows too. */
static linpred_status confirm(linpred__cg *cg, double gap, bool *small, linpred_error *error)
{
    linpred_status status = linpred__logistic_evaluate(cg->problem, NULL, LINPRED__HESSIAN_NONE, cg->point, error);
    if (status != LINPRED_OK)
        return status;
    cg->now.fresh = true;
    *small = is_small(cg, gap);
    if (!*small)
        linpred__cg_begin(cg);
    return LINPRED_OK;
}

/* Whether at most `errors` computed scores are mistakes. If none is and there is no penalty, there is no minimum. */
static bool separates(const linpred__cg *cg, int64_t errors)
{
    if (cg->problem->terms.l2 > 0)
        return false;
    for (int64_t lane = 0; lane < cg->lanes; lane++)
        errors -= cg->losses[lane].errors;
    return errors >= 0;
}

static linpred_status judge_point(linpred__cg *cg, const linpred__cg_goal *goal, bool *ends, linpred__logistic_end *end,
                                  linpred_error *error)
{
    const linpred__logistic_problem *problem = cg->problem;
    bool small = false;
    linpred_status status = LINPRED_OK;
    if (!cg->now.judged && is_small(cg, goal->gap))
        status = confirm(cg, goal->gap, &small, error);
    *ends = true;
    if (status != LINPRED_OK)
        return status;
    if (small)
        *end = LINPRED__LOGISTIC_SMALL;
    else if (linpred__run_should_stop(problem->run, "newton-cg", problem->progress.iterations, problem->progress.passes,
                                      NAN))
        *end = LINPRED__LOGISTIC_STOPPED;
    else if (separates(cg, goal->errors))
        *end = LINPRED__LOGISTIC_SEPARATES;
    else if (problem->progress.passes > goal->max_passes)
        *end = LINPRED__LOGISTIC_SPENT;
    else
        *ends = false;
    cg->now.judged = *ends;
    return LINPRED_OK;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Makes one step. *stalled is set if no step lowers F even after F was computed from the rows again. */
static linpred_status make_step(linpred__cg *cg, bool *stalled, linpred_error *error)
{
    *stalled = false;
    linpred__cg_find_step(cg);
    bool further = linpred__cg_judge_step(cg);
    cg->problem->progress.iterations += cg->now.refused == 0;
    if (further) {
        cg->now.fresh = false;
        if (cg->now.refused == 0)
            linpred__cg_differentiate(cg);
        return LINPRED_OK;
    }
    *stalled = cg->now.fresh;
    if (*stalled)
        return LINPRED_OK;
    bool small;
    cg->now.refused = 0;
    cg->now.radius = INFINITY;
    return confirm(cg, 0.0, &small, error);
}

linpred_status linpred__cg_run(linpred__cg *cg, const linpred__cg_goal *goal, linpred__logistic_end *end,
                               linpred_error *error)
{
    bool recorded = linpred__cg_resume(cg);
    if (!recorded && !cg->begun)
        linpred__cg_begin(cg);
    cg->begun = true;
    *end = LINPRED__LOGISTIC_STALLED;
    for (; cg->now.steps < LINPRED__CG_MAX_STEPS; cg->now.steps++) {
        bool ends, stalled;
        if (!recorded)
            linpred__cg_record(cg);
        recorded = false;
        linpred_status status = judge_point(cg, goal, &ends, end, error);
        if (status != LINPRED_OK || ends)
            return status;
        status = make_step(cg, &stalled, error);
        if (status != LINPRED_OK || stalled)
            return status;
    }
    return LINPRED_OK;
}

linpred_status linpred__newton_cg(linpred__logistic_problem *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error)
{
    linpred__cg_goal goal = {.gap = gap, .errors = 0, .max_passes = INT64_MAX};
    linpred__cg *cg;
    linpred_status status = linpred__cg_open(problem, point, &cg, error);
    if (status != LINPRED_OK)
        return status;
    bool small;
    status = linpred__cg_run(cg, &goal, end, error);
    if (status == LINPRED_OK && !cg->now.fresh)
        status = confirm(cg, 0.0, &small, error);
    linpred__cg_close(cg);
    return status;
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

static bool open_cg_vectors(linpred__cg *cg)
{
    size_t rows = (size_t)cg->problem->data->rows, d = (size_t)cg->problem->dimension;
    double **with_rows[] = {&cg->z, &cg->curvature, &cg->derivative, &cg->product, &cg->score_change, &cg->trial};
    double **with_columns[] = {&cg->scale,     &cg->inverse, &cg->step, &cg->residual,
                               &cg->direction, &cg->image,   &cg->units};
    bool made = true;
    for (size_t i = 0; i < sizeof with_rows / sizeof with_rows[0]; i++)
        made = (*with_rows[i] = linpred__calloc(rows, sizeof(double))) && made;
    for (size_t i = 0; i < sizeof with_columns / sizeof with_columns[0]; i++)
        made = (*with_columns[i] = linpred__calloc(d, sizeof(double))) && made;
    cg->partial = linpred__alloc(LINPRED__CG_SUMS * (size_t)cg->chunks, sizeof(double));
    cg->sum = linpred__alloc((size_t)cg->lanes * d, sizeof(double));
    cg->losses = linpred__calloc((size_t)cg->lanes, sizeof *cg->losses);
    return made && cg->partial && cg->sum && cg->losses;
}

/* The number of lanes. A lane clears and adds one number for each column, so it should have at least as many
   entries, and if lanes are many, many times as many. */
static int64_t count_lanes(const linpred_data *data)
{
    int64_t a_column = data->columns > 0 ? data->entries / data->columns : 0;
    int64_t few = a_column < LINPRED__CG_FEW_LANES ? a_column : LINPRED__CG_FEW_LANES;
    int64_t lanes = a_column / LINPRED__CG_LANE_ENTRIES;
    lanes = lanes > few ? lanes : few;
    lanes = lanes < 1 ? 1 : lanes < LINPRED__CG_LANES ? lanes : LINPRED__CG_LANES;
    return data->blocks < lanes ? data->blocks : lanes;
}

linpred_status linpred__cg_open(linpred__logistic_problem *problem, linpred__logistic_point *point, linpred__cg **out,
                                linpred_error *error)
{
    linpred__cg *cg = linpred__calloc(1, sizeof *cg);
    if (!cg)
        return linpred__no_memory(error);
    *cg = (linpred__cg){.problem = problem, .point = point, .blocks = problem->data->blocks, .now.radius = INFINITY};
    cg->comm = linpred__comm_get();
    cg->lanes = count_lanes(problem->data);
    cg->chunks = (problem->dimension + LINPRED__CG_CHUNK - 1) / LINPRED__CG_CHUNK;
    linpred__cg_divide(cg);
    if (!open_cg_vectors(cg)) {
        linpred__cg_close(cg);
        return linpred__no_memory(error);
    }
    for (int32_t j = 0; j < problem->dimension; j++)
        cg->scale[j] = problem->data_unit[j] / problem->weight;
    *out = cg;
    return LINPRED_OK;
}

void linpred__cg_close(linpred__cg *cg)
{
    if (!cg)
        return;
    linpred__release(cg->z);
    linpred__release(cg->curvature);
    linpred__release(cg->derivative);
    linpred__release(cg->product);
    linpred__release(cg->score_change);
    linpred__release(cg->trial);
    linpred__release(cg->scale);
    linpred__release(cg->inverse);
    linpred__release(cg->step);
    linpred__release(cg->residual);
    linpred__release(cg->direction);
    linpred__release(cg->image);
    linpred__release(cg->units);
    linpred__release(cg->partial);
    linpred__release(cg->sum);
    linpred__release(cg->losses);
    linpred__release(cg);
}
