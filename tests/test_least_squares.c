/* Least squares: laws (weights are copies, dense is sparse, threads change nothing, units scale), agreement of its ways
 * of solving, and cases that other programs get wrong. Every fit is verified and read back from its file. */
#include "regression_support.h"

#include "num/distribution.h"
#include "pass/gram.h"

static linpred_result *fit_rows(int64_t rows, int32_t columns, const double *x, const double *y, const double *weights,
                                const linpred_options *options)
{
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y, .weights = weights};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_and_verify(data, options);
    linpred_data_free(data);
    return result;
}

static void distributions(void **state)
{
    (void)state;
    /* from tables and closed forms: df 1 is Cauchy, df 2 has an algebraic tail */
    near(linpred__t_two_sided(1.0, 1.0), 0.5, 1e-14);
    near(linpred__t_two_sided(3.0, 2.0), 1.0 - 3.0 / sqrt(11.0), 1e-13);
    near(linpred__t_two_sided(1e8, 2.0), 1e-16, 1e-12);
    near(linpred__t_quantile(0.975, 10.0), 2.2281388519862742, 1e-13);
    near(linpred__t_quantile(0.975, 1e6), 1.959966355676184, 1e-9);
    near(linpred__t_quantile(0.005, 5.0), -4.032142983557537, 1e-12);
    near(linpred__f_upper(4.0, 2.0, 2.0), 0.2, 1e-14);
    near(linpred__f_upper(3.0, 2.0, 10.0), pow(1.6, -5.0), 1e-13);
    near(linpred__incomplete_beta(2.0, 3.0, 0.4, 0.6), 0.5248, 1e-13);
    near(linpred__incomplete_beta(0.5, 0.5, 0.25, 0.75), 1.0 / 3.0, 1e-13);
    near(linpred__normal_two_sided(1.9599639845400545), 0.05, 1e-13);
    assert_true(isnan(linpred__t_two_sided(1.0, 0.0)));
}

static void weights_are_copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    for (int k = 0; k < 10; k++) {
        sample s = sample_linear(&random, 30, 3, 1.0), copies = sample_new(90, 3);
        s.weights = calloc(30, sizeof(double));
        int64_t to = 0;
        for (int64_t i = 0; i < 30; i++) {
            s.weights[i] = 1.0 + (double)linpred__random_below(&random, 3);
            for (int c = 0; c < (int)s.weights[i]; c++, to++) {
                memcpy(copies.values + to * 3, s.values + i * 3, 3 * sizeof(double));
                copies.labels[to] = s.labels[i];
            }
        }
        copies.rows = to;
        sample_index(&copies);
        options.l2 = k % 2 ? 0.1 : 0.0;
        linpred_result *a = fit_sample(&s, false, &options), *b = fit_sample(&copies, false, &options);
        assert_same_fit(a, b, 1e-15);
        if (k % 2 == 0)
            for (int32_t j = 0; j < 4; j++)
                near(coefficient_of(a, j).standard_error, coefficient_of(b, j).standard_error, 1e-13);
        linpred_result_free(a);
        linpred_result_free(b);
        sample_free(&s);
        sample_free(&copies);
    }
}

/* Small and large data, so that each way of solving is met, dense and sparse, 1, 2 and 4 threads. */
static void dense_is_sparse_and_threads_change_nothing(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    const int64_t rows[] = {50, 5000, 60000};
    for (int k = 0; k < 3; k++) {
        sample s = sample_linear(&random, rows[k], 15, 0.5);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        linpred_result *fit[4];
        for (int t = 0; t < 3; t++) {
            options.threads = 1 << t;
            fit[t] = fit_sample(&s, false, &options);
            assert_int_equal(fit[t]->figures.method, rows[k] < 40000 ? LINPRED_METHOD_QR : LINPRED_METHOD_GRAM);
        }
        fit[3] = fit_sample(&s, true, &options);
        for (int32_t j = 0; j <= 15; j++) {
            linpred_coefficient a = coefficient_of(fit[0], j);
            for (int t = 1; t < 4; t++) {
                linpred_coefficient b = coefficient_of(fit[t], j);
                assert_memory_equal(&a.value, &b.value, sizeof a.value);
                near(b.standard_error, a.standard_error, t < 3 ? 0.0 : 1e-13);
            }
        }
        for (int t = 0; t < 4; t++)
            linpred_result_free(fit[t]);
        sample_free(&s);
    }
}

/* A column in other units: the coefficient changes by exactly that, also where the units are 1e200 and 1e-200. */
static void units_scale(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    for (int k = 0; k < 2; k++) {
        sample s = sample_linear(&random, k ? 30000 : 40, 20, 0.5);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        linpred_result *a = fit_sample(&s, false, &options);
        for (int64_t i = 0; i < s.rows; i++) {
            s.values[i * 20] *= 0x1p660;
            s.values[i * 20 + 1] *= 0x1p-660;
        }
        linpred_result *b = fit_sample(&s, false, &options);
        near(coefficient_of(b, 0).value * 0x1p660, coefficient_of(a, 0).value, 1e-15);
        near(coefficient_of(b, 1).value * 0x1p-660, coefficient_of(a, 1).value, 1e-15);
        near(coefficient_of(b, 5).value, coefficient_of(a, 5).value, 1e-15);
        near(coefficient_of(b, 0).standard_error * 0x1p660, coefficient_of(a, 0).standard_error, 1e-13);
        near(coefficient_of(b, 1).standard_error * 0x1p-660, coefficient_of(a, 1).standard_error, 1e-13);
        near(coefficient_of(b, 20).standard_error, coefficient_of(a, 20).standard_error, 1e-13);
        linpred_result_free(a);
        linpred_result_free(b);
        sample_free(&s);
    }
}

/* The same rows many times over: the larger problem goes another way and must find the same. */
static void ways_agree(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    for (int ill = 0; ill < 2; ill++) {
        int64_t rows = 400, copies = 200;
        int32_t columns = 12;
        sample s = sample_linear(&random, rows, columns, 0.5), many = sample_new(rows * copies, columns);
        for (int64_t i = 0; ill && i < rows;
             i++) /* nearly dependent: condition about 1e9, too much for a Gram matrix */
            s.values[i * columns + 3] = s.values[i * columns + 2] + 1e-9 * s.values[i * columns + 3];
        for (int64_t c = 0; c < copies; c++) {
            memcpy(many.values + c * rows * columns, s.values, (size_t)(rows * columns) * sizeof(double));
            memcpy(many.labels + c * rows, s.labels, (size_t)rows * sizeof(double));
        }
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        sample_index(&s);
        sample_index(&many);
        linpred_result *a = fit_sample(&s, false, &options), *b = fit_sample(&many, false, &options);
        assert_int_equal(b->figures.method, ill ? LINPRED_METHOD_QR : LINPRED_METHOD_GRAM);
        assert_same_fit(a, b, 1e-15);
        linpred_result_free(a);
        linpred_result_free(b);
        sample_free(&s);
        sample_free(&many);
    }
}

/* Sums of products beside plain loops, for widths that end within a vector, at its end, and beyond the kernel. */
static void gram_matrices(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    const size_t widths[] = {1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 33, 40, 101, 330};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        size_t n = widths[i], stride = linpred__gram_stride(n), rows = i % 2 ? linpred__gram_rows(n) : 5;
        double *x = calloc(rows * stride, sizeof *x), *gram = calloc(stride * stride, sizeof *gram);
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < n; j++)
                x[r * stride + j] =
                    (double)((int64_t)linpred__random_below(&random, 2001) - 1000); /* every sum is exact */
        linpred__gram_add(n, rows, x, NULL, gram);
        linpred__gram_add(n, rows, x, x, gram);
        for (size_t a = 0; a < n; a++)
            for (size_t b = a; b < n; b++) {
                double sum = 0.0;
                for (size_t r = 0; r < rows; r++)
                    sum += 2.0 * x[r * stride + a] * x[r * stride + b];
                assert_true(gram[a * stride + b] == sum);
            }
        free(x);
        free(gram);
    }
}

/* The kernel goes on from what is there: all rows are one chain, and its rounding is bounded by their number, not by
   that of a chunk. A column of one value rounds the same way for long. */
static void gram_chains(void **state)
{
    (void)state;
    enum { N = 3, CHUNK = 64, CHUNKS = 200 };
    linpred__random random;
    linpred__random_seed(&random, 19);
    size_t stride = linpred__gram_stride(N);
    double *x = calloc(CHUNK * stride, sizeof *x), *gram = calloc(stride * stride, sizeof *gram), worst = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        double value = 1.0 + linpred__random_uniform(&random);
        for (size_t r = 0; r < CHUNK; r++)
            for (size_t j = 0; j < N; j++)
                x[r * stride + j] = value;
        memset(gram, 0, stride * stride * sizeof *gram);
        for (int chunk = 0; chunk < CHUNKS; chunk++)
            linpred__gram_add(N, CHUNK, x, NULL, gram);
        long double exact = (long double)value * value * CHUNK * CHUNKS;
        worst = fmax(worst, (double)fabsl((gram[1] - exact) / exact));
    }
    double unit = CHUNK * CHUNKS * 0x1p-53, worst_min = 0.0;
#if defined(__x86_64__)
    worst_min = unit / 64; /* our own kernels add in one chain; elsewhere BLAS may add in several */
#endif
    if (!(worst <= unit && worst >= worst_min))
        fail_msg("off by %g of the bound", worst / unit);
    free(x);
    free(gram);
}

/* Beyond the columns for which a model keeps S, the verifier makes its own: every coefficient has a bound, dependent
   columns or not, and a wrong one is noticed. */
static void bounds_of_many_coefficients(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    const int32_t columns = 310;
    for (int dependent = 0; dependent < 2; dependent++) {
        sample s = sample_linear(&random, 500, columns, 1.0);
        for (int64_t i = 0; dependent && i < s.rows; i++) {
            for (int j = 3; j < 10; j += 6) /* so that the dependency holds without rounding */
                s.values[i * columns + j] = nearbyint(s.values[i * columns + j] * 0x1p20) * 0x1p-20;
            s.values[i * columns + 20] = s.values[i * columns + 3] - 2.0 * s.values[i * columns + 9];
            s.values[i * columns + 200] = 4.0;
        }
        sample_index(&s);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        linpred_data *data = sample_data(&s, dependent);
        linpred_result *result = fit_and_verify(data, &options);
        assert_int_equal(result->figures.rank, columns + 1 - 2 * dependent);
        linpred_check *bounds = NULL;
        assert_int_equal(linpred_verify(result, data, 2, &bounds, NULL), LINPRED_OK);
        for (int32_t j = 0; j <= columns; j++)
            if (!(linpred_check_error_bound(bounds, j) <= 1e-11))
                fail_msg("%d: %g", j, linpred_check_error_bound(bounds, j));
        linpred_check_free(bounds);
        ((double *)linpred_model_coefficients(linpred_result_model(result)))[5] += 0.1;
        checked check = check_result(result, data);
        if (check.verdict != LINPRED_REFUTED)
            fail_msg("%s", check.finding);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

static void more_columns_than_fit_a_matrix(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 19);
    int64_t rows = 4000;
    int32_t columns = 1600;
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        s.labels[i] = linpred__random_normal(&random);
        for (int k = 0; k < 10; k++) {
            int64_t j = (int64_t)linpred__random_below(&random, (uint64_t)columns);
            s.values[i * columns + j] = 1.0 + (double)(j % 7);
            s.labels[i] += (double)(j % 3);
        }
    }
    sample_index(&s);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    linpred_result *result = fit_sample(&s, true, &options);
    assert_int_equal(result->figures.method, LINPRED_METHOD_CG);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_true(result->figures.gradient_left <= 1e-13);
    assert_non_null(strstr(result->figures.reason_no_errors, "rank"));
    linpred_result_free(result);
    options.l2 = 0.5;
    result = fit_sample(&s, true, &options);
    linpred_result_free(result);
    sample_free(&s);
}

/* Fewer rows than columns: nothing is left of the targets, and no objective is below 0. By QR, and by conjugate
 * gradients. */
static void more_columns_than_rows(void **state)
{
    (void)state;
    static const int32_t columns[] = {350, 1700};
    for (int way = 0; way < 2; way++) {
        linpred__random random;
        linpred__random_seed(&random, 71 + (uint64_t)way);
        sample s = sample_new(60, columns[way]);
        for (int64_t i = 0; i < s.rows * s.columns; i++)
            s.values[i] = way == 0 || linpred__random_below(&random, 20) == 0 ? linpred__random_normal(&random) : 0.0;
        for (int64_t i = 0; i < s.rows; i++)
            s.labels[i] = linpred__random_normal(&random);
        sample_index(&s);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        linpred_result *result = fit_sample(&s, way == 1, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_int_equal(result->figures.method, way == 0 ? LINPRED_METHOD_QR : LINPRED_METHOD_CG);
        assert_true(result->figures.objective < 1e-24);
        linpred_result_free(result);
        sample_free(&s);
    }
}

static void dependent_columns(void **state)
{
    (void)state;
    /* x3 = x1 + x2, x4 constant, x5 zero: rank 3 of 6, the minimum-norm solution */
    const double x[] = {1, 2, 3, 5, 0, 2, 1, 3, 5, 0, 0.25, 0.5, 0.75, 5, 0,
                        7, 1, 8, 5, 0, 4, 4, 8, 5, 0, 1,    0,   1,    5, 0};
    const double y[] = {1, 2.5, 1, 9, 0, 3};
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    linpred_result *result = fit_rows(6, 5, x, y, NULL, &options);
    assert_int_equal(result->figures.rank, 3);
    assert_int_equal(result->figures.unique, 0);
    assert_string_equal(linpred_result_dependency_sentence(result, 0), "x5 = 0 in every row");
    assert_string_equal(linpred_result_dependency_sentence(result, 1), "x4 = 5 in every row");
    assert_string_equal(linpred_result_dependency_sentence(result, 2), "x3 = x1 + x2 in every row");
    assert_null(linpred_result_dependency_sentence(result, 3));
    double w[6];
    for (int32_t j = 0; j < 6; j++) {
        w[j] = coefficient_of(result, j).value;
        assert_true(isnan(coefficient_of(result, j).standard_error));
    }
    near(w[2], w[0] + w[1], 1e-14); /* orthogonal to (1, 1, -1, 0, 0) and to (0, 0, 0, 1, 0), the intercept left out */
    assert_true(w[3] == 0.0);
    assert_true(w[4] == 0.0);
    linpred_result_free(result);
}

static void few_rows(void **state)
{
    (void)state;
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    const double x[] = {1, 2, 3, 4, 5, 7}, y[] = {5, 6}, zero[] = {0, 0};
    linpred_result *result = fit_rows(1, 3, x, y, NULL, &options); /* one row: the intercept does it all */
    for (int32_t j = 0; j < 3; j++)
        assert_true(coefficient_of(result, j).value == 0.0);
    near(coefficient_of(result, 3).value, 5.0, 1e-15);
    assert_int_equal(result->figures.rank, 1);
    assert_true(result->figures.mean_squared_error < 1e-30);
    linpred_result_free(result);
    result = fit_rows(2, 3, x, y, NULL, &options); /* fewer rows than columns: w is a multiple of the difference */
    assert_int_equal(result->figures.rank, 2);
    near(coefficient_of(result, 0).value, 3.0 / 34.0, 1e-15);
    near(coefficient_of(result, 2).value, 4.0 / 34.0, 1e-15);
    near(coefficient_of(result, 3).value, 149.0 / 34.0, 1e-15);
    linpred_result_free(result);
    result =
        fit_rows(2, 1, x, y, NULL, &options); /* as many rows as coefficients: a perfect fit, no degrees of freedom */
    near(coefficient_of(result, 0).value, 1.0, 1e-15);
    near(coefficient_of(result, 1).value, 4.0, 1e-15);
    assert_true(isnan(coefficient_of(result, 0).standard_error));
    linpred_result_free(result);
    result = fit_rows(2, 1, zero, y, NULL, &options); /* all rows zero */
    near(coefficient_of(result, 1).value, 5.5, 1e-15);
    linpred_result_free(result);
    result = fit_rows(2, 1, x, zero, NULL, &options); /* y constant, and 0 */
    assert_true(coefficient_of(result, 0).value == 0.0);
    assert_true(isnan(result->figures.r_squared));
    linpred_result_free(result);
    options.no_intercept = true;
    result = fit_rows(2, 1, zero, y, NULL, &options); /* nothing to fit with */
    assert_true(coefficient_of(result, 0).value == 0.0);
    assert_int_equal(result->figures.rank, 0);
    linpred_result_free(result);
}

static void ridge(void **state)
{
    (void)state;
    /* one centred column: w = Σxy / (Σx² + λ m/2), the intercept is the mean */
    const double x[] = {-1, 0, 1, 2, -2}, y[] = {1, 2, 4, 8, 5};
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    options.l2 = 0.8;
    linpred_result *result = fit_rows(5, 1, x, y, NULL, &options);
    near(coefficient_of(result, 0).value, 9.0 / (10.0 + 2.0), 1e-15);
    near(coefficient_of(result, 1).value, 4.0, 1e-15);
    linpred_result_free(result);
}

static void edited_coefficients_are_refuted(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 23);
    sample s = sample_linear(&random, 100, 4, 1.0), other = sample_linear(&random, 100, 4, 1.0);
    linpred_data *data = sample_data(&s, false), *wrong = sample_data(&other, false);
    for (int loss = 0; loss < 2; loss++) {
        linpred_options options = regression_options((linpred_loss)loss);
        linpred_result *result = fit_and_verify(data, &options);
        checked check;
        assert_int_equal(verify_result(result, wrong, 1, &check, NULL), LINPRED_OK);
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED); /* nothing is claimed of other rows */
        assert_false(check.same_data);
        double *w = (double *)linpred_model_coefficients(linpred_result_model(result));
        w[1] += 1e-3;
        assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
        assert_int_equal(check.verdict, LINPRED_REFUTED);
        linpred_result_free(result);
    }
    linpred_data_free(data);
    linpred_data_free(wrong);
    sample_free(&s);
    sample_free(&other);
}

static void tasks_are_kept_apart(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3}, y[] = {1, 5, 2};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 3, .columns = 1, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_options options;
    linpred_error error;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_PERCEPTRON;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(error.line, 2);
    linpred_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions),
        cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(dense_is_sparse_and_threads_change_nothing),
        cmocka_unit_test(units_scale),
        cmocka_unit_test(ways_agree),
        cmocka_unit_test(gram_matrices),
        cmocka_unit_test(gram_chains),
        cmocka_unit_test(bounds_of_many_coefficients),
        cmocka_unit_test(more_columns_than_fit_a_matrix),
        cmocka_unit_test(more_columns_than_rows),
        cmocka_unit_test(dependent_columns),
        cmocka_unit_test(few_rows),
        cmocka_unit_test(ridge),
        cmocka_unit_test(edited_coefficients_are_refuted),
        cmocka_unit_test(tasks_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
