/* Instances that show the theory: what each promises, by the real perceptron and again by hand. */
#include "instances.h"

static linpred_options through_origin(linpred_method method)
{
    linpred_options options = usual_options();
    options.method = method;
    options.no_intercept = true;
    if (method == LINPRED_METHOD_PERCEPTRON || method == LINPRED_METHOD_POCKET)
        options.max_passes = INT64_MAX;
    return options;
}

/* ---- the bound
 * --------------------------------------------------------------------------------------------------------- */

/* Exactly this many updates, and (RB)^2 from the largest margin, up to its last digits. */
static void expect_updates(const made *m, linpred_order order, int64_t updates, double bound)
{
    linpred_options options = through_origin(LINPRED_METHOD_PERCEPTRON);
    options.order = order;
    options.bound = true;
    linpred_result *result = fit_made(m, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
    assert_int_equal(result->figures.updates, updates);
    assert_true(floor(result->figures.update_bound * (1 + 1e-11)) == bound);
    linpred_result_free(result);
}

static void basis_takes_a_visit_each(void **state)
{
    (void)state;
    for (int64_t rows = 2; rows <= 40; rows += 1 + rows / 5) {
        linpred_options options = usual_options();
        options.instance_rows = rows;
        options.seed = rows;
        made m = make("basis", &options);
        assert_int_equal(m.columns, rows);
        int64_t positive = 0;
        for (int64_t i = 0; i < rows; i++) {
            positive += m.y[i] > 0;
            for (int64_t j = 0; j < rows; j++)
                assert_true(m.x[i * rows + j] == (i == j ? 1.0 : 0.0));
        }
        assert_int_equal(positive, rows / 2);
        for (int order = LINPRED_ORDER_CYCLIC; order <= LINPRED_ORDER_WORST; order++)
            expect_updates(&m, (linpred_order)order, rows, (double)rows);
        assert_true(truth_number(&m, "updates") == (double)rows && truth_number(&m, "update_bound") == (double)rows);
        made_free(&m);
    }
}

/* Row by row in exact arithmetic: the sums of the perceptron are exact, each row is wrong when its turn comes, the last
   weights are right on all rows, and R^2 lies in [m, m+1). */
static void check_tight(const made *m)
{
    double w[3] = {0, 0, 0};
    for (int64_t i = 0; i < m->rows; i++) {
        const double *x = m->x + 3 * i;
        assert_true(m->y[i] * x[2] == 1.0);
        assert_int_equal(exact_sign(m, i, w, 0.0, 0.0), i == 0 ? 0 : -1);
        linpred__exact square;
        linpred__exact_clear(&square);
        for (int j = 0; j < 3; j++) {
            linpred__exact sum;
            linpred__exact_clear(&sum);
            linpred__exact_add(&sum, 1.0, w[j]);
            linpred__exact_add(&sum, m->y[i], x[j]);
            w[j] += m->y[i] * x[j];
            linpred__exact_add(&sum, -1.0, w[j]);
            assert_int_equal(linpred__exact_sign(&sum), 0);
            linpred__exact_add(&square, x[j], x[j]);
        }
        linpred__exact_add(&square, -1.0, (double)m->rows + 1.0);
        assert_int_equal(linpred__exact_sign(&square), -1);
        linpred__exact_add(&square, 1.0, 1.0);
        assert_true(i > 0 || linpred__exact_sign(&square) >= 0);
    }
    for (int64_t i = 0; i < m->rows; i++)
        assert_int_equal(exact_sign(m, i, w, 0.0, 0.0), 1);
}

static void tight_makes_every_row_a_mistake(void **state)
{
    (void)state;
    static const int64_t sizes[] = {2, 3, 4, 5, 7, 10, 33, 100, 512, 999, 2048, 3001, 4000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        linpred_options options = usual_options();
        options.instance_rows = sizes[k];
        made m = make("tight", &options);
        check_tight(&m);
        expect_updates(&m, LINPRED_ORDER_CYCLIC, sizes[k], (double)sizes[k]);
        made_free(&m);
    }
    linpred_options options = usual_options();
    options.instance_rows = 4001;
    linpred_instance *none = NULL;
    assert_int_equal(linpred_generate("tight", &options, &none, NULL), LINPRED_ERROR_USAGE);
    assert_null(none);
}

/* w_k = 2^k - 1 has y<w,x> = 1 on every row and is a combination of the signed rows with weights >= 0: so it is the
   shortest with y<w,x> >= 1, and its length is B. */
static double check_shrinking(const made *m)
{
    double square = 0;
    double *w = calloc((size_t)m->columns, sizeof *w);
    for (int32_t k = 0; k < m->columns; k++) {
        w[k] = ldexp(1.0, k + 1) - 1.0;
        square += w[k] * w[k];
    }
    double *left = malloc((size_t)m->columns * sizeof *left);
    memcpy(left, w, (size_t)m->columns * sizeof *left);
    for (int64_t i = m->rows - 1; i >= 0; i--) {
        assert_int_equal(exact_sign(m, i, w, 0.0, 1.0), 0);
        double weight = left[i];
        assert_true(weight >= 0);
        for (int32_t j = 0; j < m->columns; j++)
            left[j] -= weight * m->y[i] * m->x[i * m->columns + j];
    }
    for (int32_t j = 0; j < m->columns; j++)
        assert_true(left[j] == 0.0);
    free(left);
    free(w);
    return square;
}

static void shrinking_takes_b_squared_updates(void **state)
{
    (void)state;
    static const int64_t updates[] = {10, 59, 284, 1245};
    for (int d = 2; d <= 20; d++) {
        linpred_options options = usual_options();
        options.instance_columns = d;
        made m = make("shrinking", &options);
        double square = check_shrinking(&m);
        assert_true(truth_number(&m, "updates") == square && truth_number(&m, "update_bound") == 5 * square);
        if (d <= 12) { /* the margin is 1/B */
            linpred_options largest = through_origin(LINPRED_METHOD_MARGIN);
            linpred_result *result = fit_made(&m, &largest);
            const linpred__figures *figures = &result->figures;
            assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
            assert_true(fabs(figures->margin * sqrt(square) - 1) < 1e-9 &&
                        fabs(figures->norm / sqrt(square) - 1) < 1e-9);
            linpred_result_free(result);
        }
        if (d <= 5) {
            assert_true(square == (double)updates[d - 2]);
            expect_updates(&m, LINPRED_ORDER_CYCLIC, updates[d - 2], 5 * square);
        }
        made_free(&m);
    }
}

/* ---- to follow by hand
 * --------------------------------------------------------------------------------------------------- */

struct trace {
    int64_t row[8];
    double score[8];
    int n;
};

static bool note(void *context, const linpred_update *update)
{
    struct trace *trace = context;
    assert_true(trace->n < 8);
    trace->row[trace->n] = update->row;
    trace->score[trace->n++] = update->score;
    return true;
}

static void undershoot_needs_the_row_twice(void **state)
{
    (void)state;
    static const double scores[2][3] = {{0, -3, -1}, {0, -4, -1}}; /* through the origin, with an intercept */
    made m = make("undershoot", NULL);
    for (int intercept = 0; intercept < 2; intercept++) {
        struct trace trace = {0};
        linpred_options options = through_origin(LINPRED_METHOD_PERCEPTRON);
        options.no_intercept = !intercept;
        options.on_update = note;
        options.update_context = &trace;
        linpred_result *result = fit_made(&m, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
        assert_int_equal(trace.n, 3);
        assert_true(trace.row[0] == 1 && trace.row[1] == 2 && trace.row[2] == 2);
        assert_memory_equal(trace.score, scores[intercept], sizeof scores[0]);
        linpred_result_free(result);
    }
    made_free(&m);
}

static void expect_inseparable(const made *m, bool intercept, int64_t witnesses)
{
    linpred_options options = through_origin(LINPRED_METHOD_LP);
    options.no_intercept = !intercept;
    linpred_result *result = fit_made(m, &options);
    const int64_t *rows;
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_INSEPARABLE);
    assert_int_equal(linpred_result_witness(result, &rows), witnesses);
    linpred_result_free(result);
}

/* The fewest mistakes of whole-number w and b of size at most 12: finer than any line that matters here. */
static int fewest_mistakes(const made *m, bool intercept)
{
    int fewest = INT32_MAX;
    for (int a = -12; a <= 12; a++)
        for (int c = -12; c <= 12; c++)
            for (int b = intercept ? -12 : 0; b <= (intercept ? 12 : 0); b++) {
                int mistakes = 0;
                for (int64_t i = 0; i < m->rows; i++)
                    mistakes += m->y[i] * (a * m->x[2 * i] + c * m->x[2 * i + 1] + b) <= 0;
                fewest = mistakes < fewest ? mistakes : fewest;
            }
    return fewest;
}

static void offset_needs_the_intercept(void **state)
{
    (void)state;
    made m = make("offset", NULL);
    assert_int_equal(fewest_mistakes(&m, true), 0);
    assert_true(fewest_mistakes(&m, false) > 0);
    for (int j = 0; j < 2; j++) /* 2 z_1 + z_3 = 0 */
        assert_true(2 * m.y[0] * m.x[j] + m.y[2] * m.x[4 + j] == 0.0);
    expect_inseparable(&m, false, 2);
    linpred_options options = usual_options();
    options.method = LINPRED_METHOD_PERCEPTRON;
    linpred_result *result = fit_made(&m, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
    linpred_result_free(result);
    double b;
    double *w = truth_vector(&m, "coefficients", &b);
    for (int64_t i = 0; i < m.rows; i++)
        assert_int_equal(exact_sign(&m, i, w, b, 0.0), 1);
    free(w);
    made_free(&m);
}

static void two_updates_suffice(void **state)
{
    (void)state;
    made m = make("two-updates", NULL);
    expect_updates(&m, LINPRED_ORDER_CYCLIC, 2, 10);
    linpred_options options = through_origin(LINPRED_METHOD_PERCEPTRON);
    linpred_result *result = fit_made(&m, &options);
    const double *w = linpred_model_coefficients(linpred_result_model(result));
    assert_int_equal(result->figures.updates, 2);
    assert_true(w[0] == 1.0 && w[1] == 1.0);
    double radius = 0;
    for (int64_t i = 0; i < m.rows; i++) { /* w = z_1 + z_2 with both at 1 and no row below: B^2 = |w|^2 = 2 */
        assert_true(exact_sign(&m, i, w, 0.0, 1.0) >= 0);
        radius = fmax(radius, m.x[2 * i] * m.x[2 * i] + m.x[2 * i + 1] * m.x[2 * i + 1]);
    }
    for (int j = 0; j < 2; j++)
        assert_true(m.y[0] * m.x[j] + m.y[1] * m.x[2 + j] == w[j]);
    assert_int_equal(exact_sign(&m, 0, w, 0.0, 1.0), 0);
    assert_int_equal(exact_sign(&m, 1, w, 0.0, 1.0), 0);
    assert_true(radius * 2.0 == truth_number(&m, "update_bound"));
    linpred_result_free(result);
    made_free(&m);
}

static void xor_is_inseparable(void **state)
{
    (void)state;
    made m = make("xor", NULL);
    double sum[3] = {0, 0, 0};
    for (int64_t i = 0; i < m.rows; i++) {
        sum[0] += m.y[i] * m.x[2 * i];
        sum[1] += m.y[i] * m.x[2 * i + 1];
        sum[2] += m.y[i];
    }
    assert_true(sum[0] == 0.0 && sum[1] == 0.0 && sum[2] == 0.0);
    assert_int_equal(fewest_mistakes(&m, true), 1);
    expect_inseparable(&m, true, 4);
    made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis_takes_a_visit_each),
        cmocka_unit_test(tight_makes_every_row_a_mistake),
        cmocka_unit_test(shrinking_takes_b_squared_updates),
        cmocka_unit_test(undershoot_needs_the_row_twice),
        cmocka_unit_test(offset_needs_the_intercept),
        cmocka_unit_test(two_updates_suffice),
        cmocka_unit_test(xor_is_inseparable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
