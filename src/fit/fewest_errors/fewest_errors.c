/* Method exact: the halfspace whose mistakes cost least, and the proof that none costs less.
 *
 * The two-way question comes first. If a halfspace separates the rows, the cost is 0. Many halfspaces have that cost;
 * of these the fit takes the one of largest margin, which does not depend on the order of the rows, unless doubles do
 * not reach it. Otherwise fit/fewest_errors/search.h searches for the smallest cost.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "data/data.h"
#include "fit/fewest_errors/limits.h"
#include "fit/fewest_errors/search.h"
#include "fit/largest_margin.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/two_way.h"

struct fewest_errors_answers {
    double class_cost[2]; /* what a mistake costs on a row labelled -1, and on one labelled +1 */
    linpred__two_way decision;
    linpred__both_margins margins;  /* empty unless a halfspace separates the rows, and this one is proved */
    linpred__fewest_errors found;   /* w is NULL if a halfspace separates the rows, so that nothing was searched */
    linpred__halfspace_tally tally; /* of the halfspace chosen */
};

/* ---- the result -------------------------------------------------------------------------------------------------- */

static linpred__ending find_cost_ending(const linpred__fit_context *fit, const linpred__two_way *decision,
                                        const linpred__fewest_errors *found)
{
    if (found->optimal && found->proof.direction.count > 0)
        return linpred__make_ending(
            LINPRED_OUTCOME_OPTIMAL,
            "the mistakes of integers cost %.9g, and no halfspace's cost less, but no weights of "
            "doubles whose mistakes cost as little were found",
            found->cost);
    if (found->optimal && found->lower_bound < found->cost)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                    "no halfspace makes mistakes that cost less, to nine digits");
    if (found->optimal)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL, fit->options->cost
                                                                 ? "no halfspace makes mistakes that cost less"
                                                                 : "no halfspace makes fewer mistakes");
    if (found->end == LINPRED__TREE_FULL)
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED, "the search has come to its limit of %d branches",
                                    LINPRED__MAX_BRANCHES);
    if (found->end == LINPRED__TREE_STUCK)
        return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                    "exact arithmetic did not tell whether some rows can be separated");
    if (fit->run.stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(&fit->run);
    if (decision->kind == LINPRED_SEPARATION_UNDECIDED)
        return linpred__make_ending(
            LINPRED_OUTCOME_UNDECIDED,
            "too many rows and columns for exact arithmetic; no halfspace has a margin above %.3g",
            decision->margin_bound);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "what mistakes cost is too unequal for the last digits of the bound");
}

/* The result of a search. */
static void assemble_search(linpred__fit_context *fit, struct fewest_errors_answers *answers)
{
    linpred_result *result = fit->result;
    linpred__figures *figures = &result->figures;
    linpred__two_way *decision = &answers->decision;
    linpred__fewest_errors *found = &answers->found;
    linpred__ending ending = find_cost_ending(fit, decision, found);
    linpred__set_weights(fit, found->w, found->b, &answers->tally);
    figures->margin = answers->tally.margin;
    figures->margin_without_intercept = answers->tally.margin_without_intercept;
    figures->updates = decision->updates;
    figures->passes = decision->passes;
    figures->solver_seconds = decision->solver_seconds;
    figures->rounds = found->rounds;
    figures->working_rows = found->working_rows;
    figures->cost = found->cost;
    const double *wrong = answers->tally.wrong, *each = answers->class_cost;
    double cost = found->proof.direction.count > 0 ? each[0] * wrong[0] + each[1] * wrong[1] : found->cost;
    figures->objective = cost / linpred__shape_of(fit->problem.data).weight;
    figures->lower_bound = found->lower_bound;
    figures->cost_negative = answers->class_cost[0];
    figures->cost_positive = answers->class_cost[1];
    linpred__set_ending(figures, &ending);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_FEWEST_ERRORS, true)->by.cover = found->proof;
    found->proof = (linpred__cover_proof){0};
    linpred__claim_margin_at_most(result, decision->margin_bound, &decision->support);
    linpred__claim_figures(result);
}

static void assemble(linpred__fit_context *fit, struct fewest_errors_answers *answers)
{
    linpred__figures *figures = &fit->result->figures;
    if (answers->found.w) {
        assemble_search(fit, answers);
        return;
    }
    if (answers->margins.largest.w) {
        linpred__ending ending =
            linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "separable, by the halfspace of largest margin");
        linpred__assemble_margin(fit, &answers->decision, &answers->margins, &answers->tally, false);
        linpred__set_ending(figures, &ending);
        /* Nobody asked for the margin: the claim, if there is one, is a detail. */
        linpred__claims *claims = &fit->result->claims;
        for (int32_t i = 0; i < claims->count; i++)
            if (claims->claim[i].kind == LINPRED_CLAIM_LARGEST_MARGIN)
                claims->claim[i].main = false;
    } else {
        linpred__ending ending = linpred__decision_ending(&fit->run, &answers->decision);
        linpred__assemble_decision(fit, &answers->decision, &answers->tally, &ending);
    }
    figures->cost = figures->errors;
    figures->lower_bound = 0.0; /* the rows are separated, if only by integers: then the model makes mistakes itself */
    linpred__claim_figures(fit->result);
}

/* ---- the questions ----------------------------------------------------------------------------------------------- */

static linpred_status ask_search(linpred__fit_context *fit, struct fewest_errors_answers *answers, linpred_error *error)
{
    int32_t columns = fit->problem.data->columns;
    linpred__fewest_errors_question question = {.class_cost = {answers->class_cost[0], answers->class_cost[1]},
                                                .seed = (uint64_t)fit->options->seed,
                                                .w = answers->decision.w,
                                                .b = answers->decision.b};
    if (columns > LINPRED__EXACT_MAX_COLUMNS)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "the rows are not known to be separable, and %d features are too many for method exact (at most %d): use "
            "--method pocket",
            columns, LINPRED__EXACT_MAX_COLUMNS);
    return linpred__ask_fewest_errors(&fit->run, &fit->problem, &question, &answers->found, error);
}

/* Asks for the largest margin. Keeps it if it was found and makes no mistake. */
static linpred_status ask_separated(linpred__fit_context *fit, struct fewest_errors_answers *answers,
                                    linpred_error *error)
{
    linpred__both_margins *margins = &answers->margins;
    const linpred__two_way *decision = &answers->decision;
    if (decision->direction.count > 0) /* only integers separate the rows */
        return LINPRED_OK;
    linpred_status status = linpred__ask_margins(fit, decision, margins, &answers->tally, error);
    bool found = margins->better && margins->largest.end == LINPRED__MARGIN_FOUND && answers->tally.errors == 0.0;
    if (status == LINPRED_OK && !found) {
        linpred__both_margins_clear(margins);
        *margins = (linpred__both_margins){0};
    }
    return status;
}

linpred_status linpred__fit_fewest_errors(linpred__fit_context *fit, linpred_error *error)
{
    struct fewest_errors_answers answers = {0};
    linpred__two_way *decision = &answers.decision;
    linpred__fewest_errors *found = &answers.found;
    linpred_status status = linpred__read_mistake_costs(fit->options->cost, answers.class_cost, error);
    if (status == LINPRED_OK)
        status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, decision, error);
    if (status == LINPRED_OK)
        status = decision->kind == LINPRED_SEPARATION_SEPARATED ? ask_separated(fit, &answers, error)
                                                                : ask_search(fit, &answers, error);
    if (status == LINPRED_OK && !answers.margins.largest.w)
        status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, found->w ? found->w : decision->w,
                                              found->w ? found->b : decision->b, &answers.tally, error);
    if (status == LINPRED_OK)
        assemble(fit, &answers);
    linpred__fewest_errors_clear(found);
    linpred__both_margins_clear(&answers.margins);
    linpred__two_way_clear(decision);
    return status;
}
