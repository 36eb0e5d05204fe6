/* Results and models: making them, reading them, freeing them. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "model/figures.h"

/* Makes the regression part of a model. */
static bool make_regression(linpred_model *model, const linpred_options *options)
{
    linpred__regression *regression = linpred__regression_new(model->recipe, !options->no_intercept);
    model->regression = regression;
    if (!regression)
        return false;
    regression->loss = options->loss;
    regression->quantile = options->loss == LINPRED_LOSS_ABSOLUTE ? options->quantile : 0.5;
    return true;
}

linpred_status linpred__result_new(const linpred_data *data, linpred_task task, const linpred_options *options,
                                   linpred_result **out, linpred_error *error)
{
    linpred_result *result = linpred__calloc(1, sizeof *result);
    if (!result)
        return linpred__no_memory(error);
    linpred_model *model = &result->model;
    linpred__figures_clear(&result->figures);
    model->figures = &result->figures;
    result->confidence = options->confidence;
    model->task = task;
    bool real = model->task == LINPRED_TASK_REGRESSION;
    model->recipe = !data->from_arrays
                        ? linpred__recipe_share(data->recipe)
                        : linpred__recipe_for_arrays(data->recipe, real, real ? (int32_t)options->degree : 1);
    model->columns = model->recipe ? model->recipe->terms : 0;
    model->w = linpred__calloc((size_t)model->columns, sizeof(double));
    if (!model->recipe || !model->w || (real && !make_regression(model, options))) {
        linpred_result_free(result);
        return linpred__no_memory(error);
    }
    *out = result;
    return LINPRED_OK;
}

linpred_status linpred__record_options(linpred_result *result, linpred_method method, const linpred_options *options,
                                       linpred_error *error)
{
    linpred__scopes mattered = linpred__fit_scopes(result->model.task, method, options);
    result->option = linpred__calloc(LINPRED__OPTIONS, sizeof *result->option);
    if (!result->option)
        return linpred__no_memory(error);
    for (size_t i = 0; i < LINPRED__OPTIONS; i++) {
        const linpred__option *about = &linpred__option_table[i];
        char text[256];
        if (!(about->scopes & mattered) || i == LINPRED__OPTION_threads ||
            !linpred__option_value(options, i, text, sizeof text))
            continue;
        if (i == LINPRED__OPTION_method)
            snprintf(text, sizeof text, "%s", linpred_method_name(method));
        linpred__option_record *record = &result->option[result->options++];
        record->flag = linpred__copy_text(about->flag, strlen(about->flag));
        record->text = linpred__copy_text(text, strlen(text));
        if (!record->flag || !record->text)
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

void linpred_result_free(linpred_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->options; i++) {
        linpred__release(result->option[i].flag);
        linpred__release(result->option[i].text);
    }
    linpred__release(result->option);
    linpred__claims_clear(&result->claims);
    linpred__recipe_release(result->model.recipe);
    linpred__release(result->model.w);
    linpred__release(result->model.tails.value);
    linpred__regression_free(result->model.regression);
    linpred__release(result->standard_error);
    linpred__dependencies_clear(&result->dependencies);
    linpred__release(result);
}

const linpred_model *linpred_result_model(const linpred_result *result)
{
    if (!result)
        return NULL;
    return &result->model;
}

const double *linpred_result_standard_errors(const linpred_result *result)
{
    if (!result)
        return NULL;
    return result->standard_error;
}

double linpred__model_l2(const linpred_model *model)
{
    return isnan(model->figures->l2) ? 0.0 : model->figures->l2;
}

linpred__dependencies *linpred__result_dependencies(const linpred_result *result)
{
    return result->model.regression ? &result->model.regression->dependencies
                                    : (linpred__dependencies *)&result->dependencies;
}

const char *linpred_result_option(const linpred_result *result, const char *flag)
{
    if (!result || !flag)
        return NULL;
    for (size_t i = 0; i < result->options; i++)
        if (strcmp(result->option[i].flag, flag) == 0)
            return result->option[i].text;
    return NULL;
}

double linpred_result_class_weight(const linpred_result *result, int sign)
{
    if (!result)
        return (double)NAN;
    const linpred__figures *figures = &result->figures;
    double cost = sign > 0 ? figures->cost_positive : figures->cost_negative;
    double weight = sign > 0 ? figures->class_weight_positive : figures->class_weight_negative;
    return !isnan(cost) ? cost : !isnan(weight) ? weight : 1.0;
}

linpred_task linpred_model_task(const linpred_model *model)
{
    if (!model)
        return LINPRED_TASK_HALFSPACE;
    return model->task;
}

int32_t linpred_model_columns(const linpred_model *model)
{
    if (!model)
        return 0;
    return model->columns;
}

const double *linpred_model_coefficients(const linpred_model *model)
{
    if (!model)
        return NULL;
    return model->w;
}

bool linpred_model_has_intercept(const linpred_model *model)
{
    if (!model)
        return false;
    return model->has_intercept;
}

double linpred_model_intercept(const linpred_model *model)
{
    if (!model)
        return (double)NAN;
    return model->b;
}

const double *linpred_model_centre(const linpred_model *model)
{
    if (!model)
        return NULL;
    return model->task == LINPRED_TASK_BALL ? model->w : NULL;
}

double linpred_model_radius_squared(const linpred_model *model)
{
    if (!model)
        return (double)NAN;
    return model->task == LINPRED_TASK_BALL ? model->b : NAN;
}

int linpred_model_inside(const linpred_model *model)
{
    if (!model)
        return 0;
    return model->task != LINPRED_TASK_BALL ? 0 : model->outside ? -1 : 1;
}

linpred_loss linpred_model_loss(const linpred_model *model)
{
    if (!model)
        return LINPRED_LOSS_SQUARED;
    return model->regression ? model->regression->loss : LINPRED_LOSS_SQUARED;
}

double linpred_model_quantile(const linpred_model *model)
{
    if (!model)
        return (double)NAN;
    return linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE ? model->regression->quantile : NAN;
}

int32_t linpred_model_degree(const linpred_model *model)
{
    if (!model)
        return 0;
    int32_t degree = 1;
    for (int32_t i = 0; model->regression && i < model->regression->basis.polynomials; i++)
        if (model->regression->basis.polynomial[i].degree > degree)
            degree = model->regression->basis.polynomial[i].degree;
    return degree;
}

const char *linpred_model_feature(const linpred_model *model, int32_t column)
{
    if (!model)
        return NULL;
    return column >= 0 && column < model->columns ? linpred__recipe_feature(model->recipe, column) : NULL;
}

int32_t linpred_model_feature_power(const linpred_model *model, int32_t column)
{
    if (!model)
        return 0;
    const linpred__recipe *recipe = model->recipe;
    if (column < 0 || column >= model->columns)
        return -1;
    for (int32_t i = 0; i < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        int32_t terms = linpred__recipe_column_terms(&source);
        if (column < terms)
            return source.type == LINPRED_COLUMN_TEXT ? 0 : column + 1;
        column -= terms;
    }
    return -1;
}

int32_t linpred_model_decimals(const linpred_model *model, int32_t column)
{
    if (!model || column < 0 || column > model->columns)
        return 0;
    const linpred__recipe *recipe = model->recipe;
    if (column == model->columns)
        return recipe->target_decimals;
    if (!recipe->decimals || !recipe->source)
        return linpred__recipe_decimals(recipe, column);
    for (int32_t i = 0, next = 0; i < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        next += linpred__recipe_column_terms(&source);
        if (column < next)
            return linpred__recipe_decimals(recipe, i);
    }
    return 0;
}

const char *linpred_model_level(const linpred_model *model, const char *column, int32_t index)
{
    if (!model || !column)
        return NULL;
    return linpred__recipe_level(model->recipe, column, index);
}

const char *linpred_model_label(const linpred_model *model, int sign)
{
    if (!model)
        return NULL;
    return model->recipe->label[sign > 0];
}

const char *linpred_model_target(const linpred_model *model)
{
    if (!model)
        return NULL;
    return model->recipe->target;
}

const char *linpred_model_weights(const linpred_model *model)
{
    if (!model)
        return NULL;
    return model->recipe->weights;
}

bool linpred_model_note(const linpred_model *model, size_t index, linpred_note *note)
{
    if (!model || !note)
        return false;
    const linpred__recipe *recipe = model->recipe;
    return index < (size_t)recipe->notes && linpred__remark_fill(&recipe->about[index], recipe->note[index], note);
}

void linpred__ball_sides(const linpred_model *model, char text[LINPRED__SIDES])
{
    snprintf(text, LINPRED__SIDES, "%.30s = %.30s inside and the rest outside", model->recipe->target,
             model->recipe->label[!model->outside]);
    linpred__mend_utf8(text);
}
