/* Checks that the options recorded in a model file are those of its model: penalty, quantile, powers, costs and so on.
 * An option that is not recorded had its default. Options that only tell how the fit went must be such as one can type.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/options.h"
#include "model/file/file.h"

/* Refuses the file unless the option is as the model needs it. */
static void agree(linpred__fields *fields, const char *flag, bool yes)
{
    if (fields->status != LINPRED_OK || yes)
        return;
    fields->part = "options";
    linpred__fields_refuse(fields, flag, "is not what the rest of the file says");
}

/* Reads "A:B"; NULL gives 1 and 1. */
static bool read_pair(const char *text, double pair[2])
{
    const char *colon = text ? strchr(text, ':') : NULL;
    pair[0] = pair[1] = 1.0;
    return !text || (colon && linpred__number_read(text, (size_t)(colon - text), &pair[0]) == LINPRED__NUMBER &&
                     linpred__number_read(colon + 1, strlen(colon + 1), &pair[1]) == LINPRED__NUMBER);
}

static bool is_pair(const char *text, double negative, double positive)
{
    double pair[2];
    return read_pair(text, pair) && pair[0] == negative && pair[1] == positive;
}

/* Whether a piece of --on is the name of a column with powers, or may be the number of one. */
static bool names_power(const linpred__recipe *recipe, const char *piece, size_t length)
{
    bool number = length > 0;
    for (size_t i = 0; i < length; i++)
        number = number && isdigit((unsigned char)piece[i]);
    for (int32_t i = 0; i < recipe->sources && !number; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        number = linpred__recipe_column_terms(&source) > linpred__recipe_column_features(&source) &&
                 strlen(source.name) == length && strncmp(source.name, piece, length) == 0;
    }
    return number;
}

/* Whether the columns with powers are those of --on; all numbers without it. Names that hold a comma or a quote are not
   taken apart. */
static bool powers_agree(const linpred__recipe *recipe, const linpred_options *options)
{
    if (options->degree == 1)
        return true;
    for (int32_t i = 0; i < recipe->sources && !options->on; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        if (source.type == LINPRED_COLUMN_NUMBER && linpred__recipe_column_terms(&source) != (int32_t)options->degree)
            return false;
    }
    if (!options->on || strchr(options->on, '"'))
        return true;
    for (int32_t i = 0; i < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        if (strchr(source.name, ','))
            return true;
    }
    for (const char *at = options->on; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ",");
        while (length > 0 && at[length - 1] == ' ')
            length--;
        if (!names_power(recipe, at, length))
            return false;
    }
    return true;
}

static void check_regression_options(linpred__fields *fields, const linpred_result *result,
                                     const linpred_options *options)
{
    const linpred_model *model = &result->model;
    const linpred__regression *regression = model->regression;
    bool squared = regression->loss == LINPRED_LOSS_SQUARED, powers = regression->basis.polynomials > 0;
    agree(fields, "loss", options->loss == regression->loss);
    agree(fields, "quantile", options->quantile == regression->quantile);
    agree(fields, "l2", options->l2 == (squared ? result->figures.l2 : 0.0));
    agree(fields, "degree", !powers || options->degree == linpred_model_degree(model));
    agree(fields, powers && options->on ? "on" : "degree", powers_agree(model->recipe, options));
}

static void check_logistic_options(linpred__fields *fields, const linpred_result *result,
                                   const linpred_options *options)
{
    const linpred__figures *figures = &result->figures;
    bool balanced = options->class_weights && strcmp(options->class_weights, "balanced") == 0;
    agree(fields, "l2", options->l2 == figures->l2);
    if (!isnan(figures->gap_tolerance))
        agree(fields, "tolerance", options->tolerance == figures->gap_tolerance);
    /* Balanced weights are computed from the rows, by the checker. */
    if (!isnan(figures->class_weight_negative) && !balanced)
        agree(fields, "class-weights",
              is_pair(options->class_weights, figures->class_weight_negative, figures->class_weight_positive));
}

static void check_halfspace_options(linpred__fields *fields, const linpred_result *result,
                                    const linpred_options *options)
{
    const linpred__figures *figures = &result->figures;
    const linpred__claim *largest = linpred__claims_find(&result->claims, LINPRED_CLAIM_LARGEST_MARGIN);
    double pair[2];
    agree(fields, "outside", options->outside == (result->model.task == LINPRED_TASK_BALL && result->model.outside));
    agree(fields, "cost",
          isnan(figures->cost_negative) ? read_pair(options->cost, pair)
                                        : is_pair(options->cost, figures->cost_negative, figures->cost_positive));
    if (largest)
        agree(fields, "norm",
              (options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT) == largest->by.support.without_intercept);
}

void linpred__file_check_options(linpred__fields *fields, const linpred_result *result)
{
    linpred_options *options = fields->status == LINPRED_OK ? linpred_options_new() : NULL;
    if (fields->status != LINPRED_OK)
        return;
    if (!options) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t i = 0; i < result->options; i++) {
        const linpred__option_record *record = &result->option[i];
        linpred_error error;
        linpred_status status = linpred_options_set(options, record->flag, record->text, &error);
        if (status == LINPRED_ERROR_MEMORY)
            linpred__fields_no_memory(fields);
        else if (status != LINPRED_OK && linpred__option_find(record->flag) >= 0) {
            fields->part = "options";
            linpred__fields_refuse(fields, record->flag, "has a value that no such option takes");
        }
    }
    agree(fields, "no-intercept", options->no_intercept == !result->model.has_intercept);
    const linpred__dependencies *dependencies =
        result->model.regression ? &result->model.regression->dependencies : &result->dependencies;
    if (dependencies->count > 0)
        agree(fields, "dependent", (options->dependent == LINPRED_DEPENDENT_DROP) == dependencies->drop);
    if (linpred__file_has_confidence(&result->model))
        agree(fields, "confidence", options->confidence == result->confidence);
    if (result->model.regression)
        check_regression_options(fields, result, options);
    else if (result->model.task == LINPRED_TASK_LOGISTIC)
        check_logistic_options(fields, result, options);
    else
        check_halfspace_options(fields, result, options);
    linpred_options_free(options);
}
