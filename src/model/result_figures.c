/* The public calls that give the figures of a result by name, and its coefficients. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "model/figures.h"
#include "model/model.h"
#include "num/distribution.h"

/* ---- derived figures --------------------------------------------------------------------------------------------- */

/* The degrees of freedom of the coefficients without the intercept. */
static double model_degrees_of_freedom(const linpred_result *result)
{
    int64_t rank = result->figures.rank;
    return rank < 0 || !result->model.regression ? (double)NAN : (double)rank - result->model.has_intercept;
}

/* R² with both sums of squares divided by their degrees of freedom. */
static double adjusted_r_squared(const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    double df = figures->degrees_of_freedom;
    return isnan(figures->residual_sd)
               ? (double)NAN
               : 1.0 - (1.0 - figures->r_squared) * (df + model_degrees_of_freedom(result)) / df;
}

/* The factor restores a whole number that rounding made slightly smaller. */
static double updates_at_most(const linpred_result *result)
{
    return floor(result->figures.update_bound * (1.0 + 1e-12));
}

static const struct derived {
    const char *name;
    const char *meaning;
    double (*value)(const linpred_result *result);
} derived_figure[] = {
#define LINPRED_FIGURE_DERIVED(name, meaning) {#name, meaning, name},
#include "linpred/figures.def"
};

enum { DERIVED = sizeof derived_figure / sizeof derived_figure[0] };

/* Returns NULL if there is no derived figure of this name. */
static const struct derived *find_derived(const char *name)
{
    for (size_t i = 0; i < DERIVED; i++)
        if (strcmp(derived_figure[i].name, name) == 0)
            return &derived_figure[i];
    return NULL;
}

/* ---- all figures ------------------------------------------------------------------------------------------------- */

/* How many figures a result holds; the derived ones come after them. */
static size_t held_figures(void)
{
    size_t count = 0;
    while (linpred__figure_at(count))
        count++;
    return count;
}

size_t linpred_figure_count(void)
{
    return held_figures() + DERIVED;
}

const char *linpred_figure_name(size_t index)
{
    const linpred__figure *figure = linpred__figure_at(index);
    size_t held = held_figures();
    return figure ? figure->name : index - held < DERIVED ? derived_figure[index - held].name : NULL;
}

const char *linpred_figure_meaning(const char *name)
{
    if (!name)
        return NULL;
    const linpred__figure *figure = linpred__figure_find(name);
    const struct derived *derived = find_derived(name);
    return figure ? figure->meaning : derived ? derived->meaning : NULL;
}

bool linpred_figure_is_count(const char *name)
{
    if (!name)
        return false;
    const linpred__figure *figure = linpred__figure_find(name);
    return figure && figure->count;
}

bool linpred_claim_may_state(linpred_claim_kind kind, const char *name)
{
    if (!name)
        return false;
    const linpred__figure *figure = linpred__figure_find(name);
    return figure && linpred__figure_may_be_of(figure, kind);
}

double linpred_result_number(const linpred_result *result, const char *name)
{
    if (!result || !name)
        return (double)NAN;
    const linpred__figure *figure = linpred__figure_find(name);
    const struct derived *derived = find_derived(name);
    return figure    ? linpred__figure_as_number(&result->figures, figure)
           : derived ? derived->value(result)
                     : (double)NAN;
}

int64_t linpred_result_count(const linpred_result *result, const char *name)
{
    if (!result || !name)
        return -1;
    const linpred__figure *figure = linpred__figure_find(name);
    return figure && figure->count ? linpred__figure_as_count(&result->figures, figure) : -1;
}

linpred_outcome linpred_result_outcome(const linpred_result *result)
{
    if (!result)
        return LINPRED_OUTCOME_UNDECIDED;
    return result->figures.outcome;
}

linpred_method linpred_result_method(const linpred_result *result)
{
    if (!result)
        return LINPRED_METHOD_AUTO;
    return result->figures.method;
}

/* Whether the result claims that the logistic loss without a penalty has a minimum. Then the rows overlap. If
   dependencies hold only up to rounding, the minimum is only one among coefficients orthogonal to them, which proves
   nothing about the rows. */
static bool claims_minimum(const linpred_result *result)
{
    for (int32_t k = 0; k < result->dependencies.count; k++)
        if (!result->dependencies.exact[k])
            return false;
    return linpred__claims_find(&result->claims, LINPRED_CLAIM_LOGISTIC_OPTIMUM) &&
           !isnan(result->figures.gap_tolerance) && result->figures.l2 == 0.0;
}

linpred_separation linpred_result_separation(const linpred_result *result)
{
    if (!result)
        return LINPRED_SEPARATION_UNDECIDED;
    const linpred__claims *claims = &result->claims;
    const linpred__figures *figures = &result->figures;
    if (result->model.task == LINPRED_TASK_BALL)
        return LINPRED_SEPARATION_UNDECIDED; /* such claims are about balls */
    bool along = linpred__claims_find(claims, LINPRED_CLAIM_NO_MINIMISER);
    bool inseparable = linpred__claims_find(claims, LINPRED_CLAIM_INSEPARABLE) ||
                       (linpred__claims_find(claims, LINPRED_CLAIM_FEWEST_ERRORS) && figures->lower_bound > 0);
    if (linpred__claims_find(claims, LINPRED_CLAIM_SEPARATES) || (along && figures->settled_rows == figures->rows))
        return LINPRED_SEPARATION_SEPARATED;
    bool overlapping = linpred__claims_find(claims, LINPRED_CLAIM_OVERLAPPING); /* all rows, or those that v leaves */
    if (along && (inseparable || overlapping))
        return LINPRED_SEPARATION_QUASI_SEPARATED;
    if (overlapping || claims_minimum(result))
        return LINPRED_SEPARATION_OVERLAPPING;
    return inseparable ? LINPRED_SEPARATION_INSEPARABLE : LINPRED_SEPARATION_UNDECIDED;
}

const char *linpred_result_reason(const linpred_result *result)
{
    if (!result)
        return NULL;
    return result->figures.reason;
}

const char *linpred_result_no_standard_errors(const linpred_result *result)
{
    if (!result)
        return NULL;
    return *result->figures.reason_no_errors ? result->figures.reason_no_errors : NULL;
}

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

/* One coefficient of a result as people read it: value, standard error, t statistic, p value, confidence interval.
 *
 *   t = value / se,   p = P(|T| >= |t|),   interval = value ± se · t_quantile((1 + confidence) / 2)
 *
 * If se is 0, because all residuals are 0, there is no test: t and p are NaN.
 * T has Student's distribution with the degrees of freedom of the fit. Logistic regression has none, which stands for
 * infinitely many: T is then normal.
 */

static const char *coefficient_name(const linpred__recipe *recipe, int32_t j)
{
    return j < recipe->terms ? linpred__recipe_feature(recipe, j) : "(intercept)";
}

double linpred_result_confidence(const linpred_result *result)
{
    if (!result)
        return (double)NAN;
    return result->confidence;
}

static linpred_coefficient describe_coefficient(const linpred_result *result, int32_t column)
{
    const linpred_model *model = &result->model;
    linpred_coefficient c = {sizeof c, NULL, NAN, NAN, NAN, NAN, NAN, NAN};
    c.name = coefficient_name(model->recipe, column);
    c.value = column < model->columns ? model->w[column] : model->b;
    const double *errors = linpred_result_standard_errors(result);
    double se = errors ? errors[column] : NAN;
    double df = model->regression ? result->figures.degrees_of_freedom : INFINITY;
    c.standard_error = se;
    if (isnan(se) || !(df > 0))
        return c;
    c.t = se > 0 ? c.value / se : NAN;
    c.p = se > 0 ? linpred__t_two_sided(c.t, df) : NAN;
    double width = se * linpred__t_quantile(0.5 + 0.5 * result->confidence, df);
    c.low = c.value - width;
    c.high = c.value + width;
    return c;
}

bool linpred_result_coefficient(const linpred_result *result, int32_t column, linpred_coefficient *coefficient)
{
    if (!result || !coefficient)
        return false;
    if (column < 0 || column >= result->model.columns + result->model.has_intercept)
        return false;
    linpred_coefficient made = describe_coefficient(result, column);
    return linpred__struct_fill(coefficient, &made, sizeof made);
}
