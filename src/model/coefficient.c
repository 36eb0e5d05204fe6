/* One coefficient of a result as people read it: value, standard error, t statistic, p value, confidence interval.
 *
 *   t = value / se,   p = P(|T| >= |t|),   interval = value ± se · t_quantile((1 + confidence) / 2)
 *
 * If se is 0, because all residuals are 0, there is no test: t and p are NaN.
 * T has Student's distribution with the degrees of freedom of the fit. Logistic regression has none, which stands for
 * infinitely many: T is then normal.
 */
#include <math.h>

#include "core/struct_size.h"
#include "model/model.h"
#include "num/distribution.h"

static const char *coefficient_name(const linpred__recipe *recipe, int32_t j)
{
    return j < recipe->terms ? linpred__recipe_feature(recipe, j) : "(intercept)";
}

double linpred_result_confidence(const linpred_result *result)
{
    return result->confidence;
}

static linpred_coefficient describe(const linpred_result *result, int32_t column)
{
    const linpred_model *model = &result->model;
    const linpred__regression *regression = model->regression;
    linpred_coefficient c = {sizeof c, NULL, NAN, NAN, NAN, NAN, NAN, NAN};
    c.name = coefficient_name(model->recipe, column);
    c.value = column < model->columns ? model->w[column] : model->b;
    const double *errors = linpred_result_standard_errors(result);
    double se = errors ? errors[column] : NAN;
    double df = regression ? regression->degrees_of_freedom : INFINITY;
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
    if (column < 0 || column >= result->model.columns + result->model.has_intercept)
        return false;
    linpred_coefficient made = describe(result, column);
    return linpred__struct_fill(coefficient, &made, sizeof made);
}
