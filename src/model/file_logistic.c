/* What the model file holds of a logistic fit alone: the level of its intervals, standard errors, dependencies of
 * columns.
 *
 * Some of its numbers stand in more than one place: the options that were given are recorded beside what came of them.
 * Where they disagree one of them was changed, and the file is refused.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"
#include "model/file.h"
#include "model/file_fields.h"

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static void put_numbers(linpred__text *text, const double *value, int32_t count)
{
    linpred__text_add(text, "[");
    for (int32_t j = 0; j < count; j++) {
        linpred__text_add(text, j == 0 ? "" : ", ");
        linpred__text_number(text, value[j]);
    }
    linpred__text_add(text, "]");
}

void linpred__file_put_logistic(linpred__text *text, const linpred_result *result)
{
    const linpred__dependencies *dependencies = &result->dependencies;
    linpred__text_add(text, ",\n  \"confidence\": ");
    linpred__text_number(text, result->confidence);
    linpred__text_add(text, ",\n  \"standard_errors\": ");
    put_numbers(text, result->standard_error,
                result->standard_error ? result->model.columns + result->model.has_intercept : 0);
    linpred__text_add(text, ",\n  \"dependencies\": [");
    for (int32_t k = 0; k < dependencies->count; k++) {
        linpred__text_format(text, "%s\n    {\"exact\": %s, \"vector\": ", k == 0 ? "" : ",",
                             dependencies->exact[k] ? "true" : "false");
        put_numbers(text, dependencies->vector + (int64_t)k * dependencies->width, dependencies->width);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, dependencies->count > 0 ? "\n  ]" : "]");
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* An empty array: none. */
static void read_standard_errors(linpred__fields *fields, const json_t *list, linpred_result *result)
{
    size_t columns = (size_t)result->model.columns;
    if (fields->status != LINPRED_OK || json_array_size(list) == 0)
        return;
    result->standard_error = linpred__alloc(columns + 1, sizeof(double));
    if (!result->standard_error) {
        linpred__fields_no_memory(fields);
        return;
    }
    result->standard_error[columns] = NAN;
    linpred__take_numbers(fields, list, "standard_errors", columns + result->model.has_intercept, LINPRED__NULL_ALLOWED,
                          result->standard_error);
}

static void read_dependencies(linpred__fields *fields, const json_t *list, linpred_result *result)
{
    static const char *const keys[] = {"exact", "vector", NULL};
    size_t count = json_array_size(list), width = (size_t)result->model.columns + result->model.has_intercept;
    if (fields->status != LINPRED_OK || count == 0)
        return;
    /* Asked before room is made: as many numbers stand in the file. */
    for (size_t k = 0; k < count; k++)
        if (count > width || json_array_size(json_object_get(json_array_get(list, k), "vector")) != width) {
            linpred__fields_refuse(fields, "dependencies",
                                   "must hold vectors of %zu numbers, and no more of them than that", width);
            return;
        }
    if (!linpred__dependencies_open(&result->dependencies, (int32_t)count, (int32_t)width)) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t k = 0; k < count && fields->status == LINPRED_OK; k++) {
        const json_t *entry = json_array_get(list, k), *exact = json_object_get(entry, "exact");
        double *vector = result->dependencies.vector + k * width;
        double parts = 0.0;
        linpred__fields_enter(fields, entry, "dependencies", (int64_t)k + 1, keys);
        if (fields->status == LINPRED_OK && !json_is_boolean(exact))
            linpred__fields_refuse(fields, "exact", "must be true or false");
        linpred__field_numbers(fields, "vector", width, LINPRED__REQUIRED, vector);
        for (size_t j = 0; j < (size_t)result->model.columns; j++)
            parts += vector[j] != 0.0;
        if (fields->status == LINPRED_OK && parts == 0.0)
            linpred__fields_refuse(fields, "vector", "must have a part of some feature");
        result->dependencies.exact[k] = json_is_true(exact);
    }
}

void linpred__file_logistic(linpred__fields *fields, linpred_result *result)
{
    result->confidence = linpred__field_number(fields, "confidence", LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && !(result->confidence > 0 && result->confidence < 1))
        linpred__fields_refuse(fields, "confidence", "must lie between 0 and 1");
    const json_t *errors = linpred__field_array(fields, "standard_errors");
    const json_t *dependencies = linpred__field_array(fields, "dependencies");
    read_standard_errors(fields, errors, result);
    read_dependencies(fields, dependencies, result);
}

/* An option that is recorded must be the number that came of it. */
static void check_option(linpred__fields *fields, const linpred_result *result, const char *flag, double number)
{
    for (size_t i = 0; fields->status == LINPRED_OK && i < result->options; i++) {
        const char *text = result->option[i].text;
        double value;
        if (strcmp(result->option[i].flag, flag) == 0 &&
            (linpred__number_read(text, strlen(text), &value) != LINPRED__NUMBER || value != number))
            linpred__fields_refuse(fields, flag, "is not what the fit's own numbers say");
    }
}

void linpred__file_logistic_agrees(linpred__fields *fields, const linpred_result *result)
{
    const linpred__certificate *certificate = &result->certificate;
    bool optimum = certificate->claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM;
    if (fields->status != LINPRED_OK)
        return;
    if (certificate->claim != LINPRED__CLAIM_NO_MINIMISER && result->info.l2 != certificate->l2)
        linpred__fields_refuse(fields, "l2", "must be the same as 'l2' of 'info'");
    else if (!(certificate->class_weight[0] > 0 && certificate->class_weight[1] > 0))
        linpred__fields_refuse(fields, "class_weights", "must be positive");
    else if (optimum != (result->info.outcome == LINPRED_OUTCOME_OPTIMAL))
        linpred__fields_refuse(fields, "claim", "does not fit the 'outcome' of 'info'");
    fields->part = "options";
    check_option(fields, result, "confidence", result->confidence);
    check_option(fields, result, "l2", result->info.l2);
    if (optimum)
        check_option(fields, result, "tolerance", certificate->bound);
}
