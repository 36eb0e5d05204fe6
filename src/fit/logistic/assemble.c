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

static linpred__ending make_no_minimiser_ending(linpred_separation kind)
{
    bool separated = kind == LINPRED_SEPARATION_SEPARATED;
    bool quasi = kind == LINPRED_SEPARATION_QUASI_SEPARATED;
    return linpred__make_ending(
        LINPRED_OUTCOME_NO_MINIMISER,
        "the rows are %sseparated: the maximum-likelihood estimate does not exist; the loss falls for ever "
        "along a direction%s; --l2 gives a penalised fit",
        separated ? ""
        : quasi   ? "quasi-"
                  : "separated or quasi-",
        separated ? ", to 0" : "");
}

/* Among which coefficients a gap is proved: where dependencies hold to rounding only, not among all. */
static const char *among_which(const linpred__logistic_found *found)
{
    return found->null_space.inexact == 0        ? ""
           : found->null_space.dependencies.drop ? "among coefficients that leave out what depends on others, "
                                                 : "among coefficients that respect the dependencies, ";
}

static linpred__ending make_optimal_ending(const linpred__logistic_found *found)
{
    const char *among = among_which(found);
    if (found->gap > 0)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                    "%sthe objective is within a relative gap of %.2g of its minimum", among,
                                    found->gap);
    return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                "%sthe objective is at its minimum, as far as doubles can tell", among);
}

/* No gap was proved for a fit with a penalty, which always has a minimum. */
static linpred__ending make_penalised_ending(const linpred__logistic_problem *problem, bool has_matrix)
{
    bool may_use_matrix = !has_matrix && problem->original->data->columns <= LINPRED__MAX_MATRIX_FEATURES;
    return linpred__make_ending(
        LINPRED_OUTCOME_UNDECIDED,
        "there is a minimum, but how far above it the objective is could not be proved; columns of like size%s may "
        "help",
        may_use_matrix ? ", or --method newton," : "");
}

/* No gap was proved for a fit without a penalty, which may have no minimum. */
static linpred__ending make_unproved_ending(const linpred__logistic_problem *problem,
                                            const linpred__logistic_found *found)
{
    bool exists = found->existence.kind == LINPRED_SEPARATION_OVERLAPPING;
    char limit[60] = "with the digits of a double";
    if (problem->original->data->columns > LINPRED__MAX_MATRIX_FEATURES)
        snprintf(limit, sizeof limit, "for more than %d features", LINPRED__MAX_MATRIX_FEATURES);
    else if (found->has_matrix && found->null_space.nearly_dependent)
        snprintf(limit, sizeof limit, "for columns that nearly depend on others");
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED, "%s could not be proved %s; --l2 gives a penalised fit",
                                exists
                                    ? "the rows overlap, so there is a minimum, but how far above it the objective is"
                                    : "whether there is a minimum",
                                limit);
}

/* The gap that was proved is above the tolerance. */
static linpred__ending make_coarse_ending(const linpred__logistic_found *found, double tolerance)
{
    double gap = found->gap;
    char accepts[60] = "";
    if (gap < 0.1) /* --tolerance takes no more */
        snprintf(accepts, sizeof accepts, "--tolerance %.0e accepts that; ", pow(10.0, ceil(log10(gap))));
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "%srounding lets the relative gap be proved to %.2g only, above --tolerance %g: "
                                "%ssubtract its mean from a column "
                                "that varies in its last digits only",
                                among_which(found), gap, tolerance, accepts);
}

static linpred__ending find_logistic_ending(const linpred__logistic_problem *problem,
                                            const linpred__logistic_found *found, const linpred__three_way *existence)
{
    const linpred__logistic_terms *terms = &problem->terms;
    if (existence->direction.count > 0)
        return make_no_minimiser_ending(existence->kind);
    if (found->gap <= terms->tolerance)
        return make_optimal_ending(found);
    if (problem->run->stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(problem->run);
    if (isfinite(found->gap))
        return make_coarse_ending(found, terms->tolerance);
    return terms->l2 > 0 ? make_penalised_ending(problem, found->has_matrix) : make_unproved_ending(problem, found);
}

/* The ending, with a remark that the start was ignored. */
static linpred__ending add_remark(const linpred__ending *ending)
{
    return linpred__make_ending(ending->outcome, "%s; begun at 0, the start being no better", ending->reason);
}

/* ---- figures and claims ------------------------------------------------------------------------------------------ */

/* Writes the figures that tell how the fit went, and the penalty. */
static void write_run(const linpred__logistic_problem *problem, bool by_newton, const linpred__three_way *existence,
                      linpred__figures *figures)
{
    figures->method = by_newton ? LINPRED_METHOD_NEWTON : LINPRED_METHOD_NEWTON_CG;
    figures->passes = problem->progress.passes + existence->passes;
    figures->iterations = problem->progress.iterations;
    figures->rounds = existence->rounds;
    figures->working_rows = existence->working_rows;
    figures->l2 = problem->terms.l2;
}

/* Writes how near a minimum is, and by which weights of classes. */
static void write_gap(const linpred__logistic_terms *terms, double gap, linpred__figures *figures)
{
    figures->class_weight_negative = terms->class_weight[0];
    figures->class_weight_positive = terms->class_weight[1];
    figures->gap = isfinite(gap) ? gap : NAN;
    figures->gap_tolerance = gap <= terms->tolerance ? terms->tolerance : NAN;
}

/* Claims the direction, instead of a fit. */
static void claim_no_minimiser(linpred__three_way *existence, linpred_result *result)
{
    result->figures.settled_rows = existence->settled_rows;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_NO_MINIMISER, true)->by.direction = existence->direction;
    existence->direction = (linpred__direction){0};
    if (existence->witness.count > 0)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_INSEPARABLE, true)->by.combination = existence->witness;
    existence->witness = (linpred__combination){0};
    if (existence->carriers.count > 0) /* the rows that the direction leaves */
        linpred__claims_add(&result->claims, LINPRED_CLAIM_OVERLAPPING, true)->by.combination = existence->carriers;
    existence->carriers = (linpred__combination){0};
}

/* Claims the fit of the rows left, if there is one. */
static void claim_finite_part(const linpred__logistic_terms *terms, linpred__logistic_finite *finite,
                              linpred_result *result)
{
    linpred__figures *figures = &result->figures;
    if (finite->part.weights.count == 0)
        return;
    figures->infimum = finite->infimum;
    write_gap(terms, finite->gap, figures);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_FINITE_PART, false)->by.finite = finite->part;
    finite->part = (linpred__finite_part){0};
}

/* There is a minimum, whether or not the fit came near it. */
static void claim_overlapping(linpred__three_way *existence, linpred_result *result)
{
    if (existence->carriers.count > 0)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_OVERLAPPING, false)->by.combination = existence->carriers;
    existence->carriers = (linpred__combination){0};
}

/* Claims the fit, whether or not its gap was proved. */
static void claim_fit(const linpred__logistic_terms *terms, const linpred__logistic_answers *answers,
                      linpred_result *result)
{
    const linpred__logistic_summary *summary = &answers->summary;
    linpred__figures *figures = &result->figures;
    figures->objective = answers->values.objective;
    figures->errors = answers->values.errors;
    write_gap(terms, answers->found.gap, figures);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_LOGISTIC_OPTIMUM, true);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, false);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_OBJECTIVE, false);
    figures->deviance = summary->deviance;
    figures->null_deviance = summary->null_deviance;
    figures->aic = summary->aic;
    if (!isnan(summary->deviance))
        linpred__claims_add(&result->claims, LINPRED_CLAIM_DEVIANCE, false);
    if (summary->reason_no_standard_errors)
        snprintf(figures->reason_no_errors, sizeof figures->reason_no_errors, "%s", summary->reason_no_standard_errors);
}

/* Writes and claims rank, dependencies and standard errors. */
static linpred_status claim_columns(linpred__logistic_answers *answers, linpred_result *result, linpred_error *error)
{
    linpred__logistic_summary *summary = &answers->summary;
    linpred__dependencies *dependencies = &answers->found.null_space.dependencies;
    linpred__claims *claims = &result->claims;
    bool estimated = false;
    for (int32_t j = 0; summary->standard_error && j < result->model.columns + result->model.has_intercept; j++)
        estimated = estimated || !isnan(summary->standard_error[j]);
    result->figures.rank = summary->rank;
    result->figures.unique = summary->unique;
    if (summary->rank >= 0 || summary->unique >= 0 || dependencies->count > 0)
        linpred__claims_add(claims, LINPRED_CLAIM_DEPENDENCIES, false);
    if (estimated)
        linpred__claims_add(claims, LINPRED_CLAIM_STANDARD_ERRORS, false);
    result->standard_error = summary->standard_error;
    summary->standard_error = NULL;
    result->dependencies = *dependencies;
    *dependencies = (linpred__dependencies){0};
    if (result->dependencies.count > 0 && !linpred__dependencies_write(&result->dependencies, result->model.recipe))
        return linpred__no_memory(error);
    return LINPRED_OK;
}

linpred_status linpred__logistic_assemble(linpred__fit_context *fit, const linpred__logistic_problem *problem,
                                          linpred__logistic_answers *answers, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__logistic_values *values = &answers->values;
    linpred__three_way *existence = linpred__logistic_existence(answers);
    linpred__ending found = find_logistic_ending(problem, &answers->found, existence);
    linpred__ending ending = problem->progress.start_ignored ? add_remark(&found) : found;
    linpred__set_ending(&result->figures, &ending);
    write_run(problem, answers->by_newton, existence, &result->figures);
    if (ending.outcome == LINPRED_OUTCOME_NO_MINIMISER) { /* no coefficients are the best, so none are stated */
        claim_no_minimiser(existence, result);
        claim_finite_part(&problem->terms, &answers->finite, result);
        return LINPRED_OK;
    }
    if (values->w)
        memcpy(result->model.w, values->w, (size_t)result->model.columns * sizeof *values->w);
    result->model.b = values->b;
    result->model.tails = values->tails;
    values->tails = (linpred__tails){0};
    claim_fit(&problem->terms, answers, result);
    claim_overlapping(existence, result);
    return claim_columns(answers, result, error);
}
