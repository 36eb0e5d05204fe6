/* The perceptron (Rosenblatt), and pocket on top of it (Gallant).
 *
 *     w = 0, b = 0;  while some row has y(<w,x>+b) <= 0:  w += η y x,  b += η y.
 *
 * From w = 0 every η > 0 makes the same mistakes, so the loop runs at η = 1 (a start vector is divided by η first) and
 * the result is scaled. Passes over the data: as many as it takes; each reads every row once.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/standardize.h"
#include "fit/perceptron/update_bound.h"
#include "fit/fit.h"
#include "separate/pocket.h"
#include "separate/walk.h"

struct run {
    linpred__fit *fit;
    const linpred__learning *learning;
    linpred__walk walk;
    linpred__pocket *pocket; /* NULL: plain perceptron */
    bool stopped_by_trace;
};

static int64_t passes(const linpred__walk *walk)
{
    return (walk->visited + walk->data->rows - 1) / walk->data->rows;
}

/* The update just made, told to the caller. */
static void tell(struct run *run, double score, double *scaled)
{
    const linpred_options *options = run->fit->options;
    const linpred__walk *walk = &run->walk;
    int64_t row = walk->block->first_row + walk->row;
    for (int32_t j = 0; j < walk->data->columns; j++)
        scaled[j] = walk->plane.w[j] / walk->step;
    const linpred__update_bound *bound = run->learning->bound;
    linpred_update update = {
        .update = walk->updates,
        .pass = passes(walk),
        .row = linpred_data_source_row(run->fit->problem.data, row),
        .label = walk->block->target[walk->row],
        .score = score / walk->step,
        .loss = fmax(0.0, -score / walk->step),
        .columns = walk->data->columns,
        .weights = scaled,
        .intercept = walk->plane.b / walk->step,
        .norm_squared = linpred__norm_squared(scaled, walk->data->columns, walk->plane.b / walk->step),
        .star_product = NAN,
        .norm_limit = NAN,
        .cosine = NAN,
        .cosine_limit = NAN,
    };
    if (bound && bound->w)
        linpred__update_bound_step(bound, &update);
    if (!options->on_update(options->update_context, &update))
        run->stopped_by_trace = true;
}

static void take_mistake(struct run *run, double *scaled)
{
    linpred__walk *walk = &run->walk;
    if (run->pocket && !run->learning->pass_ends_only)
        linpred__pocket_score(run->pocket, walk, false);
    double score = 0.0;
    if (scaled)
        linpred__signed_scores(&walk->plane, walk->block, walk->row, walk->row + 1, &score);
    linpred__walk_update(walk);
    if (scaled)
        tell(run, score, scaled);
}

/* True when the run is over; the outcome is set. */
static bool over(struct run *run)
{
    linpred__fit *fit = run->fit;
    const linpred_options *options = fit->options;
    const linpred__walk *walk = &run->walk;
    if (run->stopped_by_trace) {
        linpred__fit_end(fit, LINPRED_OUTCOME_STOPPED, "stopped when asked to");
        return true;
    }
    if (walk->updates >= options->max_updates) {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-updates %" PRId64, options->max_updates);
        return true;
    }
    if (walk->visited / walk->data->rows >= options->max_passes) {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-passes %" PRId64, options->max_passes);
        return true;
    }
    if (run->pocket && run->learning->patience > 0 &&
        walk->visited - run->pocket->kept_visited >= run->learning->patience * walk->data->rows) {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped after %" PRId64 " passes without fewer mistakes",
                         run->learning->patience);
        return true;
    }
    if (!isfinite(walk->norm)) {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped because the weights leave the range of double");
        return true;
    }
    return linpred__fit_should_stop(fit, run->pocket ? "pocket" : "perceptron", walk->updates, passes(walk),
                                    run->pocket ? run->pocket->errors : NAN);
}

/* At the end of a pass: true if there is nothing left to learn. */
static bool finished(struct run *run)
{
    if (run->pocket) {
        linpred__pocket_score(run->pocket, &run->walk, true);
        if (run->pocket->errors == 0.0) {
            linpred__fit_end(run->fit, LINPRED_OUTCOME_SEPARATED, "a halfspace without mistakes was found");
            return true;
        }
    }
    if (!run->walk.clean)
        return false;
    linpred__fit_end(run->fit, LINPRED_OUTCOME_SEPARATED, "a whole pass went by without a mistake");
    return true;
}

static void learn(struct run *run, double *scaled)
{
    for (;;) {
        switch (linpred__walk_advance(&run->walk)) {
        case LINPRED__WALK_MISTAKE:
            take_mistake(run, scaled);
            break;
        case LINPRED__WALK_PASS_END:
            if (finished(run))
                return;
            linpred__walk_next_pass(&run->walk);
            break;
        case LINPRED__WALK_PAUSE:
            break;
        }
        if (over(run)) {
            if (run->pocket)
                linpred__pocket_score(run->pocket, &run->walk, true);
            return;
        }
    }
}

/* The weights in the units of the loop times rate/step; by one power of two less where that would leave the range. */
static void hand_over(struct run *run, linpred_model *model)
{
    const linpred__walk *walk = &run->walk;
    const double *w = run->pocket ? run->pocket->w : walk->plane.w;
    double b = run->pocket ? run->pocket->b : walk->plane.b;
    double rate = run->fit->options->rate;
    double largest = fabs(b);
    for (int32_t j = 0; j < walk->data->columns; j++)
        largest = fmax(largest, fabs(w[j]));
    double factor = rate / walk->step;
    if (!isfinite(largest * factor))
        factor = 1.0;
    for (int32_t j = 0; j < walk->data->columns; j++)
        model->w[j] = w[j] * factor;
    model->b = b * factor;
}

static linpred_status run_all(struct run *run, linpred_error *error)
{
    linpred__fit *fit = run->fit;
    linpred__pocket pocket = {0};
    double *scaled = NULL;
    linpred_status status = LINPRED_OK;
    if (fit->options->on_update) {
        scaled = linpred__alloc((size_t)run->walk.data->columns, sizeof(double));
        status = scaled ? LINPRED_OK : linpred__no_memory(error);
    }
    if (status == LINPRED_OK && run->learning->pocket) {
        status = linpred__pocket_open(&pocket, &run->walk, error);
        run->pocket = status == LINPRED_OK ? &pocket : NULL;
    }
    if (status == LINPRED_OK) {
        bool in_order = run->walk.order == LINPRED_ORDER_CYCLIC || run->walk.order == LINPRED_ORDER_RANDOM;
        run->walk.eager = in_order && !run->pocket && !scaled;
        learn(run, scaled);
        hand_over(run, &fit->result->model);
        fit->result->info.updates = run->walk.updates;
        fit->result->info.passes = passes(&run->walk);
    }
    linpred__pocket_close(&pocket);
    linpred__release(scaled);
    return status;
}

linpred_status linpred__learn_perceptron(linpred__fit *fit, const linpred__learning *learning, linpred_error *error)
{
    struct run run = {.fit = fit, .learning = learning};
    linpred__walk_rules rules = {.order = learning->order,
                                 .mistake = fit->options->mistake,
                                 .seed = (uint64_t)fit->options->seed,
                                 .max_updates = fit->options->max_updates};
    linpred__problem problem = {.data = learning->data, .has_intercept = !fit->options->no_intercept};
    problem.extents.radius.above = learning->radius;
    linpred_status status = linpred__walk_open(&run.walk, &fit->run, &problem, &rules, learning->w, learning->b, error);
    if (status != LINPRED_OK)
        return status;
    status = run_all(&run, error);
    linpred__walk_close(&run.walk);
    return status;
}

/* ---- the methods perceptron and pocket
 * ------------------------------------------------------------------------------- */

linpred_status linpred__check_start(const linpred_data *data, const linpred_options *options, linpred_error *error)
{
    const linpred_model *start = options->start;
    if (!start)
        return LINPRED_OK;
    if (start->task != LINPRED_TASK_HALFSPACE && start->task != LINPRED_TASK_LOGISTIC)
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "the start is a model of fit %s: only one of fit halfspace or logistic has weights to begin at",
            linpred_task_name(start->task));
    if (start->columns != data->columns)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "the start has %d features, the data has %d", start->columns,
                             data->columns);
    if (options->no_intercept && start->b != 0.0)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the start has an intercept, but the fit is through the origin");
    for (int32_t j = 0; !data->from_arrays && j < data->columns; j++) {
        const char *name = linpred__recipe_feature(data->recipe, j);
        const char *other = linpred__recipe_feature(start->recipe, j);
        if (strcmp(name, other) != 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "feature %d is '%.60s' in the data but '%.60s' in the start", j + 1, name, other);
    }
    return LINPRED_OK;
}

/* The start vector for a loop at rate 1, on the file's rows or the standardised copy. */
static linpred_status scaled_start(const linpred__fit *fit, const linpred__standard *standard, double **w, double *b,
                                   linpred_error *error)
{
    const linpred_model *start = fit->options->start;
    if (!start)
        return LINPRED_OK;
    double *copy = linpred__alloc((size_t)start->columns, sizeof(double));
    if (!copy)
        return linpred__no_memory(error);
    memcpy(copy, start->w, (size_t)start->columns * sizeof(double));
    double intercept = start->b;
    if (standard->data)
        linpred__standard_from_file(standard, copy, &intercept);
    for (int32_t j = 0; j < start->columns; j++)
        copy[j] /= fit->options->rate;
    *w = copy;
    *b = intercept / fit->options->rate;
    return LINPRED_OK;
}

static linpred_status learn_standardized(linpred__fit *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    linpred_model *model = &fit->result->model;
    linpred__standard standard = {0};
    linpred__learning learning = {.pocket = options->method == LINPRED_METHOD_POCKET, .order = options->order};
    linpred__fit asking = *fit; /* the same, but about the rows of the loop */
    double *start = NULL;
    linpred_status status = LINPRED_OK;
    if (options->standardize)
        status = linpred__standardize(fit->problem.data, !options->no_intercept, fit->run.pool, &standard, error);
    if (standard.data) {
        asking.problem.data = standard.data;
        asking.problem.extents = (linpred__row_extents){0};
        status = linpred__find_row_extents(asking.problem.data, fit->run.pool, !options->no_intercept, false,
                                           &asking.problem.extents, error);
    }
    learning.data = asking.problem.data;
    learning.radius = asking.problem.extents.radius.above;
    if (status == LINPRED_OK)
        status = scaled_start(fit, &standard, &start, &learning.b, error);
    learning.w = start;
    linpred__update_bound bound = {0};
    if (status == LINPRED_OK && options->bound)
        status = linpred__find_update_bound(&asking, &bound, error);
    learning.bound = &bound;
    if (status == LINPRED_OK)
        status = linpred__learn_perceptron(fit, &learning, error);
    fit->loop_radius = bound.radius;
    linpred__update_bound_clear(&bound);
    if (status == LINPRED_OK && standard.data)
        linpred__standard_to_file(&standard, model->w, &model->b);
    linpred__release(start);
    if (standard.data)
        linpred__row_extents_clear(&asking.problem.extents);
    linpred__standard_clear(&standard);
    return status;
}

linpred_status linpred__fit_perceptron(linpred__fit *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    bool pocket = options->method == LINPRED_METHOD_POCKET;
    if (pocket && options->order != LINPRED_ORDER_CYCLIC && options->order != LINPRED_ORDER_RANDOM)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--method pocket takes --order cyclic or random");
    if (!pocket && fit->problem.data->block[0].weight)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the perceptron takes no row weights; --method pocket counts them in its error");
    if (options->bound && (options->start || options->mistake == LINPRED_MISTAKE_SIGN))
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "--bound holds for runs from w = 0 by the rule margin: leave out --start and --mistake sign");
    linpred_status status = linpred__check_start(fit->problem.data, options, error);
    if (status == LINPRED_OK)
        status = learn_standardized(fit, error);
    if (status == LINPRED_OK)
        status = linpred__halfspace_report(fit, error);
    if (status != LINPRED_OK)
        return status;
    if (fit->loop_radius > 0)
        fit->result->info.radius = fit->loop_radius; /* in the units of the loop, as B and the bound are */
    linpred__claim_errors(fit);
    if (!pocket && fit->result->info.outcome == LINPRED_OUTCOME_LIMIT_REACHED)
        status = linpred__explain_limit(fit, error);
    return status;
}
