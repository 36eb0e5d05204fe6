/* Reads the parts "target" and "recipe" of a model file: the labels, and the columns that give features. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "data/decimals.h"
#include "model/file/file.h"
#include "model/file/fields.h"

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
    if (isnan(value) && (text[0] == '\0' || (recipe->rest && sign == 0)))
        return; /* all rows had the other label, or it stands for many */
    if (isnan(value))
        linpred__fields_refuse(fields, "value", "must be a number, since the labels are numbers");
    else if (linpred__number_read(text, strlen(text), &spelt) != LINPRED__NUMBER || spelt != value)
        linpred__fields_refuse(fields, "text", "must be the same number as 'value'");
}

/* A key that is there only if it says something. */
static bool read_optional_flag(linpred__fields *fields, const char *key)
{
    const json_t *value = json_object_get(fields->object, key);
    if (value && !json_is_boolean(value))
        linpred__fields_refuse(fields, key, "must be true or false");
    return json_is_true(value);
}

static int32_t read_occurrence(linpred__fields *fields, const char *key)
{
    if (!json_object_get(fields->object, key))
        return 0;
    int64_t count = linpred__field_count(fields, key, LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && (count < 1 || count > INT32_MAX))
        linpred__fields_refuse(fields, key, "must be 1 or more");
    return fields->status == LINPRED_OK ? (int32_t)count : 0;
}

/* Decimals stand only where there are some. `key` must be one of an object that was entered. */
static signed char read_decimals(linpred__fields *fields, const char *key)
{
    if (!json_object_get(fields->object, key))
        return 0;
    int64_t count = linpred__field_count(fields, key, LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && (count < 1 || count > LINPRED__MAX_DECIMALS))
        linpred__fields_refuse(fields, key, "must be from 1 to %d", LINPRED__MAX_DECIMALS);
    return fields->status == LINPRED_OK ? (signed char)count : 0;
}

void linpred__file_target(linpred__fields *fields, const json_t *object, linpred__recipe *recipe)
{
    static const char *const keys[] = {"column", "type", "negative", "positive", NULL};
    static const char *const real_keys[] = {"column", "type", NULL};
    linpred__fields_enter(fields, object, "target", 0, recipe->real_target ? real_keys : keys);
    recipe->target = linpred__field_copy(fields, "column", LINPRED__REQUIRED);
    recipe->target_type = (linpred_column_type)linpred__field_word(fields, "type", linpred__file_type_word);
    if (recipe->target_type == LINPRED_COLUMN_EMPTY)
        linpred__fields_refuse(fields, "type", "must be \"number\" or \"text\"");
    recipe->target_days = read_optional_flag(fields, "days");
    recipe->target_occurrence = read_occurrence(fields, "occurrence");
    if (recipe->real_target) {
        if (recipe->target_type != LINPRED_COLUMN_NUMBER)
            linpred__fields_refuse(fields, "type", "must be \"number\", since the task is regression");
        recipe->target_decimals = read_decimals(fields, "decimals");
        return;
    }
    recipe->rest = read_optional_flag(fields, "rest");
    read_label(fields, json_object_get(object, "negative"), recipe, 0);
    read_label(fields, json_object_get(object, "positive"), recipe, 1);
    if (fields->status != LINPRED_OK)
        return;
    bool same = recipe->target_type == LINPRED_COLUMN_NUMBER ? recipe->label_value[0] == recipe->label_value[1]
                                                             : strcmp(recipe->label[0], recipe->label[1]) == 0;
    if (same)
        linpred__fields_refuse(fields, NULL, "is the same label as 'negative'");
    bool named = strncmp(recipe->label[0], "not ", 4) == 0 && strcmp(recipe->label[0] + 4, recipe->label[1]) == 0;
    if (recipe->rest && (!named || !isnan(recipe->label_value[0])))
        linpred__fields_refuse(fields, NULL, "must be what 'negative' is not, since that stands for all other labels");
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
                        linpred__recipe_column *source, signed char *decimals)
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
        else if (isnan(source->mean) && recipe->missing == LINPRED_MISSING_MEAN)
            linpred__fields_refuse(fields, "mean", "must be a number, since 'missing' is \"mean\"");
        source->days = read_optional_flag(fields, "days");
        *decimals = read_decimals(fields, "decimals");
    }
    source->occurrence = read_occurrence(fields, "occurrence");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Numbered columns are named x1, x2, …; some may be left out, but the numbers must ascend. */
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

/* Columns are found by name when the recipe is applied. So no two may have the same name, and none may have that of the
   target or of the row weights. */
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
        char excerpt[LINPRED__EXCERPT];
        if (strcmp(name[i - 1], name[i]) == 0)
            linpred__fields_refuse(fields, NULL,
                                   "must differ in name, also from the label and weights columns: not '%s'",
                                   linpred__excerpt(name[i], strlen(name[i]), excerpt));
    }
    linpred__release(name);
}

/* Reads a recipe that gives a count instead of columns: they are x1, x2, …, all numbers. `weights` has an entry for
 * each. */
static void read_numbered(linpred__fields *fields, const json_t *weights, linpred__recipe *recipe)
{
    int64_t count = linpred__field_count(fields, "columns", LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && (count < 1 || count > INT32_MAX || (size_t)count != json_array_size(weights)))
        linpred__fields_refuse(fields, "columns", "is %lld, but there are %zu coefficients", (long long)count,
                               json_array_size(weights));
    if (fields->status != LINPRED_OK)
        return;
    if (recipe->missing == LINPRED_MISSING_MEAN)
        linpred__fields_refuse(fields, "missing", "must not be \"mean\", since no column has one");
    else if (!linpred__recipe_number_columns(recipe, (int32_t)count))
        linpred__fields_no_memory(fields);
    else if (recipe->index_base < 0)
        check_names_differ(fields, recipe);
    const json_t *decimals = json_object_get(fields->object, "decimals");
    if (!decimals || fields->status != LINPRED_OK)
        return;
    recipe->decimals = linpred__calloc((size_t)count, sizeof *recipe->decimals);
    if (!recipe->decimals) {
        linpred__fields_no_memory(fields);
        return;
    }
    bool some = false, right = json_array_size(decimals) == (size_t)count;
    for (size_t i = 0; right && i < (size_t)count; i++) {
        const json_t *entry = json_array_get(decimals, i);
        json_int_t k = json_integer_value(entry);
        right = json_is_integer(entry) && k >= 0 && k <= LINPRED__MAX_DECIMALS;
        recipe->decimals[i] = (signed char)(right ? k : 0);
        some = some || recipe->decimals[i] > 0;
    }
    if (!right || !some)
        linpred__fields_refuse(fields, "decimals", "must be a list of numbers from 0 to %d, one a column, not all 0",
                               LINPRED__MAX_DECIMALS);
}

/* One character of a text that must be one of `allowed`; '\0' if it is empty or refused. */
static char read_mark(linpred__fields *fields, const char *key, const char *allowed, const char *problem)
{
    const char *text = linpred__field_string(fields, key);
    bool one = strlen(text) <= 1 && (allowed ? *text && strchr(allowed, *text) : !*text || !strchr("\"\n\r", *text));
    if (fields->status == LINPRED_OK && !one)
        linpred__fields_refuse(fields, key, "%s", problem);
    return fields->status == LINPRED_OK ? *text : '\0';
}

/* How the file of the fit was read. Models of other data do not have this part. */
static void read_reading(linpred__fields *fields, const json_t *object, linpred__reading *reading)
{
    static const char *const keys[] = {"separator", "decimal", "names", "skip", "comment", "na", NULL};
    if (!object || fields->status != LINPRED_OK)
        return;
    linpred__fields_enter(fields, object, "reading", 0, keys);
    reading->separator = read_mark(fields, "separator", NULL, "must be one character, or none");
    reading->decimal = read_mark(fields, "decimal", ".,", "must be a point or a comma");
    reading->names = read_optional_flag(fields, "names");
    reading->skip = linpred__field_count(fields, "skip", LINPRED__REQUIRED);
    reading->comment = linpred__field_copy(fields, "comment", LINPRED__NULL_ALLOWED);
    reading->na = linpred__field_copy(fields, "na", LINPRED__NULL_ALLOWED);
    reading->known = fields->status == LINPRED_OK;
}

void linpred__file_recipe(linpred__fields *fields, const json_t *object, const json_t *weights, linpred__recipe *recipe)
{
    static const char *const keys[] = {"missing", "weights", "index_base", "columns", NULL};
    linpred__fields_enter(fields, object, "recipe", 0, keys);
    recipe->missing = (linpred_missing)linpred__field_word(fields, "missing", linpred__file_missing_word);
    recipe->weights = linpred__field_copy(fields, "weights", LINPRED__NULL_ALLOWED);
    int64_t base = linpred__field_count(fields, "index_base", LINPRED__NULL_ALLOWED);
    if (base > 1)
        linpred__fields_refuse(fields, "index_base", "must be 0, 1 or null");
    if (base >= 0 && fields->status == LINPRED_OK && strcmp(recipe->target, "label") != 0)
        linpred__fields_refuse(fields, "index_base", "must be null, since numbered columns have no name but 'label'");
    recipe->index_base = (int32_t)base;
    recipe->weights_occurrence = read_occurrence(fields, "weights_occurrence");
    read_reading(fields, object ? json_object_get(object, "reading") : NULL, &recipe->reading);
    linpred__fields_enter(fields, object, "recipe", 0, keys);
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
    recipe->decimals = linpred__calloc(count, sizeof *recipe->decimals);
    if (!recipe->source || !recipe->decimals) {
        linpred__fields_no_memory(fields);
        return;
    }
    recipe->sources = (int32_t)count;
    for (size_t i = 0; i < count && fields->status == LINPRED_OK; i++)
        read_source(fields, json_array_get(columns, i), (int64_t)i + 1, recipe, &recipe->source[i],
                    &recipe->decimals[i]);
    if (fields->status == LINPRED_OK && recipe->index_base >= 0)
        check_names_ascend(fields, recipe);
    else if (fields->status == LINPRED_OK)
        check_names_differ(fields, recipe);
}
