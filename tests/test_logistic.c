/* Logistic regression: fits whose answer is known, and the laws that every fit keeps. */
#include "logistic_support.h"

/* A table of counts: one feature 0 or 1, rows weighted. The fit is exact: b = log odds at 0, w = log odds ratio, and
   the variances are sums of inverse counts. */
static void two_by_two(void **state)
{
    (void)state;
    const double count[2][2] = {{40, 25}, {12, 31}}; /* [x][y] */
    sample s = sample_new(4, 1);
    s.weights = calloc(4, sizeof(double));
    for (int i = 0; i < 4; i++) {
        s.values[i] = i / 2;
        s.labels[i] = i % 2 ? 1 : -1;
        s.weights[i] = count[i / 2][i % 2];
    }
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_result *result = fit_optimal(&s, sparse, &options);
        const linpred__figures *figures = &result->figures;
        const double *error = linpred_result_standard_errors(result);
        near(result->model.b, log(25.0 / 40), 1e-13);
        near(result->model.w[0], log(31.0 / 12 * 40 / 25), 1e-13);
        near(error[1], sqrt(1 / 40.0 + 1 / 25.0), 1e-12);
        near(error[0], sqrt(1 / 40.0 + 1 / 25.0 + 1 / 12.0 + 1 / 31.0), 1e-12);
        double deviance = 0, null = 0;
        for (int x = 0; x < 2; x++)
            for (int y = 0; y < 2; y++) {
                deviance -= 2 * count[x][y] * log(count[x][y] / (count[x][0] + count[x][1]));
                null -= 2 * count[x][y] * log((count[0][y] + count[1][y]) / 108);
            }
        near(figures->deviance, deviance, 1e-13);
        near(figures->null_deviance, null, 1e-13);
        near(figures->aic, deviance + 4, 1e-13);
        assert_int_equal(figures->rank, 2);
        assert_int_equal(figures->unique, 1);
        assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_OVERLAPPING);
        near(figures->errors, 25 + 12, 0);
        linpred_result_free(result);
    }
    sample_free(&s);
}

static void gradient_vanishes(void **state)
{
    (void)state;
    const double l2[] = {0.0, 1e-8, 0.1};
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (size_t k = 0; k < 3; k++) {
            sample s = sample_logistic(seed, 300 + 50 * (int64_t)seed, (int32_t)seed, 2.0);
            linpred_options options = logistic_options(l2[k]);
            options.no_intercept = seed % 2;
            linpred_result *result = fit_optimal(&s, seed > 3, &options);
            assert_true(largest_gradient(&s, &result->model, l2[k]) < 1e-15L);
            assert_true(result->figures.gap <= 1e-8);
            linpred_result_free(result);
            sample_free(&s);
        }
}

/* Weight k is k copies; the bits may differ, the answer not. */
static void weights_are_copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    sample s = sample_logistic(7, 200, 3, 1.5);
    s.weights = calloc(200, sizeof(double));
    int64_t rows = 0;
    for (int64_t i = 0; i < 200; i++)
        rows += (int64_t)(s.weights[i] = 1 + (double)linpred__random_below(&random, 4));
    sample t = sample_new(rows, 3);
    int64_t at = 0;
    for (int64_t i = 0; i < 200; i++)
        for (int k = 0; k < (int)s.weights[i]; k++, at++) {
            memcpy(t.values + 3 * at, s.values + 3 * i, 3 * sizeof(double));
            t.labels[at] = s.labels[i];
        }
    sample_index(&t);
    for (int penalised = 0; penalised < 2; penalised++) {
        linpred_options options = logistic_options(penalised ? 0.01 : 0.0);
        linpred_result *a = fit_optimal(&s, false, &options), *b = fit_optimal(&t, true, &options);
        for (int32_t j = 0; j < 3; j++)
            near(a->model.w[j], b->model.w[j], 1e-11);
        near(a->model.b, b->model.b, 1e-11);
        near(a->figures.objective, b->figures.objective, 1e-13);
        if (!penalised)
            near(a->standard_error[1], b->standard_error[1], 1e-11);
        linpred_result_free(a);
        linpred_result_free(b);
    }
    sample_free(&s);
    sample_free(&t);
}

/* Class weights A:B are row weights of A and B; balanced gives each class half. */
static void class_weights_are_weights(void **state)
{
    (void)state;
    sample s = sample_logistic(9, 400, 2, 1.0), t = sample_logistic(9, 400, 2, 1.0);
    t.weights = calloc(400, sizeof(double));
    for (int64_t i = 0; i < 400; i++)
        t.weights[i] = t.labels[i] > 0 ? 5 : 2;
    linpred_options options = logistic_options(0.0), plain = options;
    options.class_weights = "2:5";
    linpred_result *a = fit_optimal(&s, false, &options), *b = fit_optimal(&t, false, &plain);
    near(a->model.w[0], b->model.w[0], 1e-12);
    near(a->model.b, b->model.b, 1e-12);
    assert_null(linpred_result_standard_errors(a));
    assert_non_null(strstr(a->figures.reason_no_errors, "class weights"));
    linpred_result_free(a);
    linpred_result_free(b);
    options.class_weights = "balanced";
    options.l2 = 0.001;
    a = fit_optimal(&s, false, &options);
    linpred_result_free(a);
    linpred_data *data = sample_data(&s, false);
    linpred_error error;
    const char *const wrong[] = {"", "even", "1", "1:", ":1", "0:1", "1:-2", "1:2:3", "nan:1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.class_weights = wrong[i];
        assert_int_equal(linpred_fit(data, &options, &a, &error), LINPRED_ERROR_USAGE);
    }
    linpred_data_free(data);
    sample_free(&s);
    sample_free(&t);
}

static void same_model(const linpred_result *a, const linpred_result *b)
{
    assert_memory_equal(a->model.w, b->model.w, (size_t)a->model.columns * sizeof(double));
    assert_memory_equal(&a->model.b, &b->model.b, sizeof(double));
    assert_memory_equal(&a->figures.objective, &b->figures.objective, sizeof(double));
    assert_int_equal(a->figures.passes, b->figures.passes);
}

/* 1, 2 and 4 threads give the same bits: small data, data that is sampled first, conjugate gradients. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    const struct {
        int64_t rows;
        int32_t columns;
        linpred_method method;
        double l2;
    } cases[] = {{2000, 5, LINPRED_METHOD_NEWTON, 0.0},
                 {45000, 48, LINPRED_METHOD_NEWTON, 0.0},
                 {45000, 48, LINPRED_METHOD_NEWTON, 1e-4},
                 {3000, 30, LINPRED_METHOD_NEWTON_CG, 1e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s = sample_logistic(i + 20, cases[i].rows, cases[i].columns, 2.0);
        linpred_data *data = sample_data(&s, i == 3);
        linpred_options options = logistic_options(cases[i].l2);
        options.method = cases[i].method;
        options.threads = 1;
        linpred_result *one = fit_data(data, &options);
        assert_int_equal(one->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        for (int threads = 2; threads <= 4; threads += 2) {
            options.threads = threads;
            linpred_result *more = fit_data(data, &options);
            same_model(one, more);
            linpred_result_free(more);
        }
        linpred_result_free(one);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* The two methods, dense and sparse rows: one answer. */
static void methods_agree(void **state)
{
    (void)state;
    sample s = sample_logistic(31, 800, 12, 3.0);
    for (int64_t i = 0; i < s.rows * s.columns; i++)
        if (fabs(s.values[i]) < 0.7)
            s.values[i] = 0.0;
    sample_index(&s);
    linpred_options options = logistic_options(0.003);
    options.tolerance = 1e-12;
    linpred_result *expected = fit_optimal(&s, false, &options);
    for (int k = 0; k < 4; k++) {
        options.method = k / 2 ? LINPRED_METHOD_NEWTON_CG : LINPRED_METHOD_NEWTON;
        linpred_result *result = fit_optimal(&s, k % 2, &options);
        assert_int_equal(result->figures.method, options.method);
        near(result->figures.objective, expected->figures.objective, 1e-12);
        for (int32_t j = 0; j < s.columns; j++)
            near(result->model.w[j], expected->model.w[j], k / 2 ? 1e-4 : 1e-11);
        linpred_result_free(result);
    }
    linpred_result_free(expected);
    sample_free(&s);
}

/* With the k-th request for memory refused, k = 0, 1, …, a fit fails until it gives the result. */
static void fails_or_is_the_same(const linpred_data *data, const linpred_options *options, const linpred_result *result)
{
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t k = 0; k < 3000 && status != LINPRED_OK; k++) {
        linpred_result *scarce = NULL;
        scarce_memory(k);
        status = linpred_fit(data, options, &scarce, NULL);
        enough_memory();
        assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        if (scarce)
            same_model(result, scarce);
        linpred_result_free(scarce);
    }
    assert_int_equal(status, LINPRED_OK);
}

/* Sparse rows whose columns are mostly empty, as conjugate gradients leave them out: the weights are those of the dense
   rows and stand at their columns, the others are 0; an entry that is 0 is no harm; and the k-th allocation may fail.
 */
static void empty_columns(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 60, EVERY = 7 };
    sample s = sample_logistic(37, ROWS, COLUMNS, 3.0);
    static double values[ROWS * COLUMNS];
    static int32_t indices[ROWS * COLUMNS];
    int64_t start[ROWS + 1] = {0}, count = 0;
    for (int64_t i = 0; i < ROWS; start[++i] = count)
        for (int32_t j = 0; j < COLUMNS; j++) {
            double *x = &s.values[i * COLUMNS + j];
            *x = j % EVERY == 3 && (i + j) % 3 > 0 ? *x : 0.0;
            if (*x == 0.0 && !(i == 5 && j == 20))
                continue;
            values[count] = *x;
            indices[count++] = j;
        }
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = ROWS,
                             .columns = COLUMNS,
                             .values = values,
                             .labels = s.labels,
                             .start = start,
                             .indices = indices};
    linpred_data *data;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_options options = logistic_options(0.01);
    options.tolerance = 1e-12;
    linpred_result *expected = fit_optimal(&s, false, &options);
    options.method = LINPRED_METHOD_NEWTON_CG;
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    assert_true(largest_gradient(&s, &result->model, 0.01) < 1e-6L);
    near(result->figures.objective, expected->figures.objective, 1e-12);
    for (int32_t j = 0; j < COLUMNS; j++) {
        near(result->model.w[j], expected->model.w[j], 1e-4);
        assert_true((result->model.w[j] != 0.0) == (j % EVERY == 3));
    }
    options.start = linpred_result_model(expected);
    linpred_result *warm = fit_data(data, &options);
    assert_true(warm->figures.iterations <= 1 && result->figures.iterations > 2);
    linpred_result_free(warm);
    options.start = NULL;
    options.threads = 1;
    fails_or_is_the_same(data, &options, result);
    linpred_result_free(result);
    linpred_result_free(expected);
    linpred_data_free(data);
    sample_free(&s);
}

/* A start of any scale and sign, a pocket's halfspace among them, ends at the same answer as none at all. */
static void start_anywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sample s = sample_logistic(seed, 40 + 100 * (int64_t)(seed % 3 == 0), 2, 1.0);
        linpred_options options = logistic_options(seed % 4 == 0 ? 0.01 : 0.0);
        linpred_options pocket;
        linpred__options_init(&pocket);
        pocket.method = LINPRED_METHOD_POCKET;
        linpred_data *data = sample_data(&s, false);
        linpred_result *cold = fit_data(data, &options);
        linpred_result *start = fit_data(data, &pocket);
        for (int k = 0; k < 16; k++) {
            double scale = pow(10.0, k / 2) * (k % 2 ? -1.0 : 1.0);
            linpred_model model = start->model;
            double w[2] = {scale * model.w[0], scale * model.w[1]};
            model.w = w;
            model.b *= scale;
            options.start = &model;
            linpred_result *warm = fit_data(data, &options);
            if (warm->figures.outcome != cold->figures.outcome)
                fail_msg("seed %d, scale %g: %s", (int)seed, scale, warm->figures.reason);
            assert_int_equal(warm->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
            near(warm->figures.objective, cold->figures.objective, 1e-8);
            assert_true(largest_gradient(&s, &warm->model, options.l2) < 1e-5L);
            linpred_result_free(warm);
        }
        linpred_model ball = {.task = LINPRED_TASK_BALL, .columns = 2, .w = start->model.w, .b = 1.0};
        options.start = &ball;
        linpred_error error;
        linpred_result *none;
        assert_int_equal(linpred_fit(data, &options, &none, &error), LINPRED_ERROR_USAGE);
        linpred_result_free(cold);
        linpred_result_free(start);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* From the answer nothing is left to do; from anywhere the answer is the same. */
static void warm_start(void **state)
{
    (void)state;
    sample s = sample_logistic(41, 500, 4, 2.0);
    linpred_options options = logistic_options(0.0);
    linpred_result *cold = fit_optimal(&s, false, &options);
    options.start = linpred_result_model(cold);
    linpred_result *warm = fit_optimal(&s, false, &options);
    assert_true(warm->figures.iterations <= 1 && cold->figures.iterations > 3);
    for (int32_t j = 0; j < 4; j++)
        near(warm->model.w[j], cold->model.w[j], 1e-13);
    sample other = sample_logistic(41, 500, 3, 2.0);
    linpred_data *data = sample_data(&other, false);
    linpred_error error;
    linpred_result *none;
    assert_int_equal(linpred_fit(data, &options, &none, &error), LINPRED_ERROR_INPUT);
    linpred_data_free(data);
    linpred_result_free(cold);
    linpred_result_free(warm);
    sample_free(&other);
    sample_free(&s);
}

/* A model that was tampered with is refuted. */
static void verify_refutes(void **state)
{
    (void)state;
    const double l2[] = {0.0, 0.01};
    for (int k = 0; k < 2; k++) {
        sample s = sample_logistic(51, 400, 3, 2.0);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = logistic_options(l2[k]);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        result->model.w[1] += 0.01;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        result->model.w[1] -= 0.01;
        result->figures.l2 += 0.001;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        result->figures.l2 = l2[k];
        result->figures.errors += 1;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

static bool stop_at_once(void *context, const linpred_progress *progress)
{
    (void)context;
    (void)progress;
    return false;
}

/* A run that is cut short claims no minimum. */
static void stopped_in_time(void **state)
{
    (void)state;
    sample s = sample_logistic(61, 3000, 20, 2.0);
    linpred_data *data = sample_data(&s, false);
    for (int k = 0; k < 2; k++) {
        linpred_options options = logistic_options(1e-3);
        options.method = k ? LINPRED_METHOD_NEWTON_CG : LINPRED_METHOD_NEWTON;
        options.max_seconds = 0.0;
        options.on_progress = stop_at_once;
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_LIMIT_REACHED);
        assert_true(isnan(result->figures.gap_tolerance));
        assert_int_equal(check_result(result, data).verdict, LINPRED_PARTLY_PROVED);
        linpred_result_free(result);
    }
    linpred_data_free(data);
    sample_free(&s);
}

static void methods_belong_to_tasks(void **state)
{
    (void)state;
    sample s = sample_logistic(71, 50, 2, 1.0);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = logistic_options(0.0);
    linpred_error error;
    linpred_result *none;
    options.method = LINPRED_METHOD_POCKET;
    assert_int_equal(linpred_fit(data, &options, &none, &error), LINPRED_ERROR_USAGE);
    options.method = LINPRED_METHOD_NEWTON;
    options.task = LINPRED_TASK_HALFSPACE;
    assert_int_equal(linpred_fit(data, &options, &none, &error), LINPRED_ERROR_USAGE);
    linpred_data_free(data);
    sample_free(&s);
}

/* Log loss and Brier score against their definitions, and the calibration table adds up. */
static void evaluation(void **state)
{
    (void)state;
    sample s = sample_logistic(81, 700, 3, 3.0);
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_data(data, &options);
    linpred_evaluation e = {.struct_size = sizeof e};
    assert_int_equal(linpred_evaluate(linpred_result_model(result), data, 1, &e, NULL), LINPRED_OK);
    near(e.log_loss, result->figures.objective, 1e-12);
    double weight = 0, positive = 0, predicted = 0;
    linpred_calibration *calibration = NULL;
    linpred_bin bin = {.struct_size = sizeof bin};
    assert_int_equal(linpred_calibrate(linpred_result_model(result), data, 1, 0, &calibration, NULL),
                     LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_calibrate(linpred_result_model(result), data, 1, 10, &calibration, NULL), LINPRED_OK);
    for (size_t k = 0; k < 10; k++) {
        assert_true(linpred_calibration_bin(calibration, k, &bin));
        assert_true(bin.from == (double)k / 10.0 && bin.to == (double)(k + 1) / 10.0);
        if (bin.weight > 0) {
            weight += bin.weight;
            positive += bin.weight * bin.observed;
            predicted += bin.weight * bin.predicted;
            assert_true(bin.predicted >= bin.from && bin.predicted <= bin.to);
        }
    }
    assert_false(linpred_calibration_bin(calibration, 10, &bin));
    linpred_calibration_free(calibration);
    near(weight, 700, 0);
    near(predicted, positive, 1e-10); /* the gradient by the intercept vanishes */
    assert_true(e.brier > 0 && e.brier < 0.25);
    assert_true(linpred_probability(-1e300) == 0.0 && linpred_probability(1e300) == 1.0 &&
                linpred_probability(0) == 0.5);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* A tiny penalty leaves a loss of 1e-299, of which rows beyond a score of 708 are no part: the deviance is 2 exp(-w).
 */
static void losses_that_died_out(void **state)
{
    (void)state;
    const double x[] = {1, -2, 2, 2, 2, 2, 2}, y[] = {1, -1, 1, 1, 1, 1, 1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 7, .columns = 1, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_options options = logistic_options(1e-303);
    options.no_intercept = true;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_data(data, &options);
    double deviance = 2.0 * exp(-result->model.w[0]);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_true(deviance > 0.0 && deviance < 1e-290);
    assert_true(fabs(result->figures.deviance - deviance) <= 1e-11 * deviance);
    assert_true(check_result(result, data).verdict <= LINPRED_WITHIN_TOLERANCE);
    linpred_result_free(result);
    linpred_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_by_two),
        cmocka_unit_test(losses_that_died_out),
        cmocka_unit_test(gradient_vanishes),
        cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(class_weights_are_weights),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(empty_columns),
        cmocka_unit_test(warm_start),
        cmocka_unit_test(start_anywhere),
        cmocka_unit_test(verify_refutes),
        cmocka_unit_test(stopped_in_time),
        cmocka_unit_test(methods_belong_to_tasks),
        cmocka_unit_test(evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
