/* Figures of a result by name, for programs. */
#include <math.h>
#include <string.h>

#include "model/figures.h"
#include "model/model.h"

size_t linpred_figure_count(void)
{
    size_t count = 0;
    while (linpred__figure_at(count))
        count++;
    return count;
}

const char *linpred_figure_name(size_t index)
{
    const linpred__figure *figure = linpred__figure_at(index);
    return figure ? figure->name : NULL;
}

const char *linpred_figure_meaning(const char *name)
{
    const linpred__figure *figure = linpred__figure_find(name);
    return figure ? figure->meaning : NULL;
}

bool linpred_figure_is_count(const char *name)
{
    const linpred__figure *figure = linpred__figure_find(name);
    return figure && figure->count;
}

unsigned linpred_figure_claims(const char *name)
{
    const linpred__figure *figure = linpred__figure_find(name);
    return figure ? figure->claims : LINPRED_RUN;
}

/* Of the coefficients but the intercept. */
static double model_degrees(const linpred_result *result)
{
    int64_t rank = result->info.rank;
    return rank < 0 || !result->model.regression ? (double)NAN : (double)rank - result->model.has_intercept;
}

/* R² with both sums of squares divided by their degrees of freedom. */
static double adjusted_r_squared(const linpred_result *result)
{
    const linpred__figures *info = &result->info;
    double df = info->degrees_of_freedom;
    return isnan(info->residual_sd) ? (double)NAN : 1.0 - (1.0 - info->r_squared) * (df + model_degrees(result)) / df;
}

double linpred_result_number(const linpred_result *result, const char *name)
{
    const linpred__figure *figure = linpred__figure_find(name);
    if (figure)
        return linpred__figure_as_number(&result->info, figure);
    if (strcmp(name, "adjusted_r_squared") == 0)
        return adjusted_r_squared(result);
    if (strcmp(name, "updates_at_most") == 0) /* a bound that rounding left just below a whole number is that number */
        return floor(result->info.update_bound * (1.0 + 1e-12));
    if (strcmp(name, "model_degrees_of_freedom") == 0)
        return model_degrees(result);
    return NAN;
}

int64_t linpred_result_count(const linpred_result *result, const char *name)
{
    const linpred__figure *figure = linpred__figure_find(name);
    return figure && figure->count ? linpred__figure_as_count(&result->info, figure) : -1;
}

linpred_outcome linpred_result_outcome(const linpred_result *result)
{
    return result->info.outcome;
}

linpred_method linpred_result_method(const linpred_result *result)
{
    return result->info.method;
}

linpred_separation linpred_result_separation(const linpred_result *result)
{
    return result->info.separation;
}

const char *linpred_result_reason(const linpred_result *result)
{
    return result->info.reason;
}

const char *linpred_result_no_standard_errors(const linpred_result *result)
{
    return *result->info.reason_no_errors ? result->info.reason_no_errors : NULL;
}
