/* The methods perceptron and pocket: the loop of separate/perceptron.h, on the rows of the file or with --standardize
 * on a standardised copy. The weights for the copy are turned back into the units of the file.
 *
 * With --bound the largest margin of the rows is found first, because it bounds the updates. If the perceptron ends at
 * a limit, the two-way question is asked: it tells whether more updates could have ended the loop.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/halfspace.h"
#include "fit/perceptron/update_bound.h"
#include "fit/start.h"
#include "pass/row_extents.h"
#include "pass/standardize.h"
#include "separate/separated.h"

struct perceptron_answers {
    linpred__perceptron_question question;
    linpred__perceptron learned; /* at the end w, b are in the units of the file */
    linpred__update_bound bound;
    linpred__halfspace_tally tally;
    bool explained; /* `decision` has been asked */
    linpred__separated decision;
};

/* ---- the result -------------------------------------------------------------------------------------------------- */

/* Whether the loop ended at a limit, and its weights make mistakes. */
static bool is_at_limit(const linpred__fit_context *fit, const struct perceptron_answers *answers)
{
    switch (answers->learned.end) {
    case LINPRED__PERCEPTRON_CLEAN_PASS:
    case LINPRED__PERCEPTRON_NO_ERRORS:
    case LINPRED__PERCEPTRON_ENDED:
        return false;
    case LINPRED__PERCEPTRON_STOPPED:
        return fit->run.stopped == LINPRED__STOPPED_BY_TIME && answers->tally.errors > 0.0;
    default:
        return answers->tally.errors > 0.0;
    }
}

/* If the loop ended at a limit, the ending says whether more updates could have ended it. */
static linpred__ending find_perceptron_ending(const linpred__fit_context *fit, const struct perceptron_answers *answers)
{
    linpred__ending loop = linpred__perceptron_ending(&fit->run, &answers->question, answers->learned.end);
    linpred__ending counted = linpred__counted_ending(&loop, answers->tally.errors, answers->question.mistake);
    int64_t count = answers->decision.witness.count;
    if (answers->explained && answers->decision.kind == LINPRED_SEPARATION_INSEPARABLE)
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED,
                                    "%.100s; it could never have ended, since %lld row%s cannot be separated",
                                    counted.reason, (long long)count, linpred__plural((double)count));
    if (answers->explained && answers->decision.kind == LINPRED_SEPARATION_SEPARATED)
        return linpred__make_ending(
            LINPRED_OUTCOME_LIMIT_REACHED,
            "%.100s; the rows are separable (--method margin finds how), so more updates would end it", counted.reason);
    return counted;
}

/* Claims what was found out about rows that the loop did not separate. */
static void claim_decision(linpred_result *result, linpred__separated *decision)
{
    if (decision->kind == LINPRED_SEPARATION_INSEPARABLE) {
        linpred__claim_inseparable(result, &decision->witness);
    } else if (decision->kind == LINPRED_SEPARATION_SEPARATED) {
        linpred__claims_add(&result->claims, LINPRED_CLAIM_SEPARATES, false)->by.direction = decision->direction;
        decision->direction = (linpred__direction){0};
    }
}

/* States the bound on updates. Norm and bound are, as the figure `radius` is then, in the units of the loop.
   Standardised rows have another largest margin than the rows of the file, so its bound is not stated for them. */
static void claim_bound(linpred__fit_context *fit, linpred__update_bound *bound)
{
    linpred_result *result = fit->result;
    if (!fit->options->standardize)
        linpred__claim_margin_at_most(result, bound->margin_bound, &bound->support);
    linpred__claim_update_bound(result, bound->norm, bound->updates, &bound->weights);
}

static void assemble(linpred__fit_context *fit, struct perceptron_answers *answers)
{
    linpred__figures *figures = &fit->result->figures;
    linpred__ending ending = find_perceptron_ending(fit, answers);
    double radius =
        answers->bound.found && answers->bound.radius > 0 ? answers->bound.radius : fit->problem.extents.radius.nearest;
    linpred__set_halfspace_of_radius(fit, answers->learned.w, answers->learned.b, &answers->tally, radius);
    figures->updates = answers->learned.updates;
    figures->passes = answers->learned.passes;
    linpred__set_ending(figures, &ending);
    linpred__claim_errors(fit->result);
    if (answers->explained)
        claim_decision(fit->result, &answers->decision);
    linpred__claim_figures(fit->result);
    if (answers->bound.found)
        claim_bound(fit, &answers->bound);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* The context of `tell`, which passes every update on to the caller's on_update. */
struct trace {
    const linpred__fit_context *fit;
    const linpred__update_bound *bound;
};

static bool tell(void *context, int64_t row, linpred_update *update)
{
    const struct trace *trace = context;
    const linpred_options *options = trace->fit->options;
    update->row = linpred_data_source_row(trace->fit->problem.data, row);
    if (trace->bound->w)
        linpred__update_bound_step(trace->bound, update);
    return options->on_update(options->update_context, update);
}

/* The start vector for a loop at rate 1, on the file's rows or the standardised copy. */
static linpred_status scale_start(const linpred__fit_context *fit, const linpred__standard *standard, double **w,
                                  double *b, linpred_error *error)
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

/* Runs the loop on the rows of `problem`: those of the file, or of the standardised copy. */
static linpred_status learn(linpred__fit_context *fit, const linpred__problem *problem,
                            const linpred__standard *standard, struct perceptron_answers *answers, linpred_error *error)
{
    const linpred_options *options = fit->options;
    linpred__perceptron_question *question = &answers->question;
    struct trace trace = {fit, &answers->bound};
    double *start = NULL;
    *question = (linpred__perceptron_question){
        .pocket = fit->method == LINPRED_METHOD_POCKET,
        .order = options->order,
        .mistake = options->mistake,
        .seed = (uint64_t)options->seed,
        .max_updates = options->max_updates,
        .max_passes = options->max_passes,
        .rate = options->rate,
        .on_update = options->on_update ? tell : NULL,
        .context = &trace,
    };
    linpred_status status = scale_start(fit, standard, &start, &question->b, error);
    question->w = start;
    if (status == LINPRED_OK && options->bound)
        status = linpred__find_update_bound(&fit->run, problem, &answers->bound, error);
    if (status == LINPRED_OK)
        status = linpred__ask_perceptron(&fit->run, problem, question, &answers->learned, error);
    linpred__release(start);
    question->w = NULL;
    question->context = NULL;
    return status;
}

static linpred_status learn_standardized(linpred__fit_context *fit, struct perceptron_answers *answers,
                                         linpred_error *error)
{
    bool has_intercept = fit->problem.has_intercept;
    linpred__standard standard = {0};
    linpred_status status = linpred__standardize(fit->problem.data, has_intercept, fit->run.pool, &standard, error);
    if (status != LINPRED_OK)
        return status;
    linpred__problem problem = {.data = standard.data, .has_intercept = has_intercept};
    status = linpred__find_row_extents(problem.data, fit->run.pool, has_intercept, false, &problem.extents, error);
    if (status == LINPRED_OK)
        status = learn(fit, &problem, &standard, answers, error);
    if (status == LINPRED_OK)
        linpred__standard_to_file(&standard, answers->learned.w, &answers->learned.b);
    linpred__row_extents_clear(&problem.extents);
    linpred__standard_clear(&standard);
    return status;
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

static linpred_status check(const linpred__fit_context *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    bool pocket = fit->method == LINPRED_METHOD_POCKET;
    if (!pocket && fit->problem.data->block[0].weight)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the perceptron takes no row weights; --method pocket counts them in its error");
    if (options->bound && (options->start || options->mistake == LINPRED_MISTAKE_SIGN))
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "--bound holds for runs from w = 0 by the rule margin: leave out --start and --mistake sign");
    return linpred__check_start(fit->problem.data, options, error);
}

static linpred_status ask_perceptron_questions(linpred__fit_context *fit, struct perceptron_answers *answers,
                                               linpred_error *error)
{
    const linpred__standard as_they_are = {0};
    linpred_status status = fit->options->standardize ? learn_standardized(fit, answers, error)
                                                      : learn(fit, &fit->problem, &as_they_are, answers, error);
    if (status == LINPRED_OK) /* the weights of a standardised copy may leave the range in the units of the file */
        status = linpred__check_weights_range(fit->problem.data, answers->learned.w, answers->learned.b, error);
    if (status == LINPRED_OK)
        status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, answers->learned.w, answers->learned.b,
                                              &answers->tally, error);
    if (status != LINPRED_OK || answers->question.pocket || !is_at_limit(fit, answers) ||
        linpred__run_seconds(&fit->run) >= fit->run.max_seconds) /* no time left to ask */
        return status;
    status = linpred__ask_separated(&fit->run, &fit->problem, 0.0, NULL, 0.0, &answers->decision, error);
    answers->explained = status == LINPRED_OK;
    return status;
}

linpred_status linpred__fit_perceptron(linpred__fit_context *fit, linpred_error *error)
{
    struct perceptron_answers answers = {0};
    linpred_status status = check(fit, error);
    if (status == LINPRED_OK)
        status = ask_perceptron_questions(fit, &answers, error);
    if (status == LINPRED_OK)
        assemble(fit, &answers);
    linpred__perceptron_clear(&answers.learned);
    linpred__update_bound_clear(&answers.bound);
    linpred__separated_clear(&answers.decision);
    return status;
}
