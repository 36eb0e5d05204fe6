/* Checks that the claims of a model file fit together: each states the figures it needs, and no two parts disagree. */
#include <math.h>
#include <string.h>

#include "core/number.h"
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
    enum { CLASSES = 1, LINEAR = 2, LOGISTIC = 4, REGRESSION = 8 };
    static const unsigned of_task[] = {
        [LINPRED_TASK_HALFSPACE] = CLASSES | LINEAR,
        [LINPRED_TASK_LOGISTIC] = CLASSES | LINEAR | LOGISTIC,
        [LINPRED_TASK_REGRESSION] = REGRESSION,
        [LINPRED_TASK_BALL] = CLASSES,
    };
    switch (kind) {
    case LINPRED_CLAIM_SEPARATES:
    case LINPRED_CLAIM_ERRORS:
    case LINPRED_CLAIM_MARGIN:
    case LINPRED_CLAIM_INSEPARABLE:
    case LINPRED_CLAIM_FEWEST_ERRORS:
        return of_task[task] & CLASSES;
    case LINPRED_CLAIM_MARGIN_AT_MOST:
    case LINPRED_CLAIM_LARGEST_MARGIN:
    case LINPRED_CLAIM_OTHER_MARGIN:
    case LINPRED_CLAIM_UPDATE_BOUND:
    case LINPRED_CLAIM_NO_MINIMISER:
    case LINPRED_CLAIM_OVERLAPPING:
        return of_task[task] & LINEAR;
    case LINPRED_CLAIM_LOGISTIC_OPTIMUM:
    case LINPRED_CLAIM_DEVIANCE:
        return of_task[task] & LOGISTIC;
    case LINPRED_CLAIM_LEAST_SQUARES:
    case LINPRED_CLAIM_LEAST_ABSOLUTE:
    case LINPRED_CLAIM_FIT_QUALITY:
        return of_task[task] & REGRESSION;
    case LINPRED_CLAIM_DEPENDENCIES:
    case LINPRED_CLAIM_STANDARD_ERRORS:
        return of_task[task] & (LOGISTIC | REGRESSION);
    case LINPRED_CLAIM_OBJECTIVE:
    case LINPRED_CLAIM_DATA:
    case LINPRED_CLAIM_MEANS:
        return true;
    }
    return false;
}

/* Refuses a claim that lacks a figure it needs, or whose figure is below `min`. */
static void need(linpred__fields *fields, const linpred_result *result, linpred_claim_kind kind, const char *name,
                 double min)
{
    double value = linpred__figure_as_number(&result->figures, linpred__figure_find(name));
    if (!claim_of(result, kind) || fields->status != LINPRED_OK)
        return;
    if (isnan(value))
        linpred__fields_refuse(fields, name, "is missing: the claim '%s' must state it", linpred_claim_name(kind));
    else if (value < min)
        linpred__fields_refuse(fields, name, "must be %g or more", min);
}

static void check_needed(linpred__fields *fields, const linpred_result *result)
{
    const linpred__claim *largest = claim_of(result, LINPRED_CLAIM_LARGEST_MARGIN);
    need(fields, result, LINPRED_CLAIM_DATA, "rows", 0);
    need(fields, result, LINPRED_CLAIM_DATA, "columns", 0);
    need(fields, result, LINPRED_CLAIM_DATA, "total_weight", 0);
    need(fields, result, LINPRED_CLAIM_ERRORS, "errors", 0);
    need(fields, result, LINPRED_CLAIM_OBJECTIVE, "objective", -INFINITY);
    need(fields, result, LINPRED_CLAIM_FEWEST_ERRORS, "cost", 0);
    need(fields, result, LINPRED_CLAIM_FEWEST_ERRORS, "lower_bound", 0);
    need(fields, result, LINPRED_CLAIM_DEVIANCE, "deviance", -INFINITY);
    need(fields, result, LINPRED_CLAIM_DEVIANCE, "null_deviance", -INFINITY);
    need(fields, result, LINPRED_CLAIM_FIT_QUALITY, "mean_absolute_error", 0);
    if (result->model.regression) {
        need(fields, result, LINPRED_CLAIM_STANDARD_ERRORS, "residual_sd", 0);
        need(fields, result, LINPRED_CLAIM_STANDARD_ERRORS, "degrees_of_freedom", 0);
    }
    if (largest && largest->main) {
        need(fields, result, LINPRED_CLAIM_LARGEST_MARGIN,
             largest->by.support.without_intercept ? "usual_margin_bound" : "margin_bound", 0);
        if (largest->by.support.count == 0)
            linpred__fields_refuse(fields, "support", "must not be empty, since the claim rests on it");
    }
    const linpred__claim *other = claim_of(result, LINPRED_CLAIM_OTHER_MARGIN);
    if (other) {
        need(fields, result, LINPRED_CLAIM_OTHER_MARGIN,
             other->by.margin.support.without_intercept ? "largest_usual_margin" : "largest_margin", 0);
        if (other->by.margin.weights.count == 0 || other->by.margin.support.count == 0)
            linpred__fields_refuse(fields, other->by.margin.weights.count == 0 ? "weights" : "support",
                                   "must not be empty, since the claim rests on it");
    }
    const linpred__claim *at_most = claim_of(result, LINPRED_CLAIM_MARGIN_AT_MOST);
    if (at_most && at_most->main)
        need(fields, result, LINPRED_CLAIM_MARGIN_AT_MOST, "margin_bound", 0);
}

/* Refuses figures that only other tasks may state in a claim of the same kind. */
static void check_task(linpred__fields *fields, const linpred_result *result)
{
    const linpred__claim *largest = claim_of(result, LINPRED_CLAIM_LARGEST_MARGIN),
                         *other = claim_of(result, LINPRED_CLAIM_OTHER_MARGIN);
    bool without_intercept = largest && largest->by.support.without_intercept,
         other_usual = other && other->by.margin.support.without_intercept;
    bool logistic = result->model.task == LINPRED_TASK_LOGISTIC, regression = result->model.regression != NULL;
    const struct {
        const char *name;
        bool fits;
    } checked[] = {
        {"residual_sd", regression},
        {"degrees_of_freedom", regression},
        {"class_weight_negative", logistic},
        {"class_weight_positive", logistic},
        {"l2", logistic || regression},
        {"usual_margin_bound", without_intercept},
        {"largest_margin", !other_usual},
        {"largest_usual_margin", other_usual},
        {"margin_bound", !without_intercept || claim_of(result, LINPRED_CLAIM_MARGIN_AT_MOST)},
    };
    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++)
        if (!checked[i].fits && linpred__figure_is_stated(&result->figures, linpred__figure_find(checked[i].name)))
            linpred__fields_refuse(fields, checked[i].name, "must not be stated by this fit");
}

static void check_costs(linpred__fields *fields, const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    const linpred__claim *fewest = claim_of(result, LINPRED_CLAIM_FEWEST_ERRORS);
    if (!fewest || fields->status != LINPRED_OK)
        return;
    if (fewest->main && !(figures->cost_negative > 0 && figures->cost_positive > 0))
        linpred__fields_refuse(fields, "cost_negative",
                               "and 'cost_positive' must be positive, since the claim speaks of "
                               "them");
    else if (figures->lower_bound > figures->cost)
        linpred__fields_refuse(fields, "lower_bound", "must not be above 'cost'");
    else if (fewest->main && figures->outcome == LINPRED_OUTCOME_OPTIMAL &&
             figures->lower_bound < figures->cost * (1.0 - LINPRED__COST_TOLERANCE))
        linpred__fields_refuse(fields, "lower_bound", "must be the 'cost', since that is said to be optimal");
}

/* Refuses the file if a recorded option differs from the number in the model. */
static void check_option(linpred__fields *fields, const linpred_result *result, const char *flag, double number)
{
    const char *text = linpred_result_option(result, flag);
    double value;
    if (fields->status == LINPRED_OK && text &&
        (linpred__number_read(text, strlen(text), &value) != LINPRED__NUMBER || value != number)) {
        fields->part = "options";
        linpred__fields_refuse(fields, flag, "is not what the fit's own numbers say");
    }
}

static void check_logistic(linpred__fields *fields, const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    bool reached = !isnan(figures->gap_tolerance);
    if (fields->status != LINPRED_OK)
        return;
    if (!claim_of(result, LINPRED_CLAIM_LOGISTIC_OPTIMUM) && !claim_of(result, LINPRED_CLAIM_NO_MINIMISER))
        linpred__fields_refuse(fields, NULL, "must hold 'logistic_optimum' or 'no_minimiser'");
    else if (reached != (figures->outcome == LINPRED_OUTCOME_OPTIMAL))
        linpred__fields_refuse(fields, "gap_tolerance", "does not fit the 'outcome' of 'run'");
    else if (reached && !(figures->gap_tolerance >= 0))
        linpred__fields_refuse(fields, "gap_tolerance", "must be 0 or more");
    else if (claim_of(result, LINPRED_CLAIM_OBJECTIVE) &&
             !(figures->class_weight_negative > 0 && figures->class_weight_positive > 0))
        linpred__fields_refuse(fields, "class_weight_negative", "and 'class_weight_positive' must be positive");
    check_option(fields, result, "confidence", result->confidence);
    check_option(fields, result, "l2", figures->l2);
    if (reached)
        check_option(fields, result, "tolerance", figures->gap_tolerance);
}

static void check_regression(linpred__fields *fields, const linpred_result *result)
{
    bool squared = result->model.regression->loss == LINPRED_LOSS_SQUARED;
    if (!claim_of(result, squared ? LINPRED_CLAIM_LEAST_SQUARES : LINPRED_CLAIM_LEAST_ABSOLUTE))
        linpred__fields_refuse(fields, NULL, "must hold '%s', since that is the loss",
                               squared ? "least_squares" : "least_absolute");
    check_option(fields, result, "confidence", result->confidence);
    if (!isnan(result->figures.l2))
        check_option(fields, result, "l2", result->figures.l2);
    check_option(fields, result, "quantile", result->model.regression->quantile);
}

/* Refuses the outcome `optimal` if no claim says what is the best: people would read it as one. */
static void check_outcome(linpred__fields *fields, const linpred_result *result)
{
    static const linpred_claim_kind best[] = {LINPRED_CLAIM_LARGEST_MARGIN, LINPRED_CLAIM_FEWEST_ERRORS,
                                              LINPRED_CLAIM_LOGISTIC_OPTIMUM, LINPRED_CLAIM_LEAST_SQUARES,
                                              LINPRED_CLAIM_LEAST_ABSOLUTE};
    for (size_t i = 0; i < sizeof best / sizeof best[0]; i++)
        if (claim_of(result, best[i]))
            return;
    if (result->figures.outcome == LINPRED_OUTCOME_OPTIMAL)
        linpred__fields_refuse(fields, NULL, "must say of what the fit is the best, since its 'outcome' is 'optimal'");
}

void linpred__file_check_claims(linpred__fields *fields, const linpred_result *result)
{
    const linpred_model *model = &result->model;
    const linpred__figures *figures = &result->figures;
    for (int32_t i = 0; i < result->claims.count; i++)
        if (!fits_task(result->claims.claim[i].kind, model->task))
            linpred__fields_refuse(fields, NULL, "must not hold '%s', which does not fit the task",
                                   linpred_claim_name(result->claims.claim[i].kind));
    if (!claim_of(result, LINPRED_CLAIM_DATA))
        linpred__fields_refuse(fields, NULL, "must hold 'data'");
    check_needed(fields, result);
    const linpred__claim *separates = claim_of(result, LINPRED_CLAIM_SEPARATES),
                         *none = claim_of(result, LINPRED_CLAIM_NO_MINIMISER);
    if (figures->columns != model->columns)
        linpred__fields_refuse(fields, "columns", "is %lld, but there are %d coefficients", (long long)figures->columns,
                               model->columns);
    else if (separates && separates->by.direction.count == 0 && figures->errors > 0)
        linpred__fields_refuse(fields, "errors", "must be 0, since the claim is that the model separates");
    else if (none && none->by.direction.count == 0)
        linpred__fields_refuse(fields, "direction", "must not be empty, since the claim rests on it");
    else if (figures->l2 < 0)
        linpred__fields_refuse(fields, "l2", "must be 0 or more");
    check_task(fields, result);
    check_costs(fields, result);
    if (fields->status == LINPRED_OK && model->task == LINPRED_TASK_LOGISTIC)
        check_logistic(fields, result);
    if (fields->status == LINPRED_OK && model->regression)
        check_regression(fields, result);
    if (fields->status == LINPRED_OK)
        check_outcome(fields, result);
}
