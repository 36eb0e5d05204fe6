/* Newton's method with Cholesky factors, for logistic regression.
 *
 *   v <- v - t H^-1 g,   ν² = g' H^-1 g,   F(v) - min F ≈ ν²/2 near the minimum
 *
 * t = 1 near the minimum, and far from it what is best on the line (line.h), unless F does not come down by a fair part
 * of what the step promises; then t is shortened. Where dense rows are many, a sample of the blocks is solved first, so
 * that all rows are read a few times only; of sparse rows Hessians far from the minimum are thinned (thin.c). A factor
 * is kept while steps with it still shrink ν well, since a pass for the gradient alone is much cheaper than one for the
 * Hessian. Columns that depend on others are left out (their coefficient stays 0 here).
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "minimise/line_search.h"
#include "minimise/logistic.h"

enum {
    MOST_ITERATIONS = 100, /* far beyond any that a finite minimum takes */
    MOST_TRIES = 30,       /* on a line */
    SAMPLE_ITERATIONS = 15,
    SAMPLE = 8,         /* one row in so many, and one in so many of them, … */
    ROWS_A_COLUMN = 10, /* that a sample must have (of the rarer class, twice), to be worth it */
    FEW_ROWS = 5000     /* of which no sample is taken */
};

static const double at_zero = 0.25;       /* the curvature of every row at v = 0 */
static const double dependent = 1e-12;    /* of a column's squared length: what others must leave of it */
static const double dear = 3e6;           /* multiplications for a Hessian, from which one is spared */
static const double near_enough = 5e-4;   /* ν² / F: the Hessian mostly changes by some tenths at most from here on */
static const double good_shrink = 0.04;   /* of ν² in one step with a factor from elsewhere */
static const double far_out = 0.01;       /* ν² / F: above it a rough Hessian is as good as the right one */
static const double short_step = 0.1;     /* with a rough Hessian: it is too rough */
static const double far = 2e-3;           /* ν² / F: above it a step's length is looked for */
static const double near_sample = 1e-3;   /* ν² / 2F: from here one step ends below what a sample can tell */
static const double floor_of_gap = 1e-12; /* ν² / 2F: below it a step that does not shrink ν well is the last */

struct run {
    linpred__newton *newton;
    const linpred__logistic_view *view; /* NULL: all rows */
    linpred__logistic_point trial;
    double gap;
    bool polish;
    bool spare;  /* Hessians are dear */
    double near; /* ν² / F: from here on a Hessian may serve more than one point */
};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

void linpred__newton_close(linpred__newton *newton)
{
    linpred__logistic_point_close(&newton->point);
    linpred__cholesky_close(&newton->cholesky);
    linpred__line_search_close(&newton->line);
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
static linpred_status find_rank_on(linpred__newton *newton, const linpred__logistic_view *view,
                                   linpred__hessian hessian, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred_status status = linpred__logistic_evaluate(problem, view, hessian, &newton->point, error);
    if (status != LINPRED_OK)
        return status;
    newton->rank = linpred__independent_columns(newton->point.hessian, problem->dimension, dependent, newton->keep);
    for (int32_t j = 0; j < problem->dimension; j++)
        newton->length[j] = newton->point.hessian[(int64_t)j * problem->dimension + j];
    return newton->rank < 0 ? linpred__no_memory(error) : LINPRED_OK;
}

/* Columns that are independent on some rows, one in `every` (0: no sample) or those of a thinned Hessian, are so on
 * all. */
static linpred_status find_rank(linpred__newton *newton, int64_t every, linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    linpred_status status = LINPRED_OK;
    linpred__logistic_view view;
    newton->rank = 0;
    if (every > 0 && linpred__logistic_sample(newton->problem, every, &view)) {
        status = find_rank_on(newton, &view, LINPRED__HESSIAN_WHOLE, error);
        linpred__release(view.data.block);
    } else if (newton->thins) {
        status = find_rank_on(newton, NULL, LINPRED__HESSIAN_SAMPLED, error);
        newton->point.curvature = at_zero;
    }
    if (status == LINPRED_OK && newton->rank < d)
        status = find_rank_on(newton, NULL, LINPRED__HESSIAN_WHOLE, error);
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
static bool factor_as_is(linpred__newton *newton, const linpred__logistic_view *view, linpred__hessian hessian);

/* Goes near the minimum of one row in `every`, from where v is, and leaves that sample's factor; both are forgotten
   where the sample has no minimum of its own in sight. The last step is not looked at: the next sample does that. */
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

/* From the smallest sample of dense rows, with rows enough, to the largest; 0: none. */
static int64_t first_sample(const linpred__logistic *problem)
{
    double enough = (double)ROWS_A_COLUMN * problem->dimension;
    double rows = 4.0 * problem->share[0] * problem->share[1] * (double)problem->data->rows;
    int64_t every = 1;
    if (problem->data->layout != LINPRED__DENSE || problem->data->rows < FEW_ROWS)
        return 0;
    while (rows / (double)(every * SAMPLE) >= enough)
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
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, NULL, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    if (status == LINPRED_OK && !linpred__cholesky_open(d, &newton->cholesky))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    newton->evaluated = true;
    *independent = factor_as_is(newton, NULL, LINPRED__HESSIAN_WHOLE) && newton->factor == LINPRED__FACTOR_FRESH &&
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
        !linpred__logistic_point_open(problem, true, &newton->point) ||
        !linpred__line_search_open(problem, &newton->line)) {
        linpred__newton_close(newton);
        return linpred__no_memory(error);
    }
    for (int32_t j = 0; j < d; j++)
        newton->keep[j] = j;
    bool ready = false, start = v || problem->fit->options->start;
    int64_t iterations = problem->iterations;
    newton->thins = !start && is_dear(problem) && linpred__hessian_sample_pays(problem);
    linpred_status status = newton->thins ? linpred__logistic_measure_leverage(problem, error) : LINPRED_OK;
    if (status == LINPRED_OK && v)
        status = open_at(newton, v, &ready, error);
    if (status == LINPRED_OK && !ready)
        status = open_afresh(newton, start ? 0 : first_sample(problem), error);
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
    newton->point.curvature = at_zero;
    memset(newton->point.v, 0, (size_t)newton->problem->dimension * sizeof *newton->point.v);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* A factor of the Hessian; where rounding makes it indefinite, with a ridge that keeps every step downhill. */
static bool factor_as_is(linpred__newton *newton, const linpred__logistic_view *view, linpred__hessian hessian)
{
    const linpred__logistic *problem = newton->problem;
    memcpy(newton->made_at, newton->point.v, (size_t)problem->dimension * sizeof(double));
    linpred__release(newton->inverse);
    newton->inverse = NULL;
    for (double ridge = 0.0; ridge<1e-3; ridge = ridge> 0 ? ridge * 100 : 1e-13)
        if (linpred__cholesky_factor(&newton->cholesky, newton->point.hessian, problem->dimension, newton->keep,
                                     ridge)) {
            bool exact = ridge == 0.0 && hessian == LINPRED__HESSIAN_WHOLE;
            newton->factor = exact ? LINPRED__FACTOR_FRESH : LINPRED__FACTOR_NEAR;
            newton->made_from = !exact ? 0.0 : view ? view->weight / problem->weight : 1.0;
            return true;
        }
    newton->factor = LINPRED__FACTOR_NONE;
    return false;
}

/* The same; a thinned Hessian that has none makes way for the whole one. */
static linpred_status factor(linpred__newton *newton, const linpred__logistic_view *view, linpred__hessian hessian,
                             bool *made, linpred_error *error)
{
    *made = factor_as_is(newton, view, hessian);
    if (*made || hessian != LINPRED__HESSIAN_SAMPLED)
        return LINPRED_OK;
    newton->thins = false;
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, view, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    *made = status == LINPRED_OK && factor_as_is(newton, view, LINPRED__HESSIAN_WHOLE);
    return status;
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

/* After a step that was too long, what part of it to try: where the slope would vanish if it changed evenly. */
static double back(const linpred__newton *newton, const linpred__logistic_point *trial)
{
    double slope = 0.0;
    for (int32_t j = 0; j < newton->problem->dimension; j++)
        slope += trial->gradient[j] * newton->step[j];
    double part = newton->point.decrement / (newton->point.decrement + slope);
    return part > 0.1 ? fmin(part, 0.5) : 0.1; /* also if it is no number */
}

/* Tries v + t step with t = 1, or far from the minimum with what is best on the line, then shorter; the trial is left
   in run->trial. *found false: F comes down no more. */
static linpred_status search(struct run *run, linpred__hessian hessian, bool *found, linpred_error *error)
{
    linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    double t = 1.0, curvature = point->curvature;
    if (point->decrement > far * point->objective)
        t = linpred__line_search_step(&newton->line, newton->problem, point->v, newton->step, point->decrement,
                                      &curvature);
    /* Near the minimum the change of F drowns in its rounding; there ν, not F, says whether the step was good. */
    double rounding = 1e-13 * point->objective;
    *found = false;
    for (int k = 0; k < MOST_TRIES && !*found; k++) {
        for (int32_t j = 0; j < newton->problem->dimension; j++)
            run->trial.v[j] = point->v[j] + t * newton->step[j];
        run->trial.curvature = curvature;
        linpred_status status = linpred__logistic_evaluate(newton->problem, run->view, hessian, &run->trial, error);
        if (status != LINPRED_OK)
            return status;
        *found = run->trial.objective <= point->objective - 1e-4 * t * point->decrement + rounding;
        t *= *found ? 1.0 : back(newton, &run->trial);
    }
    if (t < short_step && newton->made_from == 0.0)
        newton->thins = false; /* what was left out matters */
    return LINPRED_OK;
}

/* Whether the next point needs a Hessian of its own. `before` is ν² one step earlier. */
static linpred__hessian wanted_hessian(struct run *run, double before)
{
    const linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    if (!run->spare)
        return LINPRED__HESSIAN_WHOLE;
    if (newton->factor == LINPRED__FACTOR_OF_SAMPLE || point->decrement <= run->near * point->objective) {
        if (newton->factor == LINPRED__FACTOR_FRESH || point->decrement <= good_shrink * before)
            return LINPRED__HESSIAN_NONE;
        run->near = fmin(run->near, 0.01 * point->decrement / point->objective); /* that was too early */
    }
    return newton->thins && point->decrement > far_out * point->objective ? LINPRED__HESSIAN_SAMPLED
                                                                          : LINPRED__HESSIAN_WHOLE;
}

static bool ends(const struct run *run, double before)
{
    const linpred__newton *newton = run->newton;
    const linpred__logistic_point *point = &newton->point;
    double half = 0.5 * point->decrement, wanted = run->polish && !run->spare ? 1e-30 : run->gap;
    if (run->view)
        return newton->factor == LINPRED__FACTOR_FRESH && half <= wanted * point->objective;
    if (run->spare && newton->problem->l2 > 0) {
        /* No standard errors: no need for a Hessian of all rows. None for the verifier either if the penalty's bound is
           small, for which another step is well spent if it is near. */
        double bound = linpred__penalised_gap(newton->problem, point) / point->objective;
        double tolerance = newton->problem->fit->options->tolerance;
        bool within_reach = bound <= 16.0 * tolerance && point->decrement <= good_shrink * before;
        if (bound > 0.9 * tolerance)
            half = within_reach ? INFINITY : half / linpred__newton_trust(newton);
    }
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
        linpred__hessian hessian = wanted_hessian(run, before);
        before = point->decrement;
        linpred_status status = search(run, hessian, &found, error);
        if (status != LINPRED_OK || !found)
            return status;
        swap(&run->trial, point);
        problem->iterations++;
        bool made = true;
        if (hessian != LINPRED__HESSIAN_NONE)
            status = factor(newton, run->view, hessian, &made, error);
        else if (newton->factor == LINPRED__FACTOR_FRESH)
            newton->factor = LINPRED__FACTOR_NEAR;
        if (status != LINPRED_OK || !made)
            return status;
    }
    return LINPRED_OK;
}

static linpred_status run_on(linpred__newton *newton, const linpred__logistic_view *view, double gap, bool polish,
                             int64_t most, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    struct run run = {.newton = newton,
                      .view = view,
                      .gap = gap,
                      .polish = polish,
                      .spare = !view && is_dear(problem),
                      .near = near_enough};
    if (!linpred__logistic_point_open(problem, true, &run.trial))
        return linpred__no_memory(error);
    linpred__hessian hessian = newton->thins ? LINPRED__HESSIAN_SAMPLED : LINPRED__HESSIAN_WHOLE;
    bool made = newton->factor != LINPRED__FACTOR_NONE;
    linpred_status status = LINPRED_OK;
    if (!made || !newton->evaluated)
        status =
            linpred__logistic_evaluate(problem, view, made ? LINPRED__HESSIAN_NONE : hessian, &newton->point, error);
    newton->evaluated = true;
    *end = LINPRED__LOGISTIC_STALLED;
    if (status == LINPRED_OK && !made)
        status = factor(newton, view, hessian, &made, error);
    if (status == LINPRED_OK && made)
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
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, NULL, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    if (status == LINPRED_OK && factor_as_is(newton, NULL, LINPRED__HESSIAN_WHOLE))
        find_step(newton);
    return status;
}
