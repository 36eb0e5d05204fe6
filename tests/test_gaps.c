/* What stands between the features of two rows means nothing: a CSV file with an incomplete column that is left out
 * gives the bits that the file without it gives, and so do arrays whose rows are apart, whatever lies between them. For
 * every task and method; and each fit is verified against both. */
#include "fit_support.h"

#include <unistd.h>

enum { ROWS = 150, MOST = 13 };

struct way {
    const char *name;
    linpred_task task;
    linpred_method method;
    linpred_loss loss;
    bool separable;
};

static const struct way ways[] = {
    {"auto", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_AUTO, LINPRED_LOSS_SQUARED, false},
    {"perceptron", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_PERCEPTRON, LINPRED_LOSS_SQUARED, true},
    {"pocket", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_POCKET, LINPRED_LOSS_SQUARED, false},
    {"lp", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, LINPRED_LOSS_SQUARED, true},
    {"no lp", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, LINPRED_LOSS_SQUARED, false},
    {"margin", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_MARGIN, LINPRED_LOSS_SQUARED, true},
    {"exact", LINPRED_TASK_HALFSPACE, LINPRED_METHOD_EXACT, LINPRED_LOSS_SQUARED, true},
    {"newton", LINPRED_TASK_LOGISTIC, LINPRED_METHOD_NEWTON, LINPRED_LOSS_SQUARED, false},
    {"newton-cg", LINPRED_TASK_LOGISTIC, LINPRED_METHOD_NEWTON_CG, LINPRED_LOSS_SQUARED, false},
    {"squared", LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, LINPRED_LOSS_SQUARED, false},
    {"absolute", LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, LINPRED_LOSS_ABSOLUTE, false},
    {"ball", LINPRED_TASK_BALL, LINPRED_METHOD_LP, LINPRED_LOSS_SQUARED, true},
    {"no ball", LINPRED_TASK_BALL, LINPRED_METHOD_AUTO, LINPRED_LOSS_SQUARED, false},
};

static linpred_options options_of(const struct way *way)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = way->task;
    options.method = way->method;
    options.loss = way->loss;
    if (way->method == LINPRED_METHOD_POCKET ||
        (way->method == LINPRED_METHOD_AUTO && way->task != LINPRED_TASK_REGRESSION))
        options.max_passes = 30;
    return options;
}

static void make_rows(linpred__random *random, const struct way *way, int32_t columns, double *x, double *y)
{
    for (int i = 0; i < ROWS; i++) {
        double score = 0.3;
        do { /* some distance from the hyperplane */
            score = 0.3;
            for (int32_t j = 0; j < columns; j++) {
                x[i * columns + j] = linpred__random_normal(random);
                score += (j % 3 - 0.8) * x[i * columns + j];
            }
        } while (way->separable && fabs(score) < 0.2);
        double noise = way->separable ? 0.0 : 2.0 * linpred__random_normal(random);
        y[i] = way->task == LINPRED_TASK_REGRESSION ? score + noise : score + noise > 0 ? 1.0 : -1.0;
        for (int32_t j = 0; way->task == LINPRED_TASK_BALL && way->separable && j < columns; j++)
            x[i * columns + j] *= y[i] > 0 ? 0.05 : 5.0;
    }
}

static void same_result(const struct way *way, const linpred_result *a, const linpred_result *b)
{
    const linpred_model *m = linpred_result_model(a), *n = linpred_result_model(b);
    const linpred__figures *p = &a->figures, *q = &b->figures;
    size_t bytes = (size_t)linpred_model_columns(m) * sizeof(double);
    if (p->outcome != q->outcome || p->updates != q->updates ||
        linpred_model_intercept(m) != linpred_model_intercept(n) ||
        memcmp(linpred_model_coefficients(m), linpred_model_coefficients(n), bytes) != 0)
        fail_msg("%s, %d columns: another model", way->name, (int)linpred_model_columns(m));
    assert_true(isfinite(linpred_model_intercept(m)));
}

/* Both fitted, the same, and each model verified against the other's data; against its own if the rows have other
 * numbers. */
static void same_fits(const struct way *way, linpred_data *plain, linpred_data *gaps, bool same_numbers)
{
    linpred_options options = options_of(way);
    linpred_result *a = fit_data(plain, &options), *b = fit_data(gaps, &options);
    same_result(way, a, b);
    checked one = check_result(a, same_numbers ? gaps : plain), two = check_result(b, same_numbers ? plain : gaps);
    if (one.verdict == LINPRED_REFUTED || one.verdict != two.verdict)
        fail_msg("%s: verdicts %d and %d", way->name, (int)one.verdict, (int)two.verdict);
    linpred_result_free(a);
    linpred_result_free(b);
    linpred_data_free(plain);
    linpred_data_free(gaps);
}

static void arrays_with_gaps(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    static const double between[] = {NAN, INFINITY, -INFINITY, 1e308};
    static double x[ROWS * MOST], wide[ROWS * (MOST + 5)], y[ROWS];
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        for (int32_t columns = 2; columns <= MOST; columns += 1 + (columns > 4) * 4) {
            make_rows(&random, &ways[k], columns, x, y);
            int32_t stride = columns + 1 + columns % 5;
            for (int i = 0; i < ROWS; i++)
                for (int32_t j = 0; j < stride; j++)
                    wide[i * stride + j] = j < columns ? x[i * columns + j] : between[(i + j) % 4];
            linpred_data *data[2];
            for (int apart = 0; apart < 2; apart++) {
                linpred_arrays arrays = {.struct_size = sizeof arrays,
                                         .rows = ROWS,
                                         .columns = columns,
                                         .values = apart ? wide : x,
                                         .stride = apart ? stride : 0,
                                         .labels = y};
                assert_int_equal(linpred_data_from_arrays(&arrays, &data[apart], NULL), LINPRED_OK);
            }
            same_fits(&ways[k], data[0], data[1], true);
        }
}

static int released;

static void count_release(void *context)
{
    (void)context;
    released++;
}

/* A row of weight 0 is no row, whatever it holds: dense and sparse, with the numbers of the rows it stands among. */
static void rows_of_weight_zero(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 9);
    enum { ALL = 2 * ROWS, COLUMNS = 3 };
    static double x[ROWS * COLUMNS], y[ROWS], more_x[ALL * COLUMNS], more_y[ALL], weight[ROWS], more_weight[ALL];
    static int64_t start[ALL + 1];
    static int32_t indices[ALL * COLUMNS];
    for (int i = 0; i <= ALL; i++)
        start[i] = (int64_t)i * COLUMNS;
    for (int i = 0; i < ALL * COLUMNS; i++)
        indices[i] = i % COLUMNS;
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        for (int sparse = 0; sparse < 2 && ways[k].method != LINPRED_METHOD_PERCEPTRON;
             sparse++) { /* which takes no weights */
            make_rows(&random, &ways[k], COLUMNS, x, y);
            for (int i = 0; i < ALL; i++) {
                bool counts = i % 2 == (i / 2) % 2;
                more_y[i] = counts ? y[i / 2] : (i % 3 - 1) * 7.5;
                more_weight[i] = counts ? weight[i / 2] = 1.0 + i % 5 : 0.0;
                for (int j = 0; j < COLUMNS; j++)
                    more_x[i * COLUMNS + j] = counts ? x[i / 2 * COLUMNS + j] : 1e6 * linpred__random_normal(&random);
            }
            linpred_data *data[2];
            released = 0;
            for (int more = 0; more < 2; more++) {
                linpred_arrays arrays = {.struct_size = sizeof arrays,
                                         .rows = more ? ALL : ROWS,
                                         .columns = COLUMNS,
                                         .values = more ? more_x : x,
                                         .labels = more ? more_y : y,
                                         .weights = more ? more_weight : weight,
                                         .start = sparse ? start : NULL,
                                         .indices = sparse ? indices : NULL,
                                         .release = count_release};
                assert_int_equal(linpred_data_from_arrays(&arrays, &data[more], NULL), LINPRED_OK);
                assert_int_equal(released, more); /* those that were copied are not needed any more */
            }
            linpred_shape shape = {.struct_size = sizeof shape};
            assert_true(linpred_data_shape(data[1], &shape));
            assert_true(shape.rows == ROWS && shape.rows_in_file == ALL && shape.dropped_weightless == ROWS);
            for (int64_t i = 0; i < ROWS; i++)
                assert_int_equal(linpred_data_source_row(data[1], i), 1 + 2 * i + i % 2);
            if (ways[k].task == LINPRED_TASK_LOGISTIC) { /* a row left out has no score */
                linpred_options options = options_of(&ways[k]);
                linpred_result *result = fit_data(data[1], &options);
                double scores[ALL];
                assert_int_equal(linpred_score(linpred_result_model(result), data[1], 1, scores, NULL), LINPRED_OK);
                for (int i = 0; i < ALL; i++)
                    assert_true(isnan(scores[i]) == (more_weight[i] == 0.0));
                linpred_result_free(result);
            }
            same_fits(&ways[k], data[0], data[1], false);
            assert_int_equal(released, 2);
        }
}

/* A file of the rows; with a column `hole`, often empty, before feature `at` (and of text if `words`). */
static linpred_data *load(const struct way *way, int32_t columns, const double *x, const double *y, int32_t at,
                          bool words)
{
    char path[] = "/tmp/linpred-gaps-XXXXXX.csv";
    int descriptor = mkstemps(path, 4);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    for (int i = -1; i < ROWS; i++) {
        for (int32_t j = 0; j <= columns; j++) {
            if (j == at && i < 0)
                fputs("hole,", file);
            else if (j == at)
                fputs(i % 3 == 0 ? (words ? "word," : "1.5,") : ",", file);
            if (i < 0)
                fprintf(file, j < columns ? "x%d," : "y\n", (int)j);
            else
                fprintf(file, j < columns ? "%.17g," : "%.17g\n", j < columns ? x[i * columns + j] : y[i]);
        }
    }
    fclose(file);
    linpred_options options = options_of(way);
    options.target = "y";
    options.drop = at >= 0 ? "hole" : NULL;
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    if (linpred_data_load(path, &options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    unlink(path);
    return data;
}

static void dropped_incomplete_column(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 8);
    static double x[ROWS * MOST], y[ROWS];
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        for (int32_t at = 0; at <= 3; at++) { /* first, between features, before the label */
            int32_t columns = at == 3 ? 3 : 3 + 4 * (at % 2);
            make_rows(&random, &ways[k], columns, x, y);
            same_fits(&ways[k], load(&ways[k], columns, x, y, -1, false), load(&ways[k], columns, x, y, at, at % 2),
                      true);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_with_gaps), cmocka_unit_test(rows_of_weight_zero),
                                       cmocka_unit_test(dropped_incomplete_column)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
