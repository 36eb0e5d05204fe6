/* Measures once all that the claims of a result need (check.h). Nothing is judged here. */
#include "check/measure.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"

static bool claims(const linpred_result *result, linpred_claim_kind kind)
{
    return linpred__claims_find(&result->claims, kind) != NULL;
}

static double or_one(double value)
{
    return isnan(value) ? 1.0 : value;
}

/* What the claims ask about the logistic objective. Null vectors of the wrong length are left out; dependencies.c
   refutes the claim that states them. */
static linpred__logistic_question logistic_question(const linpred_result *result)
{
    const linpred__figures *figures = &result->figures;
    const linpred__dependencies *vectors = &result->dependencies;
    int32_t width = result->model.columns + result->model.has_intercept;
    linpred__logistic_question question = {
        .model = &result->model,
        .l2 = isnan(figures->l2) ? 0.0 : figures->l2,
        .class_weight = {or_one(figures->class_weight_negative), or_one(figures->class_weight_positive)},
        .tolerance = claims(result, LINPRED_CLAIM_LOGISTIC_OPTIMUM) ? figures->gap_tolerance : (double)NAN,
    };
    if (vectors->width == width) {
        question.null = (linpred__null_vectors){vectors->count, vectors->width, vectors->vector, vectors->drop};
        question.null_exact = vectors->exact;
    }
    if (claims(result, LINPRED_CLAIM_STANDARD_ERRORS))
        question.standard_error = result->standard_error;
    return question;
}

static linpred_status measure_logistic(linpred__measured *measured, linpred__rows_pass *rows, linpred_error *error)
{
    const linpred_result *result = measured->result;
    /* The reader takes no other claim about the loss without its objective. */
    if (result->model.task != LINPRED_TASK_LOGISTIC || !claims(result, LINPRED_CLAIM_OBJECTIVE))
        return LINPRED_OK;
    measured->logistic = linpred__calloc(1, sizeof *measured->logistic);
    if (!measured->logistic)
        return linpred__no_memory(error);
    linpred__logistic_question question = logistic_question(result);
    question.beside = rows;
    return linpred__measure_logistic(&question, measured->data, measured->pool, measured->logistic, error);
}

static linpred_status measure_classes(linpred__measured *measured, uint64_t *fingerprint, linpred_error *error)
{
    const linpred_result *result = measured->result;
    measured->rows = linpred__calloc(1, sizeof *measured->rows);
    if (!measured->rows)
        return linpred__no_memory(error);
    linpred__rows_pass pass;
    bool radius = result->model.task == LINPRED_TASK_HALFSPACE;
    linpred_status status = linpred__rows_open(&result->model, measured->data, radius, &pass)
                                ? measure_logistic(measured, &pass, error)
                                : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__rows_finish(&pass, measured->pool, measured->rows, error);
    linpred__rows_close(&pass);
    *fingerprint = measured->rows->fingerprint;
    return status;
}

static linpred_status measure_absolute(linpred__measured *measured, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__claim *claim = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_LEAST_ABSOLUTE);
    const linpred__support none = {0}, *duals = claim ? &claim->by.support : &none;
    measured->absolute = linpred__calloc(1, sizeof *measured->absolute);
    if (!measured->absolute)
        return linpred__no_memory(error);
    linpred_status status =
        linpred__measure_absolute(model, duals, measured->data, measured->pool, measured->absolute, error);
    if (status == LINPRED_OK)
        status = linpred__measure_absolute_rank(model, duals, measured->data, measured->absolute, error);
    return status;
}

static linpred_status measure_regression(linpred__measured *measured, uint64_t *fingerprint, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    bool absolute = model->regression->loss == LINPRED_LOSS_ABSOLUTE;
    linpred_status status = linpred__measure_null(model, measured->data, measured->pool, &measured->null, error);
    if (status == LINPRED_OK && (absolute || !linpred__factor_fits(model->regression))) {
        status = linpred__fingerprint(measured->data, measured->pool, fingerprint, error);
        return status == LINPRED_OK && absolute ? measure_absolute(measured, error) : status;
    }
    if (status != LINPRED_OK)
        return status;
    measured->squares = linpred__calloc(1, sizeof *measured->squares);
    status = measured->squares
                 ? linpred__measure_squares(model, measured->data, measured->pool, measured->squares, error)
                 : linpred__no_memory(error);
    *fingerprint = measured->squares ? measured->squares->fingerprint : 0;
    return status;
}

linpred_status linpred__measure(linpred__measured *measured, linpred_error *error)
{
    const linpred__claim *data = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_DATA);
    uint64_t fingerprint = 0;
    linpred_status status = measured->result->model.regression ? measure_regression(measured, &fingerprint, error)
                                                               : measure_classes(measured, &fingerprint, error);
    /* Rows without the column of weights that the fit had are other rows, also if all weights were 1. */
    bool weighted = !measured->result->model.recipe->weights || measured->data->from_arrays ||
                    (measured->data->blocks > 0 && measured->data->block[0].weight);
    measured->same_data = data && data->by.fingerprint == fingerprint && weighted;
    return status;
}

void linpred__measured_clear(linpred__measured *measured)
{
    if (measured->squares)
        linpred__squares_finding_clear(measured->squares);
    if (measured->absolute)
        linpred__form_clear(&measured->absolute->form);
    linpred__release(measured->rows);
    linpred__release(measured->logistic);
    linpred__release(measured->squares);
    linpred__release(measured->absolute);
}
