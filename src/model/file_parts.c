/* From parsed JSON to a result: every field is there, of its type and in its range, and the parts agree with each
 * other.
 *
 * Nothing is allocated by a number found in the file: arrays are as long as the file shows them to be, and the names of
 * the features are compared with those in the coefficients before they are made, so that a long name with many levels
 * cannot ask for more memory than the file has bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "model/figures.h"
#include "model/file.h"
#include "model/file_fields.h"

static const char *task_word(int task)
{
    return linpred_task_name((linpred_task)task);
}

static void read_label(linpred__fields *fields, const json_t *object, linpred__recipe *recipe, int sign)
{
    static const char *const keys[] = {"text", "value", NULL};
    linpred__fields_enter(fields, object, sign ? "positive" : "negative", 0, keys);
    recipe->label[sign] = linpred__field_copy(fields, "text", LINPRED__REQUIRED);
    double value = linpred__field_number(fields, "value", LINPRED__NULL_ALLOWED);
    if (fields->status != LINPRED_OK)
        return;
    recipe->label_value[sign] = value;
    const char *text = recipe->label[sign];
    double spelt;
    if (recipe->target_type == LINPRED_COLUMN_TEXT) {
        if (!isnan(value))
            linpred__fields_refuse(fields, "value", "must be null, since the labels are text");
        return;
    }
    if (isnan(value) && text[0] == '\0')
        return; /* all rows had the other label */
    if (isnan(value))
        linpred__fields_refuse(fields, "value", "must be a number, since the labels are numbers");
    else if (linpred__number_read(text, strlen(text), &spelt) != LINPRED__NUMBER || spelt != value)
        linpred__fields_refuse(fields, "text", "must be the same number as 'value'");
}

static void read_target(linpred__fields *fields, const json_t *object, linpred__recipe *recipe)
{
    static const char *const keys[] = {"column", "type", "negative", "positive", NULL};
    static const char *const real_keys[] = {"column", "type", NULL};
    linpred__fields_enter(fields, object, "target", 0, recipe->real_target ? real_keys : keys);
    recipe->target = linpred__field_copy(fields, "column", LINPRED__REQUIRED);
    recipe->target_type = (linpred_column_type)linpred__field_word(fields, "type", linpred__file_type_word);
    if (recipe->target_type == LINPRED_COLUMN_EMPTY)
        linpred__fields_refuse(fields, "type", "must be \"number\" or \"text\"");
    if (recipe->real_target) {
        if (recipe->target_type != LINPRED_COLUMN_NUMBER)
            linpred__fields_refuse(fields, "type", "must be \"number\", since the task is regression");
        return;
    }
    read_label(fields, json_object_get(object, "negative"), recipe, 0);
    read_label(fields, json_object_get(object, "positive"), recipe, 1);
    if (fields->status != LINPRED_OK)
        return;
    bool same = recipe->target_type == LINPRED_COLUMN_NUMBER ? recipe->label_value[0] == recipe->label_value[1]
                                                             : strcmp(recipe->label[0], recipe->label[1]) == 0;
    if (same)
        linpred__fields_refuse(fields, NULL, "is the same label as 'negative'");
}

static void read_levels(linpred__fields *fields, linpred__recipe_column *source)
{
    const json_t *levels = linpred__field_array(fields, "levels");
    size_t count = json_array_size(levels);
    if (fields->status != LINPRED_OK)
        return;
    if (count == 0 || count > INT32_MAX) {
        linpred__fields_refuse(fields, "levels", "must name at least one level");
        return;
    }
    source->level = linpred__calloc(count, sizeof *source->level);
    if (!source->level) {
        linpred__fields_no_memory(fields);
        return;
    }
    source->levels = (int32_t)count;
    for (size_t k = 0; k < count; k++) {
        const char *level = json_string_value(json_array_get(levels, k));
        if (!level) {
            linpred__fields_refuse(fields, "levels", "must be texts in quotes");
            return;
        }
        if (k > 0 && strcmp(source->level[k - 1], level) >= 0) {
            linpred__fields_refuse(fields, "levels", "must be sorted by their bytes, each once");
            return;
        }
        source->level[k] = linpred__copy_text(level, strlen(level));
        if (!source->level[k]) {
            linpred__fields_no_memory(fields);
            return;
        }
    }
}

static void read_source(linpred__fields *fields, const json_t *object, int64_t entry, const linpred__recipe *recipe,
                        linpred__recipe_column *source)
{
    static const char *const number_keys[] = {"name", "type", "mean", NULL};
    static const char *const power_keys[] = {"name", "type", "mean", "degree", NULL};
    static const char *const text_keys[] = {"name", "type", "levels", NULL};
    const char *type = json_string_value(json_object_get(object, "type"));
    bool text = type && strcmp(type, "text") == 0;
    bool powers = recipe->real_target && json_object_get(object, "degree");
    linpred__fields_enter(fields, object, "columns", entry, text ? text_keys : powers ? power_keys : number_keys);
    source->name = linpred__field_copy(fields, "name", LINPRED__REQUIRED);
    source->type = (linpred_column_type)linpred__field_word(fields, "type", linpred__file_type_word);
    source->mean = NAN;
    if (source->type == LINPRED_COLUMN_EMPTY) {
        linpred__fields_refuse(fields, "type", "must be \"number\" or \"text\"");
    } else if (text) {
        if (recipe->index_base >= 0)
            linpred__fields_refuse(fields, "type",
                                   "must be \"number\", since 'index_base' says that columns have numbers");
        read_levels(fields, source);
    } else {
        source->mean = linpred__field_number(fields, "mean", LINPRED__NULL_ALLOWED);
        int64_t degree = powers ? linpred__field_count(fields, "degree", LINPRED__REQUIRED) : 1;
        if (fields->status == LINPRED_OK && powers && (degree < 2 || degree > 100 || recipe->index_base >= 0))
            linpred__fields_refuse(fields, "degree", "must be from 2 to 100, and only where columns have names");
        source->degree = (int32_t)degree;
        if (!isnan(source->mean) && recipe->missing != LINPRED_MISSING_MEAN)
            linpred__fields_refuse(fields, "mean", "must be null unless 'missing' is \"mean\"");
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Numbered columns are x1, x2, …, some perhaps left out. */
static void check_names_ascend(linpred__fields *fields, const linpred__recipe *recipe)
{
    int64_t last = 0;
    fields->part = "columns";
    for (int32_t i = 0; i < recipe->sources; i++) {
        const char *name = recipe->source[i].name;
        int64_t number = 0;
        fields->entry = (int64_t)i + 1;
        if (name[0] != 'x' || name[1] == '0' || !linpred__whole_read(name + 1, strlen(name + 1), &number) ||
            number <= last || number > INT32_MAX) {
            linpred__fields_refuse(fields, "name", "must be x1, x2, … in ascending order, since columns have numbers");
            return;
        }
        last = number;
    }
}

/* Named columns are found by name when the recipe is applied, so no two may share one, nor one be the labels or the row
   weights. */
static void check_names_differ(linpred__fields *fields, const linpred__recipe *recipe)
{
    size_t count = (size_t)recipe->sources;
    const char **name = linpred__alloc(count + 2, sizeof *name);
    if (!name) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t i = 0; i < count; i++)
        name[i] = linpred__recipe_source(recipe, (int32_t)i).name;
    name[count++] = recipe->target;
    if (recipe->weights)
        name[count++] = recipe->weights;
    fields->part = "columns";
    fields->entry = 0;
    qsort(name, count, sizeof *name, by_text);
    for (size_t i = 1; i < count && fields->status == LINPRED_OK; i++) {
        char room[LINPRED__EXCERPT];
        if (strcmp(name[i - 1], name[i]) == 0)
            linpred__fields_refuse(fields, NULL,
                                   "must differ in name, also from the label and weights columns: not '%s'",
                                   linpred__excerpt(name[i], strlen(name[i]), room));
    }
    linpred__release(name);
}

/* A count in place of the columns: they are x1, x2, …, all numbers. `weights` has an entry for each. */
static void read_numbered(linpred__fields *fields, const json_t *weights, linpred__recipe *recipe)
{
    int64_t count = linpred__field_count(fields, "columns", LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && (count < 1 || count > INT32_MAX || (size_t)count != json_array_size(weights)))
        linpred__fields_refuse(fields, "columns", "is %lld, but there are %zu coefficients", (long long)count,
                               json_array_size(weights));
    if (fields->status != LINPRED_OK)
        return;
    if (!linpred__recipe_number_columns(recipe, (int32_t)count))
        linpred__fields_no_memory(fields);
    else if (recipe->index_base < 0)
        check_names_differ(fields, recipe);
}

static void read_recipe(linpred__fields *fields, const json_t *object, const json_t *weights, linpred__recipe *recipe)
{
    static const char *const keys[] = {"missing", "weights", "index_base", "columns", NULL};
    linpred__fields_enter(fields, object, "recipe", 0, keys);
    recipe->missing = (linpred_missing)linpred__field_word(fields, "missing", linpred__file_missing_word);
    recipe->weights = linpred__field_copy(fields, "weights", LINPRED__NULL_ALLOWED);
    int64_t base = linpred__field_count(fields, "index_base", LINPRED__NULL_ALLOWED);
    if (base > 1)
        linpred__fields_refuse(fields, "index_base", "must be 0, 1 or null");
    recipe->index_base = (int32_t)base;
    const json_t *columns = object ? json_object_get(object, "columns") : NULL;
    if (fields->status == LINPRED_OK && json_is_integer(columns)) {
        read_numbered(fields, weights, recipe);
        return;
    }
    columns = linpred__field_array(fields, "columns");
    size_t count = json_array_size(columns);
    if (count > INT32_MAX)
        linpred__fields_refuse(fields, "columns", "has more entries than linpred can use");
    if (fields->status != LINPRED_OK)
        return;
    recipe->source = linpred__calloc(count, sizeof *recipe->source);
    if (!recipe->source) {
        linpred__fields_no_memory(fields);
        return;
    }
    recipe->sources = (int32_t)count;
    for (size_t i = 0; i < count && fields->status == LINPRED_OK; i++)
        read_source(fields, json_array_get(columns, i), (int64_t)i + 1, recipe, &recipe->source[i]);
    if (fields->status == LINPRED_OK && recipe->index_base >= 0)
        check_names_ascend(fields, recipe);
    else if (fields->status == LINPRED_OK)
        check_names_differ(fields, recipe);
}

/* Whether `name` is what this column's feature k is called: see linpred__recipe_name_features. */
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

/* A number for each feature: coefficients, or the centre of a ball. */
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

/* `numbered`: plain numbers, without the names x1, x2, … of their features. */
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
    read_target(fields, json_object_get(root, "target"), model->recipe);
    read_recipe(fields, recipe, json_object_get(root, ball ? "centre" : "coefficients"), model->recipe);
    read_coefficients(fields, root, json_is_integer(json_object_get(recipe, "columns")), model);
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
    linpred__file_run(fields, json_object_get(root, "run"), &result->info);
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
    linpred__figures_clear(&result->info);
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
