/* The ball of fewest mistakes, against brute force: the largest set of rows that a ball separates, by trying every
 * subset. */
#include "ball_reference.h"

/* The fewest rows, by weight, whose removal leaves rows that a ball separates. */
static double fewest_by_brute_force(const sample *s, bool outside)
{
    double fewest = INFINITY;
    for (unsigned kept = 0; kept < 1u << s->rows; kept++) {
        sample part = sample_new(s->rows, s->columns);
        double errors = 0.0;
        part.rows = 0;
        for (int64_t i = 0; i < s->rows; i++) {
            if (!(kept >> i & 1)) {
                errors += s->weights ? s->weights[i] : 1.0;
                continue;
            }
            memcpy(part.values + part.rows * s->columns, s->values + i * s->columns,
                   (size_t)s->columns * sizeof(double));
            part.labels[part.rows++] = s->labels[i];
        }
        if (errors < fewest && (part.rows == 0 || !no_ball(&part, outside)))
            fewest = errors;
        sample_free(&part);
    }
    return fewest;
}

static linpred_result *exact(const linpred_data *data, bool outside)
{
    linpred_options options = ball_options(LINPRED_METHOD_EXACT, outside);
    return fit_with(data, &options);
}

static void assert_fewest(const sample *s, bool outside, bool sparse, double truth)
{
    linpred_data *data = sample_data(s, sparse);
    linpred_result *result = exact(data, outside);
    const linpred__figures *figures = &result->figures;
    assert_int_equal(figures->outcome, truth > 0 ? LINPRED_OUTCOME_OPTIMAL : LINPRED_OUTCOME_SEPARATED);
    assert_true(figures->errors == truth && figures->lower_bound == truth);
    assert_true(mistakes_by_hand(result, s) == truth);
    checked check;
    assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
    if (check.verdict != LINPRED_PROVED)
        fail_msg("%s", check.finding);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void tiny_cases(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 21);
    int with_errors = 0;
    for (int i = 0; i < 250; i++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 2);
        sample s = sample_integers(&random, 4 + (int64_t)linpred__random_below(&random, 4), columns, 2);
        bool outside = linpred__random_below(&random, 2);
        if (i % 3 == 0) {
            s.weights = calloc((size_t)s.rows, sizeof *s.weights);
            for (int64_t r = 0; r < s.rows; r++)
                s.weights[r] = 1.0 + (double)linpred__random_below(&random, 3);
        }
        double truth = fewest_by_brute_force(&s, outside);
        with_errors += truth > 0;
        assert_fewest(&s, outside, i % 2, truth);
        /* The same far away and large, where squares are no doubles. */
        for (int64_t r = 0; r < s.rows * s.columns; r++)
            s.values[r] = (s.values[r] + 100.0 * (i % 5 == 0)) * (0x1p40 + 15.0);
        sample_index(&s);
        assert_fewest(&s, outside, i % 2, truth);
        sample_free(&s);
    }
    assert_true(with_errors > 100);
}

/* A planted ball and some flipped labels: never worse than the planted one, and proved. */
static void planted_with_noise(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 22);
    for (int i = 0; i < 4; i++) {
        sample s = sample_new(150, 2);
        for (int64_t r = 0; r < s.rows; r++) {
            double x = linpred__random_normal(&random), y = linpred__random_normal(&random);
            s.values[2 * r] = x;
            s.values[2 * r + 1] = y;
            s.labels[r] = (x - 0.2) * (x - 0.2) + y * y < 1.3 ? 1.0 : -1.0;
            if (r < 4)
                s.labels[r] = -s.labels[r];
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = exact(data, false);
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_true(figures->errors <= 4 && figures->errors == mistakes_by_hand(result, &s));
        checked check;
        assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
        assert_int_equal(check.verdict, LINPRED_PROVED);
        assert_true(check.lower_bound_proved == figures->errors);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_cases),
        cmocka_unit_test(planted_with_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
