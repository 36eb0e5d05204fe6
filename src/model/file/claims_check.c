/* Checks that the claims of a model file are those of one fit: each fits the task, none that such a fit makes is
 * missing, the main ones are main, and the outcome is what they say. figures_check.c does the same for figures,
 * options_check.c for options.
 */
#include <math.h>
#include <string.h>

#include "model/figures.h"
#include "model/file/file.h"
#include "proof/limits.h"

static const linpred__claim *claim_of(const linpred_result *result, linpred_claim_kind kind)
{
    return linpred__claims_find(&result->claims, kind);
}

/* Whether a task may make a claim of this kind. */
static bool fits_task(linpred_claim_kind kind, linpred_task task)
{
    bool halfspace = task == LINPRED_TASK_HALFSPACE, logistic = task == LINPRED_TASK_LOGISTIC,
         regression = task == LINPRED_TASK_REGRESSION, ball = task == LINPRED_TASK_BALL;
    switch (kind) {
    case LINPRED_CLAIM_SEPARATES:
    case LINPRED_CLAIM_MARGIN:
    case LINPRED_CLAIM_FEWEST_ERRORS:
        return halfspace || ball;
    case LINPRED_CLAIM_ERRORS:
    case LINPRED_CLAIM_INSEPARABLE:
        return !regression;
    case LINPRED_CLAIM_MARGIN_AT_MOST:
    case LINPRED_CLAIM_LARGEST_MARGIN:
    case LINPRED_CLAIM_OTHER_MARGIN:
    case LINPRED_CLAIM_UPDATE_BOUND:
        return halfspace;
    case LINPRED_CLAIM_NO_MINIMISER:
    case LINPRED_CLAIM_OVERLAPPING:
        return halfspace || logistic;
    case LINPRED_CLAIM_LOGISTIC_OPTIMUM:
    case LINPRED_CLAIM_FINITE_PART:
    case LINPRED_CLAIM_DEVIANCE:
        return logistic;
    case LINPRED_CLAIM_LEAST_SQUARES:
    case LINPRED_CLAIM_LEAST_ABSOLUTE:
    case LINPRED_CLAIM_FIT_QUALITY:
        return regression;
    case LINPRED_CLAIM_DEPENDENCIES:
    case LINPRED_CLAIM_STANDARD_ERRORS:
        return logistic || regression;
    case LINPRED_CLAIM_OBJECTIVE:
    case LINPRED_CLAIM_DATA:
    case LINPRED_CLAIM_MEANS:
        return true;
    }
    return false;
}

/* ---- claims that must be there, and that must not -----------------------------------------------------------------
 */

static void need(linpred__fields *fields, const linpred_result *result, linpred_claim_kind kind, bool needed)
{
    if (fields->status == LINPRED_OK && needed && !claim_of(result, kind))
        linpred__fields_refuse(fields, NULL, "must hold '%s', as every such fit does", linpred_claim_name(kind));
}

static void refuse(linpred__fields *fields, const linpred_result *result, linpred_claim_kind kind, bool refused)
{
    if (fields->status == LINPRED_OK && refused && claim_of(result, kind))
        linpred__fields_refuse(fields, NULL, "must not hold '%s', which such a fit does not claim",
                               linpred_claim_name(kind));
}

/* Each fit claims what it can. So a claim that is missing was taken away. */
static void check_presence(linpred__fields *fields, const linpred_result *result)
{
    const linpred_model *model = &result->model;
    bool logistic = model->task == LINPRED_TASK_LOGISTIC, regression = model->regression != NULL;
    bool none = logistic && claim_of(result, LINPRED_CLAIM_NO_MINIMISER), classes = !logistic && !regression;
    bool squared = regression && model->regression->loss == LINPRED_LOSS_SQUARED;
    bool finished = regression && result->figures.outcome == LINPRED_OUTCOME_OPTIMAL;
    bool separated = classes && result->figures.errors == 0.0;
    bool unexplained = result->figures.reason_no_errors[0] == '\0';
    static const linpred_claim_kind of_fits[] = {LINPRED_CLAIM_LOGISTIC_OPTIMUM, LINPRED_CLAIM_ERRORS,
                                                 LINPRED_CLAIM_OBJECTIVE,        LINPRED_CLAIM_DEVIANCE,
                                                 LINPRED_CLAIM_DEPENDENCIES,     LINPRED_CLAIM_STANDARD_ERRORS};
    for (size_t i = 0; i < sizeof of_fits / sizeof of_fits[0]; i++)
        refuse(fields, result, of_fits[i], none);
    need(fields, result, LINPRED_CLAIM_DATA, true);
    need(fields, result, LINPRED_CLAIM_ERRORS, classes || (logistic && !none));
    need(fields, result, LINPRED_CLAIM_OBJECTIVE, !none);
    need(fields, result, LINPRED_CLAIM_MARGIN, separated);
    need(fields, result, LINPRED_CLAIM_SEPARATES, separated && claim_of(result, LINPRED_CLAIM_LARGEST_MARGIN));
    refuse(fields, result, LINPRED_CLAIM_MARGIN, !separated);
    need(fields, result, LINPRED_CLAIM_LOGISTIC_OPTIMUM, logistic && !none);
    refuse(fields, result, LINPRED_CLAIM_FINITE_PART, !none || !claim_of(result, LINPRED_CLAIM_OVERLAPPING));
    need(fields, result, LINPRED_CLAIM_LEAST_SQUARES, squared);
    refuse(fields, result, LINPRED_CLAIM_LEAST_SQUARES, !squared);
    need(fields, result, LINPRED_CLAIM_LEAST_ABSOLUTE, regression && !squared);
    refuse(fields, result, LINPRED_CLAIM_LEAST_ABSOLUTE, squared);
    need(fields, result, LINPRED_CLAIM_FIT_QUALITY, regression);
    need(fields, result, LINPRED_CLAIM_DEPENDENCIES, finished && result->figures.method != LINPRED_METHOD_CG);
    need(fields, result, LINPRED_CLAIM_STANDARD_ERRORS, squared && unexplained);
    refuse(fields, result, LINPRED_CLAIM_STANDARD_ERRORS, (regression && !squared) || !unexplained);
    need(fields, result, LINPRED_CLAIM_MEANS, model->recipe->missing == LINPRED_MISSING_MEAN);
    refuse(fields, result, LINPRED_CLAIM_MEANS, model->recipe->missing != LINPRED_MISSING_MEAN);
}

/* ---- what is main ------------------------------------------------------------------------------------------------ */

static bool is_main(const linpred_result *result, linpred_claim_kind kind)
{
    const linpred__claim *claim = claim_of(result, kind);
    return claim && claim->main;
}

/* Refuses a claim that is not what its kind is beside the others: the verdict of the whole rests on the main ones. The
   count of errors may be either, unless the model separates: it is exact in both cases. */
static void check_main(linpred__fields *fields, const linpred_result *result)
{
    bool separates = is_main(result, LINPRED_CLAIM_SEPARATES), errors = is_main(result, LINPRED_CLAIM_ERRORS),
         inseparable = claim_of(result, LINPRED_CLAIM_INSEPARABLE) != NULL;
    for (int32_t i = 0; i < result->claims.count && fields->status == LINPRED_OK; i++) {
        const linpred__claim *claim = &result->claims.claim[i];
        bool main = false;
        switch (claim->kind) {
        case LINPRED_CLAIM_DATA:
        case LINPRED_CLAIM_INSEPARABLE:
        case LINPRED_CLAIM_NO_MINIMISER:
        case LINPRED_CLAIM_LOGISTIC_OPTIMUM:
        case LINPRED_CLAIM_LEAST_SQUARES:
        case LINPRED_CLAIM_LEAST_ABSOLUTE:
            main = true;
            break;
        case LINPRED_CLAIM_SEPARATES:
            main = !errors;
            break;
        case LINPRED_CLAIM_ERRORS:
            main = claim->main && !separates;
            break;
        case LINPRED_CLAIM_LARGEST_MARGIN: /* a fit that did not promise it may state it as a detail */
            main = claim->main || result->figures.outcome == LINPRED_OUTCOME_OPTIMAL;
            break;
        case LINPRED_CLAIM_FEWEST_ERRORS:
            main = !separates;
            break;
        case LINPRED_CLAIM_MARGIN_AT_MOST: /* all that is known, or a detail */
            main = !separates && !errors && !inseparable;
            break;
        case LINPRED_CLAIM_OVERLAPPING:
            main = result->model.task == LINPRED_TASK_HALFSPACE || claim_of(result, LINPRED_CLAIM_NO_MINIMISER);
            break;
        case LINPRED_CLAIM_OBJECTIVE:
        case LINPRED_CLAIM_MARGIN:
        case LINPRED_CLAIM_OTHER_MARGIN:
        case LINPRED_CLAIM_UPDATE_BOUND:
        case LINPRED_CLAIM_DEPENDENCIES:
        case LINPRED_CLAIM_STANDARD_ERRORS:
        case LINPRED_CLAIM_FIT_QUALITY:
        case LINPRED_CLAIM_DEVIANCE:
        case LINPRED_CLAIM_MEANS:
        case LINPRED_CLAIM_FINITE_PART:
            break;
        }
        if (main != claim->main)
            linpred__fields_refuse(fields, "main", "of '%s' must be %s in such a fit", linpred_claim_name(claim->kind),
                                   main ? "true" : "false");
    }
}

/* ---- the outcome ------------------------------------------------------------------------------------------------- */

/* Whether some claim says what the outcome says. A fit that ended early, or decided nothing, has no such claim. */
static bool outcome_is_claimed(const linpred_result *result)
{
    bool none = claim_of(result, LINPRED_CLAIM_NO_MINIMISER);
    switch (result->figures.outcome) {
    case LINPRED_OUTCOME_SEPARATED:
        return is_main(result, LINPRED_CLAIM_SEPARATES);
    case LINPRED_OUTCOME_INSEPARABLE:
        return !none && (claim_of(result, LINPRED_CLAIM_INSEPARABLE) || claim_of(result, LINPRED_CLAIM_OVERLAPPING));
    case LINPRED_OUTCOME_NO_MINIMISER:
        return none;
    case LINPRED_OUTCOME_OPTIMAL:
        return is_main(result, LINPRED_CLAIM_LARGEST_MARGIN) || is_main(result, LINPRED_CLAIM_FEWEST_ERRORS) ||
               claim_of(result, LINPRED_CLAIM_LOGISTIC_OPTIMUM) || result->model.regression;
    case LINPRED_OUTCOME_LIMIT_REACHED:
    case LINPRED_OUTCOME_STOPPED:
    case LINPRED_OUTCOME_UNDECIDED:
        return !none;
    }
    return false;
}

static void check_outcome(linpred__fields *fields, const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    bool reached = !isnan(figures->gap_tolerance), fitted = claim_of(result, LINPRED_CLAIM_LOGISTIC_OPTIMUM);
    if (fields->status != LINPRED_OK)
        return;
    if (!outcome_is_claimed(result))
        linpred__fields_refuse(fields, NULL, "must say what the 'outcome' of 'run' says, '%s'",
                               linpred_outcome_name(figures->outcome));
    else if (fitted && reached != (figures->outcome == LINPRED_OUTCOME_OPTIMAL))
        linpred__fields_refuse(fields, "gap_tolerance", "does not fit the 'outcome' of 'run'");
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

/* Refuses claims that rest on a witness and have none. */
static void check_witnesses(linpred__fields *fields, const linpred_result *result)
{
    const linpred__claim *largest = claim_of(result, LINPRED_CLAIM_LARGEST_MARGIN),
                         *other = claim_of(result, LINPRED_CLAIM_OTHER_MARGIN),
                         *none = claim_of(result, LINPRED_CLAIM_NO_MINIMISER);
    static const char problem[] = "must not be empty, since the claim rests on it";
    if (fields->status != LINPRED_OK)
        return;
    if (largest && largest->main && largest->by.support.count == 0)
        linpred__fields_refuse(fields, "support", problem);
    else if (other && (other->by.margin.weights.count == 0 || other->by.margin.support.count == 0))
        linpred__fields_refuse(fields, other->by.margin.weights.count == 0 ? "weights" : "support", problem);
    else if (none && none->by.direction.count == 0)
        linpred__fields_refuse(fields, "direction", problem);
}

/* A loss without a minimum has no best coefficients, so none are stated. */
static void check_no_coefficients(linpred__fields *fields, const linpred_result *result)
{
    const linpred_model *model = &result->model;
    bool zero = model->b == 0.0;
    for (int32_t j = 0; j < model->columns; j++)
        zero = zero && model->w[j] == 0.0;
    if (fields->status == LINPRED_OK && model->task == LINPRED_TASK_LOGISTIC &&
        claim_of(result, LINPRED_CLAIM_NO_MINIMISER) && !zero)
        linpred__fields_refuse(fields, NULL, "say that there is no minimum, so the coefficients must be 0");
}

void linpred__file_check_claims(linpred__fields *fields, const linpred_result *result)
{
    for (int32_t i = 0; i < result->claims.count; i++)
        if (fields->status == LINPRED_OK && !fits_task(result->claims.claim[i].kind, result->model.task))
            linpred__fields_refuse(fields, NULL, "must not hold '%s', which does not fit the task",
                                   linpred_claim_name(result->claims.claim[i].kind));
    linpred__file_check_figures(fields, result);
    check_witnesses(fields, result);
    check_presence(fields, result);
    check_main(fields, result);
    check_outcome(fields, result);
    check_no_coefficients(fields, result);
    linpred__file_check_options(fields, result);
}
