/* Newton's method with Cholesky factors, for logistic regression.
 *
 *   v <- v - t H^-1 g,   ν² = g' H^-1 g,   F(v) - min F ≈ ν²/2 near the minimum
 *
 * t = 1 unless F does not come down by a fair part of what the step promises; then t is halved. Where rows are many, a
 * sample of the blocks is solved first, so that all rows are read a few times only; and a factor is kept while steps
 * with it still shrink ν well, since a pass for the gradient alone is much cheaper than one for the Hessian. Columns
 * that depend on others are left out (their coefficient stays 0 here).
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
    SAMPLE = 8,         /* one row in so many, and one in so many of them, … */
    ROWS_A_COLUMN = 10, /* that a sample must have (of the rarer class, twice), to be worth it */
    FEW_ROWS = 5000     /* of which no sample is taken */
};

static const double dependent = 1e-12;    /* of a column's squared length: what others must leave of it */
static const double dear = 3e6;           /* multiplications for a Hessian, from which one is spared */
static const double near_enough = 1e-4;   /* ν² / F: the Hessian changes by a few hundredths at most from here on */
static const double good_shrink = 0.04;   /* of ν² in one step with a factor from elsewhere */
static const double near_sample = 1e-3;   /* ν² / 2F: from here one step ends below what a sample can tell */
static const double floor_of_gap = 1e-12; /* ν² / 2F: below it a step that does not shrink ν well is the last */

struct run {
    linpred__newton *newton;
    const linpred__logistic_view *view; /* NULL: all rows */
    linpred__logistic_point trial;
    double gap;
    bool polish;
    bool spare; /* Hessians are dear */
};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

void linpred__newton_close(linpred__newton *newton)
{
    linpred__logistic_point_close(&newton->point);
    linpred__cholesky_close(&newton->cholesky);
    linpred__release(newton->made_at);
    linpred__release(newton->step);
    linpred__release(newton->length);
    linpred__release(newton->inverse);
    linpred__release(newton->keep);
    linpred__release(newton->gram);
    *newton = (linpred__newton){0};
}

static bool is_dear(const linpred__logistic *problem)
{
    double rows = (double)problem->data->rows;
    double wide =
        problem->data->layout == LINPRED__DENSE ? problem->dimension : (double)problem->data->entries / rows + 1;
    return rows * wide * wide > dear;
}

/* Which columns are independent, by the Hessian at v = 0, which is the Gram matrix of the weighted rows over 4 W. */
static linpred_status find_rank_on(linpred__newton *newton, const linpred__logistic_view *view, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred_status status = linpred__logistic_evaluate(problem, view, true, &newton->point, error);
    if (status != LINPRED_OK)
        return status;
    newton->rank = linpred__independent_columns(newton->point.hessian, problem->dimension, dependent, newton->keep);
    for (int32_t j = 0; j < problem->dimension; j++)
        newton->length[j] = newton->point.hessian[(int64_t)j * problem->dimension + j];
    return newton->rank < 0 ? linpred__no_memory(error) : LINPRED_OK;
}

/* Columns that are independent on one row in `every` (0: no sample) are so on all rows. */
static linpred_status find_rank(linpred__newton *newton, int64_t every, linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    linpred_status status = LINPRED_OK;
    linpred__logistic_view view;
    newton->rank = 0;
    if (every > 0 && linpred__logistic_sample(newton->problem, every, &view)) {
        status = find_rank_on(newton, &view, error);
        linpred__release(view.data.block);
    }
    if (status == LINPRED_OK && newton->rank < d)
        status = find_rank_on(newton, NULL, error);
    if (status != LINPRED_OK || newton->rank == d)
        return status;
    newton->gram = linpred__alloc((size_t)d * (size_t)d, sizeof(double));
    if (!newton->gram)
        return linpred__no_memory(error);
    memcpy(newton->gram, newton->point.hessian, (size_t)d * (size_t)d * sizeof(double));
    return LINPRED_OK;
}

static linpred_status run_on(linpred__newton *newton, const linpred__logistic_view *view, double gap, bool polish,
                             int64_t most, linpred__logistic_end *end, linpred_error *error);
static bool factor(linpred__newton *newton, const linpred__logistic_view *view);

/* Goes near the minimum of one row in `every`, from where v is, and leaves that sample's factor; both are forgotten where
   the sample has no minimum of its own in sight. The last step is not looked at: the next sample does that. */
static linpred_status solve_sample(linpred__newton *newton, int64_t every, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred__logistic_view view;
    if (!linpred__logistic_sample(problem, every, &view))
        return LINPRED_OK;
    linpred__logistic_end end;
    linpred_status status = run_on(newton, &view, near_sample, false, SAMPLE_ITERATIONS, &end, error);
    linpred__release(view.data.block);
    newton->evaluated = false;
    if (status != LINPRED_OK)
        return status;
    if (end != LINPRED__LOGISTIC_SMALL) {
        linpred__newton_reset(newton);
    } else {
        newton->factor = LINPRED__FACTOR_OF_SAMPLE;
        for (int32_t j = 0; j < problem->dimension; j++)
            newton->point.v[j] += newton->step[j];
    }
    return LINPRED_OK;
}

/* From the smallest sample with rows enough to the largest; 0: none. */
static int64_t first_sample(const linpred__logistic *problem)
{
    double enough = (double)ROWS_A_COLUMN * problem->dimension;
    double rows = 4.0 * problem->share[0] * problem->share[1] * (double)problem->data->rows;
    int64_t every = 1;
    while (problem->data->rows >= FEW_ROWS && rows / (double)(every * SAMPLE) >= enough)
        every *= SAMPLE;
    return every > 1 ? every : 0;
}

/* From v on, if columns are independent there: what is left of them by the rows that still have curvature is enough. */
static linpred_status open_at(linpred__newton *newton, const double *v, bool *independent, linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    memcpy(newton->point.v, v, (size_t)d * sizeof *v);
    for (int32_t j = 0; j < d; j++)
        newton->length[j] = NAN;
    linpred_status status = linpred__logistic_evaluate(newton->problem, NULL, true, &newton->point, error);
    if (status == LINPRED_OK && !linpred__cholesky_open(d, &newton->cholesky))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    newton->evaluated = true;
    *independent = factor(newton, NULL) && newton->factor == LINPRED__FACTOR_FRESH &&
                   linpred__cholesky_least_rest(&newton->cholesky) > 4.0 * dependent;
    if (!*independent) {
        linpred__cholesky_close(&newton->cholesky);
        linpred__newton_reset(newton);
    }
    return LINPRED_OK;
}

/* From the start of the options, or by samples. */
static linpred_status open_afresh(linpred__newton *newton, int64_t every, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    const linpred_model *start = problem->fit->options->start;
    linpred_status status = problem->l2 == 0.0 ? find_rank(newton, every, error) : LINPRED_OK;
    if (status == LINPRED_OK && !linpred__cholesky_open(newton->rank, &newton->cholesky))
        status = linpred__no_memory(error);
    for (; status == LINPRED_OK && every > 1; every /= SAMPLE)
        status = solve_sample(newton, every, error);
    if (status == LINPRED_OK && start)
        status = linpred__logistic_begin(problem, start, &newton->point, error);
    return status;
}

linpred_status linpred__newton_open(linpred__logistic *problem, const double *v, linpred__newton *newton,
                                    linpred_error *error)
{
    int32_t d = problem->dimension;
    *newton = (linpred__newton){.problem = problem, .rank = d};
    newton->keep = linpred__alloc((size_t)d, sizeof *newton->keep);
    newton->made_at = linpred__calloc((size_t)d, sizeof(double));
    newton->step = linpred__alloc(2 * (size_t)d, sizeof(double));
    newton->length = linpred__calloc((size_t)d, sizeof(double));
    if (!newton->keep || !newton->made_at || !newton->step || !newton->length ||
        !linpred__logistic_point_open(problem, true, &newton->point)) {
        linpred__newton_close(newton);
        return linpred__no_memory(error);
    }
    for (int32_t j = 0; j < d; j++)
        newton->keep[j] = j;
    bool ready = false;
    int64_t iterations = problem->iterations;
    linpred_status status = v ? open_at(newton, v, &ready, error) : LINPRED_OK;
    if (status == LINPRED_OK && !ready)
        status = open_afresh(newton, v || problem->fit->options->start ? 0 : first_sample(problem), error);
    if (status == LINPRED_OK && v && !ready)
        memcpy(newton->point.v, v, (size_t)d * sizeof *v);
    problem->iterations = iterations; /* those on samples do not count */
    if (status != LINPRED_OK)
        linpred__newton_close(newton);
    return status;
}

void linpred__newton_reset(linpred__newton *newton)
{
    newton->factor = LINPRED__FACTOR_NONE;
    newton->evaluated = false;
    memset(newton->point.v, 0, (size_t)newton->problem->dimension * sizeof *newton->point.v);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* A factor of the Hessian; where rounding makes it indefinite, with a ridge that keeps every step downhill. */
static bool factor(linpred__newton *newton, const linpred__logistic_view *view)
{
    const linpred__logistic *problem = newton->problem;
    memcpy(newton->made_at, newton->point.v, (size_t)problem->dimension * sizeof(double));
    linpred__release(newton->inverse);
    newton->inverse = NULL;
    for (double ridge = 0.0; ridge < 1e-3; ridge = ridge > 0 ? ridge * 100 : 1e-13)
        if (linpred__cholesky_factor(&newton->cholesky, newton->point.hessian, problem->dimension, newton->keep, ridge)) {
            newton->factor = ridge > 0 ? LINPRED__FACTOR_NEAR : LINPRED__FACTOR_FRESH;
            newton->made_from = ridge > 0 ? 0.0 : view ? view->weight / problem->weight : 1.0;
            return true;
        }
    newton->factor = LINPRED__FACTOR_NONE;
    return false;
}

double linpred__newton_trust(const linpred__newton *newton)
{
    /* Along δ the curvature of row i changes by a factor of at most exp(|<x_i,δ>|), and H is a sum over rows: that of
       some rows, at another point, is below it but for their share. */
    double far = 0.0;
    for (int32_t j = 0; j < newton->problem->dimension; j++)
        far += newton->problem->extent[j] * fabs(newton->point.v[j] - newton->made_at[j]);
    return newton->factor == LINPRED__FACTOR_NONE ? 0.0 : newton->made_from * exp(-far);
}

/* step = -(L L')^-1 g on the kept columns, 0 elsewhere; fills point.decrement = ν² by L. */
static void find_step(linpred__newton *newton)
{
    linpred__logistic_point *point = &newton->point;
    int32_t d = newton->problem->dimension;
    double *step = newton->step, *short_step = step + d;
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
            run->trial.v[j] = point->v[j] + t * newton->step[j];
        linpred_status status = linpred__logistic_evaluate(newton->problem, run->view, hessian, &run->trial, error);
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
    if (!run->spare || (newton->factor != LINPRED__FACTOR_OF_SAMPLE && point->decrement > near_enough * point->objective))
        return true;
    return newton->factor != LINPRED__FACTOR_FRESH && point->decrement > good_shrink * before;
}

static bool ends(const struct run *run, double before)
{
    const linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    double half = 0.5 * point->decrement, wanted = run->polish && !run->spare ? 1e-30 : run->gap;
    if (run->view)
        return newton->factor == LINPRED__FACTOR_FRESH && half <= wanted * point->objective;
    if (run->spare && newton->problem->l2 > 0)
        half /= linpred__newton_trust(newton); /* no standard errors: no need for a Hessian of all rows */
    return half <= wanted * point->objective ||
           (run->polish && newton->factor == LINPRED__FACTOR_FRESH && half <= floor_of_gap * point->objective &&
            point->decrement > 0.25 * before);
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
        find_step(newton);
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
            newton->factor = newton->factor == LINPRED__FACTOR_FRESH ? LINPRED__FACTOR_NEAR : newton->factor;
        else if (!factor(newton, run->view))
            return LINPRED_OK;
    }
    return LINPRED_OK;
}

static linpred_status run_on(linpred__newton *newton, const linpred__logistic_view *view, double gap, bool polish,
                             int64_t most, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    struct run run = {.newton = newton, .view = view, .gap = gap, .polish = polish, .spare = !view && is_dear(problem)};
    if (!linpred__logistic_point_open(problem, true, &run.trial))
        return linpred__no_memory(error);
    bool hessian = newton->factor == LINPRED__FACTOR_NONE;
    linpred_status status = LINPRED_OK;
    if (hessian || !newton->evaluated)
        status = linpred__logistic_evaluate(problem, view, hessian, &newton->point, error);
    newton->evaluated = true;
    *end = LINPRED__LOGISTIC_STALLED;
    if (status == LINPRED_OK && (!hessian || factor(newton, view)))
        status = loop(&run, most, end, error);
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
    if (status == LINPRED_OK && factor(newton, NULL))
        find_step(newton);
    return status;
}
