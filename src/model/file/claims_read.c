/* Reads the parts "run" and "claims" of a model file: each claim with its figures and its witness.
 *
 * A key that this linpred does not know is ignored. A figure that it knows is refused in a claim that may not state it,
 * and if it is stated twice.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "model/figures.h"
#include "model/file/file.h"
#include "model/file/fields.h"
#include "model/limits.h"

static const char *claim_word(int kind)
{
    const char *name = linpred_claim_name((linpred_claim_kind)kind);
    return name ? name : "unknown";
}

static const char *method_word(int method)
{
    return linpred_method_name((linpred_method)method);
}

static const char *outcome_word(int outcome)
{
    return linpred_outcome_name((linpred_outcome)outcome);
}

const char *linpred__file_form_word(int without_intercept)
{
    return without_intercept == 0 ? "homogeneous" : without_intercept == 1 ? "usual" : "unknown";
}

/* The largest number of digits that an integer of a witness can need. The integer is a determinant of columns + 2 rows
   of doubles. Longer ones are refused, because GNU MP aborts if memory runs out. */
static size_t max_digits(const linpred_model *model)
{
    size_t digits = LINPRED__DIGITS_PER_COLUMN * ((size_t)model->columns + 3);
    return digits < LINPRED__DIGITS_MAX ? digits : LINPRED__DIGITS_MAX;
}

bool linpred__file_is_integer(const char *text, bool signed_too, size_t max)
{
    text += signed_too && *text == '-';
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= max && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* Reads one figure. `kind` is that of the claim in which it stands; -1: it stands in the run. */
static void read_figure(linpred__fields *fields, const char *key, int kind, linpred__figures *figures)
{
    const linpred__figure *figure = linpred__figure_find(key);
    if (!figure || fields->status != LINPRED_OK)
        return;
    bool belongs =
        kind < 0 ? linpred__figure_is_of_run(figure) : linpred__figure_may_be_of(figure, (linpred_claim_kind)kind);
    if (!belongs)
        linpred__fields_refuse(fields, key, "is not a figure of this claim");
    else if (linpred__figure_is_stated(figures, figure))
        linpred__fields_refuse(fields, key, "is stated twice");
    else if (figure->count)
        linpred__figure_set_count(figures, figure, linpred__field_count(fields, key, LINPRED__REQUIRED));
    else
        linpred__figure_set_number(figures, figure, linpred__field_number(fields, key, LINPRED__REQUIRED));
}

/* Reads all figures of the object that `fields` is reading. */
static void read_figures(linpred__fields *fields, int kind, linpred__figures *figures)
{
    const json_t *outer = fields->object;
    json_t *stated = json_object_get(outer, "figures"), *value;
    const char *key;
    if (fields->status != LINPRED_OK)
        return;
    if (!json_is_object(stated)) {
        linpred__fields_refuse(fields, "figures", "must be an object, {…}");
        return;
    }
    fields->object = stated;
    json_object_foreach(stated, key, value) read_figure(fields, key, kind, figures);
    if (fields->status == LINPRED_OK)
        fields->object = outer;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

/* Reads a sentence into `buffer`. If null is allowed and the file has it, the text is empty. */
static void read_sentence(linpred__fields *fields, const char *key, linpred__null null, char *buffer, size_t bytes)
{
    bool none = null == LINPRED__NULL_ALLOWED && json_is_null(json_object_get(fields->object, key));
    const char *text = none ? "" : linpred__field_string(fields, key);
    if (strlen(text) >= bytes)
        linpred__fields_refuse(fields, key, "must be at most %zu bytes long", bytes - 1);
    snprintf(buffer, bytes, "%s", text);
}

void linpred__file_run(linpred__fields *fields, const json_t *object, linpred__figures *figures)
{
    static const char *const keys[] = {"method", "outcome", "reason", "no_standard_errors", "figures", NULL};
    linpred__fields_enter(fields, object, "run", 0, keys);
    figures->method = (linpred_method)linpred__field_word(fields, "method", method_word);
    figures->outcome = (linpred_outcome)linpred__field_word(fields, "outcome", outcome_word);
    read_sentence(fields, "reason", LINPRED__REQUIRED, figures->reason, sizeof figures->reason);
    read_sentence(fields, "no_standard_errors", LINPRED__NULL_ALLOWED, figures->reason_no_errors,
                  sizeof figures->reason_no_errors);
    read_figures(fields, -1, figures);
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

/* Reads the row of an entry, which must be above the row before it. */
static int64_t read_row(linpred__fields *fields, int64_t before)
{
    int64_t row = linpred__field_count(fields, "row", LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && row <= before)
        linpred__fields_refuse(fields, "row", "must be above the one before");
    return row;
}

static void read_combination(linpred__fields *fields, const json_t *list, size_t digits, linpred__combination *by)
{
    static const char *const keys[] = {"row", "weight", NULL};
    if (fields->status == LINPRED_OK && json_array_size(list) == 0)
        linpred__fields_refuse(fields, "witness", "must not be empty, since the claim rests on it");
    if (fields->status == LINPRED_OK && !linpred__combination_open(by, (int64_t)json_array_size(list)))
        linpred__fields_no_memory(fields);
    for (int64_t i = 0; fields->status == LINPRED_OK && i < by->count; i++) {
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "witness", i + 1, keys);
        by->row[i] = read_row(fields, i > 0 ? by->row[i - 1] : 0);
        by->weight[i] = linpred__field_copy(fields, "weight", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK &&
            (!linpred__file_is_integer(by->weight[i], false, digits) || by->weight[i][0] == '0'))
            linpred__fields_refuse(
                fields, "weight",
                "must be a positive integer in a string, no longer than witnesses of these columns can be");
    }
}

/* Reads rows with multipliers that are positive integers. */
static void read_integer_support(linpred__fields *fields, const json_t *list, size_t digits, linpred__support *by)
{
    static const char *const keys[] = {"row", "weight", NULL};
    if (!linpred__support_open_integers(by, (int64_t)json_array_size(list)))
        linpred__fields_no_memory(fields);
    for (int64_t i = 0; fields->status == LINPRED_OK && i < by->count; i++) {
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "support", i + 1, keys);
        by->row[i] = read_row(fields, i > 0 ? by->row[i - 1] : 0);
        by->weight[i] = linpred__field_copy(fields, "weight", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK &&
            (!linpred__file_is_integer(by->weight[i], false, digits) || by->weight[i][0] == '0'))
            linpred__fields_refuse(
                fields, "weight",
                "must be a positive integer in a string, no longer than witnesses of these columns can be");
    }
    if (fields->status == LINPRED_OK)
        linpred__support_round(by);
}

/* Reads rows with multipliers. Duals of a least absolute fit may be negative, and are no integers: `digits` is 0. */
static void read_support(linpred__fields *fields, const json_t *list, size_t digits, linpred__support *by)
{
    static const char *const keys[] = {"row", "multiplier", "tail", NULL};
    bool duals = digits == 0;
    if (fields->status == LINPRED_OK && !duals && json_object_get(json_array_get(list, 0), "weight")) {
        read_integer_support(fields, list, digits, by);
        return;
    }
    if (fields->status == LINPRED_OK && json_array_size(list) > 0 &&
        !linpred__support_open(by, (int64_t)json_array_size(list)))
        linpred__fields_no_memory(fields);
    for (int64_t i = 0; fields->status == LINPRED_OK && i < by->count; i++) {
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "support", i + 1, keys);
        by->row[i] = read_row(fields, i > 0 ? by->row[i - 1] : 0);
        by->multiplier[i] = linpred__field_number(fields, "multiplier", LINPRED__REQUIRED);
        by->tail[i] = linpred__field_number(fields, "tail", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK && !duals && !(by->multiplier[i] > 0))
            linpred__fields_refuse(fields, "multiplier", "must be positive");
    }
}

static void read_direction(linpred__fields *fields, const json_t *list, const linpred_model *model,
                           linpred__direction *by)
{
    size_t count = json_array_size(list);
    size_t whole = (size_t)model->columns + (model->task == LINPRED_TASK_BALL ? 2 : model->has_intercept);
    if (fields->status == LINPRED_OK && count != 0 && count != whole)
        linpred__fields_refuse(fields, "direction", "must be empty, or have an entry for each coefficient");
    if (fields->status == LINPRED_OK && count > 0 && !linpred__direction_open(by, (int32_t)count))
        linpred__fields_no_memory(fields);
    for (int32_t i = 0; fields->status == LINPRED_OK && i < by->count; i++) {
        const char *text = json_string_value(json_array_get(list, (size_t)i));
        if (!text || !linpred__file_is_integer(text, true, max_digits(model))) {
            linpred__fields_refuse(fields, "direction",
                                   "must hold integers in strings, no longer than witnesses of these columns can be");
            return;
        }
        by->entry[i] = linpred__copy_text(text, strlen(text));
        if (!by->entry[i])
            linpred__fields_no_memory(fields);
    }
}

/* Reads weights, the intercept last. An empty list stands for the weights of the model. */
static void read_weights(linpred__fields *fields, const json_t *list, const linpred_model *model, linpred__vector *by)
{
    size_t count = json_array_size(list), whole = (size_t)model->columns + model->has_intercept;
    if (fields->status != LINPRED_OK || count == 0)
        return;
    if (count != whole)
        linpred__fields_refuse(fields, "weights", "must be empty, or have an entry for each coefficient");
    else if (!linpred__vector_open(by, (int32_t)count))
        linpred__fields_no_memory(fields);
    else
        linpred__take_numbers(fields, list, "weights", count, LINPRED__REQUIRED, by->value);
}

/* Reads weights and null vectors, each with an entry for each coefficient. */
static void read_finite_part(linpred__fields *fields, const linpred_model *model, linpred__finite_part *by)
{
    static const char *const keys[] = {"vector", NULL};
    const json_t *list = linpred__field_array(fields, "null_vectors");
    size_t count = json_array_size(list), width = (size_t)model->columns + model->has_intercept;
    read_weights(fields, linpred__field_array(fields, "weights"), model, &by->weights);
    if (fields->status == LINPRED_OK && (count == 0 || count > width))
        linpred__fields_refuse(fields, "null_vectors", "must be at least one, and no more than there are coefficients");
    if (fields->status == LINPRED_OK && by->weights.count == 0)
        linpred__fields_refuse(fields, "weights", "must not be empty");
    if (fields->status == LINPRED_OK && !linpred__vector_open(&by->null, (int32_t)(count * width)))
        linpred__fields_no_memory(fields);
    for (size_t k = 0; k < count && fields->status == LINPRED_OK; k++) {
        linpred__fields_enter(fields, json_array_get(list, k), "null_vectors", (int64_t)k + 1, keys);
        linpred__field_numbers(fields, "vector", width, LINPRED__REQUIRED, by->null.value + k * width);
    }
}

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
    const json_t *drop = fields->object ? json_object_get(fields->object, "drop") : NULL;
    if (drop && !json_is_boolean(drop))
        linpred__fields_refuse(fields, "drop", "must be true or false");
    static const char *const keys[] = {"exact", "vector", NULL};
    size_t count = json_array_size(list), width = (size_t)result->model.columns + result->model.has_intercept;
    linpred__dependencies *dependencies = linpred__result_dependencies(result);
    if (fields->status != LINPRED_OK || count == 0)
        return;
    /* The sizes are checked before memory is allocated, so that no more is allocated than the file holds. */
    for (size_t k = 0; k < count; k++)
        if (count > width || json_array_size(json_object_get(json_array_get(list, k), "vector")) != width) {
            linpred__fields_refuse(fields, "dependencies",
                                   "must hold vectors of %zu numbers, and no more of them than that", width);
            return;
        }
    if (!linpred__dependencies_open(dependencies, (int32_t)count, (int32_t)width)) {
        linpred__fields_no_memory(fields);
        return;
    }
    dependencies->drop = json_is_true(drop);
    for (size_t k = 0; k < count && fields->status == LINPRED_OK; k++) {
        const json_t *object = json_array_get(list, k), *exact = json_object_get(object, "exact");
        double *vector = dependencies->vector + k * width;
        bool some = false;
        linpred__fields_enter(fields, object, "dependencies", (int64_t)k + 1, keys);
        if (fields->status == LINPRED_OK && !json_is_boolean(exact))
            linpred__fields_refuse(fields, "exact", "must be true or false");
        linpred__field_numbers(fields, "vector", width, LINPRED__REQUIRED, vector);
        for (size_t j = 0; j < (size_t)result->model.columns; j++)
            some = some || vector[j] != 0.0;
        if (fields->status == LINPRED_OK && !some)
            linpred__fields_refuse(fields, "vector", "must have a part of some feature");
        dependencies->exact[k] = json_is_true(exact);
    }
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

static void read_witness(linpred__fields *fields, linpred_result *result, linpred__claim *claim)
{
    const linpred_model *model = &result->model;
    switch (linpred_claim_witness(claim->kind)) {
    case LINPRED_WITNESS_NONE:
        return;
    case LINPRED_WITNESS_FINGERPRINT:
        claim->by.fingerprint = linpred__field_hexadecimal(fields, "fingerprint");
        return;
    case LINPRED_WITNESS_COMBINATION:
        read_combination(fields, linpred__field_array(fields, "witness"), max_digits(model), &claim->by.combination);
        return;
    case LINPRED_WITNESS_SUPPORT:
        if (claim->kind == LINPRED_CLAIM_LARGEST_MARGIN)
            claim->by.support.without_intercept = linpred__field_word(fields, "form", linpred__file_form_word) == 1;
        read_support(fields, linpred__field_array(fields, "support"),
                     claim->kind == LINPRED_CLAIM_LEAST_ABSOLUTE ? 0 : max_digits(model), &claim->by.support);
        return;
    case LINPRED_WITNESS_DIRECTION:
        read_direction(fields, linpred__field_array(fields, "direction"), model, &claim->by.direction);
        return;
    case LINPRED_WITNESS_COVER: {
        const json_t *subsets = linpred__field_array(fields, "subsets"), *tree = linpred__field_array(fields, "tree");
        if (fields->status == LINPRED_OK && json_object_get(fields->object, "direction"))
            read_direction(fields, linpred__field_array(fields, "direction"), model, &claim->by.cover.direction);
        if (json_array_size(subsets) + json_array_size(tree) > 0)
            linpred__file_cover_proof(fields, subsets, tree, max_digits(model), &claim->by.cover);
        return;
    }
    case LINPRED_WITNESS_WEIGHTS:
        read_weights(fields, linpred__field_array(fields, "weights"), model, &claim->by.weights);
        return;
    case LINPRED_WITNESS_MARGIN:
        claim->by.margin.support.without_intercept = linpred__field_word(fields, "form", linpred__file_form_word) == 1;
        read_weights(fields, linpred__field_array(fields, "weights"), model, &claim->by.margin.weights);
        read_support(fields, linpred__field_array(fields, "support"), max_digits(model), &claim->by.margin.support);
        return;
    case LINPRED_WITNESS_FINITE_PART:
        read_finite_part(fields, model, &claim->by.finite);
        return;
    case LINPRED_WITNESS_VECTOR:
        read_standard_errors(fields, linpred__field_array(fields, "standard_errors"), result);
        return;
    case LINPRED_WITNESS_DEPENDENCIES:
        read_dependencies(fields, linpred__field_array(fields, "dependencies"), result);
        return;
    }
}

static void read_claim(linpred__fields *fields, const json_t *object, int64_t entry, linpred_result *result)
{
    static const char *const keys[] = {"claim", "main", "figures", NULL};
    linpred__fields_enter(fields, object, "claims", entry, keys);
    linpred_claim_kind kind = (linpred_claim_kind)linpred__field_word(fields, "claim", claim_word);
    if (fields->status == LINPRED_OK && !json_is_boolean(json_object_get(object, "main")))
        linpred__fields_refuse(fields, "main", "must be true or false");
    if (fields->status == LINPRED_OK && linpred__claims_find(&result->claims, kind))
        linpred__fields_refuse(fields, "claim", "is made twice");
    read_figures(fields, (int)kind, &result->figures);
    if (fields->status == LINPRED_OK)
        read_witness(fields, result,
                     linpred__claims_add(&result->claims, kind, json_is_true(json_object_get(object, "main"))));
}

void linpred__file_claims(linpred__fields *fields, const json_t *list, linpred_result *result)
{
    if (fields->status != LINPRED_OK)
        return;
    fields->part = "claims";
    fields->entry = 0;
    if (!json_is_array(list))
        linpred__fields_refuse(fields, NULL, "must be an array, […]");
    for (size_t i = 0; i < json_array_size(list); i++)
        read_claim(fields, json_array_get(list, i), (int64_t)i + 1, result);
    fields->part = "claims";
    fields->entry = 0;
    if (fields->status == LINPRED_OK)
        linpred__file_check_claims(fields, result);
}
