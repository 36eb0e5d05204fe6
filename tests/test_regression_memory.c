/* Regressions when memory runs out: the k-th request fails, for every k (every few, once they are many). Fits,
 * verification, prediction intervals and the model file answer "out of memory" or are right, and lose nothing. */
#include "regression_support.h"

#include <unistd.h>

/* Runs `work` with 0, 1, 2, … requests granted until it succeeds. */
static void until_enough(linpred_status (*work)(void *context, linpred_error *error), void *context)
{
    linpred_status status = LINPRED_ERROR_MEMORY;
    int64_t k = 0;
    for (; status == LINPRED_ERROR_MEMORY; k += 1 + k / 25) {
        linpred_error error = {.message = ""};
        scarce_memory(k);
        status = work(context, &error);
        enough_memory();
        if (status != LINPRED_OK && status != LINPRED_ERROR_MEMORY)
            fail_msg("%s", error.message);
    }
    assert_true(k > 3); /* it does ask for memory */
}

struct work {
    const linpred_data *data;
    const linpred_options *options;
    linpred_result *result;
    double *low;
    double *high;
    const char *path;
};

static linpred_status fit(void *context, linpred_error *error)
{
    struct work *work = context;
    return linpred_fit(work->data, work->options, &work->result, error);
}

static linpred_status verify(void *context, linpred_error *error)
{
    struct work *work = context;
    checked check;
    linpred_status status = verify_result(work->result, work->data, 2, &check, error);
    if (status == LINPRED_OK)
        if (check.verdict != LINPRED_WITHIN_TOLERANCE) {
            enough_memory();
            fail_msg("%s", check.finding);
        }
    return status;
}

static linpred_status predict(void *context, linpred_error *error)
{
    struct work *work = context;
    return linpred_predict_interval(linpred_result_model(work->result), work->data, 2, 0.95, work->low, work->high,
                                    error);
}

static linpred_status save(void *context, linpred_error *error)
{
    struct work *work = context;
    return linpred_result_save(work->result, work->path, error);
}

static linpred_status load(void *context, linpred_error *error)
{
    struct work *work = context;
    linpred_result *again = NULL;
    linpred_status status = linpred_result_load(work->path, false, &again, error);
    linpred_result_free(again);
    return status;
}

static void all_of(const sample *s, bool sparse, const linpred_options *options, linpred_method method, bool interval)
{
    linpred_data *data = sample_data(s, sparse);
    char path[] = "/tmp/linpred_memory_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    double *buffer = malloc(2 * (size_t)s->rows * sizeof *buffer);
    struct work work = {data, options, NULL, buffer, buffer + s->rows, path};
    until_enough(fit, &work);
    assert_int_equal(work.result->figures.method, method);
    until_enough(verify, &work);
    if (interval)
        until_enough(predict, &work);
    until_enough(save, &work);
    until_enough(load, &work);
    linpred_result_free(work.result);
    linpred_data_free(data);
    unlink(path);
    free(buffer);
}

static void squared(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 61);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    sample small = sample_linear(&random, 40, 3, 1.0);
    all_of(&small, true, &options, LINPRED_METHOD_QR, true);
    options.degree = 2;
    all_of(&small, false, &options, LINPRED_METHOD_QR, true);
    for (int64_t i = 0; i < small.rows; i++) { /* three places for four powers, and a column twice */
        small.values[3 * i] = (double)(i % 3);
        small.values[3 * i + 2] = small.values[3 * i + 1];
    }
    options.degree = 3;
    all_of(&small, false, &options, LINPRED_METHOD_QR, true);
    options.l2 = 0.1;
    all_of(&small, false, &options, LINPRED_METHOD_QR, false);
    sample_free(&small);
}

static void squared_many_rows(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 67);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    sample s = sample_linear(&random, 6000, 41, 1.0);
    all_of(&s, false, &options, LINPRED_METHOD_GRAM, true);
    for (int64_t i = 0; i < s.rows; i++)
        s.values[41 * i + 7] = s.values[41 * i + 8];
    sample_index(&s);
    all_of(&s, true, &options, LINPRED_METHOD_QR, true);
    sample_free(&s);
}

static void squared_many_columns(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 71);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    sample s = sample_new(1700, 1600);
    for (int64_t i = 0; i < s.rows; i++) { /* well conditioned: a few steps are enough */
        s.values[i * 1600 + i % 1600] = 10.0;
        s.values[i * 1600 + (int64_t)linpred__random_below(&random, 1600)] += 1.0;
        s.labels[i] = linpred__random_normal(&random);
    }
    sample_index(&s);
    options.l2 = 0.01;
    all_of(&s, true, &options, LINPRED_METHOD_CG, false);
    sample_free(&s);
}

static void absolute(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 73);
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    sample small = sample_linear(&random, 30, 3, 1.0), large = sample_linear(&random, 30000, 2, 1.0);
    all_of(&large, false, &options, LINPRED_METHOD_VERTEX, false);
    options.degree = 2;
    all_of(&small, false, &options, LINPRED_METHOD_VERTEX, false);
    options.degree = 1;
    for (int64_t i = 0; i < small.rows; i++)
        small.values[3 * i + 2] = small.values[3 * i + 1];
    sample_index(&small);
    all_of(&small, true, &options, LINPRED_METHOD_VERTEX, false);
    options.degree = 3;
    all_of(&small, false, &options, LINPRED_METHOD_VERTEX, false);
    sample_free(&small);
    sample_free(&large);
}

/* Only one request fails, and all later ones are granted. */
static _Atomic int64_t requests_before_failure;

static void *fail_once(void *context, void *memory, size_t bytes)
{
    (void)context;
    return requests_before_failure-- == 0 ? NULL : realloc(memory, bytes);
}

/* Whichever request fails, a fit that succeeds says that the median of 1, 2, 3, 4 is not unique. */
static void not_unique(void **state)
{
    (void)state;
    static const linpred_allocator failing = {sizeof(linpred_allocator), fail_once, scarce_release, NULL};
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    sample s = sample_new(4, 1);
    for (int i = 0; i < 4; i++) {
        s.values[i] = 1.0;
        s.labels[i] = i + 1.0;
    }
    linpred_data *data = sample_data(&s, false);
    options.no_intercept = true;
    int64_t k = 0;
    for (bool failed = true; failed; k++) {
        linpred_result *result = NULL;
        requests_before_failure = k;
        linpred_set_allocator(&failing);
        linpred_status status = linpred_fit(data, &options, &result, NULL);
        failed = requests_before_failure < 0;
        linpred_set_allocator(NULL);
        assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        if (status == LINPRED_OK)
            assert_int_equal(result->figures.unique, 0);
        linpred_result_free(result);
    }
    assert_true(k > 10);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squared),  cmocka_unit_test(squared_many_rows), cmocka_unit_test(squared_many_columns),
        cmocka_unit_test(absolute), cmocka_unit_test(not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
