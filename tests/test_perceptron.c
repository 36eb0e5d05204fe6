/* The perceptron and the pocket against loops of a dozen lines, on small integers where every sum is exact. */
#include "support.h"

/* ---- the textbook -------------------------------------------------------------------------------------------- */

struct path {
    int64_t row[20000];
    int64_t updates;
    double w[64];
    double b;
    bool converged;
};

static double score(const sample *s, const struct path *p, int64_t i)
{
    double sum = p->b;
    for (int32_t j = 0; j < s->columns; j++)
        sum += p->w[j] * s->values[i * s->columns + j];
    return s->labels[i] * sum;
}

static bool wrong(const sample *s, const struct path *p, int64_t i, linpred_mistake rule)
{
    double t = score(s, p, i);
    if (rule == LINPRED_MISTAKE_SIGN)
        return t < 0 || (t == 0 && s->labels[i] < 0);
    return t <= 0;
}

static void step(const sample *s, struct path *p, int64_t i, bool intercept)
{
    for (int32_t j = 0; j < s->columns; j++)
        p->w[j] += s->labels[i] * s->values[i * s->columns + j];
    p->b += intercept ? s->labels[i] : 0.0;
    p->row[p->updates++] = i + 1;
}

static void textbook_cyclic(const sample *s, struct path *p, linpred_mistake rule, bool intercept, int64_t limit)
{
    for (bool clean = false; !clean;) {
        clean = true;
        for (int64_t i = 0; i < s->rows; i++) {
            if (!wrong(s, p, i, rule))
                continue;
            step(s, p, i, intercept);
            clean = false;
            if (p->updates == limit)
                return;
        }
    }
    p->converged = true;
}

static void textbook_first(const sample *s, struct path *p, linpred_mistake rule, bool intercept, int64_t limit)
{
    for (int64_t i = 0; i < s->rows;) {
        if (!wrong(s, p, i, rule)) {
            i++;
            continue;
        }
        step(s, p, i, intercept);
        if (p->updates == limit)
            return;
        i = 0;
    }
    p->converged = true;
}

static void textbook_worst(const sample *s, struct path *p, linpred_mistake rule, bool intercept, int64_t limit)
{
    for (;;) {
        int64_t worst = -1;
        for (int64_t i = 0; i < s->rows; i++)
            if (wrong(s, p, i, rule) && (worst < 0 || score(s, p, i) < score(s, p, worst)))
                worst = i;
        if (worst < 0)
            break;
        step(s, p, worst, intercept);
        if (p->updates == limit)
            return;
    }
    p->converged = true;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

struct seen {
    const struct path *expected;
    int64_t updates;
};

static bool see(void *context, const linpred_update *update)
{
    struct seen *seen = context;
    assert_true(seen->updates < seen->expected->updates);
    assert_int_equal(update->row, seen->expected->row[seen->updates]);
    seen->updates++;
    assert_int_equal(update->update, seen->updates);
    return true;
}

static void check_result(const linpred_result *result, const struct path *p, int32_t columns, double rate)
{
    const linpred__figures *figures = &result->figures;
    const linpred_model *model = linpred_result_model(result);
    assert_int_equal(figures->updates, p->updates);
    for (int32_t j = 0; j < columns; j++)
        assert_true(linpred_model_coefficients(model)[j] == rate * p->w[j]);
    assert_true(linpred_model_intercept(model) == rate * p->b);
}

static void compare(const sample *s, linpred_options *options, const struct path *p)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(s, sparse);
        for (int threads = 1; threads <= 3; threads++) {
            for (int traced = 0; traced < 2; traced++) {
                struct seen seen = {p, 0};
                options->threads = threads;
                options->on_update = traced ? see : NULL;
                options->update_context = &seen;
                linpred_result *result = NULL;
                linpred_error error = {0};
                if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
                    fail_msg("%s", error.message);
                check_result(result, p, s->columns, options->rate);
                if (traced)
                    assert_int_equal(seen.updates, p->updates);
                if (p->converged && options->mistake == LINPRED_MISTAKE_MARGIN)
                    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
                linpred_result_free(result);
            }
        }
        linpred_data_free(data);
    }
}

static void updates_are_the_textbooks(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 1);
    int converged = 0;
    for (int trial = 0; trial < 400; trial++) {
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, trial % 10 ? 12 : 3000);
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, trial % 7 ? 4 : 40);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 3));
        linpred_options options;
        linpred__options_init(&options);
        options.method = LINPRED_METHOD_PERCEPTRON;
        options.no_intercept = linpred__random_below(&random, 2);
        options.mistake = linpred__random_below(&random, 3) ? LINPRED_MISTAKE_MARGIN : LINPRED_MISTAKE_SIGN;
        options.max_updates = 1 + (int64_t)linpred__random_below(&random, rows > 100 ? 400 : 60);
        options.rate = trial % 3 ? 1.0 : 0.3;
        static const linpred_order orders[] = {LINPRED_ORDER_CYCLIC, LINPRED_ORDER_FIRST, LINPRED_ORDER_WORST};
        options.order = orders[linpred__random_below(&random, 3)];
        struct path *p = calloc(1, sizeof *p);
        if (options.order == LINPRED_ORDER_CYCLIC)
            textbook_cyclic(&s, p, options.mistake, !options.no_intercept, options.max_updates);
        else if (options.order == LINPRED_ORDER_FIRST)
            textbook_first(&s, p, options.mistake, !options.no_intercept, options.max_updates);
        else
            textbook_worst(&s, p, options.mistake, !options.no_intercept, options.max_updates);
        converged += p->converged;
        compare(&s, &options, p);
        free(p);
        sample_free(&s);
    }
    assert_in_range(converged, 40, 360); /* both kinds of ending were tried */
}

/* Separable with a planted halfspace and thousands of rows: long runs of correct rows, so threads score ahead. */
static void threads_never_change_the_path(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_integers(&random, 20000, 9, 4);
    for (int64_t i = 0; i < s.rows; i++) {
        double t = 1.0;
        for (int32_t j = 0; j < s.columns; j++)
            t += (j - 4) * s.values[i * s.columns + j];
        s.labels[i] = t > 0 ? 1.0 : -1.0;
    }
    struct path *p = calloc(1, sizeof *p);
    textbook_cyclic(&s, p, LINPRED_MISTAKE_MARGIN, true, 19999);
    linpred_options options;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_PERCEPTRON;
    options.max_updates = 19999;
    compare(&s, &options, p);
    assert_true(p->updates > 100);
    free(p);
    sample_free(&s);
}

/* ---- random order: every pass visits every row once, the same seed the same way ------------------------------------
 */

struct order_seen {
    int64_t rows[20000];
    int64_t pass[20000];
    int64_t n;
};

static bool note_row(void *context, const linpred_update *update)
{
    struct order_seen *seen = context;
    seen->rows[seen->n] = update->row;
    seen->pass[seen->n++] = update->pass;
    return seen->n < 20000;
}

static void random_order_visits_each_row_once(void **state)
{
    (void)state;
    /* Two copies of one point with both labels, many times: at w = 0 and ever after, one of the two labels is wrong,
       and through the origin with x = 0 every row is always wrong: each pass updates each row once. */
    sample s = sample_new(9001, 1);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = i % 2 ? 1.0 : -1.0;
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    struct order_seen *first = calloc(1, sizeof *first);
    struct order_seen *second = calloc(1, sizeof *second);
    struct order_seen *seen[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        linpred_options options;
        linpred__options_init(&options);
        options.method = LINPRED_METHOD_PERCEPTRON;
        options.no_intercept = true;
        options.order = LINPRED_ORDER_RANDOM;
        options.seed = 42;
        options.threads = k + 1;
        options.max_passes = 2;
        options.on_update = note_row;
        options.update_context = seen[k];
        linpred_result *result = NULL;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        linpred_result_free(result);
        assert_int_equal(seen[k]->n, 2 * s.rows);
    }
    assert_memory_equal(first->rows, second->rows, sizeof first->rows);
    char *visited = calloc((size_t)s.rows + 1, 1);
    int64_t in_place = 0;
    for (int64_t i = 0; i < 2 * s.rows; i++) {
        assert_int_equal(first->pass[i], 1 + i / s.rows);
        assert_int_equal(visited[first->rows[i]], i / s.rows);
        visited[first->rows[i]]++;
        in_place += first->rows[i] == i % s.rows + 1;
    }
    assert_true(in_place < 50); /* it is a shuffle */
    free(visited);
    free(first);
    free(second);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- pocket
 * ------------------------------------------------------------------------------------------------------------ */

static double errors_of(const sample *s, const struct path *p)
{
    double errors = 0;
    for (int64_t i = 0; i < s->rows; i++)
        if (score(s, p, i) <= 0)
            errors += s->weights ? s->weights[i] : 1.0;
    return errors;
}

/* Pocket with ratchet, row by row: look before each update and at the end of each pass. */
static void textbook_pocket(const sample *s, struct path *best, double *best_errors, int64_t max_passes)
{
    struct path *p = calloc(1, sizeof *p);
    int64_t run = 0, best_run = -1, scored = 0, kept = 0;
    *best = *p;
    *best_errors = errors_of(s, p);
    for (int64_t pass = 0; pass<max_passes && * best_errors> 0; pass++) {
        for (int64_t i = 0; i <= s->rows; i++) {
            bool end = i == s->rows;
            if (!end && score(s, p, i) > 0)
                run++;
            if (run > best_run && kept == p->updates)
                best_run = run;
            if ((run > best_run || end) && scored != p->updates) {
                scored = p->updates;
                if (errors_of(s, p) < *best_errors) {
                    *best_errors = errors_of(s, p);
                    *best = *p;
                    kept = p->updates;
                    best_run = run;
                }
            }
            if (!end && score(s, p, i) <= 0) {
                step(s, p, i, true);
                run = 0;
            }
        }
    }
    free(p);
}

static void pocket_is_the_textbooks(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 9);
    for (int trial = 0; trial < 200; trial++) {
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, trial % 10 ? 15 : 800);
        sample s = sample_integers(&random, rows, 1 + (int32_t)linpred__random_below(&random, 3), 2);
        if (trial % 2) {
            s.weights = calloc((size_t)rows, sizeof(double));
            for (int64_t i = 0; i < rows; i++)
                s.weights[i] = 1.0 + (double)linpred__random_below(&random, 4);
        }
        struct path *best = calloc(1, sizeof *best);
        double best_errors;
        textbook_pocket(&s, best, &best_errors, 6);
        linpred_options options;
        linpred__options_init(&options);
        options.method = LINPRED_METHOD_PERCEPTRON;
        options.method = LINPRED_METHOD_POCKET;
        options.max_passes = 6;
        for (int threads = 1; threads <= 2; threads++) {
            options.threads = threads;
            linpred_data *data = sample_data(&s, threads == 2);
            linpred_result *result = NULL;
            assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
            assert_true(result->figures.errors == best_errors);
            for (int32_t j = 0; j < s.columns; j++)
                assert_true(linpred_model_coefficients(linpred_result_model(result))[j] == best->w[j]);
            linpred_result_free(result);
            linpred_data_free(data);
        }
        free(best);
        sample_free(&s);
    }
}

/* ---- numbers at the ends of the range
 * -------------------------------------------------------------------------------- */

static void units_at_the_ends_of_the_range(void **state)
{
    (void)state;
    static const double units[] = {1e-300, 1e-160, 1.0, 1e150, 1.7e308};
    for (int u = 0; u < 5; u++) {
        for (int intercept = 0; intercept < 2; intercept++) {
            sample s = sample_new(4, 2);
            const double x[8] = {0.5, 1, -0.5, 0.5, 1, 0.75, -1, 0.5};
            for (int k = 0; k < 8; k++)
                s.values[k] = x[k] * units[u];
            for (int i = 0; i < 4; i++)
                s.labels[i] = i % 2 ? -1.0 : 1.0;
            sample_index(&s);
            linpred_data *data = sample_data(&s, false);
            linpred_options options;
            linpred__options_init(&options);
            options.method = LINPRED_METHOD_PERCEPTRON;
            options.no_intercept = !intercept;
            linpred_result *result = NULL;
            assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
            assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
            for (int j = 0; j < 2; j++)
                assert_true(isfinite(linpred_model_coefficients(linpred_result_model(result))[j]));
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
    }
}

/* Through the origin a unit of all columns multiplies the weights, and changes no update. Labels are random, so that
   mistakes are frequent. */
static void a_unit_changes_no_update(void **state)
{
    (void)state;
    static const double units[] = {1.0, 0x1p-310, 0x1p-540, 0x1p-600, 0x1p-900, 0x1p600};
    linpred__random random;
    linpred__random_seed(&random, 7);
    sample s = sample_integers(&random, 3000, 6, 3);
    double first[6] = {0.0};
    int64_t updates = 0;
    for (int u = 0; u < 6; u++) {
        for (int64_t k = 0; u > 0 && k < s.rows * s.columns; k++)
            s.values[k] = s.values[k] / units[u - 1] * units[u];
        linpred_data *data = sample_data(&s, false);
        linpred_options options;
        linpred__options_init(&options);
        options.method = LINPRED_METHOD_PERCEPTRON;
        options.no_intercept = true;
        options.max_passes = 3;
        linpred_result *result = NULL;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        const double *w = linpred_model_coefficients(linpred_result_model(result));
        for (int j = 0; j < 6; j++) {
            first[j] = u == 0 ? w[j] : first[j];
            assert_true(w[j] == first[j] * units[u]);
        }
        updates = u == 0 ? result->figures.updates : updates;
        assert_int_equal(result->figures.updates, updates);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    assert_true(updates > s.rows / 2);
    sample_free(&s);
}

static void standardized_answers_are_in_the_files_units(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    sample s = sample_new(500, 3);
    for (int64_t i = 0; i < s.rows; i++) {
        for (int32_t j = 0; j < 3; j++)
            s.values[i * 3 + j] = 1000.0 * (j + 1) + ldexp(linpred__random_normal(&random), 10 * j);
        double t = s.values[i * 3] - 1000.0 + ldexp(s.values[i * 3 + 2] - 3000.0, -20);
        s.labels[i] = t > 0 ? 1.0 : -1.0;
        s.values[i * 3] += t > 0 ? 0.1 : -0.1;
    }
    sample_index(&s);
    linpred_options options;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_PERCEPTRON;
    options.standardize = true;
    double w[2][3];
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(&s, sparse);
        linpred_result *result = NULL;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_SEPARATED);
        memcpy(w[sparse], linpred_model_coefficients(linpred_result_model(result)), sizeof w[0]);
        double b = linpred_model_intercept(linpred_result_model(result));
        for (int64_t i = 0; i < s.rows; i++) {
            const double *x = s.values + i * 3;
            assert_true(s.labels[i] * (w[sparse][0] * x[0] + w[sparse][1] * x[1] + w[sparse][2] * x[2] + b) > 0);
        }
        linpred_result_free(result);
        linpred_data_free(data);
    }
    assert_memory_equal(w[0], w[1], sizeof w[0]);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_are_the_textbooks),
        cmocka_unit_test(threads_never_change_the_path),
        cmocka_unit_test(random_order_visits_each_row_once),
        cmocka_unit_test(pocket_is_the_textbooks),
        cmocka_unit_test(units_at_the_ends_of_the_range),
        cmocka_unit_test(a_unit_changes_no_update),
        cmocka_unit_test(standardized_answers_are_in_the_files_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
