/* Public calls that no other unit test makes. tests/check_calls tells which calls no test names. Everything here goes
 * through the public header, on small files that each test writes. */
#include <unistd.h>

#include "support.h"

/* Writes a file of rows with a text column, a weight of each row, and a missing value. */
static const char *flowers(void)
{
    static const char *const path = "public_calls.csv";
    static const char text[] = "width,colour,copies,kind\n"
                               "1,red,1,a\n2,blue,2,a\n3,red,1,b\n4,green,1,b\n,red,1,b\n2.5,red,1,a\n2,red,1,b\n";
    assert_int_equal(linpred_path_writable(path, NULL), LINPRED_OK);
    assert_int_equal(linpred_write_file(path, text, sizeof text - 1, NULL), LINPRED_OK);
    return path;
}

/* Options of a task, with names and texts in turn; NULL after the last. */
static linpred_options *options_with(linpred_task task, const char *const *texts)
{
    linpred_options *options = linpred_options_new();
    linpred_error error = {.message = ""};
    assert_non_null(options);
    linpred_options_set_task(options, task);
    for (; *texts; texts += 2)
        if (linpred_options_set(options, texts[0], texts[1], &error) != LINPRED_OK)
            fail_msg("%s", error.message);
    return options;
}

static linpred_data *load(const char *path, const linpred_options *options)
{
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    if (linpred_data_load(path, options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return data;
}

static linpred_result *fit(const linpred_data *data, const linpred_options *options)
{
    linpred_result *result = NULL;
    linpred_error error = {.message = ""};
    if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return result;
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    const double labels[] = {-1, 1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 2, .values = labels, .labels = labels};
    linpred_bound bound = {.struct_size = sizeof bound};
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "no columns"));
    assert_int_equal(linpred_vc_dimension((linpred_class)7, 3, true, &bound, &error), LINPRED_ERROR_USAGE);
    assert_non_null(strstr(error.message, "no class"));
}

static void labels_and_threads_have_bounds(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4}, labels[] = {0, 1, 2, 3};
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = 4, .columns = 1, .values = values, .stride = 1, .labels = labels};
    linpred_options *options = options_with(LINPRED_TASK_HALFSPACE, (const char *const[]){NULL});
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_error error = {.message = ""};
    double scores[4];
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    assert_int_equal(linpred_find_separation(data, options, &result, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "neither -1 nor +1"));
    assert_int_equal(linpred_data_source_row(data, 3), 4);
    assert_int_equal(linpred_data_source_row(data, 4), 0);
    assert_int_equal(linpred_data_source_row(data, -1), 0);
    linpred_data_free(data);
    linpred_options_free(options);

    options = options_with(LINPRED_TASK_REGRESSION, (const char *const[]){NULL});
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    result = fit(data, options);
    const linpred_model *model = linpred_result_model(result);
    assert_int_equal(linpred_score(model, data, 257, scores, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_score(model, data, -1, scores, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_score(model, data, 2, scores, &error), LINPRED_OK);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void an_output_is_whole_or_not_there(void **state)
{
    (void)state;
    static const char *const path = "public_calls.txt";
    linpred_output *output = NULL;
    char text[16] = "";
    remove(path);
    assert_int_equal(linpred_output_open(path, &output, NULL), LINPRED_OK);
    fputs("lost", linpred_output_stream(output));
    linpred_output_discard(output);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(linpred_output_open(path, &output, NULL), LINPRED_OK);
    fputs("kept", linpred_output_stream(output));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(linpred_output_commit(output, NULL), LINPRED_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "kept");
    remove(path);
    assert_int_equal(linpred_path_writable("no such folder/file", NULL), LINPRED_ERROR_FILE);
}

static void texts(void **state)
{
    (void)state;
    static const char *const words[] = {"margin", "method", "missing"};
    char buffer[32];
    assert_int_equal(linpred_number_text(0.1, buffer), 3);
    assert_string_equal(buffer, "0.1");
    assert_string_equal(linpred_nearest("metod", words, 3), "method");
    assert_null(linpred_nearest("colour", words, 3));
}

static void an_inspection_describes_the_columns(void **state)
{
    (void)state;
    const char *path = flowers();
    linpred_options *options = linpred_options_new();
    linpred_inspection *inspection = NULL;
    linpred_column_report report = {.struct_size = sizeof report};
    int64_t count = 0;
    assert_int_equal(linpred_inspect(path, options, &inspection, NULL), LINPRED_OK);
    assert_int_equal(linpred_inspection_rows(inspection), 7);
    assert_int_equal(linpred_inspection_columns(inspection), 4);
    assert_non_null(strstr(linpred_inspection_format(inspection), "CSV"));
    assert_true(linpred_inspection_column(inspection, 0, &report));
    assert_string_equal(report.name, "width");
    assert_true(report.type == LINPRED_COLUMN_NUMBER && report.missing == 1 && report.low == 1 && report.high == 4);
    assert_true(linpred_inspection_column(inspection, 1, &report));
    assert_true(report.type == LINPRED_COLUMN_TEXT && report.distinct == 3);
    assert_string_equal(linpred_inspection_level(inspection, 1, 0, &count), "red");
    assert_int_equal(count, 5);
    linpred_note note = {.struct_size = sizeof note};
    assert_false(linpred_inspection_note(inspection, 0, &note));
    assert_null(linpred_inspection_level(inspection, 1, 3, &count));
    assert_false(linpred_inspection_column(inspection, 4, &report));
    linpred_inspection_free(inspection);
    linpred_options_free(options);
    remove(path);
}

static void data_and_model_tell_how_features_are_made(void **state)
{
    (void)state;
    static const char *const settings[] = {"missing", "drop",          "weights",  "copies", "l2",
                                           "0.5",     "class-weights", "balanced", NULL};
    const char *path = flowers();
    linpred_options *options = options_with(LINPRED_TASK_LOGISTIC, settings);
    linpred_data *data = load(path, options);
    double values[3], label;
    assert_true(linpred_data_rows(data) == 6 && linpred_data_rows_in_file(data) == 7);
    assert_int_equal(linpred_data_columns(data), 3);
    assert_string_equal(linpred_data_level(data, "colour", 0), "blue");
    assert_null(linpred_data_level(data, "width", 0));
    assert_true(linpred_data_row(data, 4, values, &label) && values[0] == 4 && label == 1);
    assert_false(linpred_data_row(data, 5, values, &label));
    assert_true(linpred_data_row_weight(data, 4) == 1.0 && isnan(linpred_data_row_weight(data, 5)));
    linpred_result *result = fit(data, options);
    const linpred_model *model = linpred_result_model(result);
    assert_string_equal(linpred_model_weights(model), "copies");
    assert_string_equal(linpred_model_level(model, "colour", 2), "red");
    assert_null(linpred_model_level(model, "colour", 3));
    assert_true(linpred_model_has_intercept(model));
    assert_true(linpred_model_feature_power(model, 0) == 1 && linpred_model_feature_power(model, 1) == 0);
    assert_int_equal(linpred_model_feature_power(model, 3), -1);
    assert_true(linpred_model_loss(model) == LINPRED_LOSS_SQUARED && linpred_model_degree(model) == 1);
    assert_int_equal(linpred_result_outcome(result), LINPRED_OUTCOME_OPTIMAL);
    assert_true(strlen(linpred_result_reason(result)) > 10);
    assert_string_equal(linpred_result_option(result, "class-weights"), "balanced");
    assert_null(linpred_result_option(result, "cost"));
    assert_true(linpred_result_class_weight(result, 1) > 0 && linpred_result_class_weight(result, -1) > 0);
    assert_true(strlen(linpred_result_no_standard_errors(result)) > 10); /* the objective has a penalty */
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    remove(path);
}

static void a_regression_tells_its_loss_and_degree(void **state)
{
    (void)state;
    static const char *const settings[] = {"degree", "2", "confidence", "0.9", NULL};
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 3, 2, 5, 4, 7};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 6, .columns = 1, .values = x, .labels = y};
    linpred_options *options = options_with(LINPRED_TASK_REGRESSION, settings);
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_result *result = fit(data, options);
    const linpred_model *model = linpred_result_model(result);
    assert_true(linpred_model_loss(model) == LINPRED_LOSS_SQUARED && linpred_model_degree(model) == 2);
    assert_int_equal(linpred_model_feature_power(model, 1), 2);
    assert_true(linpred_result_confidence(result) == 0.9);
    assert_null(linpred_result_no_standard_errors(result));
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

static bool count_updates(void *context, const linpred_update *update)
{
    int64_t *updates = context;
    return update->update == ++*updates;
}

static bool go_on(void *context, const linpred_progress *progress)
{
    (void)context;
    return progress->stage != NULL;
}

/* A perceptron that starts from weights that separate makes no update. */
static void a_fit_may_be_watched_and_started(void **state)
{
    (void)state;
    static const char *const settings[] = {"method", "perceptron", NULL};
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {-1, -1, -1, 1, 1, 1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 6, .columns = 1, .values = x, .labels = y};
    linpred_options *options = options_with(LINPRED_TASK_HALFSPACE, settings);
    linpred_data *data = NULL;
    int64_t updates = 0;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_options_on_update(options, count_updates, &updates);
    linpred_options_on_progress(options, go_on, NULL);
    linpred_result *first = fit(data, options);
    assert_true(updates > 0 && updates == linpred_result_count(first, "updates"));
    linpred_options_set_start(options, linpred_result_model(first));
    linpred_result *second = fit(data, options);
    assert_int_equal(linpred_result_count(second, "updates"), 0);
    assert_int_equal(linpred_result_outcome(second), LINPRED_OUTCOME_SEPARATED);
    linpred_result_free(first);
    linpred_result_free(second);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void rows_of_one_label_may_be_allowed(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, y[] = {1, 1, 1};
    static const char *const settings[] = {"method", "lp", NULL};
    static const char points_text[] = "x,y\n0,0\n1,0\n0,1\n";
    static const char *const path = "public_calls_points.csv";
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 3, .columns = 1, .values = x, .labels = y};
    linpred_options *options = options_with(LINPRED_TASK_HALFSPACE, settings);
    linpred_data *data = NULL, *points = NULL;
    linpred_result *result = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, options, &result, NULL), LINPRED_ERROR_INPUT);
    linpred_options_allow_one_class(options, true);
    result = fit(data, options);
    assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_SEPARATED);
    linpred_result_free(result);
    linpred_data_free(data);
    assert_int_equal(linpred_write_file(path, points_text, sizeof points_text - 1, NULL), LINPRED_OK);
    assert_int_equal(linpred_points_load(path, options, &points, NULL), LINPRED_OK);
    assert_true(linpred_data_rows(points) == 3 && linpred_data_columns(points) == 2);
    linpred_data_free(points);
    linpred_options_free(options);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(labels_and_threads_have_bounds),
        cmocka_unit_test(an_output_is_whole_or_not_there),
        cmocka_unit_test(texts),
        cmocka_unit_test(an_inspection_describes_the_columns),
        cmocka_unit_test(data_and_model_tell_how_features_are_made),
        cmocka_unit_test(a_regression_tells_its_loss_and_degree),
        cmocka_unit_test(a_fit_may_be_watched_and_started),
        cmocka_unit_test(rows_of_one_label_may_be_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
