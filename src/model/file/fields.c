/* Reading fields of JSON objects (see fields.h). */
#include "model/file/fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/limits.h"

void linpred__fields_no_memory(linpred__fields *fields)
{
    if (fields->status == LINPRED_OK)
        fields->status = linpred__no_memory(fields->error);
    fields->object = NULL;
}

void linpred__fields_refuse(linpred__fields *fields, const char *key, const char *problem, ...)
{
    if (fields->status != LINPRED_OK)
        return;
    char path[LINPRED__EXCERPT];
    char what[LINPRED__EXCERPT];
    char place[2 * LINPRED__EXCERPT] = "it";
    char text[LINPRED__EXCERPT + 80];
    if (key)
        linpred__excerpt(key, strlen(key), what);
    if (key && fields->entry > 0)
        snprintf(place, sizeof place, "'%s' in entry %lld of '%s'", what, (long long)fields->entry, fields->part);
    else if (key && fields->part)
        snprintf(place, sizeof place, "'%s' of '%s'", what, fields->part);
    else if (key)
        snprintf(place, sizeof place, "'%s'", what);
    else if (fields->entry > 0)
        snprintf(place, sizeof place, "entry %lld of '%s'", (long long)fields->entry, fields->part);
    else if (fields->part)
        snprintf(place, sizeof place, "'%s'", fields->part);
    va_list arguments;
    va_start(arguments, problem);
    vsnprintf(text, sizeof text, problem, arguments);
    va_end(arguments);
    fields->status = linpred__fail(fields->error, LINPRED_ERROR_INPUT,
                                   "'%s' is not a usable model: %s %s; undo the edit, or fit again",
                                   linpred__excerpt(fields->path, strlen(fields->path), path), place, text);
    fields->object = NULL;
}

void linpred__fields_enter(linpred__fields *fields, const json_t *object, const char *part, int64_t entry,
                           const char *const *keys)
{
    if (fields->status != LINPRED_OK)
        return;
    fields->object = object;
    fields->part = part;
    fields->entry = entry;
    if (!json_is_object(object)) {
        linpred__fields_refuse(fields, NULL, "must be an object, {…}");
        return;
    }
    for (size_t i = 0; keys[i]; i++)
        if (!json_object_get(object, keys[i])) {
            linpred__fields_refuse(fields, keys[i], "is missing");
            return;
        }
}

static bool is_null(const json_t *value, linpred__null null)
{
    return null == LINPRED__NULL_ALLOWED && json_is_null(value);
}

double linpred__field_number(linpred__fields *fields, const char *key, linpred__null null)
{
    const json_t *value = json_object_get(fields->object, key);
    if (is_null(value, null))
        return __builtin_nan("");
    if (!json_is_number(value))
        linpred__fields_refuse(fields, key,
                               null == LINPRED__REQUIRED ? "must be a number" : "must be a number or null");
    return json_number_value(value); /* finite: Jansson reads nothing else; 0 after a refusal */
}

int64_t linpred__field_count(linpred__fields *fields, const char *key, linpred__null null)
{
    const json_t *value = json_object_get(fields->object, key);
    if (is_null(value, null))
        return -1;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        linpred__fields_refuse(fields, key, "must be a whole number, 0 or more%s",
                               null == LINPRED__REQUIRED ? "" : ", or null");
    return (int64_t)json_integer_value(value);
}

const char *linpred__field_string(linpred__fields *fields, const char *key)
{
    const char *text = json_string_value(json_object_get(fields->object, key));
    if (!text)
        linpred__fields_refuse(fields, key, "must be a text in quotes");
    return text ? text : "";
}

char *linpred__field_copy(linpred__fields *fields, const char *key, linpred__null null)
{
    if (is_null(json_object_get(fields->object, key), null))
        return NULL;
    const char *text = linpred__field_string(fields, key);
    if (fields->status != LINPRED_OK)
        return NULL;
    char *copy = linpred__copy_text(text, strlen(text));
    if (!copy)
        linpred__fields_no_memory(fields);
    return copy;
}

uint64_t linpred__field_hexadecimal(linpred__fields *fields, const char *key)
{
    static const char digits[] = "0123456789abcdef";
    const char *text = linpred__field_string(fields, key);
    uint64_t value = 0;
    if (strlen(text) != 16 || strspn(text, digits) != 16) {
        linpred__fields_refuse(fields, key, "must be 16 digits of 0-9 and a-f");
        return 0;
    }
    for (; *text; text++)
        value = value * 16 + (uint64_t)(strchr(digits, *text) - digits);
    return value;
}

int linpred__field_word(linpred__fields *fields, const char *key, const char *(*word)(int))
{
    const char *text = linpred__field_string(fields, key);
    bool named = strcmp(text, "unknown") != 0; /* the word for the gaps of an enumeration */
    for (int i = 0; named && i < LINPRED__WORDS_MAX; i++)
        if (strcmp(word(i), text) == 0)
            return i;
    char excerpt[LINPRED__EXCERPT];
    linpred__fields_refuse(fields, key, "is '%s', which this linpred does not know",
                           linpred__excerpt(text, strlen(text), excerpt));
    return 0;
}

const json_t *linpred__field_array(linpred__fields *fields, const char *key)
{
    const json_t *value = json_object_get(fields->object, key);
    if (!json_is_array(value))
        linpred__fields_refuse(fields, key, "must be an array, […]");
    return fields->status == LINPRED_OK ? value : NULL;
}

void linpred__take_numbers(linpred__fields *fields, const json_t *list, const char *key, size_t count,
                           linpred__null null, double *value)
{
    if (fields->status != LINPRED_OK)
        return;
    if (!json_is_array(list) || json_array_size(list) != count) {
        linpred__fields_refuse(fields, key, "must be an array of %zu numbers", count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(list, i);
        if (!json_is_number(entry) && !(null == LINPRED__NULL_ALLOWED && json_is_null(entry))) {
            linpred__fields_refuse(fields, key, "must hold numbers");
            return;
        }
        value[i] = json_is_number(entry) ? json_number_value(entry) : NAN;
    }
}

void linpred__field_numbers(linpred__fields *fields, const char *key, size_t count, linpred__null null, double *value)
{
    linpred__take_numbers(fields, linpred__field_array(fields, key), key, count, null, value);
}
