/* Checks which figures a model file states: all that such a fit must have, none that has no meaning for it, each in its
 * range. A figure that may be beyond the range of doubles is not stated then; its claim is judged by the checker, which
 * misses the figure if the rows give it.
 */
#include <math.h>

#include "model/figures.h"
#include "model/file/file.h"
#include "proof/limits.h"

typedef enum presence { NEVER, MAYBE, ALWAYS } presence;

/* What the rules depend on. */
struct fit {
    bool halfspace;
    bool ball;
    bool logistic;
    bool regression;
    bool squared;
    bool free;    /* least squares without a penalty */
    bool reached; /* a logistic fit reached its tolerance */
    bool updates; /* a bound on updates is claimed: the radius is part of it */
    bool fewest;  /* the fewest mistakes are a main claim */
    bool at_most; /* a bound on margins is claimed */
    bool usual;   /* the largest margin leaves the intercept out */
    bool largest; /* the largest margin is a main claim */
    bool other;   /* the largest margin of the other form is claimed */
    bool other_usual;
    bool finite;      /* the finite part of a fit without a minimum is claimed */
    bool by_integers; /* the claim `separates` has a direction */
};

static struct fit describe(const linpred_result *result)
{
    const linpred__claims *claims = &result->claims;
    const linpred__claim *largest = linpred__claims_find(claims, LINPRED_CLAIM_LARGEST_MARGIN),
                         *other = linpred__claims_find(claims, LINPRED_CLAIM_OTHER_MARGIN),
                         *fewest = linpred__claims_find(claims, LINPRED_CLAIM_FEWEST_ERRORS),
                         *separates = linpred__claims_find(claims, LINPRED_CLAIM_SEPARATES);
    linpred_task task = result->model.task;
    struct fit fit = {
        .halfspace = task == LINPRED_TASK_HALFSPACE,
        .ball = task == LINPRED_TASK_BALL,
        .logistic = task == LINPRED_TASK_LOGISTIC,
        .regression = task == LINPRED_TASK_REGRESSION,
        .reached = !isnan(result->figures.gap_tolerance),
        .updates = linpred__claims_find(claims, LINPRED_CLAIM_UPDATE_BOUND),
        .fewest = fewest && fewest->main,
        .at_most = linpred__claims_find(claims, LINPRED_CLAIM_MARGIN_AT_MOST),
        .usual = largest && largest->by.support.without_intercept,
        .largest = largest && largest->main,
        .other = other,
        .other_usual = other && other->by.margin.support.without_intercept,
        .finite = linpred__claims_find(claims, LINPRED_CLAIM_FINITE_PART),
        .by_integers = separates && separates->by.direction.count > 0,
    };
    fit.squared = fit.regression && result->model.regression->loss == LINPRED_LOSS_SQUARED;
    fit.free = fit.squared && result->figures.l2 == 0.0;
    return fit;
}

static presence always_if(bool yes)
{
    return yes ? ALWAYS : NEVER;
}

static presence maybe_if(bool yes)
{
    return yes ? MAYBE : NEVER;
}

/* Refuses the figure if it is stated and must not be, or the other way round, or if it is below 0. A figure that no
   claim of the file may state is not stated: the reader has seen to that. */
static void check_figure(linpred__fields *fields, const linpred_result *result, const char *name, presence allowed)
{
    const linpred__figure *figure = linpred__figure_find(name);
    int home = linpred__figure_home(figure, &result->claims);
    double value = linpred__figure_as_number(&result->figures, figure);
    if (home < 0 || fields->status != LINPRED_OK)
        return;
    if (isnan(value) && allowed == ALWAYS)
        linpred__fields_refuse(fields, name, "is missing: the claim '%s' must state it",
                               linpred_claim_name((linpred_claim_kind)home));
    else if (!isnan(value) && allowed == NEVER)
        linpred__fields_refuse(fields, name, "must not be stated by this fit");
    else if (value < 0)
        linpred__fields_refuse(fields, name, "must be 0 or more");
}

static void check_class_figures(linpred__fields *fields, const linpred_result *result, const struct fit *fit)
{
    const struct {
        const char *name;
        presence allowed;
    } rules[] = {
        {"errors", ALWAYS},
        {"perceptron_loss", maybe_if(fit->halfspace)},
        {"cost", ALWAYS},
        {"lower_bound", ALWAYS},
        {"cost_negative", always_if(fit->fewest)},
        {"cost_positive", always_if(fit->fewest)},
        {"margin", maybe_if(fit->halfspace)},
        {"margin_without_intercept", MAYBE},
        {"margin_bound", fit->at_most || (fit->largest && !fit->usual) ? ALWAYS : maybe_if(!fit->usual)},
        {"usual_margin_bound", fit->usual && fit->largest ? ALWAYS : maybe_if(fit->usual)},
        {"largest_margin", always_if(fit->other && !fit->other_usual)},
        {"largest_usual_margin", always_if(fit->other_usual)},
        {"norm", ALWAYS},
        {"radius", fit->updates ? ALWAYS : maybe_if(fit->halfspace)},
        {"update_bound", MAYBE},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        check_figure(fields, result, rules[i].name, rules[i].allowed);
}

static void check_loss_figures(linpred__fields *fields, const linpred_result *result, const struct fit *fit)
{
    const struct {
        const char *name;
        presence allowed;
    } rules[] = {
        {"rows", ALWAYS},
        {"columns", ALWAYS},
        {"total_weight", ALWAYS},
        {"objective", ALWAYS},
        {"gap", fit->logistic && fit->reached ? ALWAYS : MAYBE},
        {"gap_tolerance", fit->finite ? ALWAYS : MAYBE},
        {"infimum", ALWAYS},
        {"l2", always_if(fit->logistic || fit->squared)},
        {"class_weight_negative", always_if(fit->logistic)},
        {"class_weight_positive", always_if(fit->logistic)},
        {"deviance", ALWAYS},
        {"null_deviance", ALWAYS},
        {"aic", MAYBE},
        {"rank", fit->regression ? ALWAYS : MAYBE},
        {"unique", fit->regression ? ALWAYS : MAYBE},
        {"mean_squared_error", MAYBE},
        {"mean_absolute_error", ALWAYS},
        {"r_squared", maybe_if(fit->squared)},
        {"f_statistic", maybe_if(fit->free)},
        {"f_p_value", maybe_if(fit->free)},
        {"residual_sd", always_if(fit->regression)},
        {"degrees_of_freedom", maybe_if(fit->free)},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        check_figure(fields, result, rules[i].name, rules[i].allowed);
}

static void check_costs(linpred__fields *fields, const linpred_result *result, bool main)
{
    const linpred__figures *figures = &result->figures;
    if (fields->status != LINPRED_OK || !linpred__claims_find(&result->claims, LINPRED_CLAIM_FEWEST_ERRORS))
        return;
    if (main && !(figures->cost_negative > 0 && figures->cost_positive > 0))
        linpred__fields_refuse(fields, "cost_negative",
                               "and 'cost_positive' must be positive, since the claim speaks of "
                               "them");
    else if (figures->lower_bound > figures->cost)
        linpred__fields_refuse(fields, "lower_bound", "must not be above 'cost'");
    else if (main && figures->outcome == LINPRED_OUTCOME_OPTIMAL &&
             figures->lower_bound < figures->cost * (1.0 - LINPRED__COST_TOLERANCE))
        linpred__fields_refuse(fields, "lower_bound", "must be the 'cost', since that is said to be optimal");
}

void linpred__file_check_figures(linpred__fields *fields, const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    const linpred__claims *claims = &result->claims;
    const linpred__claim *separates = linpred__claims_find(claims, LINPRED_CLAIM_SEPARATES);
    struct fit fit = describe(result);
    check_loss_figures(fields, result, &fit);
    check_class_figures(fields, result, &fit);
    check_figure(fields, result, "settled_rows",
                 linpred__claims_find(claims, LINPRED_CLAIM_NO_MINIMISER) ? ALWAYS : maybe_if(fit.by_integers));
    check_costs(fields, result, fit.fewest);
    if (fields->status != LINPRED_OK)
        return;
    if (figures->columns != result->model.columns)
        linpred__fields_refuse(fields, "columns", "is %lld, but there are %d coefficients", (long long)figures->columns,
                               result->model.columns);
    else if (separates && separates->by.direction.count == 0 && figures->errors > 0)
        linpred__fields_refuse(fields, "errors", "must be 0, since the claim is that the model separates");
    else if (fit.logistic && !isnan(figures->class_weight_negative) &&
             !(figures->class_weight_negative > 0 && figures->class_weight_positive > 0))
        linpred__fields_refuse(fields, "class_weight_negative", "and 'class_weight_positive' must be positive");
    else if (fit.logistic && linpred__claims_find(claims, LINPRED_CLAIM_NO_MINIMISER) && figures->l2 > 0)
        linpred__fields_refuse(fields, "l2", "must be 0, since with a penalty there is a minimum");
    else if (figures->unique > 1)
        linpred__fields_refuse(fields, "unique", "must be 0 or 1");
}
