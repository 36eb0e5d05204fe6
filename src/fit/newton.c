/* Newton's method with Cholesky factors, for logistic regression.
 *
 *   v <- v - t H^-1 g,   ν² = g' H^-1 g,   F(v) - min F ≈ ν²/2 near the minimum
 *
 * t = 1 unless F does not come down by a fair part of what the step promises; then t is halved. Where rows are many, a sample
 * of the blocks is solved first, so that all rows are read a few times only; and a factor is kept while steps with it still
 * shrink ν well, since a pass for the gradient alone is much cheaper than one for the Hessian. Columns that depend on
 * others are left out (their coefficient stays 0 here).
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"
#include "fit/logistic.h"

enum {
    MOST_ITERATIONS = 100, /* far beyond any that a finite minimum takes */
    MOST_HALVINGS = 40,
    SAMPLE_ITERATIONS = 15,
    SAMPLE = 16,           /* one block in so many */
    ROWS_A_COLUMN = 50     /* that a sample must have, to be worth it */
};

static const double dear = 1e8;           /* multiplications for a Hessian, from which one is spared */
static const double near_enough = 1e-4;   /* ν² / F: the Hessian changes by a few hundredths at most from here on */
static const double good_shrink = 0.04;   /* of ν² in one step with a factor from elsewhere */
static const double floor_of_gap = 1e-12; /* ν² / 2F: below it a step that does not shrink ν well is the last */

struct run {
    linpred__newton *newton;
    const linpred__logistic_view *view; /* NULL: all rows */
    linpred__logistic_point trial;
    double *step;
    double gap;
    bool polish;
    bool spare; /* Hessians are dear */
};

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

void linpred__newton_close(linpred__newton *newton)
{
    linpred__logistic_point_close(&newton->point);
    linpred__cholesky_close(&newton->cholesky);
    linpred__release(newton->keep);
    linpred__release(newton->gram);
    linpred__release(newton->null);
    *newton = (linpred__newton){0};
}

static bool is_dear(const linpred__logistic *problem)
{
    double rows = (double)problem->data->rows;
    double wide = problem->data->layout == LINPRED__DENSE ? problem->dimension : (double)problem->data->entries / rows + 1;
    return rows * wide * wide > dear;
}

/* Which columns are independent, by the Hessian at v = 0, which is the Gram matrix of the weighted rows over 4 W. */
static linpred_status find_rank(linpred__newton *newton, const linpred__logistic_view *view, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t d = problem->dimension;
    linpred_status status = linpred__logistic_evaluate(problem, view, true, &newton->point, error);
    if (status != LINPRED_OK)
        return status;
    newton->rank = linpred__independent_columns(newton->point.hessian, d, newton->keep);
    if (newton->rank < 0)
        return linpred__no_memory(error);
    if (newton->rank == d || view)
        return LINPRED_OK;
    newton->gram = linpred__alloc((size_t)d * (size_t)d, sizeof(double));
    if (!newton->gram)
        return linpred__no_memory(error);
    memcpy(newton->gram, newton->point.hessian, (size_t)d * (size_t)d * sizeof(double));
    return LINPRED_OK;
}

static linpred_status run_on(linpred__newton *newton, const linpred__logistic_view *view, double gap, bool polish,
                             int64_t most, linpred__logistic_end *end, linpred_error *error);

/* Solves a sample to its own accuracy, ν² about rank / rows, and leaves its factor and its v. */
static linpred_status start_on_sample(linpred__newton *newton, linpred__logistic_view *view, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred__logistic_end end;
    double noise = 0.02 * problem->dimension / (double)view->data.rows;
    linpred_status status = run_on(newton, view, noise, false, SAMPLE_ITERATIONS, &end, error);
    problem->iterations = 0;
    newton->evaluated = false;
    newton->factor = newton->factor == LINPRED__FACTOR_NONE ? LINPRED__FACTOR_NONE : LINPRED__FACTOR_OF_SAMPLE;
    return status;
}

linpred_status linpred__newton_open(linpred__logistic *problem, linpred__newton *newton, linpred_error *error)
{
    int32_t d = problem->dimension;
    const linpred_model *start = problem->fit->options->start;
    *newton = (linpred__newton){.problem = problem, .rank = d};
    newton->keep = linpred__alloc((size_t)d, sizeof *newton->keep);
    if (!newton->keep || !linpred__logistic_point_open(problem, true, &newton->point)) {
        linpred__newton_close(newton);
        return linpred__no_memory(error);
    }
    linpred__logistic_view view;
    bool sampled = is_dear(problem) && !start &&
                   problem->data->rows / SAMPLE >= (int64_t)ROWS_A_COLUMN * d &&
                   linpred__logistic_sample(problem, SAMPLE, &view);
    for (int32_t j = 0; j < d; j++)
        newton->keep[j] = j;
    linpred_status status = LINPRED_OK;
    if (problem->l2 == 0.0) {
        status = find_rank(newton, sampled ? &view : NULL, error);
        if (status == LINPRED_OK && sampled && newton->rank < d)
            status = find_rank(newton, NULL, error);
    }
    if (status == LINPRED_OK && !linpred__cholesky_open(newton->rank, &newton->cholesky))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && sampled)
        status = start_on_sample(newton, &view, error);
    if (sampled)
        linpred__release(view.data.block);
    for (int32_t j = 0; status == LINPRED_OK && start && j < d; j++)
        newton->point.v[j] = (j < start->columns ? start->w[j] : start->b) / problem->unit[j];
    if (status != LINPRED_OK)
        linpred__newton_close(newton);
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

/* A factor of the Hessian; where rounding makes it indefinite, with a ridge that keeps every step downhill. */
static bool factor(linpred__newton *newton)
{
    const linpred__logistic *problem = newton->problem;
    for (double ridge = 0.0; ridge < 1e-3; ridge = ridge > 0 ? ridge * 100 : 1e-13)
        if (linpred__cholesky_factor(&newton->cholesky, newton->point.hessian, problem->dimension, newton->keep, ridge))
            return newton->factor = ridge > 0 ? LINPRED__FACTOR_NEAR : LINPRED__FACTOR_FRESH, true;
    newton->factor = LINPRED__FACTOR_NONE;
    return false;
}

/* step = -H^-1 g on the kept columns, 0 elsewhere; fills point.decrement = ν². */
static void find_step(linpred__newton *newton, double *step)
{
    linpred__logistic_point *point = &newton->point;
    int32_t d = newton->problem->dimension;
    double *short_step = step + d;
    for (int32_t i = 0; i < newton->rank; i++)
        short_step[i] = -point->gradient[newton->keep[i]];
    linpred__cholesky_solve(&newton->cholesky, short_step);
    memset(step, 0, (size_t)d * sizeof *step);
    point->decrement = 0.0;
    for (int32_t i = 0; i < newton->rank; i++) {
        step[newton->keep[i]] = short_step[i];
        point->decrement -= short_step[i] * point->gradient[newton->keep[i]];
    }
}

static void swap(linpred__logistic_point *a, linpred__logistic_point *b)
{
    linpred__logistic_point t = *a;
    *a = *b;
    *b = t;
}

/* Tries v + t step, t = 1, 1/2, …; the trial is left in run->trial. *found false: F comes down no more. */
static linpred_status search(struct run *run, bool hessian, bool *found, linpred_error *error)
{
    linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    double t = 1.0;
    /* Near the minimum the change of F drowns in its rounding; there ν, not F, says whether the step was good. */
    double rounding = 1e-13 * point->objective;
    *found = false;
    for (int k = 0; k < MOST_HALVINGS && !*found; k++, t *= 0.5) {
        for (int32_t j = 0; j < newton->problem->dimension; j++)
            run->trial.v[j] = point->v[j] + t * run->step[j];
        linpred_status status =
            linpred__logistic_evaluate(newton->problem, run->view, hessian, &run->trial, error);
        if (status != LINPRED_OK)
            return status;
        *found = run->trial.objective <= point->objective - 1e-4 * t * point->decrement + rounding;
    }
    return LINPRED_OK;
}

/* Whether the next point needs a Hessian of its own. `before` is ν² one step earlier. */
static bool wants_hessian(const struct run *run, double before)
{
    const linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    return !run->spare || newton->factor == LINPRED__FACTOR_OF_SAMPLE ||
           point->decrement > near_enough * point->objective ||
           (newton->factor == LINPRED__FACTOR_NEAR && point->decrement > good_shrink * before);
}

static bool ends(const struct run *run, double before)
{
    const linpred__logistic_point *point = &run->newton->point;
    double half = 0.5 * point->decrement;
    if (!run->polish || run->spare)
        return half <= run->gap * point->objective;
    return half <= 1e-30 * point->objective ||
           (half <= floor_of_gap * point->objective && point->decrement > 0.25 * before);
}

static linpred_status loop(struct run *run, int64_t most, linpred__logistic_end *end, linpred_error *error)
{
    linpred__newton *newton = run->newton;
    linpred__logistic *problem = newton->problem;
    linpred__logistic_point *point = &newton->point;
    double before = INFINITY;
    *end = LINPRED__LOGISTIC_STALLED;
    for (int64_t i = 0; i < most; i++) {
        bool found;
        find_step(newton, run->step);
        if (!isfinite(point->decrement))
            return LINPRED_OK;
        if (ends(run, before)) {
            *end = LINPRED__LOGISTIC_SMALL;
            return LINPRED_OK;
        }
        if (!run->view && point->errors == 0.0 && problem->l2 == 0.0) {
            *end = LINPRED__LOGISTIC_SEPARATES;
            return LINPRED_OK;
        }
        if (linpred__fit_should_stop(problem->fit, "newton", problem->iterations, problem->passes, NAN)) {
            *end = LINPRED__LOGISTIC_STOPPED;
            return LINPRED_OK;
        }
        bool hessian = wants_hessian(run, before);
        before = point->decrement;
        linpred_status status = search(run, hessian, &found, error);
        if (status != LINPRED_OK || !found)
            return status;
        swap(&run->trial, point);
        problem->iterations++;
        if (!hessian)
            newton->factor = LINPRED__FACTOR_NEAR;
        else if (!factor(newton))
            return LINPRED_OK;
    }
    return LINPRED_OK;
}

static linpred_status run_on(linpred__newton *newton, const linpred__logistic_view *view, double gap, bool polish,
                             int64_t most, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    struct run run = {.newton = newton, .view = view, .gap = gap, .polish = polish, .spare = !view && is_dear(problem)};
    run.step = linpred__alloc(2 * (size_t)problem->dimension + 1, sizeof(double));
    if (!run.step || !linpred__logistic_point_open(problem, true, &run.trial)) {
        linpred__release(run.step);
        return linpred__no_memory(error);
    }
    bool hessian = newton->factor == LINPRED__FACTOR_NONE;
    linpred_status status = LINPRED_OK;
    if (hessian || !newton->evaluated)
        status = linpred__logistic_evaluate(problem, view, hessian, &newton->point, error);
    newton->evaluated = true;
    *end = LINPRED__LOGISTIC_STALLED;
    if (status == LINPRED_OK && (!hessian || factor(newton)))
        status = loop(&run, most, end, error);
    linpred__release(run.step);
    linpred__logistic_point_close(&run.trial);
    return status;
}

linpred_status linpred__newton_run(linpred__newton *newton, double gap, bool polish, linpred__logistic_end *end,
                                   linpred_error *error)
{
    return run_on(newton, NULL, gap, polish, MOST_ITERATIONS, end, error);
}

linpred_status linpred__newton_refresh(linpred__newton *newton, linpred_error *error)
{
    if (newton->factor == LINPRED__FACTOR_FRESH)
        return LINPRED_OK;
    linpred_status status = linpred__logistic_evaluate(newton->problem, NULL, true, &newton->point, error);
    if (status == LINPRED_OK)
        (void)factor(newton);
    return status;
}

/* ---- reach ------------------------------------------------------------------------------------------------------------------- */

struct reach {
    const linpred__newton *newton;
    const int32_t *place; /* of a column among those kept, or -1 */
};

struct lane {
    double *x;
    double largest;
};

static bool reach_init(void *context, void *state)
{
    const struct reach *reach = context;
    struct lane *lane = state;
    lane->x = linpred__alloc((size_t)reach->newton->rank, sizeof(double));
    return lane->x != NULL;
}

static void reach_clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->x);
}

static void reach_visit(void *context, void *state, const linpred__block *block)
{
    const struct reach *reach = context;
    const linpred__newton *newton = reach->newton;
    const linpred__logistic *problem = newton->problem;
    struct lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++) {
        bool dense = block->layout == LINPRED__DENSE;
        int64_t from = dense ? r * block->stride : block->start[r];
        int64_t count = dense ? block->columns : block->start[r + 1] - from;
        memset(lane->x, 0, (size_t)newton->rank * sizeof(double));
        for (int64_t k = 0; k < count; k++) {
            int32_t column = dense ? (int32_t)k : block->indices[from + k];
            if (reach->place[column] >= 0)
                lane->x[reach->place[column]] = block->values[from + k] * problem->data_unit[column];
        }
        if (problem->has_intercept && reach->place[block->columns] >= 0)
            lane->x[reach->place[block->columns]] = 1.0;
        lane->largest = fmax(lane->largest, linpred__cholesky_square(&newton->cholesky, lane->x));
    }
}

static void reach_merge(void *context, void *into, const void *from)
{
    (void)context;
    struct lane *a = into;
    a->largest = fmax(a->largest, ((const struct lane *)from)->largest);
}

static linpred_status reach_exactly(linpred__newton *newton, double *square, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t *place = linpred__alloc((size_t)problem->dimension, sizeof *place);
    if (!place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < problem->dimension; j++)
        place[j] = -1;
    for (int32_t i = 0; i < newton->rank; i++)
        place[newton->keep[i]] = i;
    struct reach reach = {newton, place};
    linpred__visitor visitor = {sizeof(struct lane), reach_init, reach_visit, reach_merge, reach_clear, &reach};
    struct lane total;
    linpred_status status = linpred__pass(problem->data, problem->fit->pool, &visitor, &total, error);
    problem->passes++;
    linpred__release(place);
    if (status != LINPRED_OK)
        return status;
    *square = total.largest;
    reach_clear(&reach, &total);
    return LINPRED_OK;
}

/* ||x||_M <= Σ |x_j| ||e_j||_M for any norm: with the largest |x_j| no pass is needed. */
linpred_status linpred__newton_reach(linpred__newton *newton, bool exactly, double *reach, linpred_error *error)
{
    double square = 0.0;
    if (exactly) {
        linpred_status status = reach_exactly(newton, &square, error);
        if (status == LINPRED_OK)
            *reach = sqrt(square) * (1.0 + 1e-6);
        return status;
    }
    double *diagonal = linpred__alloc((size_t)newton->rank, sizeof *diagonal);
    if (!diagonal || !linpred__cholesky_inverse_diagonal(&newton->cholesky, diagonal)) {
        linpred__release(diagonal);
        return linpred__no_memory(error);
    }
    double sum = 0.0;
    for (int32_t i = 0; i < newton->rank; i++)
        sum += newton->problem->extent[newton->keep[i]] * sqrt(diagonal[i]);
    linpred__release(diagonal);
    *reach = sum * (1.0 + 1e-6);
    return LINPRED_OK;
}
