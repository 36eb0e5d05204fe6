/* What the tests of logistic regression share: fits by options, and the objective in long double. */
#ifndef LINPRED_TESTS_LOGISTIC_SUPPORT_H
#define LINPRED_TESTS_LOGISTIC_SUPPORT_H

#include "fit_support.h"
#include "model/model.h"

static inline linpred_options logistic_options(double l2)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_LOGISTIC;
    options.l2 = l2;
    options.threads = 2;
    return options;
}

/* Fits, insists on a proved optimum, and verifies it. */
static inline linpred_result *fit_optimal(const sample *s, bool sparse, const linpred_options *options)
{
    linpred_data *data = sample_data(s, sparse);
    linpred_result *result = fit_data(data, options);
    const linpred__figures *figures = &result->figures;
    if (figures->outcome != LINPRED_OUTCOME_OPTIMAL)
        fail_msg("%s: %s", linpred_outcome_name(figures->outcome), figures->reason);
    checked check = check_result(result, data);
    if (check.verdict != LINPRED_PROVED && check.verdict != LINPRED_WITHIN_TOLERANCE)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    linpred_data_free(data);
    return result;
}

/* The k-th allocation fails, for k = 0, 1, … and more sparsely then, by 1/sparser: an error, or an answer in the end.
 */
static inline void fit_in_little_memory(const linpred_data *data, const linpred_options *options, int64_t sparser)
{
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t k = 0; k < 3000 && status != LINPRED_OK; k += 1 + k / sparser) {
        linpred_result *result = NULL;
        scarce_memory(k);
        status = linpred_fit(data, options, &result, NULL);
        assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        linpred_result_free(result);
        enough_memory();
    }
    assert_int_equal(status, LINPRED_OK);
}

/* The gradient of the objective in long double: its largest entry, each column in units of its largest |x|. */
static inline long double largest_gradient(const sample *s, const linpred_model *model, double l2)
{
    long double largest = 0, weight = 0;
    for (int64_t i = 0; i < s->rows; i++)
        weight += s->weights ? s->weights[i] : 1.0;
    for (int32_t j = 0; j <= s->columns; j++) {
        long double sum = 0, unit = 1;
        if (j == s->columns && !model->has_intercept)
            continue;
        for (int64_t i = 0; i < s->rows; i++) {
            const double *x = s->values + i * s->columns;
            long double z = model->b;
            for (int32_t k = 0; k < s->columns; k++)
                z += (long double)model->w[k] * x[k];
            long double value = j < s->columns ? x[j] : 1.0L, y = s->labels[i];
            sum -= (s->weights ? s->weights[i] : 1.0) * y * value / (1 + expl(y * z));
            unit = j < s->columns && fabsl(value) > unit ? fabsl(value) : unit;
        }
        sum = sum / weight + (j < s->columns ? l2 * (long double)model->w[j] : 0.0L);
        largest = fmaxl(largest, fabsl(sum) / unit);
    }
    return largest;
}

/* Normal features, labels from a planted model of some strength. */
static inline sample sample_logistic(uint64_t seed, int64_t rows, int32_t columns, double strength)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        double score = -0.3;
        for (int32_t j = 0; j < columns; j++) {
            double x = linpred__random_normal(&random);
            s.values[i * columns + j] = x;
            score += strength * (j % 2 ? -x : x) / sqrt(columns);
        }
        s.labels[i] = linpred__random_uniform(&random) < 1 / (1 + exp(-score)) ? 1.0 : -1.0;
    }
    s.labels[0] = 1.0;
    s.labels[rows - 1] = -1.0;
    sample_index(&s);
    return s;
}

#endif
