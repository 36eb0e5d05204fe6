/* linpred_fit: checks what is asked, runs the method, and writes down what was found and what is claimed. */
#include "fit/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"
#include "data/standardize.h"

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

double linpred__fit_seconds(const linpred__fit *fit)
{
    return seconds_since(&fit->began);
}

void linpred__fit_end(linpred__fit *fit, linpred_outcome outcome, const char *format, ...)
{
    linpred_info *info = &fit->result->info;
    info->outcome = outcome;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(info->reason, sizeof info->reason, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(info->reason);
}

bool linpred__fit_should_stop(linpred__fit *fit, const char *stage, int64_t updates, int64_t passes, double errors)
{
    const linpred_options *options = fit->options;
    double seconds = linpred__fit_seconds(fit);
    if (seconds >= options->max_seconds) {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "stopped at --max-seconds %g", options->max_seconds);
        return true;
    }
    if (!options->on_progress || seconds_since(&fit->reported) < 0.1)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &fit->reported);
    linpred_progress progress = {stage, updates, passes, errors, seconds};
    if (options->on_progress(options->context, &progress))
        return false;
    linpred__fit_end(fit, LINPRED_OUTCOME_STOPPED, "stopped when asked to");
    return true;
}

static linpred_status check_options(const linpred_data *data, const linpred_options *options, linpred_error *error)
{
    if (options->struct_size != sizeof *options)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "linpred_options was not set up by linpred_options_init");
    if (!(options->rate > 0) || !isfinite(options->rate) || options->max_updates < 1 || options->max_passes < 1 ||
        isnan(options->max_seconds))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "an option is out of its range: see linpred_options_describe");
    if (options->method == LINPRED_METHOD_PERCEPTRON && data->block[0].weight)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the perceptron takes no row weights; --method pocket counts them in its error");
    return LINPRED_OK;
}

static linpred_status check_classes(const linpred_data *data, linpred_error *error)
{
    bool seen[2] = {false, false};
    for (int64_t i = 0; i < data->blocks && !(seen[0] && seen[1]); i++)
        for (int32_t r = 0; r < data->block[i].rows; r++)
            seen[data->block[i].target[r] > 0] = true;
    if (seen[0] && seen[1])
        return LINPRED_OK;
    const char *target = data->recipe ? data->recipe->target : "label";
    const char *only = data->recipe ? data->recipe->label[seen[1]] : seen[1] ? "1" : "-1";
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "all rows have the same label, %.60s = %.60s: there are no two classes to tell apart", target,
                         only);
}

static linpred_status check_start(const linpred_data *data, const linpred_options *options, linpred_error *error)
{
    const linpred_model *start = options->start;
    if (!start)
        return LINPRED_OK;
    if (start->columns != data->columns)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "the start has %d features, the data has %d", start->columns,
                             data->columns);
    if (options->no_intercept && start->b != 0.0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "the start has an intercept, but the fit is through the origin");
    for (int32_t j = 0; data->recipe && j < data->columns; j++) {
        const char *name = linpred__recipe_feature(data->recipe, j);
        const char *other = linpred__recipe_feature(start->recipe, j);
        if (strcmp(name, other) != 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT, "feature %d is '%.60s' in the data but '%.60s' in the start",
                                 j + 1, name, other);
    }
    return LINPRED_OK;
}

/* The start vector for a loop at rate 1, on the file's rows or the standardised copy. */
static linpred_status scaled_start(const linpred__fit *fit, const linpred__standard *standard, double **w, double *b,
                                   linpred_error *error)
{
    const linpred_model *start = fit->options->start;
    if (!start)
        return LINPRED_OK;
    double *copy = linpred__alloc((size_t)start->columns, sizeof(double));
    if (!copy)
        return linpred__no_memory(error);
    memcpy(copy, start->w, (size_t)start->columns * sizeof(double));
    double intercept = start->b;
    if (standard->data)
        linpred__standard_from_file(standard, copy, &intercept);
    for (int32_t j = 0; j < start->columns; j++)
        copy[j] /= fit->options->rate;
    *w = copy;
    *b = intercept / fit->options->rate;
    return LINPRED_OK;
}

static linpred_status learn(linpred__fit *fit, const linpred_data *data, linpred_error *error)
{
    linpred__standard standard = {0};
    linpred_model *model = &fit->result->model;
    double *start = NULL;
    double start_b = 0.0;
    linpred_status status = LINPRED_OK;
    if (fit->options->standardize)
        status = linpred__standardize(data, !fit->options->no_intercept, fit->pool, &standard, error);
    fit->data = standard.data ? standard.data : data;
    if (status == LINPRED_OK)
        status = scaled_start(fit, &standard, &start, &start_b, error);
    if (status == LINPRED_OK)
        status = linpred__fit_perceptron(fit, start, start_b, error);
    if (status == LINPRED_OK && standard.data)
        linpred__standard_to_file(&standard, model->w, &model->b);
    linpred__release(start);
    linpred__standard_clear(&standard);
    return status;
}

/* The claim follows from the mistakes counted with certain signs, never from what the method believes. */
static void settle(linpred__fit *fit)
{
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    certificate->claim = info->errors == 0.0 ? LINPRED__CLAIM_SEPARATES : LINPRED__CLAIM_ERRORS;
    certificate->errors = info->errors;
    if (info->errors == 0.0 && info->outcome != LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "the weights reached at the end make no mistake");
    else if (info->errors > 0.0 && info->outcome == LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         fit->options->mistake == LINPRED_MISTAKE_SIGN
                             ? "no mistakes by the rule sign, but rows on the boundary count as errors"
                             : "no mistakes while learning, but some after the weights were put in the file's units");
}

static linpred_status fit_all(linpred__fit *fit, const linpred_data *data, linpred_error *error)
{
    linpred_info *info = &fit->result->info;
    info->method = fit->options->method;
    info->rows = data->rows;
    info->columns = data->columns;
    fit->result->model.has_intercept = !fit->options->no_intercept;
    linpred_status status = learn(fit, data, error);
    if (status == LINPRED_OK)
        status = linpred__halfspace_report(fit, data, error);
    if (status == LINPRED_OK)
        status = linpred__fingerprint(data, fit->pool, &fit->result->certificate.fingerprint, error);
    if (status == LINPRED_OK)
        status = linpred__record_options(fit->result, fit->options, error);
    if (status != LINPRED_OK)
        return status;
    settle(fit);
    info->seconds = linpred__fit_seconds(fit);
    return LINPRED_OK;
}

linpred_status linpred_fit(const linpred_data *data, const linpred_options *options, linpred_result **result,
                           linpred_error *error)
{
    linpred__fit fit = {.data = data, .options = options};
    clock_gettime(CLOCK_MONOTONIC, &fit.began);
    fit.reported = fit.began;
    linpred_status status = check_options(data, options, error);
    if (status == LINPRED_OK)
        status = check_classes(data, error);
    if (status == LINPRED_OK)
        status = check_start(data, options, error);
    if (status == LINPRED_OK)
        status = linpred__pool_open((int)options->threads, &fit.pool, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__result_new(data, &fit.result, error);
    if (status == LINPRED_OK)
        status = fit_all(&fit, data, error);
    linpred__pool_close(fit.pool);
    if (status != LINPRED_OK) {
        linpred_result_free(fit.result);
        return status;
    }
    *result = fit.result;
    return LINPRED_OK;
}
