/* What each claim of a result says, as a sentence with its numbers. Text for people is made here, and parsed nowhere.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/model.h"

typedef struct sentence {
    const linpred_result *result;
    const linpred__figures *info;
    linpred__text text;
    const char *noun;                   /* what the task fits */
    char separates[LINPRED__SIDES + 8]; /* what a predictor without mistakes does */
    bool finished;                      /* the fit was not stopped and met no limit */
} sentence;

#define SAY(...) linpred__text_format(&writing->text, __VA_ARGS__)

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

static void say_separates(sentence *writing, const linpred__claim *claim)
{
    SAY("the %s has every row on its right side", writing->noun);
    if (claim->by.direction.count > 0)
        SAY(", with the integers of the direction; the rounded numbers of the model make %.12g mistake%s",
            writing->info->errors, plural(writing->info->errors));
}

static void say_margins(sentence *writing)
{
    const linpred__figures *info = writing->info;
    if (writing->result->model.task == LINPRED_TASK_BALL)
        SAY("no row is nearer to the sphere than %.9g", info->margin_without_intercept);
    else if (isnan(info->margin))
        SAY("the margin is %.9g, with the intercept left out of the norm", info->margin_without_intercept);
    else if (isnan(info->margin_without_intercept))
        SAY("the margin is %.9g, with the intercept in the norm", info->margin);
    else
        SAY("the margin is %.9g, with the intercept in the norm, and %.9g without it", info->margin,
            info->margin_without_intercept);
}

static void say_fewest(sentence *writing)
{
    const linpred__figures *info = writing->info;
    bool plain = !(info->cost_negative != 1.0 && !isnan(info->cost_negative)) &&
                 !(info->cost_positive != 1.0 && !isnan(info->cost_positive));
    if (plain)
        SAY("no %s makes fewer mistakes than %.17g", writing->noun, info->lower_bound);
    else
        SAY("the mistakes cost %.17g, and no %s's cost less than %.17g, at %.17g each on the label -1 and %.17g on +1",
            info->cost, writing->noun, info->lower_bound, info->cost_negative, info->cost_positive);
}

/* "the fit ended early, so it is not claimed that …" */
static void say_minimum(sentence *writing, const char *what)
{
    SAY("%s%s", writing->finished ? "" : "the fit was ended early, so it is not claimed that ", what);
}

static void say_logistic(sentence *writing)
{
    const linpred__figures *info = writing->info;
    bool dependent = linpred__result_dependencies(writing->result)->count > 0;
    if (isnan(info->gap_tolerance))
        SAY("%sit is not claimed that the model minimises the logistic objective",
            writing->finished ? "" : "the fit was ended early: ");
    else
        SAY("the logistic objective%s has a minimum, and the model is within a relative gap of %g of it%s",
            info->l2 > 0 ? ", with its penalty," : "", info->gap_tolerance,
            dependent ? ", with the least norm of all that do as well" : "");
}

static void say_least_squares(sentence *writing)
{
    bool penalty = writing->info->l2 > 0;
    say_minimum(writing, penalty ? "the coefficients minimise the mean squared error plus penalty"
                                 : "the coefficients minimise the mean squared error");
    if (linpred__result_dependencies(writing->result)->count > 0 && !penalty)
        SAY(", with the least norm of all that do");
}

static void say_dependencies(sentence *writing)
{
    const linpred__figures *info = writing->info;
    int32_t count = linpred__result_dependencies(writing->result)->count;
    if (info->rank >= 0)
        SAY("the columns%s have rank %lld", writing->result->model.has_intercept ? " and the intercept" : "",
            (long long)info->rank);
    else
        SAY("the rank of the columns is not known");
    if (count > 0)
        SAY(", and %d %s on others", count, count == 1 ? "column depends" : "columns depend");
    if (info->unique >= 0)
        SAY("; the coefficients are %sunique", info->unique ? "" : "not ");
}

static void say_quality(sentence *writing)
{
    const linpred__figures *info = writing->info;
    SAY("the mean squared error is %.9g, the mean absolute error %.9g", info->mean_squared_error,
        info->mean_absolute_error);
    if (!isnan(info->r_squared))
        SAY(", R² %.9g", info->r_squared);
    if (!isnan(info->f_statistic))
        SAY(", F %.6g", info->f_statistic);
}

static void say_deviance(sentence *writing)
{
    SAY("the deviance is %.9g, that of no model %.9g", writing->info->deviance, writing->info->null_deviance);
    if (!isnan(writing->info->aic))
        SAY(", AIC %.9g", writing->info->aic);
}

static void say_data(sentence *writing)
{
    const linpred__figures *info = writing->info;
    SAY("these are the %lld row%s of the fit, in its order", (long long)info->rows, plural((double)info->rows));
    if (info->total_weight != (double)info->rows)
        SAY(", with a total weight of %.9g", info->total_weight);
}

static void say_largest(sentence *writing, const linpred__claim *claim)
{
    bool usual = claim->by.support.usual;
    SAY("the halfspace has the largest %smargin: none is above %.12g", usual ? "usual " : "",
        usual ? writing->info->usual_margin_bound : writing->info->margin_bound);
}

static void say(sentence *writing, const linpred__claim *claim)
{
    const linpred__figures *info = writing->info;
    switch (claim->kind) {
    case LINPRED_CLAIM_SEPARATES:
        say_separates(writing, claim);
        break;
    case LINPRED_CLAIM_ERRORS:
        SAY("the %s makes %.12g mistake%s", writing->noun, info->errors, plural(info->errors));
        break;
    case LINPRED_CLAIM_OBJECTIVE:
        SAY("the objective is %.12g", info->objective);
        break;
    case LINPRED_CLAIM_MARGIN:
        say_margins(writing);
        break;
    case LINPRED_CLAIM_MARGIN_AT_MOST:
        SAY("no halfspace has a margin above %.6g", info->margin_bound);
        break;
    case LINPRED_CLAIM_LARGEST_MARGIN:
        say_largest(writing, claim);
        break;
    case LINPRED_CLAIM_UPDATE_BOUND:
        SAY("the perceptron from 0 makes at most (RB)² = %.10g updates, R = %.9g, B = %.9g", info->update_bound,
            info->radius, info->norm);
        break;
    case LINPRED_CLAIM_INSEPARABLE:
        SAY("no %s %s", writing->noun, writing->separates);
        break;
    case LINPRED_CLAIM_FEWEST_ERRORS:
        say_fewest(writing);
        break;
    case LINPRED_CLAIM_LOGISTIC_OPTIMUM:
        say_logistic(writing);
        break;
    case LINPRED_CLAIM_NO_MINIMISER:
        SAY("the logistic objective has no minimum: along the direction the loss falls for ever");
        break;
    case LINPRED_CLAIM_OVERLAPPING:
        SAY("the rows overlap: no direction has them all on one side, unless they all lie on its hyperplane");
        break;
    case LINPRED_CLAIM_LEAST_SQUARES:
        say_least_squares(writing);
        break;
    case LINPRED_CLAIM_LEAST_ABSOLUTE:
        say_minimum(writing, writing->result->model.regression->quantile == 0.5
                                 ? "the coefficients minimise the mean absolute error"
                                 : "the coefficients minimise the quantile loss");
        break;
    case LINPRED_CLAIM_DEPENDENCIES:
        say_dependencies(writing);
        break;
    case LINPRED_CLAIM_STANDARD_ERRORS:
        SAY("the standard errors are those of the rows");
        if (!isnan(info->residual_sd))
            SAY(", with the residual sd %.9g on %.10g degrees of freedom", info->residual_sd, info->degrees_of_freedom);
        break;
    case LINPRED_CLAIM_FIT_QUALITY:
        say_quality(writing);
        break;
    case LINPRED_CLAIM_DEVIANCE:
        say_deviance(writing);
        break;
    case LINPRED_CLAIM_DATA:
        say_data(writing);
        break;
    case LINPRED_CLAIM_MEANS:
        SAY("what stands for missing values are the means of the columns");
        break;
    }
}

bool linpred__write_sentences(linpred_result *result)
{
    sentence writing = {
        .result = result, .info = &result->info, .noun = "halfspace", .separates = "separates the rows"};
    linpred_outcome outcome = result->info.outcome;
    writing.finished = outcome != LINPRED_OUTCOME_LIMIT_REACHED && outcome != LINPRED_OUTCOME_STOPPED;
    if (result->model.task == LINPRED_TASK_LOGISTIC)
        writing.noun = "model";
    if (result->model.task == LINPRED_TASK_BALL) {
        writing.noun = "ball";
        memcpy(writing.separates, "has ", 5);
        linpred__ball_sides(&result->model, writing.separates + 4);
    }
    bool whole = true;
    for (int32_t i = 0; whole && i < result->claims.count; i++) {
        linpred__claim *claim = &result->claims.claim[i];
        linpred__release(claim->sentence);
        writing.text = (linpred__text){0};
        say(&writing, claim);
        claim->sentence = writing.text.failed ? NULL : linpred__copy_text(writing.text.bytes, writing.text.length);
        linpred__text_clear(&writing.text);
        whole = claim->sentence != NULL;
    }
    return whole;
}
