/* Writes the parts "run" and "claims" of a model file. */
#include <inttypes.h>
#include <math.h>

#include "model/figures.h"
#include "model/file/file.h"
#include "model/file/put.h"

/* Writes the figures that a kind of claim states, on one line; kind -1: those of the run, each on its own line. */
static void put_figures(linpred__text *text, const char *before, const linpred_result *result, int kind)
{
    const char *next = kind < 0 ? "\n      " : "";
    linpred__put_key(text, before, "figures");
    linpred__text_add(text, "{");
    const linpred__figure *figure;
    for (size_t i = 0; (figure = linpred__figure_at(i)); i++) {
        bool own = kind < 0 ? linpred__figure_is_of_run(figure) : linpred__figure_home(figure, &result->claims) == kind;
        double value = linpred__figure_as_number(&result->figures, figure);
        if (!own || !isfinite(value)) /* a number beyond the range of doubles is not stated */
            continue;
        if (figure->count)
            linpred__put_count(text, next, figure->name, linpred__figure_as_count(&result->figures, figure));
        else
            linpred__put_number(text, next, figure->name, value);
        next = kind < 0 ? ",\n      " : ", ";
    }
    linpred__text_add(text, "}");
}

void linpred__file_put_run(linpred__text *text, const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    linpred__put_key(text, ",\n  ", "run");
    linpred__put_string(text, "{\n    ", "method", linpred_method_name(figures->method));
    linpred__put_string(text, ",\n    ", "outcome", linpred_outcome_name(figures->outcome));
    linpred__put_string(text, ",\n    ", "reason", figures->reason);
    linpred__put_string(text, ",\n    ", "no_standard_errors",
                        *figures->reason_no_errors ? figures->reason_no_errors : NULL);
    put_figures(text, ",\n    ", result, -1);
    linpred__text_add(text, "\n  }");
}

static const char *entry(int64_t i)
{
    return i == 0 ? "\n        {" : ",\n        {";
}

static void put_combination(linpred__text *text, const linpred__combination *combination)
{
    linpred__put_key(text, ",\n      ", "witness");
    linpred__text_add(text, "[");
    for (int64_t i = 0; i < combination->count; i++) {
        linpred__put_count(text, entry(i), "row", combination->row[i]);
        linpred__put_string(text, ", ", "weight", combination->weight[i]);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

static void put_form(linpred__text *text, const linpred__support *support)
{
    linpred__put_string(text, ",\n      ", "form", linpred__file_form_word(support->without_intercept));
}

static void put_weights(linpred__text *text, const linpred__vector *weights)
{
    linpred__put_numbers(text, ",\n      ", "weights", weights->value, (size_t)weights->count);
}

static void put_null_vectors(linpred__text *text, const linpred__finite_part *part)
{
    linpred__put_key(text, ",\n      ", "null_vectors");
    linpred__text_add(text, "[");
    for (int32_t i = 0; i < part->null.count; i += part->weights.count) {
        linpred__put_numbers(text, entry(i), "vector", part->null.value + i, (size_t)part->weights.count);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

static void put_support(linpred__text *text, const linpred__support *support)
{
    linpred__put_key(text, ",\n      ", "support");
    linpred__text_add(text, "[");
    for (int64_t i = 0; i < support->count; i++) {
        linpred__put_count(text, entry(i), "row", support->row[i]);
        if (support->weight) {
            linpred__put_string(text, ", ", "weight", support->weight[i]);
        } else {
            linpred__put_number(text, ", ", "multiplier", support->multiplier[i]);
            linpred__put_number(text, ", ", "tail", support->tail[i]);
        }
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

static void put_direction(linpred__text *text, const linpred__direction *direction)
{
    linpred__put_key(text, ",\n      ", "direction");
    linpred__text_add(text, "[");
    for (int32_t j = 0; j < direction->count; j++) {
        linpred__text_add(text, j == 0 ? "\n        " : ",\n        ");
        linpred__text_string(text, direction->entry[j]);
    }
    linpred__text_add(text, "]");
}

static void put_dependencies(linpred__text *text, const linpred__dependencies *dependencies)
{
    if (dependencies->drop)
        linpred__put_flag(text, ",\n      ", "drop", true);
    linpred__put_key(text, ",\n      ", "dependencies");
    linpred__text_add(text, "[");
    for (int32_t k = 0; k < dependencies->count; k++) {
        linpred__put_flag(text, entry(k), "exact", dependencies->exact[k]);
        linpred__put_numbers(text, ", ", "vector", dependencies->vector + (int64_t)k * dependencies->width,
                             (size_t)dependencies->width);
        linpred__text_add(text, "}");
    }
    linpred__text_add(text, "]");
}

static void put_standard_errors(linpred__text *text, const linpred_result *result)
{
    const double *errors = linpred_result_standard_errors(result);
    size_t width = (size_t)result->model.columns + result->model.has_intercept;
    linpred__put_numbers(text, ",\n      ", "standard_errors", errors, errors ? width : 0);
}

static void put_claim(linpred__text *text, const linpred_result *result, const linpred__claim *claim)
{
    linpred__put_string(text, "{\n      ", "claim", linpred_claim_name(claim->kind));
    linpred__put_flag(text, ",\n      ", "main", claim->main);
    switch (linpred_claim_witness(claim->kind)) {
    case LINPRED_WITNESS_NONE:
        break;
    case LINPRED_WITNESS_FINGERPRINT:
        linpred__put_key(text, ",\n      ", "fingerprint");
        linpred__text_format(text, "\"%016" PRIx64 "\"", claim->by.fingerprint);
        break;
    case LINPRED_WITNESS_COMBINATION:
        put_combination(text, &claim->by.combination);
        break;
    case LINPRED_WITNESS_SUPPORT:
        if (claim->kind == LINPRED_CLAIM_LARGEST_MARGIN)
            put_form(text, &claim->by.support);
        put_support(text, &claim->by.support);
        break;
    case LINPRED_WITNESS_DIRECTION:
        put_direction(text, &claim->by.direction);
        break;
    case LINPRED_WITNESS_COVER:
        linpred__file_put_cover_proof(text, &claim->by.cover);
        if (claim->by.cover.direction.count > 0)
            put_direction(text, &claim->by.cover.direction);
        break;
    case LINPRED_WITNESS_WEIGHTS:
        put_weights(text, &claim->by.weights);
        break;
    case LINPRED_WITNESS_MARGIN:
        put_form(text, &claim->by.margin.support);
        put_weights(text, &claim->by.margin.weights);
        put_support(text, &claim->by.margin.support);
        break;
    case LINPRED_WITNESS_FINITE_PART:
        put_weights(text, &claim->by.finite.weights);
        put_null_vectors(text, &claim->by.finite);
        break;
    case LINPRED_WITNESS_VECTOR:
        put_standard_errors(text, result);
        break;
    case LINPRED_WITNESS_DEPENDENCIES:
        put_dependencies(text, linpred__result_dependencies(result));
        break;
    }
    put_figures(text, ",\n      ", result, (int)claim->kind);
    linpred__text_add(text, "\n    }");
}

void linpred__file_put_claims(linpred__text *text, const linpred_result *result)
{
    linpred__put_key(text, ",\n  ", "claims");
    linpred__text_add(text, "[");
    for (int32_t i = 0; i < result->claims.count; i++) {
        linpred__text_add(text, i == 0 ? "\n    " : ",\n    ");
        put_claim(text, result, &result->claims.claim[i]);
    }
    linpred__text_add(text, result->claims.count > 0 ? "\n  ]" : "]");
}
