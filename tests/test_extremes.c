/* Small data and models that are made to break a fit, its check or its file: denormals, numbers near the largest
 * double, unequal weights, indices without end, figures taken away or forged. Each is answered or refused with a
 * sentence. No fit is refuted by its own check, and what is saved can be loaded. */
#include <float.h>
#include <unistd.h>

#include "claim_support.h"
#include "data/fingerprint.h"
#include "fit_support.h"
#include "pass/row_extents.h"

/* ---- files and fits ---------------------------------------------------------------------------------------------- */

static linpred_status load_text(const char *text, const linpred_options *options, linpred_data **data,
                                linpred_error *error)
{
    char path[] = "/tmp/linpred_extremes_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
    linpred_status status = linpred_data_load(path, options, data, error);
    unlink(path);
    return status;
}

/* Options from "name=value name=value". */
static linpred_options *options_of(linpred_task task, const char *settings)
{
    linpred_options *options = linpred_options_new();
    char copy[200], *rest = copy;
    assert_non_null(options);
    linpred_options_set_task(options, task);
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_int_equal(linpred_options_set(options, word, value, NULL), LINPRED_OK);
    }
    return options;
}

/* The fit of a file, or NULL if it is refused; then the message holds `refusal`. */
static linpred_result *fit_text(const char *text, linpred_task task, const char *settings, const char *refusal,
                                linpred_data **data)
{
    linpred_options *options = options_of(task, settings);
    linpred_error error = {.message = ""};
    linpred_result *result = NULL;
    *data = NULL;
    linpred_status status = load_text(text, options, data, &error);
    if (status == LINPRED_OK)
        status = linpred_fit(*data, options, &result, &error);
    if (status != LINPRED_OK && (!refusal || !strstr(error.message, refusal)))
        fail_msg("%s", error.message);
    if (status != LINPRED_OK)
        assert_int_equal(status, LINPRED_ERROR_INPUT);
    linpred_options_free(options);
    return result;
}

static bool is_finite(const linpred_model *model)
{
    bool finite = isfinite(model->b);
    for (int32_t j = 0; j < model->columns; j++)
        finite = finite && isfinite(model->w[j]);
    return finite;
}

/* The fit is not refuted, and if it can be saved it can be loaded. */
static void must_hold(const linpred_result *result, const linpred_data *data)
{
    checked check = check_result(result, data);
    linpred_error error = {.message = ""};
    linpred_result *again = NULL;
    char *text = NULL;
    size_t bytes = 0;
    if (check.verdict == LINPRED_REFUTED)
        fail_msg("%s", check.finding);
    assert_true(is_finite(&result->model));
    if (linpred_result_to_text(result, &text, &bytes, &error) != LINPRED_OK)
        return;
    if (linpred_result_from_text(text, bytes, false, &again, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_result_free(again);
    linpred_text_free(text);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    linpred_task task;
    const char *settings, *refusal;
} extreme_fits[] = {
    {"a,b,y\n0,2e-323,1\n0,-1e-323,0\n0.2,0,1\n-0.3,0,1\n-0.1,5e-324,0\n-0.2,-2e-323,0\n", LINPRED_TASK_LOGISTIC,
     "method=newton-cg", "are so small"},
    {"a,b,c,y\n1e-323,1,2,1\n5e-324,0,0,1\n-9e-323,-1,-2,1\n0,2e10,4e10,0\n1e-323,1,2,0\n", LINPRED_TASK_LOGISTIC, "",
     NULL},
    {"a,b,c,y\n-2,1e-323,1000000000000001,0\n-1,0,1000000000000002,1\n1,5e-324,1000000000000000,0\n"
     "3,-1e-323,999999999999997,0\n0,-1e-323,1000000000000003,1\n",
     LINPRED_TASK_LOGISTIC, "class-weights=balanced", NULL},
    {"a,b,y\n1000000000000002,0,0\n1000000000000003,1e-323,1\n4503599627370499,-1e-323,1\n1000000000001,0,0\n"
     "999999999999997,-7e-323,1\n",
     LINPRED_TASK_HALFSPACE, "no-intercept=yes", NULL},
    {"a,b,y\n-1e-323,2,1\n-1e-323,2,0\n3e-323,2,0\n", LINPRED_TASK_HALFSPACE, "method=exact cost=0.1:0.7", NULL},
    {"a,b,c,y\n0.1,1,-5e-324,1e150\n", LINPRED_TASK_REGRESSION, "", "are too small for a regression"},
    {"a,b,y\n1e200,2e-100,1\n2e200,4e-100,2\n3e200,6e-100,4\n", LINPRED_TASK_REGRESSION, "", "are too far apart"},
    {"a,y\n1e-160,1\n2e-160,3\n", LINPRED_TASK_REGRESSION, "l2=0.5", "are too far apart"},
    {"a,y\n1,1e200\n2,3e200\n3,1e200\n", LINPRED_TASK_REGRESSION, "", "is beyond the range"},
    {"a,y\n1,1e-200\n2,3e-200\n3,1e-200\n", LINPRED_TASK_REGRESSION, "", "the targets are too small"},
    {"a,y\n1,1e-200\n2,3e-200\n3,1e-200\n", LINPRED_TASK_REGRESSION, "loss=absolute", NULL},
    {"a,wt,y\n1,1e-320,1\n2,1,3\n3,1,4\n", LINPRED_TASK_REGRESSION, "weights=wt", "is too small for a regression"},
    {"a,wt,y\n1,1,1\n2,1e150,3\n3,1,4\n", LINPRED_TASK_REGRESSION, "weights=wt", "is too large for a regression"},
    {"a,wt,y\n1,1e-320,1\n2,1e150,0\n3,1,1\n", LINPRED_TASK_LOGISTIC, "weights=wt", NULL},
    {"a,y\n1.7976931348623157e308,1\n1e300,0\n1e-300,0\n-1e300,1\n", LINPRED_TASK_HALFSPACE, "method=pocket", NULL},
    {"a,b,y\n1.7e308,1.7e308,1\n1,2,0\n", LINPRED_TASK_HALFSPACE, "", NULL},
    /* The bound on the margin cancels, or margin and loss are denormal. */
    {"a,b,c,y\n-2e10,-2e10,1000000000000001,1\n-3e10,-30000000000.000008,999999999999999,0\n"
     "-3e10,-30000000000.000008,1000000000000003,0\n2e10,2e10,999999999999999,0\n"
     "-2e10,-20000000000.000004,999999999999999,1\n",
     LINPRED_TASK_HALFSPACE, "method=margin", NULL},
    /* Multipliers of the support would be 0. */
    {"a,b,c,d,e,y\n-3,1e300,-2e-150,1e150,3e10,1\n0,1e-150,3e-150,3e150,0,0\n3,0,-3e-150,1e150,1e10,0\n",
     LINPRED_TASK_HALFSPACE, "method=margin no-intercept=yes", NULL},
    {"a,b,c,y\n5e-324,1.5e-323,-5e-324,1\n0,0,1.5e-323,1\n-1.5e-323,-4.4e-323,-5e-324,0\n1e-323,3e-323,5e-324,0\n",
     LINPRED_TASK_HALFSPACE, "method=lp no-intercept=yes", NULL},
    {"a,b,y\n999999999999997,1e-323,1\n1000000000000001,-1.5e-323,0\n999999999999997,-1e-323,0\n",
     LINPRED_TASK_HALFSPACE, "method=margin", NULL},
    {"a,y\n-1.5e-323,0\n-5e-324,1\n1e-323,1\n-1.5e-323,1\n1e-323,0\n", LINPRED_TASK_HALFSPACE, "method=lp", NULL},
    /* R² is beyond the range of doubles, and (R B)² is not. */
    {"a,b,y\n1e300,1e299,1\n-2.7e300,-1e299,0\n1.3e299,1e299,1\n-1.1e299,3e299,1\n-6.8e299,0,0\n",
     LINPRED_TASK_HALFSPACE, "method=margin", NULL},
    {"a,b,y\n1e300,1e299,1\n-2.7e300,-1e299,0\n1.3e299,1e299,1\n-1.1e299,3e299,1\n-6.8e299,0,0\n",
     LINPRED_TASK_HALFSPACE, "method=perceptron bound=yes", NULL},
    {"a,y\n1e-300,1\n-3e-300,0\n", LINPRED_TASK_HALFSPACE, "no-intercept=yes", NULL},
    /* Squares of 1e300 are no doubles, so that no dependency of them can be written. */
    {"a,y\n1e300,1\n-1e300,2\n1e300,4\n-1e300,3\n", LINPRED_TASK_REGRESSION, "loss=absolute degree=2",
     "are beyond the range"},
    {"a,y\n1,1.7e308\n2,-1.7e308\n3,1e308\n4,1.5e308\n", LINPRED_TASK_REGRESSION, "loss=absolute",
     "the targets are too large"},
    {"a,y\n1,1e308\n2,1e308\n3,1e308\n", LINPRED_TASK_REGRESSION, "", "the targets are too large"},
    {"a,b,y\n1e9,9e15,1\n1000000001,9000000000000001,2\n1000000003,9000000000000002,5\n"
     "1000000004,9000000000000005,3\n1000000007,9000000000000004,1\n",
     LINPRED_TASK_REGRESSION, "loss=absolute quantile=0.3", NULL},
    {"a,b,y\n1.7e308,1.7e308,1\n1,1,0\n2,2,1\n0,0,0\n-1,-1,1\n-1e308,-1e308,0\n", LINPRED_TASK_LOGISTIC, "", NULL},
    {"a,y\n1,2\n2,3\n3,5\n", LINPRED_TASK_REGRESSION, "l2=1e308", NULL},
    {"a,y\n1e300,1e-60\n2e300,3e-60\n-1e300,2e-60\n", LINPRED_TASK_REGRESSION, "", "below the range"},
    /* The start of pocket would be stretched by 1e309. */
    {"a,y\n0,0\n1e154,1\n4.9e-324,0\n", LINPRED_TASK_HALFSPACE, "no-intercept=yes", NULL},
    {"a,y\n0,0\n1e-323,1\n5e-324,0\n", LINPRED_TASK_HALFSPACE, "method=pocket standardize=yes", "is beyond the range"},
};

static void extreme_numbers_are_answered_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof extreme_fits / sizeof extreme_fits[0]; i++) {
        linpred_data *data;
        linpred_result *result = fit_text(extreme_fits[i].text, extreme_fits[i].task, extreme_fits[i].settings,
                                          extreme_fits[i].refusal, &data);
        if (result)
            must_hold(result, data);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

/* Radius and norms of rows at the end of the range: exact for one entry, and the longest row is found behind others
   whose bound is infinite as well. */
static void radius_reaches_the_largest_double(void **state)
{
    (void)state;
    double x[] = {0x1.8p1023, 0, DBL_MAX, 1.0};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 1, .values = x};
    linpred_data *data = NULL;
    linpred__row_extents extents;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred__find_row_extents(data, NULL, true, false, &extents, NULL), LINPRED_OK);
    assert_true(extents.radius.nearest == DBL_MAX);
    linpred__row_extents_clear(&extents);
    linpred_data_free(data);
}

/* Labels of unequal weight: 2e10 + 5 against 3.5. The reference was computed with 60 digits. */
static void null_deviance_keeps_its_digits(void **state)
{
    (void)state;
    linpred_data *data;
    linpred_result *result = fit_text("x,wt,y\n-0.2,0.5,0\n0.1,1e10,1\n0.3,2.5,1\n0.35,2.5,1\n-0.1,1e10,1\n0.1,1,0\n"
                                      "-0.2,2,0\n",
                                      LINPRED_TASK_LOGISTIC, "weights=wt", NULL, &data);
    assert_non_null(result);
    near(result->figures.null_deviance, 164.26364599639773907, 1e-14);
    must_hold(result, data);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* The least-squares slope is 0.3 / 0.13, but beside a target of 1e150 rounding leaves 0. That has no digits, and the
   finding does not say so. */
static void a_zero_has_no_digits(void **state)
{
    (void)state;
    linpred_data *data;
    linpred_result *result =
        fit_text("x,y\n0,1e150\n0.2,0\n0.3,1\n0,-3e-150\n", LINPRED_TASK_REGRESSION, "no-intercept=yes", NULL, &data);
    assert_non_null(result);
    linpred_check *check = NULL;
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    bool right = fabs(result->model.w[0] - 0.3 / 0.13) < 1e-9;
    assert_true(right || linpred_check_error_bound(check, 0) >= 0.3 / 0.13);
    assert_true(right || !strstr(linpred_check_summary(check), "digits"));
    linpred_check_free(check);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Columns that never occur are refused with the bytes they would need, at once; few of them cost nothing. */
static void indices_without_end_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"+1 1:1 2:1\n-1 400000000:1\n", "+1 1:1\n-1 2147483646:1\n",
                                        "+1 0:1\n-1 2147483645:1\n"};
    linpred_data *data;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_null(fit_text(texts[i], LINPRED_TASK_HALFSPACE, "format=libsvm", "GB for columns", &data));
        assert_null(data);
    }
    linpred_result *result = fit_text("+1 1:1\n-1 20000:1\n", LINPRED_TASK_HALFSPACE, "format=libsvm", NULL, &data);
    assert_non_null(result);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* A file of nothing but blanks, with no end of its last line, is refused. */
static void blanks_are_no_rows(void **state)
{
    (void)state;
    static const char *const texts[] = {" ", "\r\t", "\n\n \t", " \n "};
    linpred_data *data;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_null(fit_text(texts[i], LINPRED_TASK_REGRESSION, "format=csv", "nothing in the file", &data));
}

/* A ball about rows at 1e15, dense and sparse. */
static void balls_far_from_zero(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a,b,y\n1000000000000001,1000000000000000,1\n1000000000000003,1000000000000001,0\n"
        "1000000000000001,1000000000000001,1\n1000000000000005,1000000000000004,0\n",
        "1 1:1000000000000001 2:1000000000000000\n0 1:1000000000000003 2:1000000000000001\n"
        "1 1:1000000000000001 2:1000000000000001\n0 1:1000000000000005 2:1000000000000004\n"};
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data;
        linpred_result *result = fit_text(texts[sparse], LINPRED_TASK_BALL, sparse ? "format=libsvm" : "", NULL, &data);
        assert_int_equal(linpred_result_outcome(result), LINPRED_OUTCOME_SEPARATED);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

/* Integers separate the rows where no doubles were found that do: the fewest mistakes are 0, not those of the model. */
static void integers_bound_the_mistakes(void **state)
{
    (void)state;
    linpred_data *data;
    /* The numbers have 17 digits, so that they mean doubles: as decimals these rows are not separable. */
    linpred_result *result = fit_text("a,b,c,wt,y\n-1,0,-1,0.1,0\n2,-0.10000000000000001,1.6999999999999999556,0.1,0\n"
                                      "-2,0,-2,3,0\n-1,-0.29999999999999999,-1.8999999999999999112,0.1,1\n",
                                      LINPRED_TASK_HALFSPACE, "method=exact no-intercept=yes weights=wt", NULL, &data);
    assert_non_null(result);
    linpred_check *check = NULL;
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    double bound = result->figures.lower_bound;
    assert_true(isnan(bound) || bound == 0.0);
    linpred_check_free(check);
    must_hold(result, data);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* ---- forged models ----------------------------------------------------------------------------------------------- */

/* Replaces `from` by `to` in the model's text. The edited model must be refused, or refuted on the rows of the fit. */
static void must_not_pass(const linpred_result *result, const linpred_data *data, const char *from, const char *to)
{
    char *text = NULL, *edited = NULL;
    size_t bytes = 0;
    linpred_result *forged = NULL;
    linpred_error error = {.message = ""};
    assert_int_equal(linpred_result_to_text(result, &text, &bytes, &error), LINPRED_OK);
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("'%s' is not in\n%s", from, text);
    edited = malloc(bytes + strlen(to) + 1);
    assert_non_null(edited);
    int length = snprintf(edited, bytes + strlen(to) + 1, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    linpred_status status = linpred_result_from_text(edited, (size_t)length, true, &forged, &error);
    if (status == LINPRED_OK) {
        if (check_result(forged, data).verdict != LINPRED_REFUTED)
            fail_msg("'%s' for '%s' passes", to, from);
    } else {
        assert_int_equal(status, LINPRED_ERROR_INPUT);
        assert_true(error.message[0] != '\0');
    }
    assert_int_equal(linpred_result_from_text(edited, (size_t)length, false, &forged, &error), LINPRED_ERROR_INPUT);
    linpred_result_free(forged);
    linpred_text_free(text);
    free(edited);
}

static void figures_are_not_taken_away_or_lent(void **state)
{
    (void)state;
    linpred_data *data;
    linpred_result *result = fit_text("a,b,y\n1,-2,u\n,-1,u\n3,0.5,v\n4,1,v\n5,-1,u\n,2,v\n7,1,u\n8,2,v\n",
                                      LINPRED_TASK_HALFSPACE, "missing=mean", NULL, &data);
    assert_non_null(result);
    must_not_pass(result, data, "\"mean\": 4.666666666666667", "\"mean\": null");
    linpred_result_free(result);
    linpred_data_free(data);
    result = fit_text("a,y\n0,0\n1,1\n2,3\n3,2\n4,6\n", LINPRED_TASK_REGRESSION, "", NULL, &data);
    assert_non_null(result);
    must_not_pass(result, data, "\"loss\": \"squared\"", "\"loss\": \"absolute\"");
    linpred_result_free(result);
    linpred_data_free(data);
    /* The pocket makes 3 mistakes where 1 is possible. */
    result = fit_text("a,b,y\n1,0,u\n2,0,v\n3,0,u\n4,0,v\n5,1,u\n6,1,v\n7,2,v\n0,1,u\n", LINPRED_TASK_HALFSPACE,
                      "method=pocket", NULL, &data);
    assert_non_null(result);
    must_not_pass(result, data, "\"outcome\": \"limit_reached\"", "\"outcome\": \"optimal\"");
    must_not_pass(result, data, "\"figures\": {\"errors\": 3,", "\"figures\": {\"errors\": null,");
    must_not_pass(result, data, "\"figures\": {\"errors\": 3,", "\"figures\": {\"errors\": 3, \"lower_bound\": 3,");
    must_not_pass(result, data, "{\n      \"claim\": \"objective\"",
                  "{\n      \"claim\": \"fewest_errors\",\n      \"main\": true,\n      \"figures\": {\"lower_bound\": "
                  "3}\n    },\n    {\n      \"claim\": \"objective\"");
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Every row would have the score inf or 0 inf, and rows of zeros would be on the right side. */
static void coefficients_that_are_not_finite_are_refuted(void **state)
{
    (void)state;
    linpred_data *data;
    linpred_result *result = fit_text("a,b,y\n1,2,u\n2,1,u\n4,7,v\n5,5,v\n", LINPRED_TASK_HALFSPACE, "", NULL, &data);
    assert_non_null(result);
    double *coefficient[] = {&result->model.w[0], &result->model.w[1], &result->model.b};
    for (int i = 0; i < 3; i++) {
        double kept = *coefficient[i], other[] = {INFINITY, -INFINITY, NAN};
        for (int k = 0; k < 3; k++) {
            *coefficient[i] = other[k];
            checked check = check_result(result, data);
            assert_int_equal(check.verdict, LINPRED_REFUTED);
            assert_non_null(strstr(check.finding, "no finite number"));
        }
        *coefficient[i] = kept;
    }
    assert_int_not_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Rows of 1e-300 are walked in units of 2^996, in which the weight 1e300 of the start would be infinite. */
static void a_start_stays_finite(void **state)
{
    (void)state;
    linpred_data *data;
    static const char text[] = "a,y\n-1e-300,0\n2e-300,1\n";
    linpred_result *start = fit_text(text, LINPRED_TASK_HALFSPACE, "no-intercept=yes", NULL, &data);
    linpred_options *options = options_of(LINPRED_TASK_HALFSPACE, "no-intercept=yes method=perceptron");
    assert_non_null(start);
    start->model.w[0] = 1e300;
    options->start = &start->model;
    linpred_result *result = fit_data(data, options);
    assert_true(result->model.w[0] == 1e300);
    must_hold(result, data);
    linpred_result_free(result);
    linpred_result_free(start);
    linpred_options_free(options);
    linpred_data_free(data);
}

/* Duals that prove the slope 0 on one column t are claimed for another one, far from 0. Their imbalance, Σ a t = 24, is
   1e-13 of the size of its numbers and must be judged by their spread. */
static void duals_are_judged_by_the_spread_of_a_column(void **state)
{
    (void)state;
    static const double y[] = {0, 1, 2, 3, 4, 4, 5, 6, 7, 8}, t[] = {0, 1, 2, 3, 0, 1, 3, 2, 1, 0};
    double far[10];
    for (int i = 0; i < 10; i++)
        far[i] = 1.7e13 + i;
    linpred_data *data[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = 10, .columns = 1, .values = k ? far : t, .labels = y};
        assert_int_equal(linpred_data_from_arrays(&arrays, &data[k], NULL), LINPRED_OK);
    }
    linpred_options *options = options_of(LINPRED_TASK_REGRESSION, "loss=absolute");
    linpred_result *result = fit_data(data[0], options);
    assert_true(result->model.w[0] == 0.0);
    assert_int_equal(check_result(result, data[0]).verdict, LINPRED_WITHIN_TOLERANCE);
    assert_int_equal(linpred__fingerprint(data[1], NULL, fingerprint_of(result), NULL), LINPRED_OK);
    assert_int_equal(check_result(result, data[1]).verdict, LINPRED_REFUTED);
    linpred_result_free(result);
    linpred_options_free(options);
    for (int k = 0; k < 2; k++)
        linpred_data_free(data[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_numbers_are_answered_or_refused),
        cmocka_unit_test(radius_reaches_the_largest_double),
        cmocka_unit_test(null_deviance_keeps_its_digits),
        cmocka_unit_test(a_zero_has_no_digits),
        cmocka_unit_test(indices_without_end_are_refused),
        cmocka_unit_test(blanks_are_no_rows),
        cmocka_unit_test(balls_far_from_zero),
        cmocka_unit_test(integers_bound_the_mistakes),
        cmocka_unit_test(figures_are_not_taken_away_or_lent),
        cmocka_unit_test(coefficients_that_are_not_finite_are_refuted),
        cmocka_unit_test(a_start_stays_finite),
        cmocka_unit_test(duals_are_judged_by_the_spread_of_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
