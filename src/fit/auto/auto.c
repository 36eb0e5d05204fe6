/* Method auto: the largest margin if a halfspace separates the rows, else a halfspace with few mistakes.
 *
 * If nothing separates the rows, or if that is undecided, pocket starts from the least-squares fit of the labels, and a
 * local search improves what pocket found. The result keeps the proof that nothing separates the rows.
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/auto/limits.h"
#include "fit/largest_margin.h"
#include "separate/local_search.h"
#include "separate/start.h"
#include "separate/two_way.h"

/* The answers. One that was not asked for is all zero. */
struct auto_answers {
    linpred__two_way decision;
    linpred__both_margins margins;         /* asked if a halfspace separates the rows */
    linpred__perceptron_question question; /* what pocket is asked */
    linpred__perceptron pocket;            /* asked if no halfspace is known to separate the rows */
    linpred__local_search search;
    linpred__halfspace_tally tally; /* of the halfspace chosen */
};

/* ---- the result -------------------------------------------------------------------------------------------------- */

/* The ending says first whether the rows are separable, then how pocket ended. */
static linpred__ending find_pocket_ending(const linpred__fit_context *fit, const struct auto_answers *answers)
{
    int64_t witnesses = answers->decision.witness.count;
    bool stopped = fit->run.stopped != LINPRED__NOT_STOPPED; /* in pocket or in the local search */
    linpred__ending searched = stopped ? linpred__stopped_ending(&fit->run)
                                       : linpred__perceptron_ending(&fit->run, &answers->question, answers->pocket.end);
    linpred__ending pocket = linpred__counted_ending(&searched, answers->tally.errors, answers->question.mistake);
    if (pocket.outcome != LINPRED_OUTCOME_LIMIT_REACHED)
        return pocket;
    if (witnesses > 0)
        return linpred__make_ending(LINPRED_OUTCOME_INSEPARABLE,
                                    "no halfspace separates the rows (%lld of them prove%s it); pocket %.99s",
                                    (long long)witnesses, witnesses == 1 ? "s" : "", pocket.reason);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "too large to decide whether a halfspace separates the rows; pocket %.99s",
                                pocket.reason);
}

static void assemble_pocket(linpred__fit_context *fit, struct auto_answers *answers)
{
    linpred_result *result = fit->result;
    linpred__figures *figures = &result->figures;
    const linpred__local_search *search = &answers->search;
    linpred__ending ending = find_pocket_ending(fit, answers);
    figures->method = LINPRED_METHOD_POCKET;
    linpred__set_halfspace(fit, search->better ? search->w : answers->pocket.w,
                           search->better ? search->b : answers->pocket.b, &answers->tally);
    figures->rounds = answers->decision.rounds;
    figures->solver_seconds = answers->decision.solver_seconds;
    figures->working_rows = answers->decision.working_rows;
    figures->updates = answers->pocket.updates;
    figures->passes = answers->pocket.passes;
    linpred__set_ending(figures, &ending);
    linpred__claim_errors(result);
    if (answers->decision.witness.count > 0)
        linpred__claim_inseparable(result, &answers->decision.witness);
    linpred__claim_margin_at_most(result, answers->decision.margin_bound, &answers->decision.support);
    linpred__claim_figures(result);
}

static void assemble(linpred__fit_context *fit, struct auto_answers *answers)
{
    if (answers->margins.largest.w) {
        fit->result->figures.method = LINPRED_METHOD_MARGIN;
        linpred__assemble_margin(fit, &answers->decision, &answers->margins, &answers->tally, false);
    } else if (answers->pocket.w) {
        assemble_pocket(fit, answers);
    } else {
        linpred__ending ending = linpred__decision_ending(&fit->run, &answers->decision);
        linpred__assemble_decision(fit, &answers->decision, &answers->tally, &ending);
        linpred__claim_figures(fit->result);
    }
}

/* ---- the questions ----------------------------------------------------------------------------------------------- */

static linpred_status ask_tally(linpred__fit_context *fit, const double *w, double b, struct auto_answers *answers,
                                linpred_error *error)
{
    return linpred__ask_halfspace_tally(&fit->run, &fit->problem, w, b, &answers->tally, error);
}

/* Scales the start of pocket to ten times the longest row, so that one update changes its direction only a little. If
   the factor is beyond the range of doubles, as for rows of 1e154 and weights of 1e-154, the start stays as it is. */
static void stretch(const linpred__problem *problem, double *w, double *b)
{
    double norm = fabs(*b), radius = problem->extents.radius.nearest;
    for (int32_t j = 0; j < problem->data->columns; j++)
        norm = fmax(norm, fabs(w[j]));
    double factor = 10.0 * radius / norm;
    if (!isfinite(factor))
        return;
    for (int32_t j = 0; j < problem->data->columns; j++)
        w[j] *= factor;
    *b *= factor;
}

static linpred_status ask_pocket(linpred__fit_context *fit, struct auto_answers *answers, linpred_error *error)
{
    const linpred_options *options = fit->options;
    linpred__perceptron_question *question = &answers->question;
    *question = (linpred__perceptron_question){
        .pocket = true,
        .order = LINPRED_ORDER_RANDOM,
        .mistake = options->mistake,
        .seed = (uint64_t)options->seed,
        .max_updates = options->max_updates,
        .max_passes = options->max_passes,
        .rate = options->rate,
        .patience = LINPRED__AUTO_PATIENCE + LINPRED__AUTO_PATIENCE_ROWS / fit->problem.data->rows,
    };
    double *start = linpred__calloc((size_t)fit->problem.data->columns, sizeof *start);
    if (!start)
        return linpred__no_memory(error);
    if (linpred__find_least_squares_start(&fit->run, &fit->problem, start, &question->b)) {
        stretch(&fit->problem, start, &question->b);
        question->w = start;
    }
    linpred_status status = linpred__ask_perceptron(&fit->run, &fit->problem, question, &answers->pocket, error);
    question->w = NULL;
    linpred__release(start);
    return status;
}

static linpred_status ask_few_mistakes(linpred__fit_context *fit, struct auto_answers *answers, linpred_error *error)
{
    linpred_status status = ask_pocket(fit, answers, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__perceptron *pocket = &answers->pocket;
    linpred__local_search *search = &answers->search;
    bool faultless = pocket->end == LINPRED__PERCEPTRON_CLEAN_PASS || pocket->end == LINPRED__PERCEPTRON_NO_ERRORS;
    if (!faultless && fit->run.stopped == LINPRED__NOT_STOPPED)
        status = linpred__ask_local_search(&fit->run, &fit->problem, (uint64_t)fit->options->seed, pocket->w, pocket->b,
                                           search, error);
    if (status != LINPRED_OK)
        return status;
    return search->better ? ask_tally(fit, search->w, search->b, answers, error)
                          : ask_tally(fit, pocket->w, pocket->b, answers, error);
}

linpred_status linpred__fit_auto(linpred__fit_context *fit, linpred_error *error)
{
    struct auto_answers answers = {0};
    const linpred__two_way *decision = &answers.decision;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &answers.decision, error);
    if (status != LINPRED_OK)
        return status;
    if (decision->kind == LINPRED_SEPARATION_SEPARATED)
        status = linpred__ask_margins(fit, decision, &answers.margins, &answers.tally, error);
    else if (!decision->stopped)
        status = ask_few_mistakes(fit, &answers, error);
    else
        status = ask_tally(fit, decision->w, decision->b, &answers, error);
    if (status == LINPRED_OK)
        assemble(fit, &answers);
    linpred__two_way_clear(&answers.decision);
    linpred__both_margins_clear(&answers.margins);
    linpred__perceptron_clear(&answers.pocket);
    linpred__local_search_clear(&answers.search);
    return status;
}
