/* linpred_fit and linpred_find_separation: check data and options, run a learner, and complete the result. */
#include "api/fit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/clock.h"
#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/task_methods.h"
#include "data/stored.h"
#include "pass/row_extents.h"

/* Fails unless all targets are -1 or +1 and, unless one class is enough, both occur. */
static linpred_status check_classes(const linpred_data *data, bool one_class, linpred_error *error)
{
    bool seen[2] = {false, false};
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        int32_t count[2], r = 0;
        linpred__count_labels(block, count);
        while (count[0] + count[1] < block->rows && fabs(block->target[r]) == 1.0)
            r++;
        if (count[0] + count[1] < block->rows)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, block->first_row + r + 1, 0,
                                    "the label of row %lld is neither -1 nor +1", (long long)block->first_row + r + 1);
        seen[0] = seen[0] || count[0] > 0;
        seen[1] = seen[1] || count[1] > 0;
    }
    if (one_class || (seen[0] && seen[1]))
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "all labels are the same, %.60s = %.60s, but two different labels are needed",
                         data->recipe->target, data->recipe->label[seen[1]]);
}

/* Fails if the data was loaded for another task, has no targets, or cannot have the powers that are asked for. */
static linpred_status check_data(const linpred_data *data, const linpred__fit_request *request,
                                 const linpred_options *options, linpred_error *error)
{
    bool real = request->task == LINPRED_TASK_REGRESSION;
    if (!data->from_arrays && data->recipe->real_target != real)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the data was loaded for %s, but this fit needs %s",
                             real ? "two labels" : "regression", real ? "real targets" : "two labels");
    if (!data->labelled)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the rows have no labels or targets to fit to");
    if (!real)
        return check_classes(data, request->one_class, error);
    if (data->from_arrays && options->degree > 1 && (options->on || data->layout == LINPRED__SPARSE))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "powers of arrays need dense rows, and are taken of every column, so that 'on' cannot be "
                             "set");
    return LINPRED_OK;
}

/* Rows that lie in a file are for learners whose work is passes. */
static linpred_status check_stored(const linpred_data *data, const linpred__fit_request *request, linpred_error *error)
{
    bool ball = request->task == LINPRED_TASK_BALL;
    const char *what = ball ? "a fit of balls" : "--method exact";
    if (!ball && request->learner != linpred__fit_fewest_errors)
        return LINPRED_OK;
    if (!data->spill)
        return linpred__stored_refuse(data, what, error);
    linpred_shape shape = {.struct_size = sizeof shape};
    char needed[LINPRED__BYTES_TEXT];
    linpred_data_shape(data, &shape);
    double bytes = (double)shape.entries * (shape.sparse ? sizeof(double) + sizeof(int32_t) : sizeof(double));
    return linpred__fail(error, LINPRED_ERROR_MEMORY,
                         "%s needs the rows in memory, which take %s: raise --memory, or use a machine with more", what,
                         linpred__bytes_text(bytes, needed));
}

/* Several processes share passes over all rows. A method that goes from row to row has none, except in the order
   `worst`, which looks for the worst row of all. Balls and the fewest mistakes take little time in passes. */
static linpred_status check_processes(const linpred__fit_request *request, const linpred_options *options,
                                      linpred_error *error)
{
    const linpred__comm *comm = linpred__comm_get();
    bool by_rows = request->method == LINPRED_METHOD_PERCEPTRON || request->method == LINPRED_METHOD_POCKET;
    bool ball = request->task == LINPRED_TASK_BALL;
    if (!comm || comm->processes == 1)
        return LINPRED_OK;
    if (ball || request->learner == linpred__fit_fewest_errors)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "several processes cannot share %s, so each would do all of the work: run linpred instead "
                             "of linpred-mpi",
                             ball ? "a fit of balls" : "--method exact");
    if (!by_rows || options->order == LINPRED_ORDER_WORST)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE,
                         "--method %s goes from row to row, which several processes cannot share: say --order worst, "
                         "choose another method, or run linpred instead of linpred-mpi",
                         linpred_method_name(request->method));
}

/* The learner of a method of a task, from core/method.def. */
linpred__fit_request linpred__request_fit(linpred_task task, linpred_method method, const linpred_options *options)
{
    static linpred__learner *const learners[LINPRED__TASK_METHODS] = {
#define LINPRED_TASK_METHOD(task, name, word, learner, traits, help) linpred__fit_##learner,
#include "core/method.def"
    };
    linpred__fit_request request = {.task = task, .method = method, .one_class = options->one_class};
    const linpred__task_method *found = linpred__find_task_method(task, method);
    if (task == LINPRED_TASK_REGRESSION) {
        request.learner =
            options->loss == LINPRED_LOSS_SQUARED ? linpred__fit_least_squares : linpred__fit_least_absolute;
    } else if (found) {
        request.learner = learners[found - linpred__task_methods];
        request.needs_ranges = (found->traits & LINPRED__NEEDS_RANGES) != 0 && options->l2 == 0.0;
    }
    return request;
}

/* Completes the result after any learner: adds the claims that every fit makes, the sentences of all claims, and the
   options of the fit. */
static linpred_status complete_result(linpred__fit_context *fit, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__claims_add(&result->claims, LINPRED_CLAIM_DATA, true)->by.fingerprint = fit->problem.extents.fingerprint;
    if (result->model.recipe->missing == LINPRED_MISSING_MEAN)
        linpred__claims_add(&result->claims, LINPRED_CLAIM_MEANS, false);
    result->figures.seconds = linpred__run_seconds(&fit->run);
    if (!linpred__write_sentences(result))
        return linpred__no_memory(error);
    return linpred__record_options(result, fit->method, fit->options, error);
}

static linpred_status fit_all(linpred__fit_context *fit, const linpred__fit_request *request, linpred_error *error)
{
    linpred__figures *figures = &fit->result->figures;
    bool regression = request->task == LINPRED_TASK_REGRESSION;
    if (!regression) /* a regression chooses its method itself */
        figures->method = request->method;
    figures->rows = fit->problem.data->rows;
    figures->total_weight = linpred__shape_of(fit->problem.data).weight;
    figures->columns = fit->result->model.columns;
    fit->result->model.has_intercept = fit->problem.has_intercept;
    linpred_status status = LINPRED_OK;
    if (!regression)
        status = linpred__find_row_extents(fit->problem.data, fit->run.pool, fit->problem.has_intercept,
                                           request->needs_ranges, &fit->problem.extents, error);
    if (status == LINPRED_OK)
        status = request->learner(fit, error);
    return status == LINPRED_OK ? complete_result(fit, error) : status;
}

linpred_status linpred__run_fit(const linpred_data *data, const linpred__fit_request *request,
                                const linpred_options *options, linpred_result **result, linpred_error *error)
{
    linpred__fit_context fit = {
        .run = {.max_seconds = options->max_seconds, .on_progress = options->on_progress, .context = options->context},
        .problem = {.data = data, .has_intercept = !options->no_intercept},
        .method = request->method,
        .options = options,
    };
    fit.run.began = fit.run.reported = linpred__now();
    if (!request->learner)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there is no such method");
    linpred_status status = check_data(data, request, options, error);
    if (status == LINPRED_OK)
        status = check_stored(data, request, error);
    if (status == LINPRED_OK)
        status = check_processes(request, options, error);
    if (status == LINPRED_OK)
        status = linpred__pool_open((int)options->threads, &fit.run.pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred__blas_enter(); /* one thread for BLAS, so that its threads change no bit */
    status = linpred__blas_check_memory(fit.run.pool, error);
    if (status == LINPRED_OK)
        status = linpred__result_new(data, request->task, options, &fit.result, error);
    if (status == LINPRED_OK)
        status = fit_all(&fit, request, error);
    if (status == LINPRED_OK)
        status = linpred__stored_check(data, error);
    linpred__blas_leave();
    linpred__row_extents_clear(&fit.problem.extents);
    linpred__pool_close(fit.run.pool);
    if (status != LINPRED_OK) {
        linpred_result_free(fit.result);
        return linpred__no_memory_when(status, "fitting", "",
                                       options->threads == 1
                                           ? "leave columns out with --features or --drop"
                                           : "leave columns out with --features or --drop, or try --threads 1",
                                       error);
    }
    *result = fit.result;
    return LINPRED_OK;
}

linpred_status linpred_fit(const linpred_data *data, const linpred_options *options, linpred_result **result,
                           linpred_error *error)
{
    LINPRED__NEEDS(data, options, result);
    linpred_status status = linpred_options_check(options, error);
    if (status != LINPRED_OK)
        return status;
    linpred__fit_request request = linpred__request_fit(options->task, options->method, options);
    return linpred__run_fit(data, &request, options, result, error);
}

linpred_status linpred_find_separation(const linpred_data *data, const linpred_options *options,
                                       linpred_result **result, linpred_error *error)
{
    LINPRED__NEEDS(data, options, result);
    const linpred__scopes listens = LINPRED__FOR(FIT) | LINPRED__FOR(ORIGIN);
    linpred_status status =
        linpred__options_check_for(options, listens, "the question whether rows are separated", error);
    if (status != LINPRED_OK)
        return status;
    const linpred__fit_request request = {
        .task = LINPRED_TASK_HALFSPACE,
        .method = LINPRED_METHOD_LP,
        .learner = linpred__fit_separation,
        .needs_ranges = true,
        .one_class = true,
    };
    return linpred__run_fit(data, &request, options, result, error);
}
