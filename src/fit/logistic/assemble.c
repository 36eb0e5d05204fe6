/* The result of a logistic fit from what was found: model, figures, claims, outcome and reason.
 *
 *   a direction       no_minimiser: the loss falls without end along it
 *   gap <= tolerance  optimal
 *   the run stopped   limit_reached or stopped
 *   else              undecided: the gap could not be proved, or only a larger one
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "fit/logistic/logistic.h"
#include "proof/limits.h"

/* ---- outcome and reason ------------------------------------------------------------------------------------------ */

static linpred__ending make_no_minimiser_ending(const linpred__logistic_answer *answer)
{
    bool separated = answer->kind == LINPRED_SEPARATION_SEPARATED;
    bool quasi = answer->kind == LINPRED_SEPARATION_QUASI_SEPARATED;
    return linpred__make_ending(
        LINPRED_OUTCOME_NO_MINIMISER,
        "the rows are %sseparated: the maximum-likelihood estimate does not exist; the loss falls for ever "
        "along a direction%s; --l2 gives a penalised fit",
        separated ? ""
        : quasi   ? "quasi-"
                  : "separated or quasi-",
        separated ? ", to 0" : "");
}

static linpred__ending make_optimal_ending(const linpred__logistic_answer *answer)
{
    const char *among = answer->null_space.inexact > 0 ? "among coefficients that respect the dependencies, " : "";
    if (answer->gap > 0)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                    "%sthe objective is within a relative gap of %.2g of its minimum", among,
                                    answer->gap);
    return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                "%sthe objective is at its minimum, as far as doubles can tell", among);
}

/* No gap was proved for a fit with a penalty, which always has a minimum. */
static linpred__ending make_penalised_ending(const linpred__logistic_work *work)
{
    bool may_use_matrix =
        !work->answer.has_matrix && work->problem.original->data->columns <= LINPRED__MAX_MATRIX_FEATURES;
    return linpred__make_ending(
        LINPRED_OUTCOME_UNDECIDED,
        "there is a minimum, but how far above it the objective is could not be proved; columns of like size%s may "
        "help",
        may_use_matrix ? ", or --method newton," : "");
}

/* No gap was proved for a fit without a penalty, which may have no minimum. */
static linpred__ending make_unproved_ending(const linpred__logistic_work *work)
{
    bool exists = work->answer.kind == LINPRED_SEPARATION_OVERLAPPING;
    char limit[60] = "with the digits of a double";
    if (work->problem.original->data->columns > LINPRED__MAX_MATRIX_FEATURES)
        snprintf(limit, sizeof limit, "for more than %d features", LINPRED__MAX_MATRIX_FEATURES);
    else if (work->answer.has_matrix && work->answer.null_space.nearly_dependent)
        snprintf(limit, sizeof limit, "for columns that nearly depend on others");
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED, "%s could not be proved %s; --l2 gives a penalised fit",
                                exists
                                    ? "the rows overlap, so there is a minimum, but how far above it the objective is"
                                    : "whether there is a minimum",
                                limit);
}

static linpred__ending find_ending(const linpred__logistic_work *work)
{
    const linpred__logistic_answer *answer = &work->answer;
    if (answer->direction.count > 0)
        return make_no_minimiser_ending(answer);
    if (linpred__logistic_is_optimal(work))
        return make_optimal_ending(answer);
    if (work->problem.run->stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(work->problem.run);
    if (isfinite(answer->gap))
        return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                    "rounding lets the relative gap be proved to %.2g only, above --tolerance %g",
                                    answer->gap, work->problem.terms.tolerance);
    return work->problem.terms.l2 > 0 ? make_penalised_ending(work) : make_unproved_ending(work);
}

/* ---- figures and claims ------------------------------------------------------------------------------------------ */

/* Writes the figures that tell how the fit went, and those that every outcome states. */
static void write_run(const linpred__logistic_work *work, linpred__figures *figures)
{
    const linpred__logistic_answer *answer = &work->answer;
    figures->method = answer->by_newton ? LINPRED_METHOD_NEWTON : LINPRED_METHOD_NEWTON_CG;
    figures->passes = answer->passes;
    figures->iterations = answer->iterations;
    figures->l2 = work->problem.terms.l2;
    if (answer->asked) {
        figures->rounds = answer->rounds;
        figures->working_rows = answer->working_rows;
    }
}

/* Claims the direction, instead of a fit. */
static void claim_no_minimiser(linpred__logistic_answer *answer, linpred_result *result)
{
    result->figures.settled_rows = answer->settled_rows;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_NO_MINIMISER, true)->by.direction = answer->direction;
    answer->direction = (linpred__direction){0};
    if (answer->witness.count > 0)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_INSEPARABLE, true)->by.combination = answer->witness;
    answer->witness = (linpred__combination){0};
}

/* There is a minimum, whether or not the fit came near it. */
static void claim_overlapping(linpred__logistic_answer *answer, linpred_result *result)
{
    if (answer->carriers.count > 0)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_OVERLAPPING, false)->by.combination = answer->carriers;
    answer->carriers = (linpred__combination){0};
}

/* Claims the fit, whether or not its gap was proved. */
static void claim_fit(const linpred__logistic_work *work, linpred_result *result)
{
    const linpred__logistic_answer *answer = &work->answer;
    linpred__figures *figures = &result->figures;
    figures->objective = answer->objective;
    figures->errors = answer->errors;
    figures->class_weight_negative = work->problem.terms.class_weight[0];
    figures->class_weight_positive = work->problem.terms.class_weight[1];
    figures->gap = isfinite(answer->gap) ? answer->gap : NAN;
    figures->gap_tolerance = linpred__logistic_is_optimal(work) ? work->problem.terms.tolerance : NAN;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_LOGISTIC_OPTIMUM, true);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, false);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_OBJECTIVE, false);
    figures->deviance = answer->deviance;
    figures->null_deviance = answer->null_deviance;
    figures->aic = answer->aic;
    if (!isnan(answer->deviance))
        linpred__claims_add(&result->claims, LINPRED_CLAIM_DEVIANCE, false);
    figures->rank = answer->rank;
    figures->unique = answer->unique;
    if (answer->reason_no_standard_errors)
        snprintf(figures->reason_no_errors, sizeof figures->reason_no_errors, "%s", answer->reason_no_standard_errors);
}

/* Writes and claims dependencies and standard errors. */
static linpred_status claim_columns(linpred__logistic_answer *answer, linpred_result *result, linpred_error *error)
{
    linpred__claims *claims = &result->claims;
    result->dependencies = answer->null_space.dependencies;
    answer->null_space.dependencies = (linpred__dependencies){0};
    result->standard_error = answer->standard_error;
    answer->standard_error = NULL;
    if (result->figures.rank >= 0 || result->figures.unique >= 0 || result->dependencies.count > 0)
        linpred__claims_add(claims, LINPRED_CLAIM_DEPENDENCIES, false);
    bool estimated = false;
    for (int32_t j = 0; result->standard_error && j < result->model.columns + result->model.has_intercept; j++)
        estimated = estimated || !isnan(result->standard_error[j]);
    if (estimated)
        linpred__claims_add(claims, LINPRED_CLAIM_STANDARD_ERRORS, false);
    if (result->dependencies.count > 0 && !linpred__dependencies_write(&result->dependencies, result->model.recipe))
        return linpred__no_memory(error);
    return LINPRED_OK;
}

linpred_status linpred__logistic_assemble(linpred__fit_context *fit, linpred__logistic_work *work, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__logistic_answer *answer = &work->answer;
    linpred__ending found = find_ending(work);
    linpred__ending ending = linpred__make_ending(
        found.outcome, "%s%s", found.reason, answer->start_ignored ? "; begun at 0, the start being no better" : "");
    linpred__set_ending(&result->figures, &ending);
    memcpy(result->model.w, answer->w, (size_t)result->model.columns * sizeof *answer->w);
    result->model.b = answer->b;
    write_run(work, &result->figures);
    if (ending.outcome == LINPRED_OUTCOME_NO_MINIMISER)
        claim_no_minimiser(answer, result);
    else
        claim_fit(work, result);
    claim_overlapping(answer, result);
    return claim_columns(answer, result, error);
}
