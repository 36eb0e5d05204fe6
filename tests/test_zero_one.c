/* Method exact: the least cost against a plain enumeration in integers, its certificate, its limits. */
#include <unistd.h>

#include "fit_support.h"
#include "zero_one_reference.h"

static linpred_options exact_options(bool no_intercept)
{
    linpred_options options;
    linpred_options_init(&options);
    options.method = LINPRED_METHOD_EXACT;
    options.no_intercept = no_intercept;
    return options;
}

static planes_problem reference_of(const sample *s, bool no_intercept, const double each[2])
{
    planes_problem p = {.rows = (int)s->rows, .columns = s->columns + !no_intercept};
    for (int i = 0; i < p.rows; i++) {
        for (int j = 0; j < s->columns; j++)
            p.z[i][j] = (int64_t)(s->labels[i] * s->values[i * s->columns + j]);
        if (!no_intercept)
            p.z[i][s->columns] = (int64_t)s->labels[i];
        p.cost[i] = (s->weights ? s->weights[i] : 1.0) * each[s->labels[i] > 0];
    }
    return p;
}

/* What w, b of the model cost on the sample: sums of small integers times doubles, settled by long double or by exact zero. */
static double cost_of_model(const sample *s, const linpred_result *result, const double each[2])
{
    const linpred_model *model = linpred_result_model(result);
    const double *w = linpred_model_coefficients(model);
    double cost = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        long double score = linpred_model_intercept(model);
        for (int32_t j = 0; j < s->columns; j++)
            score += (long double)w[j] * s->values[i * s->columns + j];
        if ((double)s->labels[i] * (double)score <= 0)
            cost += (s->weights ? s->weights[i] : 1.0) * each[s->labels[i] > 0];
    }
    return cost;
}

static void compare(const sample *s, bool no_intercept, const char *cost, const double each[2], bool sparse)
{
    linpred_options options = exact_options(no_intercept);
    options.cost = cost;
    planes_problem p = reference_of(s, no_intercept, each);
    double least = least_cost(&p);
    linpred_data *data = sample_data(s, sparse);
    linpred_result *result = fit_data(data, &options);
    const linpred_info *info = linpred_result_info(result);
    assert_int_equal(info->outcome, least > 0 ? LINPRED_OUTCOME_OPTIMAL : LINPRED_OUTCOME_SEPARATED);
    near(info->cost, least, 1e-12);
    near(info->lower_bound, least, 1e-12);
    near(cost_of_model(s, result, each), least, 1e-12);
    linpred_check check = check_result(result, data);
    if (check.verdict != LINPRED_PROVED && check.verdict != LINPRED_WITHIN_TOLERANCE)
        fail_msg("%s", check.finding);
    if (least > 0)
        near(check.lower_bound_proved, least, 1e-9);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void agrees_with_enumeration(void **state)
{
    (void)state;
    static const double costs[4][2] = {{1, 1}, {1, 3}, {2.5, 1}, {0.1, 0.7}};
    static const char *const texts[4] = {NULL, "1:3", "2.5:1", "0.1:0.7"};
    linpred__random random;
    linpred__random_seed(&random, 6);
    for (int k = 0; k < 1000; k++) {
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, 11);
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 3);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 3));
        if (k % 3 == 0) {
            s.weights = calloc((size_t)rows, sizeof(double));
            for (int64_t i = 0; i < rows; i++)
                s.weights[i] = (k % 2 ? 0.5 : 0.1) * (1 + (double)linpred__random_below(&random, 4));
        }
        int which = k % 5 == 0 ? (int)linpred__random_below(&random, 4) : 0;
        compare(&s, linpred__random_below(&random, 2), texts[which], costs[which], k % 7 == 0);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
