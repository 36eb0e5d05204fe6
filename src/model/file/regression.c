/* The part "regression" of a model file: written and read.
 *
 * Arrays have an entry for each coefficient, the intercept last. "dependencies" are arrays of such arrays, "factor" has
 * a row for each coefficient. As everywhere in the file, nothing is allocated by a number found in it.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "model/file/file.h"
#include "model/file/fields.h"
#include "model/file/put.h"

static const char *loss_word(int loss)
{
    static const char *const words[] = {[LINPRED_LOSS_SQUARED] = "squared", [LINPRED_LOSS_ABSOLUTE] = "absolute"};
    return loss >= 0 && loss < (int)(sizeof words / sizeof words[0]) ? words[loss] : "unknown";
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_polynomials(linpred__text *text, const linpred__polynomial_basis *basis)
{
    linpred__text_add(text, ",\n    \"polynomials\": [");
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *p = &basis->polynomial[i];
        linpred__text_format(text, "%s{\"exponent\": %d", i == 0 ? "\n      " : ",\n      ", p->exponent);
        linpred__put_numbers(text, ", ", "center", p->centre, (size_t)p->degree);
        linpred__put_numbers(text, ", ", "step", p->step, (size_t)p->degree);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

void linpred__file_put_regression(linpred__text *text, const linpred__regression *regression)
{
    size_t width = (size_t)regression->width;
    linpred__put_key(text, ",\n  ", "regression");
    linpred__put_string(text, "{\n    ", "loss", loss_word((int)regression->loss));
    linpred__put_number(text, ",\n    ", "quantile", regression->quantile);
    linpred__put_numbers(text, ",\n    ", "tail", regression->tail, width);
    put_polynomials(text, &regression->basis);
    linpred__put_numbers(text, ",\n    ", "basis_weights", regression->basis_weight, width);
    linpred__put_numbers(text, ",\n    ", "basis_tail", regression->basis_tail, width);
    linpred__put_rows(text, ",\n    ", "factor", regression->factor, width, (size_t)regression->factor_columns);
    linpred__put_rows(text, ",\n    ", "basis_dependencies", regression->basis_dependency,
                      (size_t)regression->dependencies.count, width);
    linpred__text_add(text, "\n  }");
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

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

/* Reads the dependencies in the basis. There must be as many as dependencies, or none if there are no polynomials. */
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
        linpred__field_numbers(fields, "center", (size_t)p->degree, LINPRED__REQUIRED, p->centre);
        linpred__field_numbers(fields, "step", (size_t)p->degree, LINPRED__REQUIRED, p->step);
        if (fields->status == LINPRED_OK && p->step[0] != 0.0)
            linpred__fields_refuse(fields, "step", "must begin with 0, since no polynomial comes before the first");
    }
}

/* Without polynomials the basis is that of the powers, so its weights are the coefficients. */
static void check_basis(linpred__fields *fields, const linpred_model *model)
{
    const linpred__regression *regression = model->regression;
    for (int32_t j = 0; fields->status == LINPRED_OK && regression->basis.polynomials == 0 && j < regression->width;
         j++) {
        double weight = j < model->columns ? model->w[j] : model->b;
        if (regression->basis_weight[j] != weight)
            linpred__fields_refuse(fields, "basis_weights", "must be the coefficients, since there are no polynomials");
        else if (regression->basis_tail[j] != regression->tail[j])
            linpred__fields_refuse(fields, "basis_tail", "must be the 'tail', since there are no polynomials");
    }
}

void linpred__file_regression(linpred__fields *fields, const json_t *object, linpred_model *model)
{
    static const char *const keys[] = {
        "loss", "quantile", "tail", "polynomials", "basis_weights", "basis_tail", "factor", "basis_dependencies", NULL};
    if (fields->status != LINPRED_OK)
        return;
    /* The coefficients have been read, so these numbers are those of entries in the file. */
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
    if (fields->status == LINPRED_OK && !(regression->quantile > 0 && regression->quantile < 1))
        linpred__fields_refuse(fields, "quantile", "must lie between 0 and 1");
    if (fields->status == LINPRED_OK && regression->loss == LINPRED_LOSS_SQUARED && regression->quantile != 0.5)
        linpred__fields_refuse(fields, "quantile", "must be 0.5, since the loss is squared");
    linpred__field_numbers(fields, "tail", width, LINPRED__REQUIRED, regression->tail);
    linpred__field_numbers(fields, "basis_weights", width, LINPRED__REQUIRED, regression->basis_weight);
    linpred__field_numbers(fields, "basis_tail", width, LINPRED__REQUIRED, regression->basis_tail);
    read_factor(fields, regression);
    read_polynomials(fields, linpred__field_array(fields, "polynomials"), &regression->basis);
    check_basis(fields, model);
}

/* Reads what must agree with the dependencies, which a claim states. */
void linpred__file_finish_regression(linpred__fields *fields, const json_t *object, linpred_result *result)
{
    static const char *const keys[] = {"basis_dependencies", NULL};
    linpred__regression *regression = result->model.regression;
    if (fields->status != LINPRED_OK)
        return;
    linpred__fields_enter(fields, object, "regression", 0, keys);
    read_basis_dependencies(fields, regression);
}
