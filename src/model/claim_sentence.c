/* The sentence of each claim, with its numbers. Nothing parses these sentences.
 *
 * The table `sayings` has one function for each kind of claim. It writes the sentence from the figures and the witness
 * of the claim, without a capital letter at the beginning and without a full stop.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/model.h"

/* What a sentence is made from, and the sentence so far. */
typedef struct sentence {
    const linpred_result *result;
    const linpred__figures *figures;
    const linpred__claim *claim;
    linpred__text text;
    const char *noun;                   /* what the task fits: "halfspace", "model", "ball" */
    char separates[LINPRED__SIDES + 8]; /* words for what a predictor without mistakes does */
    bool finished;                      /* the fit was not stopped and met no limit */
} sentence;

typedef void saying(sentence *said);

#define SAY(...) linpred__text_format(&said->text, __VA_ARGS__)

/* Says how near the objective is to its minimum. A fit that ended early claims nothing about that. */
static void say_minimum(sentence *said, const char *what)
{
    SAY("%s%s", said->finished ? "" : "the fit was ended early, so it is not claimed that ", what);
}

/* ---- halfspaces and balls ---------------------------------------------------------------------------------------- */

static void say_separates(sentence *said)
{
    if (said->claim->by.direction.count > 0)
        SAY("the integers of the direction have every row on its right side");
    else
        SAY("the %s has every row on its right side", said->noun);
}

static void say_errors(sentence *said)
{
    SAY("the %s makes %.12g mistake%s", said->noun, said->figures->errors, linpred__plural(said->figures->errors));
}

static void say_margin(sentence *said)
{
    const linpred__figures *figures = said->figures;
    if (said->result->model.task == LINPRED_TASK_BALL && isnan(figures->margin_without_intercept))
        SAY("there is no sphere to be near to, or it is beyond the range of doubles");
    else if (said->result->model.task == LINPRED_TASK_BALL)
        SAY("no row is nearer to the sphere than %.9g", figures->margin_without_intercept);
    else if (isnan(figures->margin) && isnan(figures->margin_without_intercept))
        SAY("the margins are beyond the range of doubles");
    else if (isnan(figures->margin))
        SAY("the margin is %.9g, with the intercept left out of the norm", figures->margin_without_intercept);
    else if (isnan(figures->margin_without_intercept))
        SAY("the margin is %.9g, with the intercept in the norm", figures->margin);
    else
        SAY("the margin is %.9g, with the intercept in the norm, and %.9g without it", figures->margin,
            figures->margin_without_intercept);
}

static void say_margin_at_most(sentence *said)
{
    SAY("no halfspace has a margin above %.6g", said->figures->margin_bound);
}

static void say_largest_margin(sentence *said)
{
    bool without_intercept = said->claim->by.support.without_intercept;
    SAY("the halfspace has the largest %smargin: none is above %.12g", without_intercept ? "usual " : "",
        without_intercept ? said->figures->usual_margin_bound : said->figures->margin_bound);
}

static void say_other_margin(sentence *said)
{
    const linpred__figures *figures = said->figures;
    if (said->claim->by.margin.support.without_intercept)
        SAY("the largest usual margin of any halfspace is %.9g", figures->largest_usual_margin);
    else
        SAY("the largest margin of any halfspace with the intercept in the norm is %.9g", figures->largest_margin);
}

static void say_update_bound(sentence *said)
{
    const linpred__figures *figures = said->figures;
    SAY("the perceptron from 0 makes at most (RB)² = %.10g updates, R = %.9g, B = %.9g", figures->update_bound,
        figures->radius, figures->norm);
}

static void say_inseparable(sentence *said)
{
    SAY("no %s %s", said->result->model.task == LINPRED_TASK_BALL ? "ball" : "halfspace", said->separates);
}

/* Whether mistakes cost something else than 1 each. */
static bool has_costs(const linpred__figures *figures)
{
    return (figures->cost_negative != 1.0 && !isnan(figures->cost_negative)) ||
           (figures->cost_positive != 1.0 && !isnan(figures->cost_positive));
}

static void say_fewest_errors(sentence *said)
{
    const linpred__figures *figures = said->figures;
    const linpred__claim *claim = linpred__claims_find(&said->result->claims, LINPRED_CLAIM_FEWEST_ERRORS);
    if (claim->by.cover.direction.count > 0 && has_costs(figures))
        SAY("the mistakes of a %s of integers cost %.17g, as no doubles were found for, and no %s's cost less than "
            "%.17g, at %.17g each on the label -1 and %.17g on +1",
            said->noun, figures->cost, said->noun, figures->lower_bound, figures->cost_negative,
            figures->cost_positive);
    else if (claim->by.cover.direction.count > 0)
        SAY("a %s of integers makes %.17g mistakes, as no doubles were found for, and no %s makes fewer than %.17g",
            said->noun, figures->cost, said->noun, figures->lower_bound);
    else if (!has_costs(figures))
        SAY("no %s makes fewer mistakes than %.17g", said->noun, figures->lower_bound);
    else
        SAY("the mistakes cost %.17g, and no %s's cost less than %.17g, at %.17g each on the label -1 and %.17g on +1",
            figures->cost, said->noun, figures->lower_bound, figures->cost_negative, figures->cost_positive);
}

static void say_overlapping(sentence *said)
{
    int64_t left = said->figures->rows - said->figures->settled_rows;
    if (linpred__claims_find(&said->result->claims, LINPRED_CLAIM_NO_MINIMISER))
        SAY("the %lld row%s that the direction leaves on its hyperplane overlap: no direction without a row on its "
            "wrong "
            "side has one of them on its right side",
            (long long)left, linpred__plural((double)left));
    else
        SAY("the rows overlap: no direction has them all on one side, unless they all lie on its hyperplane");
}

/* ---- logistic regression and regression -------------------------------------------------------------------------- */

/* Whether the claim speaks of coefficients that respect the dependencies only, since some hold to rounding only. */
static bool is_among_respecting(const sentence *said)
{
    const linpred__dependencies *dependencies = linpred__result_dependencies(said->result);
    for (int32_t k = 0; k < dependencies->count; k++)
        if (!dependencies->exact[k])
            return !(said->figures->l2 > 0);
    return false;
}

static const char *respecting(const sentence *said)
{
    return linpred__result_dependencies(said->result)->drop
               ? " among coefficients that leave out what depends on others"
               : " among coefficients that respect the dependencies";
}

/* Says which of all coefficients with the same fitted values the model has. */
static void say_least_norm(sentence *said, const char *least_norm)
{
    if (is_among_respecting(said))
        SAY("%s", respecting(said));
    else if (linpred__result_dependencies(said->result)->count > 0 && linpred__result_dependencies(said->result)->drop)
        SAY(", with 0 for columns that depend on those before them");
    else if (linpred__result_dependencies(said->result)->count > 0 && !(said->figures->l2 > 0))
        SAY("%s", least_norm);
}

static void say_logistic_optimum(sentence *said)
{
    const linpred__figures *figures = said->figures;
    if (isnan(figures->gap_tolerance)) {
        SAY("%sit is not claimed that the model minimises the logistic objective",
            said->finished ? "" : "the fit was ended early: ");
        return;
    }
    SAY("the logistic objective%s has a minimum%s, and the model is within a relative gap of %g of it",
        figures->l2 > 0 ? ", with its penalty," : "", is_among_respecting(said) ? respecting(said) : "",
        figures->gap_tolerance);
    if (!is_among_respecting(said))
        say_least_norm(said, ", with the least norm of all that do as well");
}

static void say_no_minimiser(sentence *said)
{
    const linpred__figures *figures = said->figures;
    SAY("the logistic objective has no minimum: along the direction the loss falls for ever");
    if (figures->settled_rows >= 0)
        SAY("; it has %lld of %lld row%s strictly on the right side and none on the wrong side",
            (long long)figures->settled_rows, (long long)figures->rows, linpred__plural((double)figures->rows));
}

static void say_finite_part(sentence *said)
{
    const linpred__figures *figures = said->figures;
    int64_t left = figures->rows - figures->settled_rows;
    SAY("the infimum of the logistic objective is %.12g to a relative gap of %g, the minimum for the row%s left; the "
        "finite part's coefficients are within that gap, with the least norm of all that do as well",
        figures->infimum, figures->gap_tolerance, linpred__plural((double)left));
}

static void say_least_squares(sentence *said)
{
    bool penalty = said->figures->l2 > 0;
    say_minimum(said, penalty ? "the coefficients minimise the mean squared error plus penalty"
                              : "the coefficients minimise the mean squared error");
    say_least_norm(said, ", with the least norm of all that do");
}

static void say_least_absolute(sentence *said)
{
    say_minimum(said, said->result->model.regression->quantile == 0.5
                          ? "the coefficients minimise the mean absolute error"
                          : "the coefficients minimise the quantile loss");
    say_least_norm(said, ", with the least norm of all that fit the same");
}

static void say_dependencies(sentence *said)
{
    const linpred__figures *figures = said->figures;
    int32_t count = linpred__result_dependencies(said->result)->count;
    if (figures->rank >= 0)
        SAY("%sthe columns%s have rank %lld", figures->l2 > 0 ? "with the penalty, " : "",
            said->result->model.has_intercept ? " and the intercept" : "", (long long)figures->rank);
    else
        SAY("the rank of the columns is not known");
    if (count > 0)
        SAY(", and %d %s on others", count, count == 1 ? "column depends" : "columns depend");
    if (figures->unique >= 0)
        SAY("; the coefficients are %sunique", figures->unique ? "" : "not ");
}

static void say_standard_errors(sentence *said)
{
    const linpred__figures *figures = said->figures;
    const linpred_model *model = &said->result->model;
    bool any = false;
    for (int32_t j = 0; said->result->standard_error && j < model->columns + model->has_intercept; j++)
        any = any || !isnan(said->result->standard_error[j]);
    SAY(any ? "the standard errors are those of the rows" : "no coefficient has a standard error");
    if (!isnan(figures->residual_sd))
        SAY("%s the residual sd %s%.9g on %.10g degree%s of freedom", any ? ", with" : ", and", any ? "" : "is ",
            figures->residual_sd, figures->degrees_of_freedom, linpred__plural(figures->degrees_of_freedom));
}

static void say_fit_quality(sentence *said)
{
    const linpred__figures *figures = said->figures;
    if (!isnan(figures->mean_squared_error))
        SAY("the mean squared error is %.9g, ", figures->mean_squared_error);
    SAY("the mean absolute error %s%.9g", isnan(figures->mean_squared_error) ? "is " : "",
        figures->mean_absolute_error);
    if (!isnan(figures->r_squared))
        SAY(", R² %.9g", figures->r_squared);
    if (!isnan(figures->f_statistic))
        SAY(", F %.6g", figures->f_statistic);
}

static void say_deviance(sentence *said)
{
    const linpred__figures *figures = said->figures;
    SAY("the deviance is %.9g, with %s %.9g", figures->deviance,
        said->result->model.has_intercept ? "the intercept alone" : "no coefficient", figures->null_deviance);
    if (!isnan(figures->aic))
        SAY(", AIC %.9g", figures->aic);
}

/* ---- all tasks --------------------------------------------------------------------------------------------------- */

static void say_objective(sentence *said)
{
    const linpred__figures *figures = said->figures;
    const linpred_model *model = &said->result->model;
    bool by_class =
        figures->class_weight_negative != figures->class_weight_positive && model->task == LINPRED_TASK_LOGISTIC;
    bool weighted = by_class || model->recipe->weights || figures->total_weight != (double)figures->rows;
    char what[100];
    if (model->task == LINPRED_TASK_LOGISTIC)
        snprintf(what, sizeof what, "mean of the logistic loss");
    else if (!model->regression)
        snprintf(what, sizeof what, has_costs(figures) ? "mean cost of the mistakes" : "fraction of mistakes");
    else if (model->regression->loss == LINPRED_LOSS_SQUARED)
        snprintf(what, sizeof what, "mean squared error");
    else
        snprintf(what, sizeof what, model->regression->quantile == 0.5 ? "mean absolute error" : "mean quantile loss");
    SAY("the objective, the %s%s%s, is %.12g", weighted ? "weighted " : "", what,
        figures->l2 > 0 ? " plus penalty" : "", figures->objective);
}

static void say_means(sentence *said)
{
    SAY("what stands for missing values are the means of the columns");
}

static void say_data(sentence *said)
{
    const linpred__figures *figures = said->figures;
    if (figures->rows == 1)
        SAY("this is the row of the fit");
    else
        SAY("these are the %lld rows of the fit, in its order", (long long)figures->rows);
    if (figures->total_weight != (double)figures->rows)
        SAY(", with a total weight of %.9g", figures->total_weight);
    if (said->result->model.task == LINPRED_TASK_BALL && said->result->model.recipe->decimals)
        SAY("; the numbers are taken as doubles");
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static saying *const sayings[LINPRED__CLAIM_KINDS] = {
    [LINPRED_CLAIM_SEPARATES] = say_separates,
    [LINPRED_CLAIM_ERRORS] = say_errors,
    [LINPRED_CLAIM_OBJECTIVE] = say_objective,
    [LINPRED_CLAIM_MARGIN] = say_margin,
    [LINPRED_CLAIM_MARGIN_AT_MOST] = say_margin_at_most,
    [LINPRED_CLAIM_LARGEST_MARGIN] = say_largest_margin,
    [LINPRED_CLAIM_OTHER_MARGIN] = say_other_margin,
    [LINPRED_CLAIM_UPDATE_BOUND] = say_update_bound,
    [LINPRED_CLAIM_INSEPARABLE] = say_inseparable,
    [LINPRED_CLAIM_FEWEST_ERRORS] = say_fewest_errors,
    [LINPRED_CLAIM_LOGISTIC_OPTIMUM] = say_logistic_optimum,
    [LINPRED_CLAIM_NO_MINIMISER] = say_no_minimiser,
    [LINPRED_CLAIM_OVERLAPPING] = say_overlapping,
    [LINPRED_CLAIM_FINITE_PART] = say_finite_part,
    [LINPRED_CLAIM_LEAST_SQUARES] = say_least_squares,
    [LINPRED_CLAIM_LEAST_ABSOLUTE] = say_least_absolute,
    [LINPRED_CLAIM_DEPENDENCIES] = say_dependencies,
    [LINPRED_CLAIM_STANDARD_ERRORS] = say_standard_errors,
    [LINPRED_CLAIM_FIT_QUALITY] = say_fit_quality,
    [LINPRED_CLAIM_DEVIANCE] = say_deviance,
    [LINPRED_CLAIM_MEANS] = say_means,
    [LINPRED_CLAIM_DATA] = say_data,
};

bool linpred__write_sentences(linpred_result *result)
{
    sentence said = {
        .result = result, .figures = &result->figures, .noun = "halfspace", .separates = "separates the rows"};
    linpred_outcome outcome = result->figures.outcome;
    said.finished = outcome != LINPRED_OUTCOME_LIMIT_REACHED && outcome != LINPRED_OUTCOME_STOPPED;
    if (result->model.task == LINPRED_TASK_LOGISTIC)
        said.noun = "model";
    if (result->model.task == LINPRED_TASK_BALL) {
        said.noun = "ball";
        memcpy(said.separates, "has ", 5);
        linpred__ball_sides(&result->model, said.separates + 4);
    }
    bool whole = true;
    for (int32_t i = 0; whole && i < result->claims.count; i++) {
        linpred__claim *claim = &result->claims.claim[i];
        linpred__release(claim->sentence);
        said.claim = claim;
        said.text = (linpred__text){0};
        sayings[claim->kind](&said);
        claim->sentence = said.text.failed ? NULL : linpred__copy_text(said.text.bytes, said.text.length);
        linpred__text_clear(&said.text);
        whole = claim->sentence != NULL;
    }
    return whole;
}
