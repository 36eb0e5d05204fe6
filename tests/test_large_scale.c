/* Logistic regression without a penalty and with many features: single columns that settle it, the proof by a matrix
 * where conjugate gradients end, the direction they run away along, and what is said where nothing can be proved. */
#include <float.h>

#include "core/threads.h"
#include "fit/fit.h"
#include "pass/row_extents.h"
#include "separate/one_column.h"
#include "separate/two_way.h"
#include "separate/separated.h"
#include "separate/strict_separation.h"
#include "logistic_support.h"
#include "reference_data.h"

/* ---- single columns ------------------------------------------------------------------------------------------------
 */

/* Which rows column j alone settles, by trying every value (and 0) as c; 0: none, 1: some, 2: all. */
static int settled_by(const sample *s, bool intercept, int32_t j, bool *settled)
{
    int best = 0;
    for (int64_t from = -1; from < s->rows; from++)
        for (int64_t to = -1; to < s->rows; to++)
            for (int sign = -1; sign <= 1; sign += 2) {
                /* c is 0, a value, or between two values */
                double a = from < 0 ? 0.0 : s->values[from * s->columns + j],
                       b = to < 0 ? a : s->values[to * s->columns + j];
                double c = intercept ? 0.5 * (a + b) : 0.0;
                int64_t above = 0, below = 0;
                for (int64_t i = 0; i < s->rows; i++) {
                    double t = sign * s->labels[i] * (s->values[i * s->columns + j] - c);
                    above += t > 0;
                    below += t < 0;
                }
                if (below > 0 || above == 0)
                    continue;
                int kind = above == s->rows ? 2 : 1;
                for (int64_t i = 0; kind > best && i < s->rows; i++)
                    settled[i] = sign * s->labels[i] * (s->values[i * s->columns + j] - c) > 0;
                best = kind > best ? kind : best;
            }
    return best;
}

static void try_one(const sample *s, bool sparse, bool intercept, int seen[3])
{
    linpred_options options = logistic_options(0.0);
    options.no_intercept = !intercept;
    linpred__fit_context fit = {.run = {.max_seconds = DBL_MAX},
                                .problem = {.data = sample_data(s, sparse), .has_intercept = intercept},
                                .options = &options};
    linpred__three_way asked;
    assert_int_equal(linpred__pool_open(2, &fit.run.pool, NULL), LINPRED_OK);
    assert_int_equal(
        linpred__find_row_extents(fit.problem.data, fit.run.pool, intercept, true, &fit.problem.extents, NULL),
        LINPRED_OK);
    assert_int_equal(linpred__ask_one_column(&fit.run, &fit.problem, &asked, NULL), LINPRED_OK);
    bool all[16] = {false}, one[16];
    int best = 0, kind[8];
    for (int32_t j = 0; j < s->columns; j++) {
        kind[j] = settled_by(s, intercept, j, one);
        best = kind[j] > best ? kind[j] : best;
        for (int64_t i = 0; i < s->rows && kind[j] > 0; i++)
            all[i] = all[i] || one[i];
    }
    int64_t settled = 0;
    for (int64_t i = 0; i < s->rows; i++)
        settled += best == 2 || all[i];
    seen[best]++;
    assert_int_equal(asked.kind == LINPRED_SEPARATION_UNDECIDED, best == 0);
    assert_int_equal(asked.settled_rows, best == 0 ? 0 : settled);
    assert_int_equal(asked.kind == LINPRED_SEPARATION_SEPARATED, best > 0 && settled == s->rows);
    for (int32_t j = 0; j < s->columns && best > 0; j++) {
        int entry = atoi(asked.direction.entry[j]);
        assert_true(best == 2 || (entry != 0) == (kind[j] > 0));
        assert_true(entry == 0 || kind[j] > 0);
    }
    linpred__three_way_clear(&asked);
    linpred__row_extents_clear(&fit.problem.extents);
    linpred__pool_close(fit.run.pool);
    linpred_data_free((linpred_data *)fit.problem.data);
}

static void single_columns(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    int seen[3] = {0};
    for (int k = 0; k < 4000; k++) {
        sample s = sample_integers(&random, 2 + (int64_t)linpred__random_below(&random, 7),
                                   1 + (int32_t)linpred__random_below(&random, 3), 1 + k % 2);
        try_one(&s, k % 3 == 0, k % 5 != 0, seen);
        sample_free(&s);
    }
    print_message("%d by no column, %d by some, %d separated by one\n", seen[0], seen[1], seen[2]);
    assert_true(seen[0] > 500 && seen[1] > 500 && seen[2] > 200);
}

/* Columns with c = 0.1 and c = 1e-20: no double holds the sum, so the second is left out. Rows 1 and 3 are twins. */
static void offsets(void **state)
{
    (void)state;
    const double values[] = {0.1, 1e-20, 0.05, 0.0, 0.1, 1e-20, 0.3, 5.0}, labels[] = {-1, -1, 1, 1};
    sample s = sample_new(4, 2);
    memcpy(s.values, values, sizeof values);
    memcpy(s.labels, labels, sizeof labels);
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(&s, sparse);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_QUASI_SEPARATED);
        assert_int_equal(result->figures.iterations, 0);
        assert_int_equal(result->figures.settled_rows, 2);
        assert_string_equal(linpred_result_direction(result, 1), "0");
        double w = strtod(linpred_result_direction(result, 0), NULL),
               b = strtod(linpred_result_direction(result, 2), NULL);
        assert_true(w > 0 && -b / w == 0.1);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    sample_free(&s);
}

/* ---- wide rows -----------------------------------------------------------------------------------------------------
 */

/* Sparse rows of `entries` words out of `columns`, labels from a planted model; every word under both labels. The dense
   copy is left out. */
typedef enum plant { OVERLAPPING, ONE_WORD, PAIR } plant;

static sample sample_words(uint64_t seed, int64_t rows, int32_t columns, int entries, plant planted)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = {.rows = rows, .columns = columns};
    size_t capacity = (size_t)rows * ((size_t)entries + 2);
    s.labels = calloc((size_t)rows, sizeof(double));
    s.start = calloc((size_t)rows + 1, sizeof(int64_t));
    s.indices = calloc(capacity, sizeof(int32_t));
    s.entries = calloc(capacity, sizeof(double));
    int32_t words = planted == OVERLAPPING ? columns : columns - 2;
    for (int64_t i = 0, n = 0; i < rows; i++) {
        double score = 0.0;
        int32_t stride = words / entries, at = 0;
        s.start[i] = n;
        for (int k = 0; k < entries; k++) {
            at = k * stride + (int32_t)linpred__random_below(&random, (uint64_t)stride);
            s.indices[n] =
                k == entries - 1 && i < words ? (int32_t)(words - 1 - i % (words - (entries - 1) * stride)) : at;
            s.entries[n] = 0.2 + linpred__random_uniform(&random);
            score += (s.indices[n] % 7 - 3) * 0.2 * s.entries[n];
            n++;
        }
        s.labels[i] = linpred__random_uniform(&random) < 1 / (1 + exp(-score)) ? 1.0 : -1.0;
        bool marked = i % 40 == 1, both = i % 40 == 0;
        if (planted == ONE_WORD && marked && s.labels[i] > 0) {
            s.indices[n] = columns - 1;
            s.entries[n++] = 1.0;
        }
        for (int32_t k = 0; planted == PAIR && k < 2; k++)
            if (both || (marked && (k == 0) == (s.labels[i] > 0))) {
                s.indices[n] = columns - 2 + k;
                s.entries[n++] = 1.0;
            }
        s.start[i + 1] = n;
    }
    return s;
}

/* The largest entry of the gradient of the loss, in long double. */
static long double gradient_of(const sample *s, const linpred_model *model)
{
    long double *g = calloc((size_t)s->columns + 1, sizeof *g), largest = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        long double z = model->b, y = s->labels[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            z += (long double)model->w[s->indices[k]] * s->entries[k];
        long double r = -y / (1 + expl(y * z));
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            g[s->indices[k]] += r * s->entries[k];
        g[s->columns] += r;
    }
    for (int32_t j = 0; j <= s->columns; j++)
        largest = fmaxl(largest, fabsl(g[j]) / s->rows);
    free(g);
    return largest;
}

/* More features than Newton's method has from the start: the optimum is proved all the same, with standard errors. */
static void overlapping(void **state)
{
    (void)state;
    sample s = sample_words(5, 8000, 1520, 12, OVERLAPPING);
    linpred_options options = logistic_options(0.0);
    linpred_result *result = fit_optimal(&s, true, &options);
    assert_int_equal(result->figures.method, LINPRED_METHOD_NEWTON_CG);
    assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_OVERLAPPING);
    assert_int_equal(result->figures.rank, 1521);
    assert_true(gradient_of(&s, &result->model) < 1e-14L);
    assert_non_null(result->standard_error);
    linpred_result_free(result);
    sample_free(&s);
}

/* The same answer as by Newton's method from the start, and the same bits on other threads. */
static void methods_agree(void **state)
{
    (void)state;
    sample s = sample_words(9, 4000, 500, 12, OVERLAPPING);
    linpred_result *result[3];
    for (int k = 0; k < 3; k++) {
        linpred_options options = logistic_options(0.0);
        options.method = k == 2 ? LINPRED_METHOD_NEWTON : LINPRED_METHOD_NEWTON_CG;
        options.threads = 1 + k;
        result[k] = fit_optimal(&s, true, &options);
    }
    assert_memory_equal(result[0]->model.w, result[1]->model.w, 500 * sizeof(double));
    assert_memory_equal(result[0]->standard_error, result[1]->standard_error, 501 * sizeof(double));
    for (int32_t j = 0; j < 500; j++) {
        assert_true(fabs(result[2]->model.w[j] - result[0]->model.w[j]) < 1e-9);
        near(result[2]->standard_error[j], result[0]->standard_error[j], 1e-9);
    }
    for (int k = 0; k < 3; k++)
        linpred_result_free(result[k]);
    sample_free(&s);
}

/* The same rows with a copy of column 3 and twice column 5 behind: two dependencies by name, and half of each
 * coefficient. */
static void dependent(void **state)
{
    (void)state;
    sample s = sample_words(6, 4000, 540, 12, OVERLAPPING), t = s;
    size_t capacity = (size_t)s.start[s.rows] + 2 * (size_t)s.rows;
    t.columns = 542;
    t.start = calloc((size_t)s.rows + 1, sizeof(int64_t));
    t.indices = calloc(capacity, sizeof(int32_t));
    t.entries = calloc(capacity, sizeof(double));
    for (int64_t i = 0, n = 0; i < s.rows; i++) {
        double extra[2] = {0.0, 0.0};
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
            t.indices[n] = s.indices[k];
            t.entries[n++] = s.entries[k];
            extra[0] = s.indices[k] == 3 ? s.entries[k] : extra[0];
            extra[1] = s.indices[k] == 5 ? 2.0 * s.entries[k] : extra[1];
        }
        for (int32_t k = 0; k < 2; k++)
            if (extra[k] != 0.0) {
                t.indices[n] = 540 + k;
                t.entries[n++] = extra[k];
            }
        t.start[i + 1] = n;
    }
    linpred_options options = logistic_options(0.0);
    options.method = LINPRED_METHOD_NEWTON_CG;
    linpred_data *data = sample_data(&s, true);
    linpred_result *plain = fit_data(data, &options);
    linpred_data_free(data);
    data = sample_data(&t, true);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_equal(result->figures.rank, 541);
    assert_int_equal(result->figures.unique, 0);
    assert_non_null(linpred_result_dependency_sentence(result, 1));
    assert_null(linpred_result_dependency_sentence(result, 2));
    near(result->figures.objective, plain->figures.objective, 1e-12);
    /* Minimum norm: w is shared out in proportion to the columns. */
    near(result->model.w[3], plain->model.w[3] / 2, 1e-6);
    near(result->model.w[540], plain->model.w[3] / 2, 1e-6);
    near(result->model.w[5], plain->model.w[5] / 5, 1e-6);
    near(result->model.w[541], 2 * plain->model.w[5] / 5, 1e-6);
    near(result->model.w[300], plain->model.w[300], 1e-6);
    linpred_result_free(plain);
    linpred_result_free(result);
    linpred_data_free(data);
    free(t.start);
    free(t.indices);
    free(t.entries);
    sample_free(&s);
}

/* One word that occurs under one label only, and two words of which the difference has one sign. */
static void quasi_separated(void **state)
{
    (void)state;
    const int32_t columns[] = {302, 5102};
    for (int k = 0; k < 4; k++) {
        int32_t d = columns[k / 2];
        bool pair = k % 2;
        sample s = sample_words(7, 6 * d, d, 12, pair ? PAIR : ONE_WORD);
        linpred_options options = logistic_options(0.0);
        options.method = LINPRED_METHOD_NEWTON_CG;
        linpred_data *data = sample_data(&s, true);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        /* Whether anything is strict is left open beyond the matrix. */
        assert_int_equal(linpred_result_separation(result),
                         k < 2 ? LINPRED_SEPARATION_QUASI_SEPARATED : LINPRED_SEPARATION_UNDECIDED);
        int64_t settled = 0;
        for (int64_t i = 0; i < s.rows; i++)
            settled += i % 40 == 1 && (pair || s.labels[i] > 0);
        assert_int_equal(result->figures.settled_rows, settled);
        assert_true((result->figures.iterations == 0) == !pair);
        for (int32_t j = 0; j <= d; j++)
            assert_string_equal(linpred_result_direction(result, j), j == d - 1           ? (pair ? "-1" : "1")
                                                                     : j == d - 2 && pair ? "1"
                                                                                          : "0");
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Beyond the matrix nothing can be proved where rows overlap: said, and no minimum is claimed. */
static void too_wide(void **state)
{
    (void)state;
    sample s = sample_words(8, 30000, 5100, 12, OVERLAPPING);
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, true);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_UNDECIDED);
    assert_non_null(strstr(result->figures.reason, "--l2"));
    assert_true(isnan(result->figures.gap) && linpred_result_separation(result) == LINPRED_SEPARATION_UNDECIDED);
    assert_true(gradient_of(&s, &result->model) < 1e-5L);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PARTLY_PROVED);
    linpred_result_free(result);
    linpred_error error;
    result = NULL;
    options.confidence = 0.9;
    assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message,
                        "--confidence is for at most 5000 features; for the 5100 here there are no standard errors");
    options.confidence = 0.95;
    options.l2 = 1e-3;
    result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- strict directions
 * ----------------------------------------------------------------------------------------------- */

/* A fit under way, before its method: for questions about its rows. */
static linpred__fit_context open_fit(const sample *s, bool sparse, const linpred_options *options)
{
    linpred__fit_context fit = {.run = {.max_seconds = DBL_MAX},
                                .problem = {.data = sample_data(s, sparse), .has_intercept = !options->no_intercept},
                                .options = options};
    assert_int_equal(linpred__pool_open((int)options->threads, &fit.run.pool, NULL), LINPRED_OK);
    assert_int_equal(linpred__find_row_extents(fit.problem.data, fit.run.pool, !options->no_intercept, true,
                                               &fit.problem.extents, NULL),
                     LINPRED_OK);
    assert_int_equal(linpred__result_new(fit.problem.data, options->task, options, &fit.result, NULL), LINPRED_OK);
    return fit;
}

static void close_fit(linpred__fit_context *fit)
{
    linpred_result_free(fit->result);
    linpred__row_extents_clear(&fit->problem.extents);
    linpred__pool_close(fit->run.pool);
    linpred_data_free((linpred_data *)fit->problem.data);
}

/* Column k settles rows k and k+1, but on row k+1 its next neighbour is on the wrong side: only one after another are
   all rows separated, and no column does it alone. Asked of the rest, of the rest's rest, … */
static void one_after_another(void **state)
{
    (void)state;
    enum { COLUMNS = 5, ROWS = 2 * COLUMNS };
    sample s = sample_new(ROWS, COLUMNS);
    for (int i = 0; i < ROWS; i++) {
        double y = s.labels[i] = i % 2 ? 1.0 : -1.0;
        int k = i / 2;
        s.values[i * COLUMNS + k] = y;
        for (int j = k + 1; j < COLUMNS; j++)
            s.values[i * COLUMNS + j] = -y * (j + i);
    }
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    options.no_intercept = true;
    linpred__fit_context fit = open_fit(&s, false, &options);
    linpred__three_way asked, strict;
    assert_int_equal(linpred__ask_one_column(&fit.run, &fit.problem, &asked, NULL), LINPRED_OK);
    assert_int_equal(asked.kind, LINPRED_SEPARATION_QUASI_SEPARATED);
    assert_int_equal(linpred__ask_strict_separation(&fit.run, &fit.problem, &asked.direction, NULL, 0.0, &strict, NULL),
                     LINPRED_OK);
    assert_int_equal(strict.kind, LINPRED_SEPARATION_SEPARATED);
    for (int i = 0; i < ROWS; i++) {
        double score = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            score += strtod(strict.direction.entry[j], NULL) * s.values[i * COLUMNS + j];
        assert_true(score * s.labels[i] > 0);
    }
    linpred__three_way_clear(&asked);
    linpred__three_way_clear(&strict);
    close_fit(&fit);
    sample_free(&s);
}

/* Random small integers: where a column gives a direction, the rest of the rows says the same as the exact oracle of
 * all. */
static void rest_agrees(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    int seen[4] = {0};
    for (int k = 0; k < 1500; k++) {
        sample s = sample_integers(&random, 3 + (int64_t)linpred__random_below(&random, 8),
                                   2 + (int32_t)linpred__random_below(&random, 3), 2);
        linpred_options options = logistic_options(0.0);
        options.no_intercept = k % 4 == 0;
        options.threads = 1;
        linpred__fit_context fit = open_fit(&s, k % 3 == 0, &options);
        linpred__three_way asked, strict;
        linpred__separated whole;
        assert_int_equal(linpred__ask_separated(&fit.run, &fit.problem, 0.0, NULL, 0.0, &whole, NULL), LINPRED_OK);
        assert_int_equal(linpred__ask_one_column(&fit.run, &fit.problem, &asked, NULL), LINPRED_OK);
        if (asked.kind == LINPRED_SEPARATION_QUASI_SEPARATED) {
            assert_int_equal(
                linpred__ask_strict_separation(&fit.run, &fit.problem, &asked.direction, NULL, 0.0, &strict, NULL),
                LINPRED_OK);
            seen[strict.kind]++;
            assert_int_equal(strict.kind, whole.kind == LINPRED_SEPARATION_INSEPARABLE
                                              ? LINPRED_SEPARATION_QUASI_SEPARATED
                                              : whole.kind);
            linpred__three_way_clear(&strict);
        }
        linpred__three_way_clear(&asked);
        linpred__separated_clear(&whole);
        close_fit(&fit);
        sample_free(&s);
    }
    print_message("%d separated, %d quasi-separated\n", seen[1], seen[2]);
    assert_true(seen[1] > 50 && seen[2] > 50);
}

/* What the oracle may do is an amount of work, not of time: with next to none it is undecided, and nobody stopped it.
 */
static void work_limit(void **state)
{
    (void)state;
    sample s = sample_logistic(3, 200, 4, 1.0);
    linpred_options options = logistic_options(0.0);
    linpred__fit_context fit = open_fit(&s, false, &options);
    for (int k = 0; k < 2; k++) {
        linpred__two_way oracle;
        assert_int_equal(linpred__ask_two_way(&fit.run, &fit.problem, k ? 1.0 : 0.0, &oracle, NULL), LINPRED_OK);
        assert_int_equal(oracle.kind, k ? LINPRED_SEPARATION_UNDECIDED : LINPRED_SEPARATION_INSEPARABLE);
        assert_false(oracle.stopped);
        linpred__two_way_clear(&oracle);
    }
    close_fit(&fit);
    sample_free(&s);
}

/* ---- the trust region
 * ------------------------------------------------------------------------------------------------ */

/* Heavy tails and unequal classes: the quadratic model promises too much, and steps are refused. */
static void steps_too_long(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        sample s = sample_logistic(seed, 40 + 4 * (int64_t)seed, 1 + (int32_t)seed % 6, 1.0);
        linpred__random random;
        linpred__random_seed(&random, seed);
        for (int64_t i = 0; i < s.rows * s.columns; i++)
            s.values[i] /= pow(linpred__random_uniform(&random) + 1e-6, 1.5);
        sample_index(&s);
        linpred_options options = logistic_options(seed % 2 ? 1e-6 : 1e-9);
        options.method = LINPRED_METHOD_NEWTON_CG;
        options.class_weights = "1:1000";
        linpred_result_free(fit_optimal(&s, seed % 2, &options));
        sample_free(&s);
    }
}

/* ---- real sets
 * ------------------------------------------------------------------------------------------------------- */

static void real_sets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        linpred_separation separation;
    } set[] = {{"rcv1_small", LINPRED_SEPARATION_SEPARATED},     {"mnist_3v8", LINPRED_SEPARATION_SEPARATED},
               {"agaricus.train", LINPRED_SEPARATION_SEPARATED}, {"a1a", LINPRED_SEPARATION_QUASI_SEPARATED},
               {"a9a", LINPRED_SEPARATION_QUASI_SEPARATED},      {"w8a", LINPRED_SEPARATION_QUASI_SEPARATED}};
    for (size_t k = 0; k < sizeof set / sizeof set[0]; k++) {
        char path[4096];
        linpred_options options = logistic_options(0.0);
        linpred_data *data = NULL;
        snprintf(path, sizeof path, "%s/classify/%s", reference_data(), set[k].name);
        if (linpred_data_load(path, &options, &data, NULL) != LINPRED_OK) {
            print_message("skipped: no %s\n", path);
            skip();
        }
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        assert_int_equal(linpred_result_separation(result), set[k].separation);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_columns), cmocka_unit_test(offsets),        cmocka_unit_test(overlapping),
        cmocka_unit_test(methods_agree),  cmocka_unit_test(dependent),      cmocka_unit_test(quasi_separated),
        cmocka_unit_test(work_limit),     cmocka_unit_test(too_wide),       cmocka_unit_test(one_after_another),
        cmocka_unit_test(rest_agrees),    cmocka_unit_test(steps_too_long), cmocka_unit_test(real_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
