/* What a table says of its columns, as the JSON of an npz archive: names, types, levels, how numbers were written and
 * how the file was read. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"
#include "table/npz/npz.h"

static const char format_name[] = "linpred data";
enum { FORMAT_VERSION = 1 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_key(linpred__text *text, const char *before, const char *key)
{
    linpred__text_add(text, before);
    linpred__text_string(text, key);
    linpred__text_add(text, ": ");
}

static void put_whole(linpred__text *text, const char *before, const char *key, int64_t value)
{
    put_key(text, before, key);
    linpred__text_format(text, "%lld", (long long)value);
}

static void put_truth(linpred__text *text, const char *before, const char *key, bool value)
{
    put_key(text, before, key);
    linpred__text_add(text, value ? "true" : "false");
}

static void put_text(linpred__text *text, const char *before, const char *key, const char *value)
{
    put_key(text, before, key);
    if (value)
        linpred__text_string(text, value);
    else
        linpred__text_add(text, "null");
}

static void describe_reading(const linpred__reading *reading, linpred__text *text)
{
    const char separator[] = {reading->separator, '\0'}, decimal[] = {reading->decimal, '\0'};
    put_text(text, ",\n \"reading\": {", "separator", separator);
    put_text(text, ", ", "decimal", decimal);
    put_truth(text, ", ", "names", reading->names);
    put_whole(text, ", ", "skip", reading->skip);
    put_text(text, ", ", "comment", reading->comment);
    put_text(text, ", ", "na", reading->na);
    linpred__text_add(text, "}");
}

/* An archive has no lines: the row that stands in a line of the source, 1-based; 0 if the line is 0. */
static int64_t row_in_line(const linpred__table *table, int64_t line)
{
    int64_t low = 0,
            high = table->rows; /* rows before `low` begin in this line or before, those from `high` on after */
    while (line > 0 && low < high) {
        int64_t middle = low + (high - low) / 2;
        if (linpred__table_line(table, middle) <= line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void describe_column(const linpred__table *table, const linpred__column *column, linpred__text *text)
{
    put_text(text, "{", "name", column->name);
    put_text(text, ", ", "type", column->type == LINPRED_COLUMN_TEXT ? "text" : "number");
    put_truth(text, ", ", "long", column->long_numbers);
    put_truth(text, ", ", "days", column->use == LINPRED__USED_AS_DAYS);
    put_whole(text, ", ", "altered", column->altered);
    put_whole(text, ", ", "first_altered", row_in_line(table, column->first_altered_line));
    if (column->type == LINPRED_COLUMN_TEXT) {
        put_truth(text, ", ", "typed", column->typed_text);
        put_key(text, ", ", "levels");
        for (int32_t i = 0; i < column->levels; i++) {
            linpred__text_add(text, i == 0 ? "[" : ", ");
            linpred__text_string(text, column->level[i]);
        }
        linpred__text_add(text, column->levels > 0 ? "]" : "[]");
    }
    linpred__text_add(text, "}");
}

void linpred__npz_describe(const linpred__table *table, const linpred__npz_columns *columns, linpred__text *text)
{
    bool sparse = table->layout == LINPRED__SPARSE;
    put_text(text, "{", "format", format_name);
    put_whole(text, ",\n ", "version", FORMAT_VERSION);
    put_whole(text, ",\n ", "rows", table->rows);
    put_whole(text, ",\n ", "features", columns->features);
    put_whole(text, ",\n ", "entries", sparse ? table->entries : table->rows * columns->features);
    put_whole(text, ",\n ", "missing", columns->missing);
    put_truth(text, ",\n ", "sparse", sparse);
    put_truth(text, ",\n ", "weights", columns->weights);
    put_truth(text, ",\n ", "target", columns->target);
    put_truth(text, ",\n ", "names", table->has_names);
    put_whole(text, ",\n ", "block_rows", table->block_rows);
    put_truth(text, ",\n ", "decimal", table->decimal);
    put_whole(text, ",\n ", "index_base", table->index_base);
    put_whole(text, ",\n ", "altered", table->altered);
    put_whole(text, ",\n ", "first_altered", row_in_line(table, table->first_altered_line));
    if (table->reading.known)
        describe_reading(&table->reading, text);
    put_key(text, ",\n ", "columns");
    linpred__text_add(text, "[");
    int32_t count = sparse ? 0 : columns->features + columns->weights + columns->target;
    for (int32_t i = 0; i < count; i++) {
        linpred__text_add(text, i > 0 ? ",\n  " : "\n  ");
        describe_column(table, &table->column[columns->column[i]], text);
    }
    linpred__text_add(text, "]}\n");
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* A whole number from `low` to `high`; false if the key is missing or is none. */
static bool whole_of(const json_t *object, const char *key, int64_t low, int64_t high, int64_t *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_integer_value(found);
    return json_is_integer(found) && *value >= low && *value <= high;
}

static bool truth_of(const json_t *object, const char *key, bool *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_is_true(found);
    return json_is_boolean(found);
}

static char *copy_of(const json_t *text)
{
    const char *value = json_string_value(text);
    return value ? linpred__copy_text(value, strlen(value)) : NULL;
}

/* One character, or none. */
static bool take_mark(const json_t *object, const char *key, char *mark)
{
    const char *text = json_string_value(json_object_get(object, key));
    *mark = text ? text[0] : '\0';
    return text && (text[0] == '\0' || text[1] == '\0');
}

static bool take_reading(const json_t *object, linpred__reading *reading)
{
    if (!object)
        return true;
    linpred__reading made = {.known = true};
    bool right = take_mark(object, "separator", &made.separator) && take_mark(object, "decimal", &made.decimal) &&
                 truth_of(object, "names", &made.names) && whole_of(object, "skip", 0, INT64_MAX, &made.skip) &&
                 (made.decimal == '.' || made.decimal == ',');
    if (!right)
        return false;
    made.comment = copy_of(json_object_get(object, "comment"));
    made.na = copy_of(json_object_get(object, "na"));
    *reading = made;
    return true;
}

static bool take_levels(const json_t *list, linpred__column *column)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > INT32_MAX)
        return false;
    column->level = linpred__calloc(count, sizeof *column->level);
    if (!column->level)
        return false;
    for (size_t i = 0; i < count; i++) {
        column->level[i] = copy_of(json_array_get(list, i));
        if (!column->level[i])
            return false;
        column->levels = (int32_t)i + 1;
    }
    return true;
}

static bool take_column(const json_t *object, linpred__column *column)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    bool days;
    column->name = copy_of(json_object_get(object, "name"));
    if (!column->name || !type || !truth_of(object, "long", &column->long_numbers) ||
        !truth_of(object, "days", &days) || !whole_of(object, "altered", 0, INT64_MAX, &column->altered) ||
        !whole_of(object, "first_altered", 0, INT64_MAX, &column->first_altered_line))
        return false;
    column->use = days ? LINPRED__USED_AS_DAYS : LINPRED__USED;
    column->type = LINPRED_COLUMN_NUMBER;
    if (strcmp(type, "text") != 0)
        return strcmp(type, "number") == 0;
    column->type = LINPRED_COLUMN_TEXT;
    return truth_of(object, "typed", &column->typed_text) && take_levels(json_object_get(object, "levels"), column);
}

static bool read_npz_columns(const json_t *root, linpred__table *table, const linpred__npz_columns *columns)
{
    const json_t *list = json_object_get(root, "columns");
    int64_t count = (int64_t)columns->features + columns->weights + columns->target;
    if (table->layout == LINPRED__SPARSE) {
        table->columns = columns->features;
        return json_array_size(list) == 0 && columns->target && !columns->weights;
    }
    if ((int64_t)json_array_size(list) != count || count > INT32_MAX)
        return false;
    table->column = linpred__calloc((size_t)count, sizeof *table->column);
    if (!table->column)
        return false;
    table->columns = (int32_t)count;
    for (int32_t i = 0; i < table->columns; i++)
        if (!take_column(json_array_get(list, (size_t)i), &table->column[i]))
            return false;
    return true;
}

static bool take_head(const json_t *root, linpred__table *table, linpred__npz_columns *columns)
{
    int64_t features, block_rows, index_base;
    bool sparse;
    if (!whole_of(root, "rows", 1, INT64_MAX / 64, &table->rows) ||
        !whole_of(root, "features", 1, INT32_MAX, &features) ||
        !whole_of(root, "entries", 0, INT64_MAX / 64, &table->entries) || !truth_of(root, "sparse", &sparse) ||
        !truth_of(root, "weights", &columns->weights) || !truth_of(root, "target", &columns->target) ||
        !truth_of(root, "names", &table->has_names) ||
        !whole_of(root, "block_rows", 1, LINPRED__BLOCK_MAX_ROWS, &block_rows) ||
        !truth_of(root, "decimal", &table->decimal) || !whole_of(root, "index_base", -1, 1, &index_base) ||
        !whole_of(root, "altered", 0, INT64_MAX, &table->altered) ||
        !whole_of(root, "first_altered", 0, INT64_MAX, &table->first_altered_line))
        return false;
    if (!whole_of(root, "missing", 0, INT64_MAX, &columns->missing)) /* older archives do not say it */
        columns->missing = -1;
    table->layout = sparse ? LINPRED__SPARSE : LINPRED__DENSE;
    table->block_rows = (int32_t)block_rows;
    table->index_base = (int32_t)index_base;
    columns->features = (int32_t)features;
    return take_reading(json_object_get(root, "reading"), &table->reading) && read_npz_columns(root, table, columns);
}

linpred_status linpred__npz_head(const char *json, size_t bytes, linpred__table *table, linpred__npz_columns *columns,
                                 linpred_error *error)
{
    int64_t version = 0;
    json_t *root = json_loadb(json, bytes, JSON_REJECT_DUPLICATES, NULL);
    const char *format = json_string_value(json_object_get(root, "format"));
    bool known = format && strcmp(format, format_name) == 0 && whole_of(root, "version", 1, INT32_MAX, &version);
    bool right = known && version == FORMAT_VERSION && take_head(root, table, columns);
    json_decref(root);
    if (right)
        return LINPRED_OK;
    if (known && version > FORMAT_VERSION)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: version %lld of linpred's archives is unknown; this linpred reads version %d",
                             table->name, (long long)version, FORMAT_VERSION);
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "%s: the member 'recipe' is none that linpred convert writes; convert the source again",
                         table->name);
}
