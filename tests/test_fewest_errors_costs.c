/* Method exact where costs and weights are far apart, decimal, too large or too small: never a wrong optimum. */
#include <float.h>

#include "fit_support.h"
#include "fewest_errors_samples.h"

static sample xor_rows(double a, double b)
{
    static const double values[] = {0, 0, 1, 1, 0, 1, 1, 0}, labels[] = {-1, -1, 1, 1};
    sample s = sample_new(4, 2);
    memcpy(s.values, values, sizeof values);
    memcpy(s.labels, labels, sizeof labels);
    s.weights = calloc(4, sizeof(double));
    for (int i = 0; i < 4; i++)
        s.weights[i] = i % 2 ? a : b;
    sample_index(&s);
    return s;
}

static linpred_status fit_xor(double a, double b, const char *cost, double seconds, linpred_result **result,
                              checked *check)
{
    sample s = xor_rows(a, b);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(false);
    linpred_error error;
    options.cost = cost;
    options.max_seconds = seconds;
    linpred_status status = linpred_fit(data, &options, result, &error);
    if (status == LINPRED_OK)
        *check = check_result(*result, data);
    linpred_data_free(data);
    sample_free(&s);
    return status;
}

/* One mistake, on the least row: exactly, or an error that says why not. Never a wrong optimum. */
static void extreme_costs(void **state)
{
    (void)state;
    static const struct {
        double a, b;
        const char *cost;
        double min_cost; /* 0: refused */
    } cases[] = {
        {1, 1, "1:1e12", 1},
        {1, 1, "1e-9:1", 1e-9},
        {1, 1, "1:1e-20", 0},
        {1, 1, "1:1e308", 0},
        {1e300, 1e-300, NULL, 0},
        {1e-160, 1e-160, NULL, 1e-160},
        {1e-160, 1e-160, "1:1e-200", 0},
        {1e-160, 1e-160, "1e-200:1e-200", 0},
        {1e307, 1e307, NULL, 1e307},
        {1.0 / 3, 2.0 / 3, NULL, 1.0 / 3},
        {0.7, 0.1, "0.3:1e9", 0.03},
        {0.123456789012345, 100, NULL, 0.123456789012345},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        linpred_result *result = NULL;
        checked check;
        linpred_status status = fit_xor(cases[k].a, cases[k].b, cases[k].cost, DBL_MAX, &result, &check);
        assert_int_equal(status, cases[k].min_cost > 0 ? LINPRED_OK : LINPRED_ERROR_INPUT);
        if (!result)
            continue;
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
        near(figures->cost / cases[k].min_cost, 1.0, 1e-15);
        near(figures->lower_bound / cases[k].min_cost, 1.0, 1e-9);
        assert_true(check.verdict == LINPRED_PROVED || check.verdict == LINPRED_WITHIN_TOLERANCE);
        linpred_result_free(result);
    }
    sample s = xor_rows(1e308, 1e308);
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = 4,
                             .columns = 2,
                             .values = s.values,
                             .labels = s.labels,
                             .weights = s.weights};
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "the sum of the row weights overflows"));
    sample_free(&s);
}

static void a_stop_is_no_optimum(void **state)
{
    (void)state;
    static const double weights[] = {1, 0.1, 1.0 / 3, 0.123456789012345};
    for (size_t k = 0; k < sizeof weights / sizeof weights[0]; k++) {
        linpred_result *result = NULL;
        checked check;
        assert_int_equal(fit_xor(weights[k], weights[k], NULL, 0.0, &result, &check), LINPRED_OK);
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_LIMIT_REACHED);
        assert_true(figures->lower_bound < figures->cost && check.lower_bound_proved >= figures->lower_bound);
        linpred_result_free(result);
    }
}

/* Costs far apart, and weights of 53 bits: the cost is that of the weights, and the bound meets it. */
static void unequal_costs_are_proved(void **state)
{
    (void)state;
    static const char *const costs[] = {NULL, "1:1e8", "1:1e11", "1.3:1e10", "0.37:12345.678"};
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (size_t k = 0; k < sizeof costs / sizeof costs[0]; k++) {
        sample s = overlapping(20 + k, 80, 6);
        if (k == 0)
            s.weights = calloc((size_t)s.rows, sizeof(double));
        for (int64_t i = 0; s.weights && i < s.rows; i++)
            s.weights[i] = 0.1 + linpred__random_uniform(&random);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = exact_options(false);
        options.cost = costs[k];
        linpred_result *result = fit_data(data, &options);
        const linpred__figures *figures = &result->figures;
        checked check = check_result(result, data);
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_true(figures->cost > 0 && figures->lower_bound <= figures->cost);
        near(check.lower_bound_proved / figures->cost, 1.0, 1e-9);
        assert_int_equal(check.verdict,
                         check.lower_bound_proved >= figures->cost ? LINPRED_PROVED : LINPRED_WITHIN_TOLERANCE);
        if (k == 0)
            near(figures->cost, figures->errors, 1e-14 * figures->errors);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

static void bad_costs_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "1", "1:", ":1", "0:1", "1:-1", "1:2:3", "a:b", "1:inf", "nan:1"};
    sample s = overlapping(8, 20, 2);
    linpred_data *data = sample_data(&s, false);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        linpred_options options = exact_options(false);
        linpred_result *result = NULL;
        linpred_error error;
        options.cost = bad[k];
        assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
        assert_non_null(strstr(error.message, "--cost"));
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* Rows that integers separate, and no weights of doubles that the fit finds: the model makes mistakes, but no bound on
   mistakes is above 0. */
static void separable_rows_have_no_bound(void **state)
{
    (void)state;
    static const double values[] = {-1, 0, -1, 2, -0.1, 1.7, -2, 0, -2, -1, -0.3, -1.9};
    static const double labels[] = {-1, -1, -1, 1}, weights[] = {0.1, 0.1, 3, 0.1};
    sample s = sample_new(4, 3);
    memcpy(s.values, values, sizeof values);
    memcpy(s.labels, labels, sizeof labels);
    s.weights = calloc(4, sizeof(double));
    memcpy(s.weights, weights, sizeof weights);
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(true);
    linpred_result *result = fit_data(data, &options);
    const linpred__figures *figures = &result->figures;
    checked check = check_result(result, data);
    assert_int_equal(figures->outcome, LINPRED_OUTCOME_SEPARATED);
    assert_true(figures->lower_bound == 0.0);
    assert_int_equal(check.verdict, LINPRED_PROVED);
    assert_null(strstr(check.finding, "fewest_errors PARTLY"));
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_costs),
        cmocka_unit_test(a_stop_is_no_optimum),
        cmocka_unit_test(unequal_costs_are_proved),
        cmocka_unit_test(bad_costs_are_refused),
        cmocka_unit_test(separable_rows_have_no_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
