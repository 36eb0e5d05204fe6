/* Fits that are ended at any moment: every task and method, ended at the k-th question whether to go on, for many k.
 * What such a fit says of itself must hold: its own verifier never refutes it, also after it went through a file. */
#include "regression_support.h"
#include "core/run.h"

static int64_t granted; /* so many more questions are answered "go on" */
static bool ended;

/* In place of the library's (the linker's --wrap), which asks the clock. */
bool __wrap_linpred__run_should_stop(linpred__run *run, const char *stage, int64_t updates, int64_t passes,
                                     double errors);
bool __wrap_linpred__run_should_stop(linpred__run *run, const char *stage, int64_t updates, int64_t passes,
                                     double errors)
{
    (void)stage, (void)updates, (void)passes, (void)errors;
    if (granted-- > 0)
        return false;
    ended = true;
    run->stopped = LINPRED__STOPPED_BY_CALLER;
    return true;
}

struct way {
    linpred_task task;
    linpred_method method;
    linpred_loss loss;
    double l2;
    const char *class_weights, *cost;
    bool start;
    bool asks; /* whether it asks if it may go on; one that never asks is never ended */
};

#define LOGISTIC(method) LINPRED_TASK_LOGISTIC, LINPRED_METHOD_##method, LINPRED_LOSS_SQUARED
#define HALFSPACE(method) LINPRED_TASK_HALFSPACE, LINPRED_METHOD_##method, LINPRED_LOSS_SQUARED
#define BALL(method) LINPRED_TASK_BALL, LINPRED_METHOD_##method, LINPRED_LOSS_SQUARED

static const struct way ways[] = {
    {HALFSPACE(AUTO), 0, NULL, NULL, false, true},
    {HALFSPACE(PERCEPTRON), 0, NULL, NULL, false, true},
    {HALFSPACE(POCKET), 0, NULL, NULL, false, true},
    {HALFSPACE(LP), 0, NULL, NULL, false, true},
    {HALFSPACE(MARGIN), 0, NULL, NULL, false, true},
    {HALFSPACE(EXACT), 0, NULL, NULL, false, true},
    {HALFSPACE(EXACT), 0, NULL, "1:3", false, true},
    {BALL(AUTO), 0, NULL, NULL, false, true},
    {BALL(POCKET), 0, NULL, NULL, false, true},
    {BALL(LP), 0, NULL, NULL, false, true},
    {BALL(EXACT), 0, NULL, NULL, false, true},
    {LOGISTIC(NEWTON), 0, NULL, NULL, false, true},
    {LOGISTIC(NEWTON), 0, "1:3", NULL, false, true},
    {LOGISTIC(NEWTON), 0, "balanced", NULL, true, true},
    {LOGISTIC(NEWTON), 0, "1:1e16", NULL, false, true},
    {LOGISTIC(NEWTON), 0.01, "1:3", NULL, true, true},
    {LOGISTIC(NEWTON_CG), 0, NULL, NULL, false, true},
    {LOGISTIC(NEWTON_CG), 0, "1:3", NULL, false, true},
    {LOGISTIC(NEWTON_CG), 0, "balanced", NULL, true, true},
    {LOGISTIC(NEWTON_CG), 0, "1:1e16", NULL, false, true},
    {LOGISTIC(NEWTON_CG), 0.01, NULL, NULL, false, true},
    {LOGISTIC(NEWTON_CG), 0.01, "3:1", NULL, true, true},
    {LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, LINPRED_LOSS_SQUARED, 0, NULL, NULL, false, false},
    {LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, LINPRED_LOSS_SQUARED, 1e-3, NULL, NULL, false, true},
    {LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, LINPRED_LOSS_ABSOLUTE, 0, NULL, NULL, false, true},
};

/* Rows of six kinds: overlapping; few whole numbers with ties and dependent columns; separated; quasi-separated; so by
   a single column; wide. */
enum { OVERLAPPING, WHOLE, SEPARATED, QUASI, BY_A_COLUMN, WIDE, KINDS };

static sample rows_of_kind(int kind, bool weighted, const struct way *way)
{
    bool real = way->task == LINPRED_TASK_REGRESSION,
         gradients = real && way->l2 > 0; /* by conjugate gradients only if very wide */
    static const int64_t rows[KINDS] = {120, 30, 60, 60, 60, 40};
    int32_t columns[KINDS] = {4, 3, 3, 3, 4, gradients ? 1600 : 100};
    linpred__random random;
    linpred__random_seed(&random, 5 + (uint64_t)kind);
    sample s =
        kind == WHOLE ? sample_integers(&random, rows[kind], columns[kind], 2) : sample_new(rows[kind], columns[kind]);
    for (int64_t i = 0; i < s.rows; i++) {
        double *x = s.values + i * s.columns, noise = linpred__random_normal(&random);
        for (int32_t j = 0; kind != WHOLE && j < s.columns; j++)
            x[j] = linpred__random_normal(&random);
        if (kind == WHOLE)
            x[2] = x[0] + x[1];
        if (kind == QUASI && i % 2)
            x[0] = x[1] = 0.0; /* on the hyperplane of the direction (1, -1, 0) */
        double score = x[0] - x[1];
        if (real || kind == OVERLAPPING || kind == WHOLE || kind == BY_A_COLUMN || (kind == QUASI && i % 2))
            score += noise;
        s.labels[i] = real ? score : score > 0 ? 1.0 : -1.0;
        if (kind == BY_A_COLUMN)
            x[3] = s.labels[i] > 0 && i % 3 == 0 ? 1.0 : 0.0;
    }
    s.weights = weighted ? malloc((size_t)s.rows * sizeof(double)) : NULL;
    for (int64_t i = 0; weighted && i < s.rows; i++)
        s.weights[i] = 0.25 + (double)linpred__random_below(&random, 4);
    return s;
}

static linpred_result *result_of_start(const linpred_data *data)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_POCKET;
    options.max_passes = 1;
    granted = INT64_MAX;
    return fit_data(data, &options);
}

static void judge(const struct way *way, int kind, bool weighted, int64_t k, const linpred_result *result,
                  const linpred_data *data)
{
    checked check = check_result(result, data);
    const linpred__figures *figures = &result->figures;
    if (check.verdict == LINPRED_REFUTED)
        fail_msg("task %d, method %d, l2 %g, class weights %s, start %d, rows of kind %d, weights %d, ended at "
                 "question %lld: %s (%s): %s",
                 way->task, way->method, way->l2, way->class_weights ? way->class_weights : "none", way->start, kind,
                 weighted, (long long)k, linpred_outcome_name(figures->outcome), figures->reason, check.finding);
    bool minimises = way->task == LINPRED_TASK_LOGISTIC || way->task == LINPRED_TASK_REGRESSION;
    bool early = figures->outcome == LINPRED_OUTCOME_STOPPED || figures->outcome == LINPRED_OUTCOME_UNDECIDED;
    if (minimises && early) {
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
        assert_non_null(strstr(check.finding, way->task == LINPRED_TASK_LOGISTIC ? "a minimum is not claimed"
                                                                                 : "ended before its end"));
        assert_true(isfinite(figures->objective));
        assert_true(isnan(figures->aic));
    }
}

static int64_t stops; /* fits that were ended */

/* Ended at question k; answers whether it was. */
static bool try_one(const struct way *way, int kind, bool weighted, int64_t k, const linpred_data *data,
                    const linpred_model *start)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = way->task;
    options.method = way->method;
    options.loss = way->loss;
    options.l2 = way->l2;
    options.class_weights = way->class_weights;
    options.cost = way->cost;
    options.start = start;
    options.threads = 2;
    linpred_result *result = NULL;
    linpred_error error = {.message = ""};
    granted = k;
    ended = false;
    if (linpred_fit(data, &options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    judge(way, kind, weighted, k, result, data);
    if (result->figures.outcome != LINPRED_OUTCOME_NO_MINIMISER) { /* which no file is made of */
        linpred_result *again = through_file(result);
        judge(way, kind, weighted, k, again, data);
        linpred_result_free(again);
    }
    linpred_result_free(result);
    stops += ended;
    return ended;
}

static void ended_fits_hold(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const struct way *way = &ways[w];
        int64_t before = stops;
        for (int kind = 0; kind < KINDS; kind++)
            for (int weighted = 0; weighted < 2; weighted++) {
                bool perceptron = way->task == LINPRED_TASK_HALFSPACE && way->method == LINPRED_METHOD_PERCEPTRON;
                if (weighted && perceptron) /* takes none */
                    continue;
                sample s = rows_of_kind(kind, weighted, way);
                linpred_data *data = sample_data(&s, false);
                linpred_result *start = way->start ? result_of_start(data) : NULL;
                int64_t k = 0;
                while (k < 100 && try_one(way, kind, weighted, k, data, start ? linpred_result_model(start) : NULL))
                    k += 1 + k / 2;
                linpred_result_free(start);
                linpred_data_free(data);
                sample_free(&s);
            }
        assert_true((stops > before) == way->asks);
    }
}

/* Least squares on more rows than double-double takes, with columns near to each other: ended while it refines, it has
   coefficients, and says that it was ended. */
static void refinement_is_ended(void **state)
{
    (void)state;
    enum { ROWS = 1200000 };
    double *x = malloc(2 * ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
    assert_true(x && y);
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int i = 0; i < ROWS; i++) {
        x[2 * i] = linpred__random_normal(&random);
        x[2 * i + 1] = x[2 * i] + 1e-5 * linpred__random_normal(&random);
        y[i] = x[2 * i] + linpred__random_normal(&random);
    }
    linpred_data *data = data_of(ROWS, 2, x, y);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    granted = 0;
    ended = false;
    linpred_result *result = fit_data(data, &options);
    checked check = check_result(result, data);
    assert_true(ended);
    assert_int_not_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_not_equal(check.verdict, LINPRED_REFUTED);
    linpred_result_free(result);
    linpred_data_free(data);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_fits_hold),
        cmocka_unit_test(refinement_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
