/* Prediction intervals of least squares: exact references, laws, how often they hold the truth, and models that have
 * none. */
#include "regression_support.h"

#include <unistd.h>

#include "num/distribution.h"
#include "reference_data.h"

/* By tools/interval_reference.py: predictions and leverages of some rows in exact rational arithmetic. */
static const struct {
    const char *folder; /* NULL: the reference data */
    const char *file;
    const char *target;
    int degree;
    double variance;
    double df;
    struct {
        int row;
        double score;
        double leverage;
    } at[3];
} known[] = {
    {LINPRED_SOURCE_DIR "/examples/data",
     "cars",
     "dist",
     1,
     236.5316885644769,
     48,
     {{1, -1.8494598540145986, 0.11486131386861313},
      {23, 37.47462773722628, 0.02143065693430657},
      {50, 80.73112408759124, 0.08727007299270073}}},
    {LINPRED_SOURCE_DIR "/examples/data",
     "cars",
     "dist",
     4,
     228.84035323758607,
     45,
     {{1, 7.26311904220988, 0.47768427636370786},
      {23, 37.813932092655335, 0.05423418744819506},
      {50, 98.51708065645396, 0.40227690802612115}}},
    {LINPRED_SOURCE_DIR "/examples/data",
     "longley",
     "Employed",
     1,
     0.09293600616732371,
     9,
     {{1, 60.05565997024028, 0.4245369306265364},
      {8, 63.774180356866374, 0.504656154499291},
      {16, 70.75775782519374, 0.6886146016938919}}},
    {NULL,
     "strd/Filip",
     "y",
     10,
     1.1209174396801957e-05,
     71,
     {{1, 0.8115567060657058, 0.06517302882148734},
      {41, 0.767258280501923, 0.1957498265927258},
      {82, 0.9259356186215202, 0.44547568072956245}}},
    {NULL,
     "strd/Wampler3",
     "y",
     5,
     5570284.533333333,
     15,
     {{1, 1.0, 0.83164661425531}, {11, 111111.0, 0.16923254427629175}, {21, 3368421.0, 0.83164661425531}}},
};

/* The model after a trip through its file: what predict has to go by. */
static linpred_result *as_saved(linpred_result *result)
{
    linpred_result *again = through_file(result);
    linpred_result_free(result);
    return again;
}

static void intervals(const linpred_result *result, const linpred_data *data, double confidence, int threads,
                      double *low, double *high)
{
    linpred_error error = {.message = ""};
    if (linpred_predict_interval(linpred_result_model(result), data, threads, confidence, low, high, &error) !=
        LINPRED_OK)
        fail_msg("%s", error.message);
}

static void references(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char path[600];
        double low[100], high[100];
        linpred_data *data = NULL;
        linpred_error error = {.message = ""};
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        options.degree = known[i].degree;
        options.target = known[i].target;
        snprintf(path, sizeof path, "%s/%s.csv", known[i].folder ? known[i].folder : reference_data(), known[i].file);
        if (!known[i].folder && access(path, R_OK) != 0) {
            print_message("skipped: no %s\n", path);
            continue;
        }
        if (linpred_data_load(path, &options, &data, &error) != LINPRED_OK)
            fail_msg("%s", error.message);
        linpred_result *result = as_saved(fit_and_verify(data, &options));
        bool same = false;
        if (linpred_result_same_data(result, data, 2, &same, &error) != LINPRED_OK || !same)
            fail_msg("not the data of the fit: %s", error.message);
        if (linpred_leverage(linpred_result_model(result), data, 2, low, &error) != LINPRED_OK)
            fail_msg("%s", error.message);
        for (int k = 0; k < 3; k++)
            near(low[known[i].at[k].row - 1], known[i].at[k].leverage, 1e-11);
        for (double confidence = 0.5; confidence < 1.0; confidence += 0.49) {
            double t = linpred__t_quantile(0.5 + 0.5 * confidence, known[i].df);
            intervals(result, data, confidence, 2, low, high);
            for (int k = 0; k < 3; k++) {
                int row = known[i].at[k].row - 1;
                double half = t * sqrt(known[i].variance * (1.0 + known[i].at[k].leverage));
                near(0.5 * (high[row] - low[row]), half, 1e-11);
                near(0.5 * (high[row] + low[row]) + half, known[i].at[k].score + half, 1e-11);
            }
        }
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

/* Leverages of the training rows add up to the rank; weight 3 is three copies; dense is sparse; threads change no bit.
 */
static void laws(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 41);
    enum { ROWS = 60, COLUMNS = 5 };
    sample s = sample_linear(&random, ROWS, COLUMNS, 1.0), copies = sample_new(3 * ROWS, COLUMNS);
    for (int64_t i = 0; i < 3 * ROWS; i++) {
        memcpy(copies.values + i * COLUMNS, s.values + i / 3 * COLUMNS, COLUMNS * sizeof(double));
        copies.labels[i] = s.labels[i / 3];
    }
    sample_index(&copies);
    double low[4][ROWS], high[4][ROWS];
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    linpred_data *dense = sample_data(&s, false), *sparse = sample_data(&s, true);
    linpred_result *result = fit_and_verify(dense, &options);
    intervals(result, dense, 0.95, 1, low[0], high[0]);
    intervals(result, sparse, 0.95, 4, low[1], high[1]);
    assert_memory_equal(low[0], low[1], sizeof low[0]);
    assert_memory_equal(high[0], high[1], sizeof high[0]);
    double sum = 0.0, half = linpred__t_quantile(0.975, ROWS - COLUMNS - 1) * result->figures.residual_sd;
    for (int i = 0; i < ROWS; i++)
        sum += pow(0.5 * (high[0][i] - low[0][i]) / half, 2.0) - 1.0;
    near(sum, COLUMNS + 1, 1e-12);
    double leverage[ROWS], total = 0.0;
    bool same = true;
    linpred_error error = {.message = ""};
    assert_int_equal(linpred_leverage(linpred_result_model(result), sparse, 4, leverage, &error), LINPRED_OK);
    for (int i = 0; i < ROWS; i++)
        total += leverage[i];
    near(total, COLUMNS + 1, 1e-14);
    linpred_data *others = sample_data(&copies, false);
    assert_int_equal(linpred_result_same_data(result, others, 2, &same, &error), LINPRED_OK);
    assert_false(same);
    linpred_data_free(others);
    linpred_result_free(result);
    linpred_result *many = fit_sample(&copies, false, &options);
    s.weights = calloc(ROWS, sizeof(double));
    for (int i = 0; i < ROWS; i++)
        s.weights[i] = 3.0;
    result = fit_sample(&s, false, &options);
    intervals(many, dense, 0.95, 2, low[2], high[2]);
    intervals(result, dense, 0.95, 2, low[3], high[3]);
    for (int i = 0; i < ROWS; i++) {
        near(high[2][i] - low[2][i], high[3][i] - low[3][i], 1e-13);
        assert_true(high[2][i] - low[2][i] < high[0][i] - low[0][i]); /* thrice the rows, surer coefficients */
    }
    linpred_result_free(result);
    linpred_result_free(many);
    linpred_data_free(dense);
    linpred_data_free(sparse);
    sample_free(&s);
    sample_free(&copies);
}

/* What the interval promises: over many samples the new target lies within as often as asked. */
static void coverage(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 43);
    enum { TRIALS = 4000, ROWS = 8 };
    int inside = 0;
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    options.threads = 1;
    for (int k = 0; k < TRIALS; k++) {
        sample s = sample_linear(&random, ROWS + 1, 2, 0.7);
        s.rows = ROWS;
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit_data(data, &options);
        linpred_data_free(data);
        linpred_arrays last = {.struct_size = sizeof last,
                               .rows = 1,
                               .columns = 2,
                               .values = s.values + 2 * ROWS,
                               .labels = s.labels + ROWS};
        double low, high;
        assert_int_equal(linpred_data_from_arrays(&last, &data, NULL), LINPRED_OK);
        intervals(result, data, 0.9, 1, &low, &high);
        inside += low <= s.labels[ROWS] && s.labels[ROWS] <= high;
        linpred_data_free(data);
        linpred_result_free(result);
        sample_free(&s);
    }
    assert_true(fabs(inside - 0.9 * TRIALS) < 5.0 * sqrt(0.09 * TRIALS));
}

/* Columns that depend on others: rows that keep the dependency have the interval of the fit without it, others the
 * whole line. */
static void dependent(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 47);
    sample s = sample_linear(&random, 30, 3, 0.5), two = sample_new(30, 2);
    for (int64_t i = 0; i < 30; i++) {
        for (int j = 0; j < 2; j++) /* so that the dependency holds without rounding */
            s.values[3 * i + j] = nearbyint(s.values[3 * i + j] * 0x1p20) * 0x1p-20;
        s.values[3 * i + 2] = 2.0 * s.values[3 * i] - s.values[3 * i + 1] + 0.125;
        memcpy(two.values + 2 * i, s.values + 3 * i, 2 * sizeof(double));
        two.labels[i] = s.labels[i];
    }
    sample_index(&s);
    sample_index(&two);
    double low[2][30], high[2][30];
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    linpred_result *a = as_saved(fit_sample(&s, false, &options)), *b = fit_sample(&two, false, &options);
    s.values[3 * 7 + 2] += 1e-3;                                                  /* breaks it */
    s.values[3 * 8] += 2.0, s.values[3 * 8 + 2] += 4.0, two.values[2 * 8] += 2.0; /* keeps it */
    linpred_data *data = sample_data(&s, false), *data_two = sample_data(&two, false);
    intervals(a, data, 0.95, 1, low[0], high[0]);
    intervals(b, data_two, 0.95, 1, low[1], high[1]);
    for (int i = 0; i < 30; i++)
        if (i == 7) {
            assert_true(low[0][i] == -INFINITY && high[0][i] == INFINITY);
        } else {
            near(low[0][i], low[1][i], 1e-11);
            near(high[0][i], high[1][i], 1e-11);
        }
    linpred_data_free(data);
    linpred_data_free(data_two);
    linpred_result_free(a);
    linpred_result_free(b);
    sample_free(&s);
    sample_free(&two);
}

/* Three places, five coefficients: powers beyond the second say nothing, and a fourth place is not determined, however
   near it is in plain powers. */
static void dependent_powers(void **state)
{
    (void)state;
    double x[12], y[12], low[2][12], high[2][12];
    for (int i = 0; i < 12; i++) {
        x[i] = 1000.0 + i % 3;
        y[i] = i * i % 7 + 0.3 * i;
    }
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 12, .columns = 1, .values = x, .labels = y};
    linpred_data *data = NULL, *elsewhere = NULL;
    linpred_result *fit[2];
    const double places[] = {1000.5, 1001.0};
    linpred_arrays other = {.struct_size = sizeof other, .rows = 2, .columns = 1, .values = places, .labels = y};
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_data_from_arrays(&other, &elsewhere, NULL), LINPRED_OK);
    for (int k = 0; k < 2; k++) {
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        options.degree = k ? 4 : 2;
        fit[k] = as_saved(fit_and_verify(data, &options));
        intervals(fit[k], data, 0.95, 1, low[k], high[k]);
    }
    for (int i = 0; i < 12; i++) {
        near(low[1][i], low[0][i], 1e-9);
        near(high[1][i], high[0][i], 1e-9);
    }
    intervals(fit[1], elsewhere, 0.95, 1, low[0], high[0]);
    assert_true(low[0][0] == -INFINITY && high[0][0] == INFINITY);
    linpred_error error = {.message = ""};
    assert_int_equal(linpred_leverage(linpred_result_model(fit[1]), elsewhere, 1, high[0], &error), LINPRED_OK);
    assert_true(high[0][0] == INFINITY);
    near(low[0][1], low[1][1], 1e-15);
    for (int k = 0; k < 2; k++)
        linpred_result_free(fit[k]);
    linpred_data_free(data);
    linpred_data_free(elsewhere);
}

static void refused(const sample *s, const linpred_options *options, const char *word)
{
    linpred_data *data = sample_data(s, false);
    linpred_result *result = fit_data(data, options);
    linpred_error error = {.message = ""};
    double low = 5.0, high = 6.0;
    assert_int_equal(linpred_predict_interval(linpred_result_model(result), data, 1, 0.95, &low, &high, &error),
                     LINPRED_ERROR_USAGE);
    assert_non_null(strstr(error.message, word));
    if (strcmp(word, "degrees of freedom") != 0) /* which leverages do not need */
        assert_int_equal(linpred_leverage(linpred_result_model(result), data, 1, &low, &error), LINPRED_ERROR_USAGE);
    assert_true(low == 5.0 && high == 6.0);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void models_without(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 53);
    sample s = sample_linear(&random, 40, 3, 1.0), few = sample_linear(&random, 4, 3, 1.0),
           wide = sample_linear(&random, 400, 300, 1.0);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    refused(&few, &options, "degrees of freedom");
    refused(&wide, &options, "301 coefficients");
    options.l2 = 0.1;
    refused(&s, &options, "penalised");
    options = regression_options(LINPRED_LOSS_ABSOLUTE);
    refused(&s, &options, "--quantile");
    linpred__options_init(&options);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = s.values[3 * i] > 0 ? 1.0 : -1.0;
    refused(&s, &options, "fit halfspace");
    sample_free(&s);
    sample_free(&few);
    sample_free(&wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references),       cmocka_unit_test(laws),
        cmocka_unit_test(coverage),         cmocka_unit_test(dependent),
        cmocka_unit_test(dependent_powers), cmocka_unit_test(models_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
