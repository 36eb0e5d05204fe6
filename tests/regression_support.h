/* What tests of regression need: fits of samples, and every fit verified and read back from its file. */
#ifndef LINPRED_TESTS_REGRESSION_SUPPORT_H
#define LINPRED_TESTS_REGRESSION_SUPPORT_H

#include <unistd.h>

#include "fit_support.h"

static inline linpred_options regression_options(linpred_loss loss)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_REGRESSION;
    options.loss = loss;
    options.threads = 2;
    return options;
}

/* What the result's file holds. */
static inline linpred_result *through_file(const linpred_result *result)
{
    linpred_result *again = NULL;
    linpred_error error = {.message = ""};
    char *text = NULL;
    size_t bytes = 0;
    if (linpred_result_to_text(result, &text, &bytes, &error) != LINPRED_OK ||
        linpred_result_from_text(text, bytes, false, &again, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_text_free(text);
    return again;
}

/* Fits; the claim must hold, and still hold after the result went through a file. */
static inline linpred_result *fit_and_verify(const linpred_data *data, const linpred_options *options)
{
    linpred_result *result = fit_data(data, options);
    linpred_error error = {.message = ""};
    checked check = check_result(result, data);
    if (check.verdict != LINPRED_WITHIN_TOLERANCE && check.verdict != LINPRED_PROVED)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    linpred_result *again = through_file(result);
    checked second;
    assert_int_equal(verify_result(again, data, 1, &second, &error), LINPRED_OK);
    assert_int_equal(second.verdict, check.verdict);
    assert_string_equal(second.finding, check.finding);
    for (int32_t j = 0; j <= linpred_model_columns(linpred_result_model(result)); j++) {
        linpred_coefficient a = coefficient_of(result, j), b = coefficient_of(again, j);
        assert_memory_equal(&a.value, &b.value, sizeof a.value);
    }
    linpred_result_free(again);
    return result;
}

static inline linpred_result *fit_sample(const sample *s, bool sparse, const linpred_options *options)
{
    linpred_data *data = sample_data(s, sparse);
    linpred_result *result = fit_and_verify(data, options);
    linpred_data_free(data);
    return result;
}

/* Every coefficient of both, and the objective, to `tolerance` relative to the larger. */
static inline void assert_same_fit(const linpred_result *a, const linpred_result *b, double tolerance)
{
    int32_t columns = linpred_model_columns(linpred_result_model(a));
    for (int32_t j = 0; j <= columns; j++) {
        double x = coefficient_of(a, j).value, y = coefficient_of(b, j).value;
        if (!(fabs(x - y) <= tolerance * fmax(fabs(x), fabs(y))) && !(isnan(x) && isnan(y)))
            fail_msg("coefficient %d: %.17g and %.17g", j, x, y);
    }
    double f = a->figures.objective, g = b->figures.objective;
    if (!(fabs(f - g) <= fmax(tolerance, 1e-14) * fmax(f, g)))
        fail_msg("objective %.17g and %.17g", f, g);
}

/* Normal columns, y planted with noise; some rows may be copies. */
static inline sample sample_linear(linpred__random *random, int64_t rows, int32_t columns, double noise)
{
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        s.labels[i] = 1.0 + noise * linpred__random_normal(random);
        for (int32_t j = 0; j < columns; j++) {
            double x = linpred__random_below(random, 3) ? linpred__random_normal(random) : 0.0;
            s.values[i * columns + j] = x;
            s.labels[i] += x * (j + 1);
        }
    }
    sample_index(&s);
    return s;
}

static inline linpred_data *data_of(int64_t rows, int32_t columns, const double *x, const double *y)
{
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    return data;
}

#endif
