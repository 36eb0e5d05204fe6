/* What results of halfspaces have in common (see halfspace.h). */
#include "fit/halfspace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

void linpred__set_halfspace(linpred__fit_context *fit, const double *w, double b, const linpred__halfspace_tally *tally)
{
    linpred_model *model = &fit->result->model;
    linpred__figures *figures = &fit->result->figures;
    double radius = fit->problem.extents.radius.nearest;
    memmove(model->w, w, (size_t)model->columns * sizeof(double));
    model->b = b;
    figures->radius = isfinite(radius) ? radius : NAN;
    figures->errors = tally->errors;
    figures->objective = tally->errors / tally->weight;
    figures->perceptron_loss = tally->loss / tally->weight;
    figures->margin = tally->margin;
    figures->margin_without_intercept = tally->margin_without_intercept;
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

void linpred__set_perceptron_outcome(linpred__fit_context *fit, const linpred__perceptron_question *question,
                                     const linpred__perceptron *learned)
{
    switch (learned->end) {
    case LINPRED__PERCEPTRON_CLEAN_PASS:
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "a whole pass went by without a mistake");
        break;
    case LINPRED__PERCEPTRON_NO_ERRORS:
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "a halfspace without mistakes was found");
        break;
    case LINPRED__PERCEPTRON_MAX_UPDATES:
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-updates %" PRId64,
                         question->max_updates);
        break;
    case LINPRED__PERCEPTRON_MAX_PASSES:
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-passes %" PRId64, question->max_passes);
        break;
    case LINPRED__PERCEPTRON_PATIENCE:
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped after %" PRId64 " passes without fewer mistakes",
                         question->patience);
        break;
    case LINPRED__PERCEPTRON_RANGE:
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped because the weights leave the range of double");
        break;
    case LINPRED__PERCEPTRON_STOPPED:
        linpred__fit_end_stopped(fit);
        break;
    case LINPRED__PERCEPTRON_ENDED:
        linpred__fit_end(fit, LINPRED_OUTCOME_STOPPED, "stopped when asked to");
        break;
    }
}

void linpred__correct_outcome(linpred__fit_context *fit)
{
    const linpred__figures *figures = &fit->result->figures;
    if (figures->errors == 0.0 && figures->outcome != LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "the weights reached at the end make no mistake");
    else if (figures->errors > 0.0 && figures->outcome == LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         fit->options->mistake == LINPRED_MISTAKE_SIGN
                             ? "no mistakes by the rule sign, but rows on the boundary count as errors"
                             : "no mistakes while learning, but some after the weights were put in the file's units");
}

/* ---- the two-way answer ------------------------------------------------------------------------------------------ */

void linpred__set_decision_counts(linpred__figures *figures, const linpred__two_way *found)
{
    figures->rounds = found->rounds;
    figures->solver_seconds = found->solver_seconds;
    figures->working_rows = found->working_rows;
    figures->passes = found->passes;
    figures->updates = found->updates;
}

static void claim_separated(linpred__fit_context *fit, linpred__two_way *found)
{
    linpred__claim *claim = linpred__claims_add(&fit->result->claims, LINPRED_CLAIM_SEPARATES, true);
    linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED,
                     found->direction.count > 0
                         ? "integers separate the rows, but no weights of doubles were found that do"
                         : "a halfspace with every row on its right side was found");
    claim->by.direction = found->direction;
    found->direction = (linpred__direction){0};
}

static void claim_not_separated(linpred__fit_context *fit, linpred__two_way *found)
{
    int64_t count = found->witness.count;
    if (count == 1)
        linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE,
                         "a row of zeros is on the right side of no halfspace through the origin");
    else
        linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE,
                         "%lld rows cannot be separated by any halfspace: a positive combination of them is zero",
                         (long long)count);
    linpred__claim_inseparable(fit->result, &found->witness);
}

static void claim_undecided(linpred__fit_context *fit, linpred__two_way *found)
{
    linpred_result *result = fit->result;
    if (found->stopped)
        linpred__fit_end_stopped(fit);
    else
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "too many rows and columns for exact arithmetic; no halfspace has a margin above %.3g",
                         found->margin_bound);
    result->figures.margin_bound = found->margin_bound;
    if (!(found->margin_bound >= 0)) {
        linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
        return;
    }
    linpred__claim *claim = linpred__claims_add(&result->claims, LINPRED_CLAIM_MARGIN_AT_MOST, true);
    claim->by.support = found->support;
    found->support = (linpred__support){0};
}

void linpred__assemble_decision(linpred__fit_context *fit, linpred__two_way *found,
                                const linpred__halfspace_tally *tally)
{
    linpred__set_halfspace(fit, found->w, found->b, tally);
    linpred__set_decision_counts(&fit->result->figures, found);
    if (found->kind == LINPRED_SEPARATION_SEPARATED)
        claim_separated(fit, found);
    else if (found->kind == LINPRED_SEPARATION_INSEPARABLE)
        claim_not_separated(fit, found);
    else
        claim_undecided(fit, found);
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

void linpred__claim_errors(linpred_result *result)
{
    bool separates = result->figures.errors == 0.0;
    linpred__claims_add(&result->claims, separates ? LINPRED_CLAIM_SEPARATES : LINPRED_CLAIM_ERRORS, true);
}

void linpred__claim_inseparable(linpred_result *result, linpred__combination *witness)
{
    linpred__claims_add(&result->claims, LINPRED_CLAIM_INSEPARABLE, true)->by.combination = *witness;
    *witness = (linpred__combination){0};
}

void linpred__claim_margin_at_most(linpred_result *result, linpred__support *support)
{
    if (support->count == 0 || !isfinite(result->figures.margin_bound)) {
        result->figures.margin_bound = NAN;
        return;
    }
    linpred__claims_add(&result->claims, LINPRED_CLAIM_MARGIN_AT_MOST, false)->by.support = *support;
    *support = (linpred__support){0};
}

void linpred__claim_figures(linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    linpred__claims *claims = &result->claims;
    linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, false);
    linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    if (!isnan(figures->margin) || !isnan(figures->margin_without_intercept))
        linpred__claims_add(claims, LINPRED_CLAIM_MARGIN, false);
    if (!isnan(figures->lower_bound))
        linpred__claims_add(claims, LINPRED_CLAIM_FEWEST_ERRORS, false);
    if (!isnan(figures->update_bound) || !isnan(figures->norm))
        linpred__claims_add(claims, LINPRED_CLAIM_UPDATE_BOUND, false);
}
