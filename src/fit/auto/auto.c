/* Method auto: the largest margin if a halfspace separates the rows, else a halfspace with few mistakes.
 *
 * If nothing separates the rows, or if that is undecided, pocket starts from the least-squares fit of the labels, the
 * minimum of the logistic loss is tried beside it, and a local search improves the better of both. The result keeps the
 * proof that nothing separates the rows.
 */
#include <math.h>

#include "core/error.h"
#include "fit/largest_margin.h"
#include "separate/few_mistakes.h"
#include "separate/two_way.h"

/* The answers. One that was not asked for is all zero. */
struct auto_answers {
    linpred__two_way decision;
    linpred__both_margins margins;       /* asked if a halfspace separates the rows */
    linpred__perceptron_question pocket; /* the limits of pocket */
    linpred__few_mistakes few_mistakes;  /* asked if no halfspace is known to separate the rows */
    linpred__halfspace_tally tally;      /* of the halfspace chosen */
};

/* ---- the result -------------------------------------------------------------------------------------------------- */

/* The ending says first whether the rows are separable, then how pocket ended. */
static linpred__ending find_pocket_ending(const linpred__fit_context *fit, const struct auto_answers *answers)
{
    int64_t witnesses = answers->decision.witness.count;
    bool stopped = fit->run.stopped != LINPRED__NOT_STOPPED; /* in pocket or in the local search */
    linpred__ending searched =
        stopped ? linpred__stopped_ending(&fit->run)
                : linpred__perceptron_ending(&fit->run, &answers->pocket, answers->few_mistakes.pocket_end);
    linpred__ending pocket = linpred__counted_ending(&searched, answers->tally.errors, answers->pocket.mistake);
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
    const linpred__few_mistakes *found = &answers->few_mistakes;
    linpred__ending ending = find_pocket_ending(fit, answers);
    figures->method = LINPRED_METHOD_POCKET;
    linpred__set_halfspace(fit, found->w, found->w[fit->problem.data->columns], &answers->tally);
    figures->rounds = answers->decision.rounds;
    figures->solver_seconds = answers->decision.solver_seconds;
    figures->working_rows = answers->decision.working_rows;
    figures->updates = found->pocket_updates;
    figures->passes = found->pocket_passes;
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
    } else if (answers->few_mistakes.w) {
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

static linpred_status ask_few_mistakes(linpred__fit_context *fit, struct auto_answers *answers, linpred_error *error)
{
    const linpred_options *options = fit->options;
    const linpred__two_way *decision = &answers->decision;
    answers->pocket = linpred__usual_pocket(fit->problem.data, (uint64_t)options->seed);
    answers->pocket.mistake = options->mistake;
    answers->pocket.max_updates = options->max_updates;
    answers->pocket.max_passes = options->max_passes;
    answers->pocket.rate = options->rate;
    linpred__few_mistakes_question question = {.class_cost = {1.0, 1.0},
                                               .seed = (uint64_t)options->seed,
                                               .pocket = answers->pocket,
                                               .w = decision->w,
                                               .b = decision->b};
    linpred_status status =
        linpred__ask_few_mistakes(&fit->run, &fit->problem, &question, &answers->few_mistakes, error);
    answers->tally = answers->few_mistakes.tally;
    return status;
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
    linpred__few_mistakes_clear(&answers.few_mistakes);
    return status;
}
