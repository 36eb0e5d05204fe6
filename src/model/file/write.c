/* Writes the model file: JSON that people can read, with one thing on a line and numbers that read back to the same
 * bits.
 *
 * The whole text is made in memory, then the checksum is filled in. The file is written so that it is either complete
 * or absent. A result that the reader would refuse is refused here.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/figures.h"
#include "model/file/file.h"
#include "model/file/put.h"

char *linpred__file_checksum_at(char *bytes)
{
    char *key = strstr(bytes, LINPRED__FILE_CHECKSUM_KEY);
    if (!key)
        return NULL;
    char *digits = key + strlen(LINPRED__FILE_CHECKSUM_KEY);
    return strlen(digits) >= LINPRED__FILE_CHECKSUM_DIGITS ? digits : NULL;
}

void linpred__file_checksum(const char *bytes, size_t length, const char *digits_at,
                            char checksum[LINPRED__FILE_CHECKSUM_DIGITS + 1])
{
    uint64_t hash = 0xCBF29CE484222325u;
    const char *after = digits_at + LINPRED__FILE_CHECKSUM_DIGITS;
    for (const char *c = bytes; c < digits_at; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
    for (const char *c = digits_at; c < after; c++)
        hash = (hash ^ (unsigned char)'0') * 0x100000001B3u;
    for (const char *c = after; c < bytes + length; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
    snprintf(checksum, LINPRED__FILE_CHECKSUM_DIGITS + 1, "%016" PRIx64, hash);
}

const char *linpred__file_missing_word(int missing)
{
    static const char *const words[] = {
        [LINPRED_MISSING_FAIL] = "fail", [LINPRED_MISSING_DROP] = "drop", [LINPRED_MISSING_MEAN] = "mean"};
    return missing >= 0 && missing < (int)(sizeof words / sizeof words[0]) ? words[missing] : "unknown";
}

const char *linpred__file_type_word(int type)
{
    static const char *const words[] = {
        [LINPRED_COLUMN_EMPTY] = "empty", [LINPRED_COLUMN_NUMBER] = "number", [LINPRED_COLUMN_TEXT] = "text"};
    return type >= 0 && type < (int)(sizeof words / sizeof words[0]) ? words[type] : "unknown";
}

const char *linpred__file_side_word(int outside)
{
    return outside == 0 ? "inside" : outside == 1 ? "outside" : "unknown";
}

static void put_target(linpred__text *text, const linpred__recipe *recipe)
{
    bool number = recipe->target_type == LINPRED_COLUMN_NUMBER;
    linpred__put_key(text, ",\n  ", "target");
    linpred__put_string(text, "{\n    ", "column", recipe->target);
    /* A key that may be missing stands in a line with one that may not, so that no line can be lost. */
    if (recipe->target_days)
        linpred__put_flag(text, ", ", "days", true);
    if (recipe->rest)
        linpred__put_flag(text, ", ", "rest", true);
    if (recipe->target_occurrence > 0)
        linpred__put_count(text, ", ", "occurrence", recipe->target_occurrence);
    if (recipe->target_decimals > 0)
        linpred__put_count(text, ", ", "decimals", recipe->target_decimals);
    linpred__put_string(text, ",\n    ", "type", linpred__file_type_word((int)recipe->target_type));
    for (int sign = 0; !recipe->real_target && sign < 2; sign++) {
        linpred__put_key(text, ",\n    ", sign ? "positive" : "negative");
        linpred__put_string(text, "{", "text", recipe->label[sign]);
        linpred__put_number(text, ", ", "value", number ? recipe->label_value[sign] : NAN);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "\n  }");
}

static void put_source(linpred__text *text, const linpred__recipe_column *source, int decimals)
{
    linpred__put_string(text, "{", "name", source->name);
    linpred__put_string(text, ", ", "type", linpred__file_type_word((int)source->type));
    if (source->type == LINPRED_COLUMN_NUMBER) {
        linpred__put_number(text, ", ", "mean", source->mean);
        if (source->degree > 1)
            linpred__put_count(text, ", ", "degree", source->degree);
        if (source->days)
            linpred__put_flag(text, ", ", "days", true);
        if (decimals > 0)
            linpred__put_count(text, ", ", "decimals", decimals);
    } else {
        linpred__put_key(text, ", ", "levels");
        for (int32_t k = 0; k < source->levels; k++) {
            linpred__text_add(text, k == 0 ? "[" : ", ");
            linpred__text_string(text, source->level[k]);
        }
        linpred__text_add(text, "]");
    }
    if (source->occurrence > 0)
        linpred__put_count(text, ", ", "occurrence", source->occurrence);
    linpred__text_add(text, "}");
}

/* How the file was read; nothing if the data does not come from a CSV file. */
static void put_reading(linpred__text *text, const linpred__reading *reading)
{
    char separator[] = {reading->separator, '\0'}, decimal[] = {reading->decimal, '\0'};
    if (!reading->known)
        return;
    linpred__put_key(text, ", ", "reading");
    linpred__put_string(text, "{", "separator", separator);
    linpred__put_string(text, ", ", "decimal", decimal);
    linpred__put_flag(text, ", ", "names", reading->names);
    linpred__put_count(text, ", ", "skip", reading->skip);
    linpred__put_string(text, ", ", "comment", reading->comment);
    linpred__put_string(text, ", ", "na", reading->na);
    linpred__text_add(text, "}");
}

/* The decimals of x1, x2, …; nothing if none has any. */
static void put_numbered_decimals(linpred__text *text, const linpred__recipe *recipe)
{
    bool some = false;
    for (int32_t i = 0; i < recipe->sources; i++)
        some = some || linpred__recipe_decimals(recipe, i) > 0;
    if (!some)
        return;
    /* Columns may be many, and different numbers of decimals are few: each is worded once, and added with others. */
    char item[UCHAR_MAX + 1][8] = {""}, line[4096];
    size_t length[UCHAR_MAX + 1], used = 0;
    linpred__put_key(text, ", ", "decimals");
    linpred__text_format(text, "[%d", recipe->decimals[0]);
    for (int32_t i = 1; i < recipe->sources; i++) {
        unsigned char known = (unsigned char)recipe->decimals[i];
        if (!*item[known])
            length[known] = (size_t)snprintf(item[known], sizeof item[0], ", %d", recipe->decimals[i]);
        if (used + sizeof item[0] > sizeof line) {
            linpred__text_add(text, line);
            used = 0;
        }
        memcpy(line + used, item[known], sizeof item[0]);
        used += length[known];
    }
    line[used] = '\0';
    linpred__text_add(text, line);
    linpred__text_add(text, "]");
}

static void put_recipe(linpred__text *text, const linpred__recipe *recipe)
{
    linpred__put_key(text, ",\n  ", "recipe");
    linpred__put_string(text, "{\n    ", "missing", linpred__file_missing_word((int)recipe->missing));
    linpred__put_string(text, ",\n    ", "weights", recipe->weights);
    if (recipe->weights_occurrence > 0)
        linpred__put_count(text, ", ", "weights_occurrence", recipe->weights_occurrence);
    linpred__put_count(text, ",\n    ", "index_base", recipe->index_base);
    put_reading(text, &recipe->reading);
    if (linpred__recipe_is_numbered(recipe)) {
        linpred__put_count(text, ",\n    ", "columns", recipe->sources);
        put_numbered_decimals(text, recipe);
        linpred__text_add(text, "\n  }");
        return;
    }
    linpred__put_key(text, ",\n    ", "columns");
    linpred__text_add(text, "[");
    for (int32_t i = 0; i < recipe->sources; i++) {
        linpred__text_add(text, i == 0 ? "\n      " : ",\n      ");
        put_source(text, &recipe->source[i], linpred__recipe_decimals(recipe, i));
    }
    linpred__text_add(text, recipe->sources > 0 ? "\n    ]\n  }" : "]\n  }");
}

static void put_coefficients(linpred__text *text, const linpred_model *model)
{
    bool ball = model->task == LINPRED_TASK_BALL, numbered = linpred__recipe_is_numbered(model->recipe);
    linpred__put_key(text, ",\n  ", ball ? "centre" : "coefficients");
    linpred__text_add(text, "[");
    if (numbered && model->columns > 0) {
        linpred__text_add(text, "\n    ");
        linpred__text_numbers(text, ",\n    ", model->w, (size_t)model->columns);
    }
    for (int32_t j = 0; !numbered && j < model->columns; j++) {
        linpred__text_add(text, j == 0 ? "\n    " : ",\n    ");
        linpred__put_string(text, "{", "feature", linpred__recipe_feature(model->recipe, j));
        linpred__put_number(text, ", ", ball ? "at" : "weight", model->w[j]);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, model->columns > 0 ? "\n  ]" : "]");
    if (ball) {
        linpred__put_number(text, ",\n  ", "radius_squared", model->b);
        linpred__put_string(text, ",\n  ", "positive", linpred__file_side_word(model->outside));
        return;
    }
    linpred__put_number(text, ",\n  ", "intercept", model->has_intercept ? model->b : NAN);
    if (model->tails.count > 0)
        linpred__put_numbers(text, ",\n  ", "tail", model->tails.value,
                             (size_t)model->tails.count * (size_t)model->tails.width);
}

static void put_options(linpred__text *text, const linpred_result *result)
{
    linpred__put_key(text, ",\n  ", "options");
    linpred__text_add(text, "{");
    for (size_t i = 0; i < result->options; i++)
        linpred__put_string(text, i == 0 ? "\n    " : ",\n    ", result->option[i].flag, result->option[i].text);
    linpred__text_add(text, result->options > 0 ? "\n  }" : "}");
}

static void put_result(linpred__text *text, const linpred_result *result)
{
    linpred__put_string(text, "{\n  ", "format", LINPRED__FILE_FORMAT);
    linpred__put_count(text, ",\n  ", "version", LINPRED__FILE_VERSION);
    linpred__put_key(text, ",\n  ", "written_by");
    linpred__text_format(text, "\"linpred %s\"", linpred_version());
    linpred__text_add(text, ",\n  " LINPRED__FILE_CHECKSUM_KEY "0000000000000000\"");
    linpred__put_string(text, ",\n  ", "task", linpred_task_name(result->model.task));
    put_target(text, result->model.recipe);
    put_recipe(text, result->model.recipe);
    put_coefficients(text, &result->model);
    if (result->model.regression)
        linpred__file_put_regression(text, result->model.regression);
    if (linpred__file_has_confidence(&result->model))
        linpred__put_number(text, ",\n  ", "confidence", result->confidence);
    linpred__file_put_run(text, result);
    put_options(text, result);
    linpred__file_put_claims(text, result);
    linpred__text_add(text, "\n}\n");
}

static linpred_status check_writable(const linpred_result *result, linpred_error *error)
{
    const linpred_model *model = &result->model;
    const linpred__recipe *recipe = model->recipe;
    if (!recipe->target || (!recipe->real_target && (!recipe->label[0] || !recipe->label[1])))
        return linpred__fail(error, LINPRED_ERROR_INTERNAL, "the model has no labels, so it cannot be saved");
    if (recipe->terms != model->columns || result->figures.columns != model->columns)
        return linpred__fail(error, LINPRED_ERROR_INTERNAL, "the model does not fit its own recipe or figures");
    const linpred__figure *figure;
    for (size_t i = 0; (figure = linpred__figure_at(i)); i++)
        if (!linpred__figure_is_of_run(figure) && linpred__figure_is_stated(&result->figures, figure) &&
            linpred__figure_home(figure, &result->claims) < 0)
            return linpred__fail(error, LINPRED_ERROR_INTERNAL, "'%s' is stated, but no claim states it", figure->name);
    for (int32_t j = 0; j < model->columns; j++) {
        if (isfinite(model->w[j]))
            continue;
        char excerpt[LINPRED__EXCERPT];
        const char *name = linpred__recipe_feature(recipe, j);
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the weight of '%s' is beyond the range of numbers, so the model is not saved: give "
                             "its column in a smaller unit",
                             linpred__excerpt(name, strlen(name), excerpt));
    }
    if (!isfinite(model->b))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the intercept is beyond the range of numbers, so the model is not saved: give "
                             "the columns in other units");
    return LINPRED_OK;
}

/* The whole file with its checksum. The caller clears the text. */
static linpred_status write_text(const linpred_result *result, linpred__text *text, linpred_error *error)
{
    linpred_status status = check_writable(result, error);
    if (status != LINPRED_OK)
        return status;
    put_result(text, result);
    if (text->failed)
        return linpred__no_memory(error);
    if (!linpred__is_utf8(text->bytes, text->length))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "a column's name, a level or a label is not UTF-8, so the model cannot be saved: convert "
                             "the data file to UTF-8");
    char *digits = linpred__file_checksum_at(text->bytes);
    char checksum[LINPRED__FILE_CHECKSUM_DIGITS + 1];
    linpred__file_checksum(text->bytes, text->length, digits, checksum);
    memcpy(digits, checksum, LINPRED__FILE_CHECKSUM_DIGITS);
    return LINPRED_OK;
}

linpred_status linpred_result_save(const linpred_result *result, const char *path, linpred_error *error)
{
    LINPRED__NEEDS(result, path);
    linpred__text text = {0};
    linpred_status status = write_text(result, &text, error);
    if (status == LINPRED_OK)
        status = linpred_write_file(path, text.bytes, text.length, error);
    linpred__text_clear(&text);
    return status;
}

linpred_status linpred_result_to_text(const linpred_result *result, char **text, size_t *bytes, linpred_error *error)
{
    LINPRED__NEEDS(result, text);
    linpred__text made = {0};
    linpred_status status = write_text(result, &made, error);
    if (status != LINPRED_OK) {
        linpred__text_clear(&made);
        return status;
    }
    *text = made.bytes;
    if (bytes)
        *bytes = made.length;
    return LINPRED_OK;
}

void linpred_text_free(char *text)
{
    linpred__release(text);
}
