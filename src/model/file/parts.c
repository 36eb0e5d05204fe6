/* Turns parsed JSON into a result. Checks that every field is present, of its type and in its range, and that the parts
 * agree with each other.
 *
 * No number found in the file decides how much memory is allocated. Arrays are allocated with the length that they have
 * in the file. The names of features are compared with those of the coefficients before they are made, so that a long
 * name with many levels cannot ask for more memory than the file has bytes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/figures.h"
#include "model/file/file.h"
#include "model/limits.h"
#include "model/file/fields.h"

static const char *task_word(int task)
{
    return linpred_task_name((linpred_task)task);
}

/* Whether `name` is the name that linpred__recipe_name_features gives to feature k of this column. */
static bool is_feature(const linpred__recipe_column *source, int32_t k, const char *name)
{
    size_t length = strlen(source->name);
    if (source->type == LINPRED_COLUMN_NUMBER && k == 0)
        return strcmp(name, source->name) == 0;
    if (source->type == LINPRED_COLUMN_NUMBER) {
        char power[16];
        snprintf(power, sizeof power, "^%d", k + 1);
        return strncmp(name, source->name, length) == 0 && strcmp(name + length, power) == 0;
    }
    return strncmp(name, source->name, length) == 0 && name[length] == '=' &&
           strcmp(name + length + 1, source->level[k + 1]) == 0;
}

/* Reads a number for each feature: coefficients, or the centre of a ball. */
static void read_weights(linpred__fields *fields, const json_t *list, const linpred__recipe *recipe, bool ball,
                         double *w)
{
    const char *const keys[] = {"feature", ball ? "at" : "weight", NULL};
    size_t feature = 0;
    for (int32_t i = 0; i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        for (int32_t k = 0; k < linpred__recipe_column_terms(source); k++, feature++) {
            linpred__fields_enter(fields, json_array_get(list, feature), ball ? "centre" : "coefficients",
                                  (int64_t)feature + 1, keys);
            const char *name = linpred__field_string(fields, "feature");
            w[feature] = linpred__field_number(fields, keys[1], LINPRED__REQUIRED);
            if (fields->status == LINPRED_OK && !is_feature(source, k, name))
                linpred__fields_refuse(fields, "feature", "must be the name that the recipe gives this feature");
            if (fields->status != LINPRED_OK)
                return;
        }
    }
}

/* Reads the coefficients. `numbered`: the file has plain numbers, without the names x1, x2, … of the features. */
static void read_coefficients(linpred__fields *fields, const json_t *root, bool numbered, linpred_model *model)
{
    if (fields->status != LINPRED_OK)
        return;
    bool ball = model->task == LINPRED_TASK_BALL;
    const char *part = ball ? "centre" : "coefficients";
    const json_t *list = json_object_get(root, part);
    int64_t features = 0;
    for (int32_t i = 0; i < model->recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(model->recipe, i);
        features += linpred__recipe_column_terms(&source);
    }
    fields->part = part;
    fields->entry = 0;
    if (!json_is_array(list))
        linpred__fields_refuse(fields, NULL, "must be an array, […]");
    else if ((int64_t)json_array_size(list) != features || features > INT32_MAX)
        linpred__fields_refuse(fields, NULL, "has %zu entries, but the recipe gives %lld features",
                               json_array_size(list), (long long)features);
    if (fields->status != LINPRED_OK)
        return;
    model->columns = (int32_t)features;
    model->w = linpred__calloc((size_t)features, sizeof(double));
    if (!model->w) {
        linpred__fields_no_memory(fields);
        return;
    }
    if (numbered)
        linpred__take_numbers(fields, list, NULL, (size_t)features, LINPRED__REQUIRED, model->w);
    else
        read_weights(fields, list, model->recipe, ball, model->w);
}

/* Reads what the coefficients mean beyond the digits of doubles, if it is there. */
static void read_tail(linpred__fields *fields, const json_t *root, linpred_model *model)
{
    const json_t *list = json_object_get(root, "tail");
    bool halfspace = model->task == LINPRED_TASK_HALFSPACE || model->task == LINPRED_TASK_LOGISTIC;
    if (fields->status != LINPRED_OK || !list || !halfspace)
        return;
    fields->part = "tail";
    fields->entry = 0;
    size_t columns = (size_t)model->columns, width = columns + model->has_intercept, all = json_array_size(list);
    if (all == 0 || width == 0 || all % width > 0 || all / width > LINPRED__MAX_TAILS) {
        linpred__fields_refuse(fields, NULL, "must have up to %d numbers for each coefficient", LINPRED__MAX_TAILS);
        return;
    }
    double *tail = linpred__calloc(all, sizeof *tail);
    if (!tail) {
        linpred__fields_no_memory(fields);
        return;
    }
    model->tails = (linpred__tails){(int32_t)(all / width), (int32_t)width, tail};
    linpred__take_numbers(fields, list, NULL, all, LINPRED__REQUIRED, tail);
    for (size_t i = 0; fields->status == LINPRED_OK && i < all; i++) {
        double before = i >= width ? tail[i - width] : i < columns ? model->w[i] : model->b;
        if (before + tail[i] != before)
            linpred__fields_refuse(fields, NULL, "must be below the last digit of its coefficient");
    }
}

static void read_options(linpred__fields *fields, json_t *options, linpred_result *result)
{
    if (fields->status != LINPRED_OK)
        return;
    fields->object = options;
    fields->part = "options";
    fields->entry = 0;
    if (!json_is_object(options)) {
        linpred__fields_refuse(fields, NULL, "must be an object, {…}");
        return;
    }
    result->option = linpred__calloc(json_object_size(options), sizeof *result->option);
    if (!result->option) {
        linpred__fields_no_memory(fields);
        return;
    }
    const char *flag;
    json_t *value;
    json_object_foreach(options, flag, value)
    { /* in the order of the file */
        linpred__option_record *record = &result->option[result->options++];
        record->flag = linpred__copy_text(flag, strlen(flag));
        record->text = linpred__field_copy(fields, flag, LINPRED__REQUIRED);
        if (!record->flag)
            linpred__fields_no_memory(fields);
        if (fields->status != LINPRED_OK)
            return;
    }
}

bool linpred__file_has_confidence(const linpred_model *model)
{
    return model->task == LINPRED_TASK_LOGISTIC || model->task == LINPRED_TASK_REGRESSION;
}

/* The keys of a whole file, by its task. */
static const char *const *keys_of(const char *task)
{
#define FIRST "format", "version", "written_by", "task", "target", "recipe"
#define LINEAR FIRST, "coefficients", "intercept"
#define LAST "run", "options", "claims", NULL
    static const char *const keys[] = {LINEAR, LAST};
    static const char *const regression_keys[] = {LINEAR, "regression", "confidence", LAST};
    static const char *const logistic_keys[] = {LINEAR, "confidence", LAST};
    static const char *const ball_keys[] = {FIRST, "centre", "radius_squared", "positive", LAST};
#undef FIRST
#undef LINEAR
#undef LAST
    if (task && strcmp(task, "regression") == 0)
        return regression_keys;
    if (task && strcmp(task, "ball") == 0)
        return ball_keys;
    return task && strcmp(task, "logistic") == 0 ? logistic_keys : keys;
}

static void read_model(linpred__fields *fields, const json_t *root, linpred_model *model)
{
    const json_t *recipe = json_object_get(root, "recipe");
    bool ball = model->task == LINPRED_TASK_BALL;
    double intercept = ball ? linpred__field_number(fields, "radius_squared", LINPRED__REQUIRED)
                            : linpred__field_number(fields, "intercept", LINPRED__NULL_ALLOWED);
    model->has_intercept = !isnan(intercept);
    model->b = model->has_intercept ? intercept : 0.0;
    if (ball)
        model->outside = linpred__field_word(fields, "positive", linpred__file_side_word) == 1;
    linpred__file_target(fields, json_object_get(root, "target"), model->recipe);
    linpred__file_recipe(fields, recipe, json_object_get(root, ball ? "centre" : "coefficients"), model->recipe);
    read_coefficients(fields, root, json_is_integer(json_object_get(recipe, "columns")), model);
    read_tail(fields, root, model);
    if (model->task == LINPRED_TASK_REGRESSION)
        linpred__file_regression(fields, json_object_get(root, "regression"), model);
}

static void read_result(linpred__fields *fields, const json_t *root, linpred_result *result)
{
    linpred_model *model = &result->model;
    const char *task = json_string_value(json_object_get(root, "task"));
    linpred__fields_enter(fields, root, NULL, 0, keys_of(task));
    (void)linpred__field_string(fields, "written_by"); /* for people */
    model->task = (linpred_task)linpred__field_word(fields, "task", task_word);
    model->recipe->real_target = model->task == LINPRED_TASK_REGRESSION;
    read_model(fields, root, model);
    linpred__fields_enter(fields, root, NULL, 0, keys_of(task));
    if (linpred__file_has_confidence(model)) {
        result->confidence = linpred__field_number(fields, "confidence", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK && !(result->confidence > 0 && result->confidence < 1))
            linpred__fields_refuse(fields, "confidence", "must lie between 0 and 1");
    }
    linpred__file_run(fields, json_object_get(root, "run"), &result->figures);
    read_options(fields, json_object_get(root, "options"), result);
    linpred__file_claims(fields, json_object_get(root, "claims"), result);
    if (model->regression)
        linpred__file_finish_regression(fields, json_object_get(root, "regression"), result);
    if (fields->status != LINPRED_OK)
        return;
    if (!linpred__recipe_name_features(model->recipe) || !linpred__recipe_write_notes(model->recipe) ||
        !linpred__dependencies_write(linpred__result_dependencies(result), model->recipe) ||
        !linpred__write_sentences(result))
        linpred__fields_no_memory(fields);
}

linpred_status linpred__file_result(const json_t *root, const char *path, linpred_result **out, linpred_error *error)
{
    linpred__fields fields = {.path = path, .error = error, .status = LINPRED_OK};
    linpred_result *result = linpred__calloc(1, sizeof *result);
    if (!result)
        return linpred__no_memory(error);
    linpred__figures_clear(&result->figures);
    result->model.figures = &result->figures;
    result->model.recipe = linpred__recipe_new();
    if (result->model.recipe)
        read_result(&fields, root, result);
    else
        linpred__fields_no_memory(&fields);
    if (fields.status == LINPRED_OK)
        *out = result;
    else
        linpred_result_free(result);
    return fields.status;
}
