/* Logistic regression where it is hard: no minimum, dependent columns, extreme units, one class, little memory. */
#include "claim_support.h"
#include "logistic_support.h"

#include "num/logistic_loss.h"
#include "core/memory.h"

static linpred_result *separation_of(const sample *s, bool sparse, checked *check)
{
    linpred_data *data = sample_data(s, sparse);
    linpred_options options;
    linpred__options_init(&options);
    linpred_result *result = NULL;
    linpred_error error;
    if (linpred_find_separation(data, &options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    *check = check_result(result, data);
    linpred_data_free(data);
    return result;
}

/* ---- no minimum -------------------------------------------------------------------------------------------------- */

/* The textbook case: x > 3 is always 1, x < 3 never, x = 3 both. The direction is x - 3, nothing else. */
static void quasi_separated(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 3, 3, 4, 5, 6, 10, 11}, x2[] = {3, 0, -1, 4, 1, 0, 2, 7, 3, 4};
    const double y[] = {-1, -1, -1, -1, 1, 1, 1, 1, 1, 1};
    sample s = sample_new(10, 2);
    for (int i = 0; i < 10; i++) {
        s.values[2 * i] = x[i];
        s.values[2 * i + 1] = x2[i];
        s.labels[i] = y[i];
    }
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(&s, sparse);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_QUASI_SEPARATED);
        assert_int_equal(result->figures.settled_rows, 7);
        assert_string_equal(linpred_result_direction(result, 0), "1");
        assert_string_equal(linpred_result_direction(result, 1), "0");
        assert_string_equal(linpred_result_direction(result, 2), "-3");
        assert_null(linpred_result_direction(result, 3));
        assert_null(linpred_result_standard_errors(result));
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        /* That nothing is strict rests on the witness: rows with x = 3, 3 (3,-1) + 2 (3,4) = 5 (3,1). */
        const linpred__combination *witness = &claim_of(result, LINPRED_CLAIM_INSEPARABLE)->by.combination;
        assert_true(witness->count == 3 && witness->row[0] == 3 && witness->row[1] == 4 && witness->row[2] == 5);
        assert_string_equal(witness->weight[1], "2");
        witness->weight[1][0] = '4';
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        witness->weight[1][0] = '2';
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        char **last = &claim_of(result, LINPRED_CLAIM_NO_MINIMISER)->by.direction.entry[2];
        linpred__release(*last);
        *last = linpred__copy_text("-4", 2);
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    options.l2 = 1e-6;
    linpred_result_free(fit_optimal(&s, false, &options));
    sample_free(&s);
}

static void separated(void **state)
{
    (void)state;
    sample s = sample_logistic(3, 200, 4, 1.0);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = s.values[4 * i] + 0.5 * s.values[4 * i + 2] > 0.1 ? 1 : -1;
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
    assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_SEPARATED);
    assert_int_equal(result->figures.settled_rows, 200);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    linpred_result_free(result);
    options.method = LINPRED_METHOD_NEWTON_CG;
    result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
    linpred_result_free(result);
    linpred_data_free(data);
    options.l2 = 1e-9;
    linpred_result_free(fit_optimal(&s, false, &options));
    sample_free(&s);
}

/* One row among many that breaks the separation: there is a minimum, however steep. */
static void one_row_against_many(void **state)
{
    (void)state;
    enum { ROWS = 1000000 };
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_new(ROWS, 2);
    for (int64_t i = 0; i < ROWS; i++) {
        double x = linpred__random_uniform(&random) - 0.5;
        s.values[2 * i] = x + (x > 0 ? 0.01 : -0.01);
        s.values[2 * i + 1] = linpred__random_normal(&random);
        s.labels[i] = x > 0 ? 1 : -1;
    }
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
    linpred_result_free(result);
    linpred_data_free(data);
    s.values[2 * 777777] = 0.3;
    s.labels[777777] = -1;
    sample_index(&s);
    result = fit_optimal(&s, false, &options);
    assert_true(result->figures.errors >= 1 && result->model.w[0] > 5);
    linpred_result_free(result);
    sample_free(&s);
}

/* Random small integers: the answer on all rows of the oracle against that of the exact solver given all rows at once.
 */
static void three_ways(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    int seen[4] = {0};
    for (int k = 0; k < 300; k++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 4);
        sample s = sample_integers(&random, 4 + (int64_t)linpred__random_below(&random, 5 * (uint64_t)columns + 4),
                                   columns, 2);
        checked check;
        linpred_result *result = separation_of(&s, k % 2, &check);
        linpred_separation kind = linpred_result_separation(result);
        seen[kind]++;
        assert_int_not_equal(kind, LINPRED_SEPARATION_UNDECIDED);
        if (check.verdict != LINPRED_PROVED &&
            !(kind == LINPRED_SEPARATION_OVERLAPPING && check.verdict == LINPRED_PARTLY_PROVED))
            fail_msg("%s: %s: %s", linpred_separation_name(kind), linpred_verdict_name(check.verdict), check.finding);
        /* What logistic regression finds agrees. */
        linpred_options options = logistic_options(0.0);
        linpred_data *data = sample_data(&s, k % 3 == 0);
        linpred_result *fitted = fit_data(data, &options);
        assert_int_equal(linpred_result_separation(fitted), kind);
        assert_int_equal(fitted->figures.outcome, kind == LINPRED_SEPARATION_OVERLAPPING
                                                      ? LINPRED_OUTCOME_OPTIMAL
                                                      : LINPRED_OUTCOME_NO_MINIMISER);
        assert_int_equal(check_result(fitted, data).verdict, LINPRED_PROVED);
        linpred_result_free(fitted);
        linpred_data_free(data);
        /* So it does whatever the weights, which lead the way to some direction, not always to a strict one. */
        s.weights = malloc((size_t)s.rows * sizeof *s.weights);
        assert_non_null(s.weights);
        for (int64_t i = 0; i < s.rows; i++)
            s.weights[i] = pow(10.0, (double)linpred__random_below(&random, 7));
        data = sample_data(&s, k % 3 == 0);
        fitted = fit_data(data, &options);
        assert_int_equal(linpred_result_separation(fitted), kind);
        assert_true((fitted->figures.outcome == LINPRED_OUTCOME_NO_MINIMISER) ==
                    (kind != LINPRED_SEPARATION_OVERLAPPING));
        assert_true((fitted->figures.settled_rows == s.rows) == (kind == LINPRED_SEPARATION_SEPARATED));
        linpred_result_free(fitted);
        linpred_data_free(data);
        linpred_result_free(result);
        sample_free(&s);
    }
    print_message("%d separated, %d quasi-separated, %d overlapping\n", seen[1], seen[2], seen[3]);
    assert_true(seen[1] > 10 && seen[2] > 10 && seen[3] > 10);
}

/* ---- dependent columns ------------------------------------------------------------------------------------------- */

/* A constant column, a copy and a sum: the smallest of all equal fits, and each dependency by name. */
static void dependent_columns(void **state)
{
    (void)state;
    sample plain = sample_logistic(13, 300, 2, 1.5), s = sample_new(300, 6);
    for (int64_t i = 0; i < 300; i++) {
        double a = plain.values[2 * i] = nearbyint(8 * plain.values[2 * i]);
        double b = plain.values[2 * i + 1] =
            nearbyint(0x1p20 * plain.values[2 * i + 1]) * 0x1p-20; /* a + 2 b is a double */
        const double x[] = {a, b, 7.0, a, 0.0, a + 2 * b};
        memcpy(s.values + 6 * i, x, sizeof x);
        s.labels[i] = plain.labels[i];
    }
    sample_index(&plain);
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    linpred_result *small = fit_optimal(&plain, false, &options), *large = fit_optimal(&s, true, &options);
    const double *w = large->model.w;
    near(large->figures.objective, small->figures.objective, 1e-13);
    assert_int_equal(large->figures.rank, 3);
    assert_int_equal(large->figures.unique, 0);
    assert_non_null(linpred_result_dependency_sentence(large, 3));
    assert_null(linpred_result_dependency_sentence(large, 4));
    /* The same predictor, and orthogonal to every dependency. */
    near(w[0] + w[3] + w[5], small->model.w[0], 1e-10);
    near(w[1] + 2 * w[5], small->model.w[1], 1e-10);
    near(large->model.b, small->model.b, 1e-10);
    near(w[0], w[3], 1e-10);
    assert_true(w[2] == 0.0 && w[4] == 0.0 && fabs(w[0] + 2 * w[1] - w[5]) < 1e-10);
    for (int32_t j = 0; j < 7; j++)
        assert_true(isnan(large->standard_error[j]));
    linpred_result_free(small);
    linpred_result_free(large);
    sample_free(&plain);
    sample_free(&s);
}

static void all_constant(void **state)
{
    (void)state;
    sample s = sample_new(10, 1);
    for (int i = 0; i < 10; i++) {
        s.values[i] = 2.0;
        s.labels[i] = i < 3 ? 1 : -1;
    }
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    linpred_result *result = fit_optimal(&s, false, &options);
    assert_true(result->model.w[0] == 0.0);
    near(result->model.b, log(3.0 / 7), 1e-12);
    linpred_result_free(result);
    options.l2 = 0.5;
    result = fit_optimal(&s, false, &options);
    assert_true(fabs(result->model.w[0]) < 1e-15); /* the free intercept does it all */
    near(result->model.b, log(3.0 / 7), 1e-12);
    linpred_result_free(result);
    sample_free(&s);
}

static void one_class(void **state)
{
    (void)state;
    sample s = sample_logistic(17, 20, 2, 1.0);
    for (int i = 0; i < 20; i++)
        s.labels[i] = 1;
    linpred_data *data = sample_data(&s, false);
    for (int k = 0; k < 2; k++) {
        linpred_options options = logistic_options(k);
        linpred_result *none;
        assert_int_equal(linpred_fit(data, &options, &none, NULL), LINPRED_ERROR_INPUT);
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- units
 * -------------------------------------------------------------------------------------------------------------------
 */

/* A column in other units: the same predictor, whatever the unit. Powers of two change no bit of it. */
static void units(void **state)
{
    (void)state;
    const double unit[] = {1e-12, 1e12, 0x1p-700, 0x1p900, 1e300, 1e-300};
    sample s = sample_logistic(19, 400, 3, 2.0);
    linpred_options options = logistic_options(0.0);
    linpred_result *plain = fit_optimal(&s, false, &options);
    for (size_t k = 0; k < sizeof unit / sizeof unit[0]; k++) {
        sample t = sample_logistic(19, 400, 3, 2.0);
        for (int64_t i = 0; i < t.rows; i++)
            t.values[3 * i + 1] *= unit[k];
        sample_index(&t);
        linpred_data *data = sample_data(&t, k % 2);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        linpred_verdict verdict = check_result(result, data).verdict;
        assert_true(verdict == LINPRED_PROVED || verdict == LINPRED_WITHIN_TOLERANCE || k >= 2);
        for (int32_t j = 0; j < 3; j++)
            near(result->model.w[j] * (j == 1 ? unit[k] : 1.0), plain->model.w[j], 1e-10);
        near(result->standard_error[1] * unit[k], plain->standard_error[1], 1e-10);
        near(result->figures.objective, plain->figures.objective, 1e-13);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&t);
    }
    linpred_result_free(plain);
    sample_free(&s);
}

/* Columns far from zero, as years are: the answer is still right to many digits. */
static void far_from_zero(void **state)
{
    (void)state;
    const double offset[] = {100, 2000, 1e6};
    for (int k = 0; k < 3; k++) {
        sample s = sample_logistic(23, 500, 2, 2.0), t = sample_logistic(23, 500, 2, 2.0);
        for (int64_t i = 0; i < s.rows; i++) {
            s.values[2 * i] = nearbyint(16 * s.values[2 * i]) / 16;
            t.values[2 * i] = s.values[2 * i] + offset[k];
        }
        sample_index(&s);
        sample_index(&t);
        linpred_options options = logistic_options(0.0);
        linpred_result *a = fit_optimal(&s, false, &options), *b = fit_optimal(&t, false, &options);
        for (int j = 0; j < 2; j++) {
            near(b->model.w[j], a->model.w[j], 1e-9);
            near(b->standard_error[j], a->standard_error[j], 1e-9);
        }
        near(b->model.b, a->model.b - offset[k] * a->model.w[0], 1e-9);
        if (k == 0) { /* sparse rows are not centred: the intercept's error in another way */
            linpred_result *c = fit_optimal(&t, true, &options);
            near(b->standard_error[2], c->standard_error[2], 1e-9);
            linpred_result_free(c);
        }
        linpred_result_free(a);
        linpred_result_free(b);
        sample_free(&s);
        sample_free(&t);
    }
}

/* An indicator that is 1 on rows of one label only, beside columns that overlap: quasi-separated along it. The
   direction is found from where the fit runs to; the oracle is asked only whether anything separates, which takes few
   of its rounds. */
static void indicator_of_one_label(void **state)
{
    (void)state;
    sample s = sample_logistic(37, 400, 3, 1.0);
    for (int64_t i = 0; i < s.rows; i++)
        s.values[3 * i + 1] = s.labels[i] > 0 && i % 9 == 0;
    sample_index(&s);
    int64_t ones = 0;
    for (int64_t i = 0; i < s.rows; i++)
        ones += s.values[3 * i + 1] != 0;
    linpred_options options = logistic_options(0.0);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(&s, sparse);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_QUASI_SEPARATED);
        assert_int_equal(result->figures.settled_rows, ones);
        assert_true(result->figures.rounds <= 3);
        assert_string_equal(linpred_result_direction(result, 0), "0");
        assert_string_equal(linpred_result_direction(result, 1), "1");
        assert_string_equal(linpred_result_direction(result, 2), "0");
        assert_string_equal(linpred_result_direction(result, 3), "0");
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    sample_free(&s);
}

/* A row of both labels at 1e300 and beyond: scores are finite or not, nothing is NaN, and the answer is that of the
   same rows in a small unit. */
static void huge_scores(void **state)
{
    (void)state;
    sample s = sample_logistic(43, 100, 1, 1.5), t = sample_logistic(43, 100, 1, 1.5);
    for (int64_t i = 0; i < 100; i++)
        t.values[i] = ldexp(s.values[i], 996); /* up to some 1e300 */
    sample_index(&t);
    const double l2[] = {0.0, 0.01};
    for (int k = 0; k < 2; k++) {
        linpred_options options = logistic_options(l2[k]);
        linpred_result *b = fit_optimal(&t, false, &options);
        assert_true(isfinite(b->model.w[0]) && isfinite(b->model.b) && isfinite(b->figures.objective));
        linpred_options plain = logistic_options(0.0);
        linpred_result *a = fit_optimal(&s, false, &plain); /* the penalty of so small a weight is nothing */
        near(ldexp(b->model.w[0], 996), a->model.w[0], 1e-9);
        near(b->figures.objective, a->figures.objective, 1e-12);
        linpred_result_free(a);
        linpred_result_free(b);
    }
    double z[] = {1e300, -1e300, 1e308, -1e308}, y[] = {1, 1, -1, -1}, loss[4], r[4], curvature[4];
    const double one[2] = {1, 1};
    linpred__logistic_rows(4, z, y, NULL, one, loss, r, curvature);
    for (int i = 0; i < 4; i++)
        assert_true(isfinite(loss[i]) && fabs(r[i]) <= 1 && curvature[i] >= 0 && curvature[i] < 1e-300);
    near(loss[1], 1e300, 1e-15);
    near(loss[2], 1e308, 1e-15);
    sample_free(&s);
    sample_free(&t);
}

/* The sample that a fit of many rows begins with has the answer of all rows in the end; rows in order of their labels
 * too. */
static void sorted_rows(void **state)
{
    (void)state;
    sample s = sample_logistic(47, 20000, 4, 2.0), t = sample_new(20000, 4);
    int64_t at = 0;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int64_t i = 0; i < s.rows; i++)
            if (s.labels[i] == sign) {
                memcpy(t.values + 4 * at, s.values + 4 * i, 4 * sizeof(double));
                t.labels[at++] = sign;
            }
    sample_index(&t);
    const double l2[] = {0.0, 1e-3};
    for (int k = 0; k < 2; k++) {
        linpred_options options = logistic_options(l2[k]);
        options.tolerance = 1e-12;
        linpred_result *a = fit_optimal(&s, false, &options), *b = fit_optimal(&t, false, &options);
        for (int j = 0; j < 4; j++)
            near(b->model.w[j], a->model.w[j], 1e-6);
        near(b->figures.objective, a->figures.objective, 1e-12);
        assert_true(largest_gradient(&t, &b->model, l2[k]) < 1e-7L);
        linpred_result_free(a);
        linpred_result_free(b);
    }
    sample_free(&s);
    sample_free(&t);
}

/* ---- memory
 * -------------------------------------------------------------------------------------------------------------------
 */

/* The k-th allocation fails, for every k: an error, nothing lost, or a right answer. */
static void little_memory(void **state)
{
    (void)state;
    sample s = sample_logistic(29, 60, 2, 1.0);
    for (int64_t i = 0; i < 60; i++)
        if (s.values[2 * i] > 0.5)
            s.labels[i] = 1; /* quasi-separation is not far, but not there */
    sample_index(&s);
    for (int kind = 0; kind < 5; kind++) {
        linpred_options options = logistic_options(kind == 1 ? 0.1 : 0.0);
        options.method = kind == 1 || kind == 4 ? LINPRED_METHOD_NEWTON_CG : LINPRED_METHOD_AUTO;
        options.threads = 1;
        for (int64_t i = 0; kind == 2 && i < 60; i++)
            s.labels[i] = s.values[2 * i] > 0 ? 1 : -1;
        for (int64_t i = 0; kind == 3 && i < 60; i++)
            s.values[2 * i + 1] = 3 * s.values[2 * i];
        for (int64_t i = 0; kind == 4 && i < 60; i++)
            s.labels[i] = i % 2 ? 1 : -1; /* overlapping, with dependent columns */
        linpred_data *data = sample_data(&s, false);
        fit_in_little_memory(data, &options, 40);
        linpred_result *result = fit_data(data, &options);
        checked plenty = check_result(result, data), check;
        linpred_status status = LINPRED_ERROR_MEMORY;
        for (int64_t k = 0; k < 3000 && status != LINPRED_OK; k++) {
            scarce_memory(k);
            status = verify_result(result, data, 1, &check, NULL);
            enough_memory();
            assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        }
        assert_int_equal(status, LINPRED_OK);
        assert_int_equal(check.verdict, plenty.verdict);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    sample_free(&s);
}

/* A column at 1e15 that varies by a few units. The intercept is about as large, and its last digit moves every score by
   0.06; yet the doubles of the model are at the minimum, which is that of the column about 1e15. */
static void far_beyond_the_last_digit(void **state)
{
    (void)state;
    const double x[] = {-2, 2, 0, 1, -1, 3, 1, 0, 2, -3, 5, 4}, x2[] = {3, 0, 1, -4, 1, 0, 2, 7, 3, 4, 0, 1};
    const double y[] = {-1, -1, 1, -1, 1, 1, -1, 1, 1, -1, 1, -1};
    linpred_options options = logistic_options(0.0);
    double objective[2];
    for (int far = 0; far < 2; far++) {
        sample s = sample_new(12, 2);
        for (int i = 0; i < 12; i++) {
            s.values[2 * i] = (far ? 1e15 : 0.0) + x[i];
            s.values[2 * i + 1] = x2[i];
            s.labels[i] = y[i];
        }
        sample_index(&s);
        for (int sparse = 0; sparse < 2; sparse++) {
            linpred_result *result = fit_optimal(&s, sparse, &options);
            objective[far] = result->figures.objective;
            linpred_result_free(result);
        }
        sample_free(&s);
    }
    assert_true(fabs(objective[1] - objective[0]) <= 1e-13 * objective[0]);
}

/* A column that is 0.1 but for its last bits, whose coefficient is 4e16 at the minimum. No doubles are near enough to
   it, so the coefficients have tails. With another constant there are such doubles. */
static void constant_but_for_the_last_bits(void **state)
{
    (void)state;
    const double x[] = {0.3, 0.0, 0.0, 0.2, -0.2}, y[] = {1, -1, 1, -1, 1};
    const int bits[] = {-3, 0, 2, 1, -3};
    const double constant[] = {0.1, 0.7310585786300049};
    linpred_options options = logistic_options(0.0);
    for (int k = 0; k < 2; k++) {
        sample s = sample_new(5, 2);
        for (int i = 0; i < 5; i++) {
            s.values[2 * i] = x[i];
            s.values[2 * i + 1] = constant[k] + bits[i] * (nextafter(constant[k], 1.0) - constant[k]);
            s.labels[i] = y[i];
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_int_equal(result->model.tails.count > 0, k == 0);
        assert_true(check_result(result, data).verdict <= LINPRED_WITHIN_TOLERANCE);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Columns of 1e300 and 1 that are equal but for last digits: the terms of a score cancel to nothing that a double and
 * its tail hold, unless one coefficient is rounded first and the other makes up for it. */
static void terms_that_cancel(void **state)
{
    (void)state;
    const double x[] = {-3e-20, -1e300,    -1e300,
                        2e-20,  0x1p53,    0x1p53 - 2,
                        1e-20,  0x1p-1022, 0x1p-1022 * (1 + 0x1p-51),
                        1e-20,  1e-300,    0.99999999999999986e-300,
                        1e-20,  1e16,      1e16 - 4};
    const double y[] = {1, -1, -1, 1, -1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 5, .columns = 3, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_options options = logistic_options(0.0);
    options.no_intercept = true;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* With columns of 1e300 the penalty of good coefficients is below the smallest double. The minimum is proved, figures
 * are stated as 0 or denormal, and no other is taken for them. */
static void losses_below_the_range(void **state)
{
    (void)state;
    const double x[] = {-1e300, 2e300, 3e300, -2e300, 1e300}, y[] = {-1, 1, 1, -1, 1};
    for (int heavy = 0; heavy < 2; heavy++) {
        const double each = heavy ? 1e20 : 1.0, weight[] = {each, each, each, each, each};
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = 5, .columns = 1, .values = x, .labels = y, .weights = weight};
        linpred_data *data = NULL;
        linpred_options options = logistic_options(1e-3);
        options.no_intercept = true;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        linpred_result *result = fit_data(data, &options);
        linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_true(figures->objective < 0x1p-1022);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        double deviance = figures->deviance;
        figures->deviance = 1e-290;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        figures->deviance = deviance;
        figures->objective = 1e-300;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quasi_separated),
        cmocka_unit_test(separated),
        cmocka_unit_test(one_row_against_many),
        cmocka_unit_test(three_ways),
        cmocka_unit_test(dependent_columns),
        cmocka_unit_test(all_constant),
        cmocka_unit_test(one_class),
        cmocka_unit_test(units),
        cmocka_unit_test(far_from_zero),
        cmocka_unit_test(far_beyond_the_last_digit),
        cmocka_unit_test(constant_but_for_the_last_bits),
        cmocka_unit_test(indicator_of_one_label),
        cmocka_unit_test(huge_scores),
        cmocka_unit_test(sorted_rows),
        cmocka_unit_test(terms_that_cancel),
        cmocka_unit_test(losses_below_the_range),
        cmocka_unit_test(little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
