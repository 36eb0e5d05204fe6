/* Regression results: making, asking, freeing. */
#include "model/regression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/distribution.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/model.h"

linpred__regression *linpred__regression_new(const linpred__recipe *recipe, bool has_intercept)
{
    linpred__regression *regression = linpred__calloc(1, sizeof *regression);
    if (!regression)
        return NULL;
    size_t width = (size_t)recipe->terms + has_intercept;
    regression->width = (int32_t)width;
    regression->rank = -1;
    regression->quantile = 0.5;
    regression->residual_sd = NAN;
    regression->degrees_of_freedom = NAN;
    regression->tail = linpred__calloc(width, sizeof(double));
    regression->standard_error = linpred__alloc(width, sizeof(double));
    regression->error_bound = linpred__alloc(width, sizeof(double));
    regression->basis_weight = linpred__calloc(width, sizeof(double));
    regression->basis_tail = linpred__calloc(width, sizeof(double));
    if (!regression->tail || !regression->standard_error || !regression->error_bound || !regression->basis_weight ||
        !regression->basis_tail || !linpred__polynomial_basis_make(&regression->basis, recipe, has_intercept)) {
        linpred__regression_free(regression);
        return NULL;
    }
    for (size_t j = 0; j < width; j++)
        regression->standard_error[j] = regression->error_bound[j] = NAN;
    return regression;
}

static void clear_sentences(linpred__regression *regression)
{
    for (int32_t k = 0; regression->sentence && k < regression->dependencies; k++)
        linpred__release(regression->sentence[k]);
    linpred__release(regression->sentence);
    regression->sentence = NULL;
}

void linpred__regression_free(linpred__regression *regression)
{
    if (!regression)
        return;
    clear_sentences(regression);
    linpred__release(regression->tail);
    linpred__release(regression->standard_error);
    linpred__release(regression->error_bound);
    linpred__release(regression->basis_weight);
    linpred__release(regression->basis_tail);
    linpred__release(regression->factor);
    linpred__release(regression->dependency);
    linpred__release(regression->exact);
    linpred__release(regression->basis_dependency);
    linpred__polynomial_basis_clear(&regression->basis);
    linpred__release(regression);
}

bool linpred__regression_factor(linpred__regression *regression, int32_t rank)
{
    linpred__release(regression->factor);
    regression->rank = rank;
    regression->factor = linpred__calloc((size_t)regression->width * (size_t)rank, sizeof(double));
    return regression->factor != NULL;
}

bool linpred__regression_dependencies(linpred__regression *regression, int32_t count)
{
    regression->dependency = linpred__calloc((size_t)count * (size_t)regression->width, sizeof(double));
    regression->exact = linpred__calloc((size_t)count, sizeof *regression->exact);
    regression->dependencies = regression->dependency && regression->exact ? count : 0;
    return regression->dependencies == count;
}

bool linpred__regression_basis_dependencies(linpred__regression *regression)
{
    regression->basis_dependency =
        linpred__calloc((size_t)regression->dependencies * (size_t)regression->width, sizeof(double));
    return regression->basis_dependency != NULL;
}

static const char *coefficient_name(const linpred__recipe *recipe, int32_t j)
{
    return j < recipe->terms ? linpred__recipe_feature(recipe, j) : "(intercept)";
}

bool linpred__regression_write_sentences(linpred__regression *regression, const linpred__recipe *recipe)
{
    clear_sentences(regression);
    regression->sentence = linpred__calloc((size_t)regression->dependencies, sizeof *regression->sentence);
    if (!regression->sentence)
        return false;
    for (int32_t k = 0; k < regression->dependencies; k++) {
        regression->sentence[k] =
            linpred__dependency_sentence(recipe, regression->dependency + (size_t)k * (size_t)regression->width,
                                         regression->width, regression->exact[k]);
        if (!regression->sentence[k])
            return false;
    }
    return true;
}

double linpred_result_confidence(const linpred_result *result)
{
    return result->confidence;
}

linpred_coefficient linpred_result_coefficient(const linpred_result *result, int32_t column)
{
    const linpred_model *model = &result->model;
    const linpred__regression *regression = model->regression;
    linpred_coefficient c = {NULL, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (column < 0 || column >= model->columns + model->has_intercept)
        return c;
    c.name = coefficient_name(model->recipe, column);
    c.value = column < model->columns ? model->w[column] : model->b;
    const double *errors = linpred_result_standard_errors(result);
    double se = errors ? errors[column] : NAN;
    double df = regression ? regression->degrees_of_freedom : INFINITY;
    if (regression)
        __atomic_load(&regression->error_bound[column], &c.error_bound,
                      __ATOMIC_RELAXED); /* linpred_verify may run beside */
    c.standard_error = se;
    if (isnan(se) || !(df > 0))
        return c;
    c.t = se > 0 ? c.value / se : c.value == 0 ? NAN : copysign(INFINITY, c.value);
    c.p = linpred__t_two_sided(c.t, df);
    double width = se * linpred__t_quantile(0.5 + 0.5 * result->confidence, df);
    c.low = c.value - width;
    c.high = c.value + width;
    return c;
}
