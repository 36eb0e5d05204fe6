/* Data of the caller's memory: names of arrays, and tables with text and missing values, which must give the same data
 * as a file with the same cells. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

enum { ROWS = 6 };
static const double age[ROWS] = {31, 45, 28, 52, 39, 61};
static const double colour[ROWS] = {2, 0, 3, 2, 0, 3}; /* level 1 has no row */
/* Whole numbers: a fraction means a decimal in a file, and a double in a frame. */
static const double weight[ROWS] = {71, 82, 61, 90, 76, 88};
static const char *const levels[] = {"blue", "unused", "red", "green"};

static linpred_frame_column number_column(const char *name, const double *values)
{
    return (linpred_frame_column){.struct_size = sizeof(linpred_frame_column), .name = name, .values = values};
}

static linpred_frame_column text_column(const char *name, const double *values)
{
    linpred_frame_column column = number_column(name, values);
    column.levels = levels;
    column.level_count = 4;
    return column;
}

static linpred_options *regression(void)
{
    linpred_options *options = linpred_options_new();
    assert_non_null(options);
    linpred_options_set_task(options, LINPRED_TASK_REGRESSION);
    return options;
}

static linpred_status from_columns(const linpred_frame_column *columns, int32_t count, const linpred_options *options,
                                   linpred_data **data, linpred_error *error)
{
    const linpred_frame_column *pointer[4];
    for (int32_t c = 0; c < count; c++)
        pointer[c] = &columns[c];
    linpred_frame table = {.struct_size = sizeof table, .rows = ROWS, .columns = count, .column = pointer};
    return linpred_data_from_frame(&table, options, data, error);
}

/* A table gives the same features and the same fit as the file that holds its cells. */
static void table_is_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/linpred_table_XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs("age,colour,weight\n", file);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%g,%s,%g\n", age[i], levels[(int)colour[i]], weight[i]);
    fclose(file);
    linpred_options *options = regression();
    const linpred_frame_column columns[] = {number_column("age", age), text_column("colour", colour),
                                            number_column("weight", weight)};
    linpred_data *data[2] = {NULL, NULL};
    linpred_result *result[2] = {NULL, NULL};
    assert_int_equal(linpred_data_load(path, options, &data[0], NULL), LINPRED_OK);
    assert_int_equal(from_columns(columns, 3, options, &data[1], NULL), LINPRED_OK);
    assert_int_equal(linpred_data_columns(data[1]), 3);
    for (int i = 0; i < 2; i++)
        assert_int_equal(linpred_fit(data[i], options, &result[i], NULL), LINPRED_OK);
    for (int32_t j = 0; j < 3; j++) {
        assert_string_equal(linpred_data_feature(data[0], j), linpred_data_feature(data[1], j));
        assert_true(linpred_model_coefficients(linpred_result_model(result[0]))[j] ==
                    linpred_model_coefficients(linpred_result_model(result[1]))[j]);
    }
    assert_null(linpred_data_level(data[1], "colour", 3)); /* the level without a row is none */
    linpred_check *check = NULL;
    assert_int_equal(linpred_verify(result[1], data[0], 0, &check, NULL), LINPRED_OK);
    assert_true(linpred_check_same_data(check));
    linpred_check_free(check);
    for (int i = 0; i < 2; i++) {
        linpred_result_free(result[i]);
        linpred_data_free(data[i]);
    }
    linpred_options_free(options);
    unlink(path);
}

/* New rows are encoded by the model's recipe, whatever the order of columns and levels. */
static void new_rows_follow_the_recipe(void **state)
{
    (void)state;
    linpred_options *options = regression();
    const linpred_frame_column columns[] = {number_column("age", age), text_column("colour", colour),
                                            number_column("weight", weight)};
    linpred_data *data = NULL, *fresh = NULL;
    linpred_result *result = NULL;
    assert_int_equal(from_columns(columns, 3, options, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, options, &result, NULL), LINPRED_OK);
    static const char *const others[] = {"green", "red", "violet"};
    static const double code[2] = {1, 0}, years[4] = {31, -1, 28, -1};
    linpred_frame_column paint = number_column("colour", code), time = number_column("age", years);
    paint.levels = others;
    paint.level_count = 3;
    time.stride = 2;
    const linpred_frame_column *pointer[] = {&paint, &time};
    linpred_frame table = {.struct_size = sizeof table, .rows = 2, .columns = 2, .column = pointer};
    const linpred_model *model = linpred_result_model(result);
    linpred_error error;
    double scores[ROWS], again[2];
    assert_int_equal(linpred_data_from_frame_for(model, &table, false, NULL, &fresh, &error), LINPRED_OK);
    assert_int_equal(linpred_score(model, data, 0, scores, NULL), LINPRED_OK);
    assert_int_equal(linpred_score(model, fresh, 0, again, NULL), LINPRED_OK);
    assert_true(again[0] == scores[0] && again[1] == scores[2]);
    linpred_data_free(fresh);
    static const double unknown[2] = {2, 0};
    paint.values = unknown;
    fresh = NULL;
    assert_int_equal(linpred_data_from_frame_for(model, &table, false, NULL, &fresh, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "violet"));
    assert_int_equal(linpred_data_from_frame_for(model, &table, true, NULL, &fresh, &error), LINPRED_ERROR_INPUT);
    assert_null(fresh);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void missing_values_follow_the_options(void **state)
{
    (void)state;
    double holes[ROWS];
    memcpy(holes, age, sizeof holes);
    holes[2] = NAN;
    linpred_options *options = regression();
    const linpred_frame_column columns[] = {number_column("age", holes), number_column("weight", weight)};
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(from_columns(columns, 2, options, &data, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message, "frame: row 3: column 1 (age) has a missing value, 1 in all; choose --missing "
                                       "drop or --missing mean, or leave the column out with --drop");
    assert_int_equal(linpred_options_set(options, "missing", "drop", NULL), LINPRED_OK);
    assert_int_equal(from_columns(columns, 2, options, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_data_rows(data), ROWS - 1);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void wrong_tables_are_refused(void **state)
{
    (void)state;
    static const double endless[ROWS] = {1, 2, INFINITY, 4, 5, 6}, half[ROWS] = {0, 0.5, 1, 2, 3, 0};
    static const char *const twice[] = {"a", "b", "a", "c"};
    linpred_options *options = regression();
    linpred_data *data = NULL;
    linpred_error error;
    linpred_frame_column target = number_column("weight", weight), bad = number_column("x", endless);
    linpred_frame_column wrong[2] = {bad, target};
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_INPUT);
    assert_true(error.line == 3 && error.column == 1);
    wrong[0] = text_column("x", half);
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_INPUT);
    assert_true(error.line == 2);
    wrong[0] = text_column("x", colour);
    wrong[0].levels = twice;
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_INPUT);
    wrong[0] = number_column("weight", age);
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_INPUT);
    wrong[0] = number_column(NULL, age);
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_USAGE);
    wrong[0] = number_column("x", NULL);
    assert_int_equal(from_columns(wrong, 2, options, &data, &error), LINPRED_ERROR_USAGE);
    linpred_frame table = {.struct_size = sizeof table, .rows = 0, .columns = 1};
    assert_int_equal(linpred_data_from_frame(&table, options, &data, &error), LINPRED_ERROR_INPUT);
    assert_null(data);
    linpred_options_free(options);
}

/* The names of arrays are those of the model, its file and its sentences. */
static void arrays_have_names(void **state)
{
    (void)state;
    static const double x[4][2] = {{2, 1}, {1, 3}, {-1, -2}, {-3, 0.5}}, y[4] = {1, 1, -1, -1};
    static const char *const names[] = {"width", "height"}, *const same[] = {"width", "width"};
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = 4,
                             .columns = 2,
                             .values = &x[0][0],
                             .labels = y,
                             .names = names,
                             .target = "kind",
                             .label = {"cherry", "plum"}};
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL, *again = NULL;
    char *text = NULL;
    size_t bytes;
    linpred_error error;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    assert_string_equal(linpred_data_feature(data, 1), "height");
    assert_string_equal(linpred_data_target(data), "kind");
    assert_int_equal(linpred_fit(data, options, &result, &error), LINPRED_OK);
    assert_int_equal(linpred_result_to_text(result, &text, &bytes, &error), LINPRED_OK);
    assert_int_equal(linpred_result_from_text(text, bytes, false, &again, &error), LINPRED_OK);
    const linpred_model *model = linpred_result_model(again);
    assert_string_equal(linpred_model_feature(model, 0), "width");
    assert_string_equal(linpred_model_label(model, -1), "cherry");
    assert_string_equal(linpred_model_label(model, +1), "plum");
    linpred_text_free(text);
    linpred_result_free(again);
    linpred_result_free(result);
    linpred_data_free(data);
    data = NULL;
    arrays.names = same;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    arrays.names = names;
    arrays.label[0] = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_USAGE);
    arrays.label[0] = "plum";
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    arrays.label[0] = "\xff";
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    assert_null(data);
    linpred_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_a_file),
        cmocka_unit_test(new_rows_follow_the_recipe),
        cmocka_unit_test(missing_values_follow_the_options),
        cmocka_unit_test(wrong_tables_are_refused),
        cmocka_unit_test(arrays_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
