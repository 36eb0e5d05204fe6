/* Least absolute deviations and quantiles: known optima, laws, ties, and cases without a unique answer. Every fit is
 * verified and read back from its file. */
#include "regression_support.h"
#include "reference_data.h"

#include <unistd.h>

/* NULL: there is no such file. */
static linpred_result *fit_file(const char *name, const char *target, const linpred_options *wanted)
{
    char path[600];
    linpred_options options = *wanted;
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    snprintf(path, sizeof path, "%s/%s.csv", reference_data(), name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: no %s\n", path);
        return NULL;
    }
    options.target = target;
    if (linpred_data_load(path, &options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_result *result = fit_and_verify(data, &options);
    linpred_data_free(data);
    return result;
}

/* Sums of absolute residuals of the decimal data, from exact rational arithmetic. */
static void known_optima(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *target;
        int rows;
        int degree;
        bool intercept;
        double objective;
        bool unique;
        double tolerance; /* what rounding the decimals to binary does to it */
    } known[] = {
        {"lad/stackloss", "stack_loss", 21, 1, true, 42.08115942028985507, true, 1e-14},
        {"lad/engel", "foodexp", 235, 1, true, 17559.93264762569465, true, 1e-14},
        {"lad/winequality_red", "quality", 1599, 1, true, 789.5042243899182160, true, 1e-13},
        {"strd/Longley", "y", 16, 1, true, 2438.779281542043921, true, 1e-13},
        {"strd/Norris", "y", 36, 1, true, 23.25392324, true, 1e-9},
        {"strd/Wampler4", "y", 21, 5, true, NAN, false, 0},
        {"strd/Filip", "y", 82, 10, true, 0.194162593636, true, 1e-10},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.degree = known[i].degree;
        linpred_result *result = fit_file(known[i].name, known[i].target, &options);
        if (!result)
            continue;
        const linpred__figures *figures = &result->figures;
        double sum = figures->objective * known[i].rows;
        if (!isnan(known[i].objective) && !(fabs(sum - known[i].objective) <= known[i].tolerance * known[i].objective))
            fail_msg("%s: %.17g is not %.17g", known[i].name, sum, known[i].objective);
        assert_int_equal(figures->unique, known[i].unique);
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
        linpred_result_free(result);
    }
}

/* The median of an even number of values is any point between the middle two; τ = 1/4 of 8 values likewise. */
static void medians(void **state)
{
    (void)state;
    const double x[8] = {0}, y[] = {8, 1, 6, 3, 7, 2, 5, 4};
    for (int rows = 7; rows <= 8; rows++)
        for (int k = 1; k <= 2; k++) {
            linpred_arrays arrays = {
                .struct_size = sizeof arrays, .rows = rows, .columns = 1, .values = x, .labels = y};
            linpred_data *data = NULL;
            linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
            options.quantile = 0.25 * k;
            assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
            linpred_result *result = fit_and_verify(data, &options);
            double b = linpred_model_intercept(linpred_result_model(result));
            assert_int_equal(result->figures.rank, 1);
            if (rows == 8)
                assert_true(k == 2 ? b >= 4 && b <= 5 : b >= 2 && b <= 3);
            else /* 8 1 6 3 7 2 5: the middle one is 5, the lower quartile 2 */
                assert_true(k == 2 ? b == 5 : b == 2);
            linpred_result_free(result);
            linpred_data_free(data);
        }
}

static void not_unique(void **state)
{
    (void)state;
    const double one[4] = {1, 1, 1, 1}, y[] = {1, 2, 3, 4};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 1, .values = one, .labels = y};
    linpred_data *data = NULL;
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    options.no_intercept = true;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_and_verify(data, &options);
    assert_int_equal(result->figures.unique, 0);
    assert_true(result->figures.objective == 1.0);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Integers: ties, repeated rows, degenerate vertices everywhere. Weight 3 is three copies; dense is sparse; threads. */
static void laws(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 29);
    for (int k = 0; k < 60; k++) {
        int64_t rows = 5 + (int64_t)(linpred__random_below(&random, 60) & 63);
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 4);
        sample s = sample_integers(&random, rows, columns, 2), copies = sample_new(3 * rows, columns);
        s.weights = calloc((size_t)rows, sizeof(double));
        int64_t to = 0;
        for (int64_t i = 0; i < rows; i++) {
            s.labels[i] = (double)linpred__random_below(&random, 5);
            s.weights[i] = 1.0 + 2.0 * (double)linpred__random_below(&random, 2);
            for (int c = 0; c < (int)s.weights[i]; c++, to++) {
                memcpy(copies.values + to * columns, s.values + i * columns, (size_t)columns * sizeof(double));
                copies.labels[to] = s.labels[i];
            }
        }
        copies.rows = to;
        sample_index(&copies);
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.quantile = k % 3 == 0 ? 0.5 : k % 3 == 1 ? 0.25 : 0.9;
        linpred_result *a = fit_sample(&s, false, &options), *b = fit_sample(&copies, false, &options);
        double f = a->figures.objective, g = b->figures.objective;
        if (!(fabs(f - g) <= 1e-13 * fmax(f, g)))
            fail_msg("weights: %.17g, copies: %.17g", f, g);
        options.threads = 4;
        linpred_result *c = fit_sample(&s, true, &options);
        assert_same_fit(a, c, 0.0);
        linpred_result_free(a);
        linpred_result_free(b);
        linpred_result_free(c);
        sample_free(&s);
        sample_free(&copies);
    }
}

/* Enough rows for samples and fixed sides; sorted by y and with ties too. Threads change no bit. */
static void many_rows(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 31);
    double objective = 0.0;
    for (int kind = 0; kind < 3; kind++) {
        sample s = sample_linear(&random, 40000, 4, 1.0);
        for (int64_t i = 0; kind == 1 && i < s.rows; i++) /* 30 % ties */
            if (i % 10 < 3)
                s.labels[i] = round(s.labels[i]);
        for (int64_t i = 0; kind == 2 && i < s.rows;
             i++) /* the sign of the noise by position: no sample may trust the order */
            s.labels[i] += i < s.rows / 2 ? 3.0 : -3.0;
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.threads = 1;
        linpred_result *a = fit_sample(&s, false, &options);
        options.threads = 4;
        linpred_result *b = fit_sample(&s, true, &options);
        assert_same_fit(a, b, 0.0);
        assert_true(a->figures.working_rows < s.rows);
        objective = fmax(objective, a->figures.objective);
        linpred_result_free(a);
        linpred_result_free(b);
        sample_free(&s);
    }
    assert_true(objective > 0);
}

static void hard_cases(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 1, 2, 3, 4, 5, 7, 1e200, 0, 1e-200}, y[] = {5, 5, 6, 7};
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    for (int64_t rows = 1; rows <= 4; rows++) { /* fewer rows than columns, repeated rows, wild units: a perfect fit */
        linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = 3, .values = x, .labels = y};
        linpred_data *data = NULL;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        linpred_result *result = fit_and_verify(data, &options);
        assert_true(result->figures.objective <= 1e-14);
        assert_int_equal(result->figures.unique, 0);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    const double zero[6] = {0}, constant[6] = {2, 2, 2, 2, 2, 2};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 6, .columns = 1, .values = zero, .labels = constant};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_and_verify(data, &options);
    assert_true(linpred_model_intercept(linpred_result_model(result)) == 2.0);
    assert_string_equal(linpred_result_dependency_sentence(result, 0), "x1 = 0 in every row");
    linpred_result_free(result);
    options.no_intercept = true; /* nothing to fit with */
    result = fit_and_verify(data, &options);
    assert_true(result->figures.objective == 2.0);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Time that is up while many columns are searched for independent ones ends the fit there, with the median: an
   intercept of 8, or 5 at the quantile 1/3, or 0 without one. It claims neither rank nor a minimum. */
static void no_time(void **state)
{
    (void)state;
    sample s = sample_new(408, 150);
    for (int64_t i = 0; i < s.rows * s.columns; i++)
        s.values[i] = (double)(i * 7919 % 1009) - 500.0;
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = (double)(i % 17);
    linpred_data *data = sample_data(&s, false);
    for (int kind = 0; kind < 3; kind++) {
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.max_seconds = 0.0;
        options.quantile = kind == 1 ? 1.0 / 3.0 : 0.5;
        options.no_intercept = kind == 2;
        linpred_result *result = fit_data(data, &options);
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_LIMIT_REACHED);
        assert_true(linpred_model_intercept(linpred_result_model(result)) == (kind == 0 ? 8.0 : kind == 1 ? 5.0 : 0.0));
        for (int32_t j = 0; j < s.columns; j++)
            assert_true(linpred_model_coefficients(linpred_result_model(result))[j] == 0.0);
        assert_true(figures->rank == -1 && figures->unique == -1 && isnan(figures->gap));
        assert_null(linpred__claims_find(&result->claims, LINPRED_CLAIM_DEPENDENCIES));
        assert_int_equal(check_result(result, data).verdict, LINPRED_PARTLY_PROVED);
        linpred_result_free(result);
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* y is a combination of the columns but for the rounding of its digits, near 0 or far from it: fitted, and the verdict
 * holds. */
static void perfect_but_for_rounding(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int way = 0; way < 12; way++) {
        sample s = sample_new(way % 2 ? 6000 : 60, 2);
        for (int64_t i = 0; i < s.rows; i++) {
            double a = linpred__random_normal(&random), b = linpred__random_normal(&random);
            s.values[2 * i] = a;
            s.values[2 * i + 1] = b;
            s.labels[i] = a - b + (way < 4 ? 0.2 : way < 8 ? 1e6 : 1e9);
        }
        linpred_data *data = sample_data(&s, false);
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.quantile = way % 4 < 2 ? 0.5 : 0.1;
        linpred_result *result = fit_and_verify(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        near(coefficient_of(result, 0).value, 1.0, way < 8 ? 1e-9 : 1e-6);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Coefficients of 2^100 and -2^100 of two equal columns cancel. A loss that is small beside their terms need not be
 * rounding, and is not said to be the least. */
static void large_terms_hide_a_loss(void **state)
{
    (void)state;
    const double x[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, y[] = {1, 3, 2, 5, 4};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 5, .columns = 2, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_check *check = NULL;
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_and_verify(data, &options);
    result->model.w[0] = 0x1p100;
    result->model.w[1] = -0x1p100;
    result->model.regression->tail[1] = 7.0;
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    for (size_t i = 0; i < linpred_check_claim_count(check); i++)
        if (linpred_check_claim_kind(check, i) == LINPRED_CLAIM_LEAST_ABSOLUTE) {
            if (!strstr(linpred_check_claim_finding(check, i), "which may be nothing but rounding"))
                fail_msg("%s", linpred_check_claim_finding(check, i));
            assert_true(linpred_check_claim_verdict(check, i) == LINPRED_PARTLY_PROVED ||
                        linpred_check_claim_verdict(check, i) == LINPRED_REFUTED);
        }
    linpred_check_free(check);
    linpred_result_free(result);
    linpred_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_optima),
        cmocka_unit_test(medians),
        cmocka_unit_test(not_unique),
        cmocka_unit_test(laws),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(hard_cases),
        cmocka_unit_test(no_time),
        cmocka_unit_test(perfect_but_for_rounding),
        cmocka_unit_test(large_terms_hide_a_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
