/* What results of halfspaces have in common (see halfspace.h). */
#include "fit/halfspace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

static void set_weights(linpred__fit_context *fit, const double *w, double b, const linpred__halfspace_tally *tally,
                        double radius)
{
    linpred_model *model = &fit->result->model;
    linpred__figures *figures = &fit->result->figures;
    memmove(model->w, w, (size_t)model->columns * sizeof(double));
    model->b = b;
    figures->radius = isfinite(radius) ? radius : NAN;
    figures->errors = tally->errors;
    figures->perceptron_loss = tally->loss / tally->weight;
}

void linpred__set_weights(linpred__fit_context *fit, const double *w, double b, const linpred__halfspace_tally *tally)
{
    set_weights(fit, w, b, tally, fit->problem.extents.radius.nearest);
}

void linpred__set_halfspace(linpred__fit_context *fit, const double *w, double b, const linpred__halfspace_tally *tally)
{
    linpred__set_halfspace_of_radius(fit, w, b, tally, fit->problem.extents.radius.nearest);
}

void linpred__set_halfspace_of_radius(linpred__fit_context *fit, const double *w, double b,
                                      const linpred__halfspace_tally *tally, double radius)
{
    linpred__figures *figures = &fit->result->figures;
    set_weights(fit, w, b, tally, radius);
    figures->objective = tally->errors / tally->weight;
    figures->margin = tally->margin;
    figures->margin_without_intercept = tally->margin_without_intercept;
}

linpred_status linpred__check_weights_range(const linpred_data *data, const double *w, double b, linpred_error *error)
{
    for (int32_t j = 0; j < data->columns; j++)
        if (!isfinite(w[j]))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the weight of '%.60s' is beyond the range of numbers: change the unit of its column",
                                 linpred__recipe_feature(data->recipe, j));
    if (!isfinite(b))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the intercept is beyond the range of numbers: change the units of the columns");
    return LINPRED_OK;
}

/* ---- endings ----------------------------------------------------------------------------------------------------- */

linpred__ending linpred__perceptron_ending(const linpred__run *run, const linpred__perceptron_question *question,
                                           linpred__perceptron_end end)
{
    switch (end) {
    case LINPRED__PERCEPTRON_CLEAN_PASS:
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "a whole pass went by without a mistake");
    case LINPRED__PERCEPTRON_NO_ERRORS:
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "a halfspace without mistakes was found");
    case LINPRED__PERCEPTRON_MAX_UPDATES:
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-updates %" PRId64,
                                    question->max_updates);
    case LINPRED__PERCEPTRON_MAX_PASSES:
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-passes %" PRId64,
                                    question->max_passes);
    case LINPRED__PERCEPTRON_PATIENCE:
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED,
                                    "stopped after %" PRId64 " passes without fewer mistakes", question->patience);
    case LINPRED__PERCEPTRON_RANGE:
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED,
                                    "stopped because the weights leave the range of double");
    case LINPRED__PERCEPTRON_ENDED:
        return linpred__make_ending(LINPRED_OUTCOME_STOPPED, "stopped when asked to");
    case LINPRED__PERCEPTRON_STOPPED:
        break;
    }
    return linpred__stopped_ending(run);
}

linpred__ending linpred__counted_ending(const linpred__ending *ending, double errors, linpred_mistake rule)
{
    bool separated = ending->outcome == LINPRED_OUTCOME_SEPARATED;
    if (errors == 0.0 && !separated)
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "the weights reached at the end make no mistake");
    if (errors > 0.0 && separated)
        return linpred__make_ending(
            LINPRED_OUTCOME_UNDECIDED,
            rule == LINPRED_MISTAKE_SIGN
                ? "no mistakes by the rule sign, but rows on the boundary count as errors"
                : "no mistakes while learning, but some after the weights were put in the file's units");
    return *ending;
}

linpred__ending linpred__decision_ending(const linpred__run *run, const linpred__two_way *found)
{
    int64_t count = found->witness.count;
    if (found->kind == LINPRED_SEPARATION_SEPARATED)
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED,
                                    found->direction.count > 0
                                        ? "integers separate the rows, but no weights of doubles were found that do"
                                        : "a halfspace with every row on its right side was found");
    if (found->kind == LINPRED_SEPARATION_INSEPARABLE && count == 1)
        return linpred__make_ending(LINPRED_OUTCOME_INSEPARABLE,
                                    "a row of zeros is on the right side of no halfspace through the origin");
    if (found->kind == LINPRED_SEPARATION_INSEPARABLE)
        return linpred__make_ending(
            LINPRED_OUTCOME_INSEPARABLE,
            "%lld rows cannot be separated by any halfspace: a positive combination of them is zero", (long long)count);
    if (found->stopped)
        return linpred__stopped_ending(run);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "too many rows and columns for exact arithmetic; no halfspace has a margin above %.3g",
                                found->margin_bound);
}

/* ---- the two-way answer ------------------------------------------------------------------------------------------ */

static void set_decision_counts(linpred__figures *figures, const linpred__two_way *found)
{
    figures->rounds = found->rounds;
    figures->solver_seconds = found->solver_seconds;
    figures->working_rows = found->working_rows;
    figures->passes = found->passes;
    figures->updates = found->updates;
}

static void claim_separated(linpred_result *result, linpred__two_way *found)
{
    linpred__claims_add(&result->claims, LINPRED_CLAIM_SEPARATES, true)->by.direction = found->direction;
    found->direction = (linpred__direction){0};
}

static void claim_undecided(linpred_result *result, linpred__two_way *found)
{
    if (!(found->margin_bound >= 0)) {
        linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
        return;
    }
    linpred__claims_add(&result->claims, LINPRED_CLAIM_MARGIN_AT_MOST, true)->by.support = found->support;
    found->support = (linpred__support){0};
    result->figures.margin_bound = found->margin_bound;
}

void linpred__assemble_decision(linpred__fit_context *fit, linpred__two_way *found,
                                const linpred__halfspace_tally *tally, const linpred__ending *ending)
{
    linpred__set_halfspace(fit, found->w, found->b, tally);
    set_decision_counts(&fit->result->figures, found);
    linpred__set_ending(&fit->result->figures, ending);
    if (found->kind == LINPRED_SEPARATION_SEPARATED)
        claim_separated(fit->result, found);
    else if (found->kind == LINPRED_SEPARATION_INSEPARABLE)
        linpred__claim_inseparable(fit->result, &found->witness);
    else
        claim_undecided(fit->result, found);
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

void linpred__claim_margin_at_most(linpred_result *result, double bound, linpred__support *support)
{
    if (support->count == 0 || !isfinite(bound))
        return;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_MARGIN_AT_MOST, false)->by.support = *support;
    *support = (linpred__support){0};
    result->figures.margin_bound = bound;
}

void linpred__claim_update_bound(linpred_result *result, double norm, double updates, linpred__vector *weights)
{
    if (!isnormal(norm) || isnan(result->figures.radius))
        return;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_UPDATE_BOUND, false)->by.weights = *weights;
    *weights = (linpred__vector){0};
    result->figures.norm = norm;
    result->figures.update_bound = isfinite(updates) ? updates : NAN;
}

void linpred__claim_figures(linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    linpred__claims *claims = &result->claims;
    linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, false);
    linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    if (figures->errors == 0.0)
        linpred__claims_add(claims, LINPRED_CLAIM_MARGIN, false);
    if (!isnan(figures->lower_bound))
        linpred__claims_add(claims, LINPRED_CLAIM_FEWEST_ERRORS, false);
}
