/* Method exact: the halfspace whose mistakes cost least, and a proof.
 *
 * The two-way question comes first: rows that can be separated need no more. The others are searched
 * (fit/fewest_errors/search.h).
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "data/data.h"
#include "fit/fewest_errors/limits.h"
#include "fit/fewest_errors/search.h"
#include "fit/halfspace.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/two_way.h"

/* ---- the result ---------------------------------------------------------------------------------------------------
 */

static void set_outcome(linpred__fit *fit, const linpred__two_way *decision, const linpred__fewest_errors *found)
{
    if (found->optimal && found->lower_bound < found->cost)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "no halfspace makes mistakes that cost less, to nine digits");
    else if (found->optimal)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL,
                         fit->options->cost ? "no halfspace makes mistakes that cost less"
                                            : "no halfspace makes fewer mistakes");
    else if (found->end == LINPRED__TREE_FULL)
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "the search has come to its limit of %d branches",
                         LINPRED__MAX_BRANCHES);
    else if (found->end == LINPRED__TREE_STUCK)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "integers separate more rows than any weights of doubles that were found");
    else if (fit->run.stopped != LINPRED__NOT_STOPPED)
        linpred__fit_end_stopped(fit);
    else if (decision->kind == LINPRED_SEPARATION_UNDECIDED)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "too many rows and columns for exact arithmetic; no halfspace has a margin above %.3g",
                         decision->margin_bound);
    else
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "what mistakes cost is too unequal for the last digits of the bound");
}

/* Nothing is known to separate the rows. */
static void assemble_search(linpred__fit *fit, linpred__two_way *decision, linpred__fewest_errors *found,
                            const double class_cost[2], const linpred__halfspace_tally *tally)
{
    linpred_result *result = fit->result;
    linpred__figures *info = &result->info;
    linpred__set_halfspace(fit, found->w, found->b, tally);
    linpred__set_decision_counts(info, decision);
    info->rounds = found->rounds;
    info->working_rows = found->working_rows;
    info->margin_bound = decision->margin_bound;
    info->cost = found->cost;
    info->objective = found->cost / linpred__shape_of(fit->problem.data).weight;
    info->lower_bound = found->lower_bound;
    info->cost_negative = class_cost[0];
    info->cost_positive = class_cost[1];
    set_outcome(fit, decision, found);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_FEWEST_ERRORS, true)->by.cover = found->proof;
    found->proof = (linpred__cover_proof){0};
    linpred__claim_margin_at_most(result, &decision->support);
    linpred__claim_figures(result);
}

/* `found` is NULL if a halfspace separates the rows. */
static void assemble(linpred__fit *fit, linpred__two_way *decision, linpred__fewest_errors *found,
                     const double class_cost[2], const linpred__halfspace_tally *tally)
{
    linpred__figures *info = &fit->result->info;
    if (found) {
        assemble_search(fit, decision, found, class_cost, tally);
        return;
    }
    linpred__assemble_decision(fit, decision, tally);
    info->cost = info->lower_bound = info->errors;
    linpred__claim_figures(fit->result);
}

/* ---- the questions ------------------------------------------------------------------------------------------------
 */

static linpred_status keep_separation(linpred__fit *fit, linpred__two_way *decision, linpred_error *error)
{
    linpred__halfspace_tally tally;
    linpred_status status =
        linpred__ask_halfspace_tally(&fit->run, &fit->problem, decision->w, decision->b, &tally, error);
    if (status == LINPRED_OK)
        assemble(fit, decision, NULL, NULL, &tally);
    return status;
}

static linpred_status search(linpred__fit *fit, linpred__two_way *decision, const double class_cost[2],
                             linpred_error *error)
{
    int32_t columns = fit->problem.data->columns;
    linpred__fewest_errors_question question = {.class_cost = {class_cost[0], class_cost[1]},
                                                .seed = (uint64_t)fit->options->seed,
                                                .w = decision->w,
                                                .b = decision->b};
    linpred__fewest_errors found;
    linpred__halfspace_tally tally;
    if (columns > LINPRED__EXACT_MAX_COLUMNS)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "the rows are not known to be separable, and %d features are too many for method exact (at most %d): use "
            "--method pocket",
            columns, LINPRED__EXACT_MAX_COLUMNS);
    linpred_status status = linpred__ask_fewest_errors(&fit->run, &fit->problem, &question, &found, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, found.w, found.b, &tally, error);
    if (status == LINPRED_OK)
        assemble(fit, decision, &found, class_cost, &tally);
    linpred__fewest_errors_clear(&found);
    return status;
}

linpred_status linpred__fit_fewest_errors(linpred__fit *fit, linpred_error *error)
{
    double class_cost[2];
    linpred__two_way decision;
    linpred_status status = linpred__read_mistake_costs(fit->options->cost, class_cost, error);
    if (status == LINPRED_OK)
        status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &decision, error);
    if (status != LINPRED_OK)
        return status;
    status = decision.kind == LINPRED_SEPARATION_SEPARATED ? keep_separation(fit, &decision, error)
                                                           : search(fit, &decision, class_cost, error);
    linpred__two_way_clear(&decision);
    return status;
}
