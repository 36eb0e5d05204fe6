/* linpred_fit: checks data and options, runs the learner of the method, and completes the result. */
#include "fit/fit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/task_methods.h"

/* Fails unless all targets are -1 or +1 and both occur. */
static linpred_status check_classes(const linpred_data *data, linpred_error *error)
{
    bool seen[2] = {false, false};
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++) {
            double label = data->block[i].target[r];
            if (label != 1.0 && label != -1.0)
                return linpred__fail_at(error, LINPRED_ERROR_INPUT, data->block[i].first_row + r + 1, 0,
                                        "the label of row %lld is neither -1 nor +1",
                                        (long long)data->block[i].first_row + r + 1);
            seen[label > 0] = true;
        }
    if (seen[0] && seen[1])
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "all labels are the same, %.60s = %.60s, but two different labels are needed",
                         data->recipe->target, data->recipe->label[seen[1]]);
}

/* Fails if the data was loaded for another task, has no targets, or cannot have the powers that are asked for. With
   `one_class` a single label is allowed. */
static linpred_status check_task(const linpred_data *data, const linpred_options *options, bool one_class,
                                 linpred_error *error)
{
    bool real = options->task == LINPRED_TASK_REGRESSION;
    if (!data->from_arrays && data->recipe->real_target != real)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the data was loaded for %s, but this fit needs %s",
                             real ? "two labels" : "regression", real ? "real targets" : "two labels");
    if (!data->labelled)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the rows have no labels or targets to fit to");
    if (!real)
        return one_class ? LINPRED_OK : check_classes(data, error);
    if (data->from_arrays && options->degree > 1 && (options->on || data->layout == LINPRED__SPARSE))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "powers of arrays need dense rows, and are taken of every column, so that 'on' cannot be "
                             "set");
    return LINPRED_OK;
}

/* The learner, and what it needs to know about the rows. */
struct work {
    linpred__learner *learner;
    bool needs_ranges; /* the row extents must include the range of each column */
};

/* For a method that the task does not have. linpred_options_check has refused it before. */
static linpred_status no_learner(linpred__fit_context *fit, linpred_error *error)
{
    (void)fit;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "there is no such method");
}

/* The learner of the task and method, from core/method.def. */
static struct work choose_learner(const linpred_options *options)
{
    static linpred__learner *const learners[LINPRED__TASK_METHODS] = {
#define LINPRED_TASK_METHOD(task, name, word, learner, traits, help) linpred__fit_##learner,
#include "core/method.def"
    };
    if (options->task == LINPRED_TASK_REGRESSION)
        return (struct work){
            options->loss == LINPRED_LOSS_SQUARED ? linpred__fit_least_squares : linpred__fit_least_absolute, false};
    const linpred__task_method *method = linpred__find_task_method(options->task, options->method);
    if (!method)
        return (struct work){no_learner, false};
    return (struct work){learners[method - linpred__task_methods],
                         (method->traits & LINPRED__NEEDS_RANGES) != 0 && options->l2 == 0.0};
}

/* Completes the result after any learner: adds the claims that every fit makes, the sentences of all claims, and the
   options of the fit. */
static linpred_status complete(linpred__fit_context *fit, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_DATA, true)->by.fingerprint = fit->problem.extents.fingerprint;
    if (result->model.recipe->missing == LINPRED_MISSING_MEAN)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_MEANS, false);
    result->figures.seconds = linpred__run_seconds(&fit->run);
    if (!linpred__write_sentences(result))
        return linpred__no_memory(error);
    return linpred__record_options(result, fit->options, error);
}

static linpred_status fit_all(linpred__fit_context *fit, const struct work *work, linpred_error *error)
{
    linpred__figures *figures = &fit->result->figures;
    bool regression = fit->options->task == LINPRED_TASK_REGRESSION;
    if (!regression) /* a regression chooses its method itself */
        figures->method = fit->options->method;
    figures->rows = fit->problem.data->rows;
    figures->total_weight = linpred__shape_of(fit->problem.data).weight;
    figures->columns = fit->result->model.columns;
    fit->result->model.task = fit->options->task;
    fit->result->model.has_intercept = !fit->options->no_intercept;
    linpred_status status = LINPRED_OK;
    if (!regression)
        status = linpred__find_row_extents(fit->problem.data, fit->run.pool, !fit->options->no_intercept,
                                           work->needs_ranges, &fit->problem.extents, error);
    if (status == LINPRED_OK)
        status = work->learner(fit, error);
    return status == LINPRED_OK ? complete(fit, error) : status;
}

static linpred_status run(const linpred_data *data, const linpred_options *options, bool one_class,
                          const struct work *work, linpred_result **result, linpred_error *error)
{
    linpred__fit_context fit = {
        .run = {.max_seconds = options->max_seconds, .on_progress = options->on_progress, .context = options->context},
        .problem = {.data = data, .has_intercept = !options->no_intercept},
        .options = options,
    };
    fit.run.began = fit.run.reported = linpred__now();
    linpred_status status = linpred_options_check(options, error);
    if (status == LINPRED_OK)
        status = check_task(data, options, one_class, error);
    if (status == LINPRED_OK)
        status = linpred__pool_open((int)options->threads, &fit.run.pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred__blas_enter(); /* one thread for BLAS, so that its threads change no bit */
    status = linpred__blas_check_memory(linpred__pool_threads(fit.run.pool), error);
    if (status == LINPRED_OK)
        status = linpred__result_new(data, options, &fit.result, error);
    if (status == LINPRED_OK)
        status = fit_all(&fit, work, error);
    linpred__blas_leave();
    linpred__row_extents_clear(&fit.problem.extents);
    linpred__pool_close(fit.run.pool);
    if (status != LINPRED_OK) {
        linpred_result_free(fit.result);
        return status;
    }
    *result = fit.result;
    return LINPRED_OK;
}

linpred_status linpred_fit(const linpred_data *data, const linpred_options *options, linpred_result **result,
                           linpred_error *error)
{
    LINPRED__NEEDS(data, options, result);
    struct work work = choose_learner(options);
    return run(data, options, options->one_class, &work, result, error);
}

linpred_status linpred_find_separation(const linpred_data *data, const linpred_options *options,
                                       linpred_result **result, linpred_error *error)
{
    LINPRED__NEEDS(data, options, result);
    linpred_options plain;
    linpred__options_init(&plain);
    plain.method = LINPRED_METHOD_LP;
    plain.no_intercept = options->no_intercept;
    plain.max_seconds = options->max_seconds;
    plain.threads = options->threads;
    plain.on_progress = options->on_progress;
    plain.context = options->context;
    return run(data, &plain, true, &(struct work){linpred__fit_separation, true}, result, error);
}
