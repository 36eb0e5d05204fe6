/* Balls: against brute force on thousands of tiny cases with ties and rows on one sphere, planted balls, and laws.
 * Every answer is re-checked by the verifier and by hand. */
#include "ball_reference.h"

static void assert_proved(const linpred_result *result, const linpred_data *data)
{
    checked check;
    assert_int_equal(verify_result(result, data, 2, &check, NULL), LINPRED_OK);
    if (check.verdict != LINPRED_PROVED)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    assert_true(check.same_data);
}

/* Fits, checks everything that can be checked, and answers the outcome. */
static linpred_outcome settled(const sample *s, linpred_method method, bool outside, bool sparse)
{
    linpred_data *data = sample_data(s, sparse);
    linpred_options options = ball_options(method, outside);
    linpred_result *result = fit_with(data, &options);
    const linpred__figures *figures = &result->figures;
    linpred_outcome outcome = figures->outcome;
    assert_proved(result, data);
    double errors = mistakes_by_hand(result, s);
    assert_true(errors == figures->errors);
    if (outcome == LINPRED_OUTCOME_SEPARATED && !linpred_result_direction(result, 0))
        assert_true(errors == 0.0);
    if (outcome == LINPRED_OUTCOME_INSEPARABLE)
        assert_no_ball(result, s, outside);
    linpred_result_free(result);
    linpred_data_free(data);
    return outcome;
}

/* The same rows times `factor` and moved: whole numbers below 2^53, whose squares are not doubles any more. */
static sample moved(const sample *s, double factor, double by)
{
    sample t = sample_new(s->rows, s->columns);
    for (int64_t i = 0; i < s->rows * s->columns; i++)
        t.values[i] = s->values[i] * factor + by;
    memcpy(t.labels, s->labels, (size_t)s->rows * sizeof *t.labels);
    sample_index(&t);
    return t;
}

/* ---- brute force
 * ------------------------------------------------------------------------------------------------------- */

static const double odd = 0x1p40 + 15.0;

static void compare(const sample *s, bool outside, linpred__random *random, int *count)
{
    linpred_outcome truth = no_ball(s, outside) ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED;
    count[truth == LINPRED_OUTCOME_SEPARATED]++;
    bool sparse = linpred__random_below(random, 2);
    assert_int_equal(settled(s, LINPRED_METHOD_LP, outside, sparse), truth);
    double by = odd * (double)linpred__random_below(random, 3) * 500.0;
    sample large = moved(s, odd, by);
    assert_int_equal(settled(&large, LINPRED_METHOD_LP, outside, sparse), truth);
    sample_free(&large);
}

static void tiny_cases_agree_with_brute_force(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    int count[2] = {0};
    for (int i = 0; i < 2500; i++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 3);
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, 6);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 3));
        compare(&s, linpred__random_below(&random, 2), &random, count);
        sample_free(&s);
    }
    assert_true(count[0] > 400 && count[1] > 400);
}

/* Whole points on the circle of radius 5 and 65: every four depend on each other. */
static void rows_on_one_circle(void **state)
{
    (void)state;
    static const int point[][2] = {{5, 0},  {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                                   {-5, 0}, {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
    linpred__random random;
    linpred__random_seed(&random, 8);
    int count[2] = {0};
    for (int i = 0; i < 300; i++) {
        int64_t rows = 4 + (int64_t)linpred__random_below(&random, 5);
        sample s = sample_new(rows, 2);
        for (int64_t r = 0; r < rows; r++) {
            const int *p = point[linpred__random_below(&random, 12)];
            s.values[2 * r] = p[0];
            s.values[2 * r + 1] = p[1];
            s.labels[r] = r == 0 || (r > 1 && linpred__random_below(&random, 2)) ? 1.0 : -1.0;
        }
        sample_index(&s);
        compare(&s, false, &random, count);
        /* A last bit moved decides. */
        sample t = moved(&s, odd, 0.0);
        t.values[linpred__random_below(&random, 2 * (uint64_t)rows)] += linpred__random_below(&random, 2) ? 1.0 : -1.0;
        sample_index(&t);
        assert_int_equal(settled(&t, LINPRED_METHOD_LP, false, false),
                         no_ball(&t, false) ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
        sample_free(&t);
        sample_free(&s);
    }
    assert_true(count[0] > 50 && count[1] > 50);
}

/* ---- planted
 * ------------------------------------------------------------------------------------------------------------- */

/* Standard normal rows; a ball of this radius around a point, a shell of relative width `gap` left out. */
static sample planted(linpred__random *random, int64_t rows, int32_t columns, double radius, double gap, double far)
{
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows;) {
        double square = 0.0;
        for (int32_t j = 0; j < columns; j++) {
            double x = linpred__random_normal(random);
            s.values[i * columns + j] = x + far;
            square += (x - 0.25) * (x - 0.25);
        }
        double distance = sqrt(square) / radius;
        if (fabs(distance - 1.0) < gap)
            continue;
        s.labels[i++] = distance < 1.0 ? 1.0 : -1.0;
    }
    sample_index(&s);
    return s;
}

static void planted_balls_are_found(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 9);
    for (int i = 0; i < 24; i++) {
        int32_t columns = 1 + i % 8 * (i % 3 + 1);
        double far = i % 4 == 0 ? 1e6 : 0.0;
        sample s = planted(&random, 400, columns, sqrt(columns), 1e-3, far);
        assert_int_equal(settled(&s, LINPRED_METHOD_LP, false, i % 2), LINPRED_OUTCOME_SEPARATED);
        for (int64_t r = 0; r < s.rows; r++)
            s.labels[r] = -s.labels[r];
        assert_int_equal(settled(&s, LINPRED_METHOD_AUTO, true, i % 2), LINPRED_OUTCOME_SEPARATED);
        /* Turned inside out no ball does, once the rows are many for their columns. */
        if (columns < 8)
            assert_int_equal(settled(&s, LINPRED_METHOD_AUTO, false, i % 2), LINPRED_OUTCOME_INSEPARABLE);
        sample_free(&s);
    }
}

/* Some labels flipped: auto proves that no ball separates, and its pocket is no worse than the planted ball by much. */
static void noise_is_survived(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 10);
    for (int i = 0; i < 6; i++) {
        sample s = planted(&random, 1000, 2 + i, sqrt(2.0 + i), 0.05, 0.0);
        for (int64_t r = 0; r < 20; r++)
            s.labels[r] = -s.labels[r];
        linpred_data *data = sample_data(&s, false);
        linpred_options options = ball_options(LINPRED_METHOD_AUTO, false);
        linpred_result *result = fit_with(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_INSEPARABLE);
        assert_no_ball(result, &s, false);
        assert_proved(result, data);
        assert_true(mistakes_by_hand(result, &s) == result->figures.errors);
        assert_true(result->figures.errors <= 40);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Only balls of radius 2^59 and more separate these rows, and no doubles will do for their radius²: integers do. */
static void no_doubles_will_do(void **state)
{
    (void)state;
    sample s = sample_new(4, 2);
    double values[] = {-1, 0, 1, 0, 0, 0x1p-60, 0, -1}, labels[] = {1, 1, -1, 1};
    memcpy(s.values, values, sizeof values);
    memcpy(s.labels, labels, sizeof labels);
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = ball_options(LINPRED_METHOD_AUTO, false);
    linpred_result *result = fit_with(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
    assert_non_null(linpred_result_direction(result, 3));
    assert_null(linpred_result_direction(result, 4));
    assert_true(result->figures.errors > 0);
    assert_proved(result, data);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- laws
 * --------------------------------------------------------------------------------------------------------------- */

static void assert_same_ball(const linpred_result *a, const linpred_result *b, double factor)
{
    const linpred_model *x = linpred_result_model(a), *y = linpred_result_model(b);
    for (int32_t j = 0; j < linpred_model_columns(x); j++)
        assert_true(linpred_model_centre(x)[j] * factor == linpred_model_centre(y)[j]);
    assert_true(linpred_model_radius_squared(x) * factor * factor == linpred_model_radius_squared(y));
    assert_int_equal(a->figures.outcome, b->figures.outcome);
    const int64_t *p, *q;
    int64_t n = linpred_result_witness(a, &p);
    assert_int_equal(n, linpred_result_witness(b, &q));
    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(p[i], q[i]);
        assert_string_equal(linpred_result_witness_weight(a, i), linpred_result_witness_weight(b, i));
    }
}

/* Threads, layout, units of a power of two, and labels reversed with the sides change no bit. */
static void nothing_changes_a_bit(void **state)
{
    (void)state;
    static const linpred_method method[] = {LINPRED_METHOD_LP, LINPRED_METHOD_AUTO, LINPRED_METHOD_POCKET};
    linpred__random random;
    linpred__random_seed(&random, 11);
    for (int i = 0; i < 60; i++) {
        sample s = sample_integers(&random, 20 + 10 * i % 50, 2 + i % 3, 9);
        if (i % 2)
            for (int64_t r = 0; r < s.rows; r++) /* few mistakes or none */
                s.labels[r] = s.values[r * s.columns] * s.values[r * s.columns] < 30 ? 1.0 : -1.0;
        sample scaled = moved(&s, 0x1p-7, 0.0);
        linpred_options options = ball_options(method[i % 3], i % 4 > 1);
        linpred_data *dense = sample_data(&s, false), *sparse = sample_data(&s, true),
                     *small = sample_data(&scaled, false);
        linpred_result *first = fit_with(dense, &options);
        options.threads = 3;
        linpred_result *threads = fit_with(dense, &options), *layout = fit_with(sparse, &options),
                       *units = fit_with(small, &options);
        assert_same_ball(first, threads, 1.0);
        assert_same_ball(first, layout, 1.0);
        assert_same_ball(first, units, 0x1p-7);
        for (int64_t r = 0; r < s.rows; r++)
            s.labels[r] = -s.labels[r];
        linpred_data *reversed = sample_data(&s, false);
        options.outside = !options.outside;
        linpred_result *turned = fit_with(reversed, &options);
        assert_same_ball(first, turned, 1.0);
        linpred_result_free(first);
        linpred_result_free(threads);
        linpred_result_free(layout);
        linpred_result_free(units);
        linpred_result_free(turned);
        linpred_data_free(dense);
        linpred_data_free(sparse);
        linpred_data_free(small);
        linpred_data_free(reversed);
        sample_free(&s);
        sample_free(&scaled);
    }
}

/* Weight k is k copies: the same answer, and mistakes by weight. */
static void weights_are_copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (int i = 0; i < 100; i++) {
        sample s = sample_integers(&random, 8, 2, 4), copies = sample_new(24, 2);
        s.weights = calloc(8, sizeof *s.weights);
        for (int64_t r = 0; r < 8; r++)
            s.weights[r] = 3.0;
        for (int64_t r = 0; r < 24; r++) {
            memcpy(copies.values + 2 * r, s.values + r / 3 * 2, 2 * sizeof(double));
            copies.labels[r] = s.labels[r / 3];
        }
        sample_index(&copies);
        linpred_data *weighted = sample_data(&s, false), *copied = sample_data(&copies, false);
        linpred_options options = ball_options(LINPRED_METHOD_LP, false);
        linpred_result *a = fit_with(weighted, &options), *b = fit_with(copied, &options);
        assert_int_equal(a->figures.outcome, b->figures.outcome);
        assert_true(mistakes_by_hand(a, &s) == a->figures.errors);
        assert_proved(a, weighted);
        assert_proved(b, copied);
        linpred_result_free(a);
        linpred_result_free(b);
        linpred_data_free(weighted);
        linpred_data_free(copied);
        sample_free(&s);
        sample_free(&copies);
    }
}

/* ---- the edges
 * ---------------------------------------------------------------------------------------------------------- */

static void one_class_alone(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    sample s = sample_integers(&random, 10, 3, 5);
    linpred_options options = ball_options(LINPRED_METHOD_LP, false);
    linpred_result *result = NULL;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int64_t r = 0; r < s.rows; r++)
            s.labels[r] = sign;
        linpred_data *data = sample_data(&s, false);
        options.one_class = false;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_ERROR_INPUT);
        options.one_class = true;
        linpred_result *alone = fit_with(data, &options);
        assert_int_equal(alone->figures.outcome, LINPRED_OUTCOME_SEPARATED);
        assert_true((linpred_model_radius_squared(linpred_result_model(alone)) > 0) ==
                    (sign > 0)); /* or the empty ball */
        assert_proved(alone, data);
        linpred_result_free(alone);
        linpred_data_free(data);
    }
    sample_free(&s);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 14);
    sample s = sample_integers(&random, 10, 2, 5);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = NULL;
    linpred_error error;
    linpred_options options = ball_options(LINPRED_METHOD_AUTO, false);
    options.no_intercept = true;
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
    options = ball_options(LINPRED_METHOD_POCKET, false);
    options.standardize = true;
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
    options = ball_options(LINPRED_METHOD_MARGIN, false);
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
    linpred_data_free(data);
    for (int i = 0; i < 2; i++) { /* squares beyond the range of doubles */
        sample t = moved(&s, i ? 1e200 : 1e-200, 0.0);
        data = sample_data(&t, false);
        options = ball_options(LINPRED_METHOD_AUTO, false);
        assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_INPUT);
        linpred_data_free(data);
        sample_free(&t);
    }
    assert_null(result);
    sample_free(&s);
}

/* The hard row weighs more than all others, which doubles must hold. */
static void weights_beyond_range(void **state)
{
    (void)state;
    sample s = sample_new(4, 1);
    s.weights = malloc(4 * sizeof *s.weights);
    for (int i = 0; i < 4; i++) {
        s.values[i] = i;
        s.labels[i] = i % 2 ? 1.0 : -1.0;
        s.weights[i] = 0x1p1021;
    }
    linpred_data *data = sample_data(&s, false);
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_BALL;
    linpred_result *result = NULL;
    linpred_error error;
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "the weights sum to more"));
    assert_null(result);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_beyond_range),  cmocka_unit_test(tiny_cases_agree_with_brute_force),
        cmocka_unit_test(rows_on_one_circle),    cmocka_unit_test(planted_balls_are_found),
        cmocka_unit_test(noise_is_survived),     cmocka_unit_test(no_doubles_will_do),
        cmocka_unit_test(nothing_changes_a_bit), cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(one_class_alone),       cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
