/* The part "regression" of a model file: written and read.
 *
 * Arrays have an entry for each coefficient, the intercept last. "dependencies" are arrays of such arrays, "factor" has
 * a row for each coefficient. As everywhere in the file, nothing is allocated by a number found in it.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "model/file.h"
#include "model/file_fields.h"

static const char *loss_word(int loss)
{
    static const char *const words[] = {[LINPRED_LOSS_SQUARED] = "squared", [LINPRED_LOSS_ABSOLUTE] = "absolute"};
    return loss >= 0 && loss < (int)(sizeof words / sizeof words[0]) ? words[loss] : "unknown";
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_number(linpred__text *text, const char *before, double value)
{
    linpred__text_add(text, before);
    linpred__text_number(text, value);
}

static void put_numbers(linpred__text *text, const char *before, const double *value, size_t count)
{
    linpred__text_add(text, before);
    linpred__text_add(text, "[");
    for (size_t i = 0; i < count; i++)
        put_number(text, i == 0 ? "" : ", ", value[i]);
    linpred__text_add(text, "]");
}

static void put_rows(linpred__text *text, const char *before, const double *value, size_t rows, size_t columns)
{
    linpred__text_add(text, before);
    linpred__text_add(text, "[");
    for (size_t i = 0; value && i < rows; i++)
        put_numbers(text, i == 0 ? "\n      " : ",\n      ", value + i * columns, columns);
    linpred__text_add(text, "]");
}

static void put_polynomials(linpred__text *text, const linpred__polynomial_basis *basis)
{
    linpred__text_add(text, ",\n    \"polynomials\": [");
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *p = &basis->polynomial[i];
        linpred__text_format(text, "%s{\"exponent\": %d", i == 0 ? "\n      " : ",\n      ", p->exponent);
        put_numbers(text, ", \"center\": ", p->center, (size_t)p->degree);
        put_numbers(text, ", \"step\": ", p->step, (size_t)p->degree);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

/* The figures of regression_info.def. */
static void put_summary(linpred__text *text, const linpred_info *info)
{
    const char *before = ",\n    \"summary\": {\n      ";
#define PUT(name, value)                                                                                               \
    linpred__text_add(text, before);                                                                                   \
    linpred__text_add(text, "\"" #name "\": ");                                                                        \
    linpred__text_number(text, value);                                                                                 \
    before = ",\n      ";
#define LINPRED_INFO_NUMBER(name) PUT(name, info->name)
#define LINPRED_INFO_COUNT(name) PUT(name, info->name < 0 ? NAN : (double)info->name)
#include "linpred/regression_info.def"
#undef LINPRED_INFO_NUMBER
#undef LINPRED_INFO_COUNT
#undef PUT
    linpred__text_add(text, "\n    }");
}

void linpred__file_put_regression(linpred__text *text, const linpred_result *result)
{
    const linpred__regression *regression = result->model.regression;
    size_t width = (size_t)regression->width;
    linpred__text_format(text, ",\n  \"regression\": {\n    \"loss\": \"%s\"", loss_word((int)regression->loss));
    put_number(text, ",\n    \"quantile\": ", regression->quantile);
    put_number(text, ",\n    \"l2\": ", regression->l2);
    put_number(text, ",\n    \"confidence\": ", result->confidence);
    put_number(text, ",\n    \"residual_sd\": ", regression->residual_sd);
    put_number(text, ",\n    \"degrees_of_freedom\": ", regression->degrees_of_freedom);
    put_summary(text, &result->info);
    put_numbers(text, ",\n    \"tail\": ", regression->tail, width);
    put_numbers(text, ",\n    \"standard_errors\": ", regression->standard_error, width);
    put_polynomials(text, &regression->basis);
    put_numbers(text, ",\n    \"basis_weights\": ", regression->basis_weight, width);
    put_numbers(text, ",\n    \"basis_tail\": ", regression->basis_tail, width);
    put_rows(text, ",\n    \"factor\": ", regression->factor, width,
             (size_t)(regression->rank > 0 ? regression->rank : 0));
    put_rows(text, ",\n    \"dependencies\": ", regression->dependencies.vector, (size_t)regression->dependencies.count,
             width);
    linpred__text_add(text, ",\n    \"exact_dependencies\": [");
    for (int32_t k = 0; k < regression->dependencies.count; k++)
        linpred__text_format(text, "%s%s", k == 0 ? "" : ", ", regression->dependencies.exact[k] ? "true" : "false");
    linpred__text_add(text, "]");
    put_rows(text, ",\n    \"basis_dependencies\": ", regression->basis_dependency,
             (size_t)regression->dependencies.count, width);
    linpred__text_add(text, "\n  }");
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* Exactly `count` numbers (null: NaN, where allowed) into `value`. */
static void read_factor(linpred__fields *fields, linpred__regression *regression)
{
    const json_t *rows = linpred__field_array(fields, "factor");
    size_t count = json_array_size(rows);
    size_t rank = json_array_size(json_array_get(rows, 0));
    if (fields->status != LINPRED_OK || count == 0)
        return;
    if (count != (size_t)regression->width || rank > count) {
        linpred__fields_refuse(fields, "factor",
                               "must be empty, or have a row for each coefficient, no longer than that");
        return;
    }
    if (!linpred__regression_factor(regression, (int32_t)rank)) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t i = 0; i < count; i++)
        linpred__take_numbers(fields, json_array_get(rows, i), "factor", rank, LINPRED__REQUIRED,
                              regression->factor + i * rank);
}

static void read_dependencies(linpred__fields *fields, linpred__regression *regression)
{
    const json_t *rows = linpred__field_array(fields, "dependencies"),
                 *exact = linpred__field_array(fields, "exact_dependencies");
    size_t count = json_array_size(rows), width = (size_t)regression->width, flags = 0;
    while (json_is_boolean(json_array_get(exact, flags)))
        flags++;
    if (fields->status == LINPRED_OK && (flags != count || json_array_size(exact) != count))
        linpred__fields_refuse(fields, "exact_dependencies", "must hold true or false for each dependency");
    if (fields->status != LINPRED_OK || count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (json_array_size(json_array_get(rows, i)) != width || count > width) {
            linpred__fields_refuse(fields, "dependencies", "must hold arrays of %zu numbers", width);
            return;
        }
    if (!linpred__regression_dependencies(regression, (int32_t)count)) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        linpred__take_numbers(fields, json_array_get(rows, i), "dependencies", width, LINPRED__REQUIRED,
                              regression->dependencies.vector + i * width);
        regression->dependencies.exact[i] = json_is_true(json_array_get(exact, i));
    }
}

/* The dependencies in the basis, which must be as many; none where there are no polynomials. */
static void read_basis_dependencies(linpred__fields *fields, linpred__regression *regression)
{
    const json_t *rows = linpred__field_array(fields, "basis_dependencies");
    size_t count = json_array_size(rows), width = (size_t)regression->width;
    if (fields->status != LINPRED_OK || count == 0)
        return;
    if (count != (size_t)regression->dependencies.count || regression->basis.polynomials == 0) {
        linpred__fields_refuse(fields, "basis_dependencies", "must be empty, or as many as the dependencies of powers");
        return;
    }
    if (!linpred__regression_basis_dependencies(regression)) {
        linpred__fields_no_memory(fields);
        return;
    }
    for (size_t i = 0; i < count; i++)
        linpred__take_numbers(fields, json_array_get(rows, i), "basis_dependencies", width, LINPRED__REQUIRED,
                              regression->basis_dependency + i * width);
}

static void read_polynomials(linpred__fields *fields, const json_t *list, linpred__polynomial_basis *basis)
{
    static const char *const keys[] = {"exponent", "center", "step", NULL};
    if (fields->status == LINPRED_OK && json_array_size(list) != (size_t)basis->polynomials)
        linpred__fields_refuse(fields, "polynomials", "must have an entry for each column that has a degree");
    for (int32_t i = 0; fields->status == LINPRED_OK && i < basis->polynomials; i++) {
        linpred__polynomial *p = &basis->polynomial[i];
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "polynomials", i + 1, keys);
        double exponent = linpred__field_number(fields, "exponent", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK && !(fabs(exponent) <= 1100.0 && exponent == floor(exponent)))
            linpred__fields_refuse(fields, "exponent", "must be a whole number from -1100 to 1100");
        p->exponent = fields->status == LINPRED_OK ? (int)exponent : 0;
        linpred__field_numbers(fields, "center", (size_t)p->degree, LINPRED__REQUIRED, p->center);
        linpred__field_numbers(fields, "step", (size_t)p->degree, LINPRED__REQUIRED, p->step);
    }
}

static void read_summary(linpred__fields *fields, const json_t *object, linpred_info *info)
{
    static const char *const keys[] = {
#define LINPRED_INFO_NUMBER(name) #name,
#define LINPRED_INFO_COUNT(name) #name,
#include "linpred/regression_info.def"
#undef LINPRED_INFO_NUMBER
#undef LINPRED_INFO_COUNT
        NULL};
    linpred__fields_enter(fields, object, "summary", 0, keys);
#define LINPRED_INFO_NUMBER(name) info->name = linpred__field_number(fields, #name, LINPRED__NULL_ALLOWED);
#define LINPRED_INFO_COUNT(name) info->name = linpred__field_count(fields, #name, LINPRED__NULL_ALLOWED);
#include "linpred/regression_info.def"
#undef LINPRED_INFO_NUMBER
#undef LINPRED_INFO_COUNT
}

void linpred__file_regression(linpred__fields *fields, const json_t *object, linpred_result *result)
{
    linpred_model *model = &result->model;
    static const char *const keys[] = {"loss",
                                       "quantile",
                                       "l2",
                                       "confidence",
                                       "residual_sd",
                                       "degrees_of_freedom",
                                       "summary",
                                       "tail",
                                       "standard_errors",
                                       "polynomials",
                                       "basis_weights",
                                       "basis_tail",
                                       "factor",
                                       "dependencies",
                                       "exact_dependencies",
                                       "basis_dependencies",
                                       NULL};
    if (fields->status != LINPRED_OK)
        return;
    /* The coefficients are read, so these are counts of what the file really holds. */
    model->recipe->terms = model->columns;
    model->recipe->features = 0;
    for (int32_t i = 0; i < model->recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(model->recipe, i);
        model->recipe->features += linpred__recipe_column_features(&source);
    }
    linpred__regression *regression = model->regression = linpred__regression_new(model->recipe, model->has_intercept);
    if (!regression) {
        linpred__fields_no_memory(fields);
        return;
    }
    size_t width = (size_t)regression->width;
    linpred__fields_enter(fields, object, "regression", 0, keys);
    regression->loss = (linpred_loss)linpred__field_word(fields, "loss", loss_word);
    regression->quantile = linpred__field_number(fields, "quantile", LINPRED__REQUIRED);
    regression->l2 = linpred__field_number(fields, "l2", LINPRED__REQUIRED);
    result->confidence = linpred__field_number(fields, "confidence", LINPRED__REQUIRED);
    regression->residual_sd = linpred__field_number(fields, "residual_sd", LINPRED__NULL_ALLOWED);
    regression->degrees_of_freedom = linpred__field_number(fields, "degrees_of_freedom", LINPRED__NULL_ALLOWED);
    if (fields->status == LINPRED_OK && (!(regression->quantile > 0 && regression->quantile < 1) ||
                                         regression->l2 < 0 || !(result->confidence > 0 && result->confidence < 1)))
        linpred__fields_refuse(fields, NULL, "has a quantile, l2 or confidence out of its range");
    linpred__field_numbers(fields, "tail", width, LINPRED__REQUIRED, regression->tail);
    linpred__field_numbers(fields, "standard_errors", width, LINPRED__NULL_ALLOWED, regression->standard_error);
    linpred__field_numbers(fields, "basis_weights", width, LINPRED__REQUIRED, regression->basis_weight);
    linpred__field_numbers(fields, "basis_tail", width, LINPRED__REQUIRED, regression->basis_tail);
    read_factor(fields, regression);
    read_dependencies(fields, regression);
    read_basis_dependencies(fields, regression);
    read_polynomials(fields, linpred__field_array(fields, "polynomials"), &regression->basis);
    read_summary(fields, json_object_get(object, "summary"), &result->info);
}
