/* The public interface as a program meets it: options by name, structs of other sizes, models in memory, labels, notes.
 * Everything here goes through the public header. */
#include <stddef.h>
#include <unistd.h>

#include "support.h"

/* ---- options -------------------------------------------------------------------------------------------------------
 */

static void options_own_their_text(void **state)
{
    (void)state;
    char name[] = "petals";
    linpred_options *options = linpred_options_new();
    assert_non_null(options);
    assert_null(linpred_options_get_text(options, "target"));
    assert_int_equal(linpred_options_set(options, "target", name, NULL), LINPRED_OK);
    name[0] = 'm';
    assert_string_equal(linpred_options_get_text(options, "target"), "petals");
    linpred_options *copy = linpred_options_copy(options);
    assert_non_null(copy);
    assert_int_equal(linpred_options_set_text(options, "target", "stems", NULL), LINPRED_OK);
    assert_string_equal(linpred_options_get_text(copy, "target"), "petals");
    assert_true(linpred_options_given(copy, "target"));
    linpred_options_free(options);
    assert_string_equal(linpred_options_get_text(copy, "target"), "petals");
    assert_int_equal(linpred_options_set_text(copy, "target", NULL, NULL), LINPRED_OK);
    assert_null(linpred_options_get_text(copy, "target"));
    assert_false(linpred_options_given(copy, "target"));
    linpred_options_free(copy);
}

static void options_have_types(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    linpred_error error;
    assert_int_equal(linpred_options_set_number(options, "l2", 0.25, &error), LINPRED_OK);
    assert_true(linpred_options_get_number(options, "l2") == 0.25);
    assert_int_equal(linpred_options_set_count(options, "seed", 7, &error), LINPRED_OK);
    assert_int_equal(linpred_options_get_count(options, "seed"), 7);
    assert_int_equal(linpred_options_set_switch(options, "bound", true, &error), LINPRED_OK);
    assert_true(linpred_options_get_switch(options, "bound"));
    assert_int_equal(linpred_options_set_choice(options, "method", LINPRED_METHOD_MARGIN, &error), LINPRED_OK);
    assert_int_equal(linpred_options_get_choice(options, "method"), LINPRED_METHOD_MARGIN);
    linpred_options_set_task(options, LINPRED_TASK_BALL);
    assert_int_equal(linpred_options_get_task(options), LINPRED_TASK_BALL);
    for (int task = LINPRED_TASK_HALFSPACE; task <= LINPRED_TASK_BALL; task++) {
        assert_int_equal(linpred_options_set(options, "task", linpred_task_name((linpred_task)task), &error),
                         LINPRED_OK);
        assert_int_equal(linpred_options_get_task(options), task);
    }
    /* What is refused changes nothing. */
    assert_int_equal(linpred_options_set_number(options, "l2", -1.0, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--l2 takes a number from 0 up, not '-1'");
    assert_true(linpred_options_get_number(options, "l2") == 0.25);
    assert_int_equal(linpred_options_set_count(options, "l2", 1, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--l2 is a number, not a count");
    assert_int_equal(linpred_options_set_choice(options, "method", LINPRED_METHOD_GRAM, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_options_get_choice(options, "method"), LINPRED_METHOD_MARGIN);
    assert_int_equal(linpred_options_set(options, "colour", "red", &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "there is no option --colour");
    assert_int_equal(linpred_options_set(options, "task", "cube", &error), LINPRED_ERROR_USAGE);
    /* Of another type, or not there. */
    assert_null(linpred_options_get_text(options, "l2"));
    assert_true(isnan(linpred_options_get_number(options, "seed")));
    assert_int_equal(linpred_options_get_count(options, "colour"), -1);
    assert_int_equal(linpred_options_get_choice(options, "colour"), -1);
    linpred_options_free(options);
}

/* An option that was set by name is given, though its value is the default; what would be ignored is an error. */
static void given_counts(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    linpred_error error;
    assert_false(linpred_options_given(options, "seed"));
    assert_int_equal(linpred_options_set(options, "method", "perceptron", &error), LINPRED_OK);
    assert_int_equal(linpred_options_check(options, &error), LINPRED_OK);
    assert_int_equal(linpred_options_set_count(options, "seed", 1, &error), LINPRED_OK);
    assert_true(linpred_options_given(options, "seed"));
    assert_int_equal(linpred_options_check(options, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_options_set(options, "order", "random", &error), LINPRED_OK);
    assert_int_equal(linpred_options_check(options, &error), LINPRED_OK);
    linpred_options_free(options);
}

static void scopes_have_words(void **state)
{
    (void)state;
    char text[80];
    linpred_options *options = linpred_options_new();
    linpred_option_text option = {.struct_size = sizeof option};
    size_t count = 0;
    for (; linpred_options_describe(count, &option); count++) {
        assert_true(*option.name && *option.help && *option.scopes);
        assert_true(strlen(option.scopes) + 1 < sizeof option.scopes);
    }
    assert_true(count > 40);
    assert_int_equal(linpred_scopes_text("pocket perceptron read nobody-knows-this", text, sizeof text),
                     strlen("--method perceptron or pocket"));
    assert_string_equal(text, "--method perceptron or pocket");
    assert_int_equal(linpred_scopes_text("read", text, sizeof text), 0);
    assert_false(linpred_options_listens(options, "start"));
    assert_true(linpred_options_listens(options, "nothing fit"));
    assert_int_equal(linpred_options_set(options, "method", "pocket", NULL), LINPRED_OK);
    assert_true(linpred_options_listens(options, "start"));
    linpred_options_free(options);
}

static void methods_are_listed_by_task(void **state)
{
    (void)state;
    linpred_method_text method = {.struct_size = sizeof method};
    assert_true(linpred_methods_describe(LINPRED_TASK_LOGISTIC, 2, &method));
    assert_int_equal(method.method, LINPRED_METHOD_NEWTON_CG);
    assert_string_equal(method.name, "newton-cg");
    assert_string_equal(method.scope, "logistic-newton-cg");
    assert_false(linpred_methods_describe(LINPRED_TASK_LOGISTIC, 3, &method));
    assert_false(linpred_methods_describe(LINPRED_TASK_REGRESSION, 0, &method));
    method.struct_size = 0;
    assert_false(linpred_methods_describe(LINPRED_TASK_BALL, 0, &method));
}

/* ---- structs of another version
 * -------------------------------------------------------------------------------------- */

/* A program of an older version knows fewer members. */
static void a_shorter_struct_is_filled_as_far_as_it_goes(void **state)
{
    (void)state;
    sample s = sample_new(3, 2);
    s.labels[0] = 1.0;
    s.labels[1] = s.labels[2] = -1.0;
    linpred_data *data = sample_data(&s, false);
    linpred_shape shape;
    memset(&shape, 0x5A, sizeof shape);
    shape.struct_size = offsetof(linpred_shape, rows_in_file);
    assert_true(linpred_data_shape(data, &shape));
    assert_true(shape.rows == 3 && shape.columns == 2 && shape.entries == 6 && !shape.sparse);
    assert_int_equal(shape.struct_size, offsetof(linpred_shape, rows_in_file));
    for (size_t i = shape.struct_size; i < sizeof shape; i++)
        assert_int_equal(((unsigned char *)&shape)[i], 0x5A);
    /* One of a later version knows more: it finds 0. */
    struct {
        linpred_shape known;
        int64_t later[4];
    } longer;
    memset(&longer, 0x5A, sizeof longer);
    longer.known.struct_size = sizeof longer;
    assert_true(linpred_data_shape(data, &longer.known));
    assert_true(longer.known.whole_weights && longer.known.weight == 3.0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(longer.later[i], 0);
    /* Never set. */
    static const size_t unset[] = {0, 1, sizeof(size_t), (size_t)-1};
    for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++) {
        memset(&shape, 0x5A, sizeof shape);
        shape.struct_size = unset[i];
        assert_false(linpred_data_shape(data, &shape));
        assert_int_equal(shape.rows, 0x5A5A5A5A5A5A5A5A);
    }
    linpred_data_free(data);
    sample_free(&s);
}

static void what_is_read_may_be_shorter_or_longer(void **state)
{
    (void)state;
    static const double values[] = {1, -1}, labels[] = {1, -1};
    struct {
        linpred_arrays known;
        int64_t later[4];
    } longer = {.known = {.struct_size = sizeof longer, .rows = 2, .columns = 1, .values = values, .labels = labels}};
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(linpred_data_from_arrays(&longer.known, &data, &error), LINPRED_OK);
    linpred_data_free(data);
    data = NULL;
    longer.later[3] = 1; /* asks for something that is not known */
    assert_int_equal(linpred_data_from_arrays(&longer.known, &data, &error), LINPRED_ERROR_USAGE);
    assert_null(data);
    longer.known.struct_size = offsetof(linpred_arrays, weights); /* what follows is not looked at */
    longer.known.weights = (const double *)(uintptr_t)8;
    longer.known.release = (void (*)(void *))(uintptr_t)8;
    assert_int_equal(linpred_data_from_arrays(&longer.known, &data, &error), LINPRED_OK);
    linpred_data_free(data);
    data = NULL;
    longer.known.struct_size = 0;
    assert_int_equal(linpred_data_from_arrays(&longer.known, &data, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "set struct_size of linpred_arrays to sizeof(linpred_arrays)");
    linpred_allocator allocator = {.struct_size = 0};
    assert_false(linpred_set_allocator(&allocator));
}

static void versions_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LINPRED_VERSION_MAJOR, LINPRED_VERSION_MINOR, LINPRED_VERSION_PATCH);
    assert_string_equal(linpred_version(), text);
    assert_string_equal(LINPRED_PROJECT_VERSION, text); /* of CMake, of packages */
    assert_int_equal(linpred_version_number(), LINPRED_VERSION_NUMBER);
    assert_true(LINPRED_VERSION_NUMBER ==
                LINPRED_VERSION_MAJOR * 1000000 + LINPRED_VERSION_MINOR * 1000 + LINPRED_VERSION_PATCH);
}

/* ---- what the program does
 * ---------------------------------------------------------------------------------------------- */

static linpred_data *load(const char *text, const linpred_options *options)
{
    char path[] = "/tmp/linpred_interface_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    if (linpred_data_load(path, options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    unlink(path);
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

static void labels_are_signs_of_scores(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    assert_int_equal(linpred_options_set(options, "missing", "drop", NULL), LINPRED_OK);
    linpred_data *data = load("x,y\n1,no\n2,no\n,no\n3,yes\n4,yes\n", options);
    linpred_result *result = fit(data, options);
    const linpred_model *model = linpred_result_model(result);
    signed char labels[5];
    static const signed char expected[] = {-1, -1, 0, 1, 1}; /* 0: the row was dropped */
    assert_int_equal(linpred_predict_labels(model, data, 1, labels, NULL), LINPRED_OK);
    assert_memory_equal(labels, expected, sizeof expected);
    assert_string_equal(linpred_model_label(model, labels[0]), "no");
    assert_string_equal(linpred_model_label(model, labels[4]), "yes");
    /* Rows without labels; one lies on the boundary, where the label is +1. */
    const double x[] = {-linpred_model_intercept(model) / linpred_model_coefficients(model)[0], 0.0};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 2, .columns = 1, .values = x};
    linpred_data *fresh = NULL;
    linpred_error error;
    double scores[2];
    assert_int_equal(linpred_data_from_arrays(&arrays, &fresh, NULL), LINPRED_OK);
    assert_int_equal(linpred_score(model, fresh, 1, scores, NULL), LINPRED_OK);
    assert_int_equal(linpred_predict_labels(model, fresh, 1, labels, NULL), LINPRED_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(labels[i], scores[i] >= 0 ? 1 : -1);
    linpred_result *none = NULL;
    for (int task = LINPRED_TASK_HALFSPACE; task <= LINPRED_TASK_BALL; task++) {
        linpred_options *plain = linpred_options_new();
        linpred_options_set_task(plain, (linpred_task)task);
        assert_int_equal(linpred_fit(fresh, plain, &none, &error), LINPRED_ERROR_USAGE);
        assert_string_equal(error.message, "the rows have no labels or targets to fit to");
        linpred_options_free(plain);
    }
    linpred_data_free(fresh);
    linpred_result_free(result);
    linpred_data_free(data);
    /* A regression has none. */
    assert_int_equal(linpred_options_set(options, "task", "regression", NULL), LINPRED_OK);
    data = load("x,y\n1,1\n2,3\n3,4\n", options);
    result = fit(data, options);
    assert_int_equal(linpred_predict_labels(linpred_result_model(result), data, 1, labels, &error),
                     LINPRED_ERROR_USAGE);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void models_live_in_memory_too(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    linpred_data *data = load("a,b,y\n1,2,no\n2,0.1,no\n3,5,yes\n4,4,yes\n", options);
    linpred_result *result = fit(data, options), *again = NULL;
    char *text = NULL, *second = NULL;
    size_t bytes = 0;
    linpred_error error;
    assert_int_equal(linpred_result_to_text(result, &text, &bytes, NULL), LINPRED_OK);
    assert_int_equal(strlen(text), bytes);
    assert_int_equal(linpred_result_from_text(text, bytes, false, &again, NULL), LINPRED_OK);
    assert_int_equal(linpred_result_to_text(again, &second, NULL, NULL), LINPRED_OK);
    assert_string_equal(text, second);
    /* The file is the same text. */
    char path[] = "/tmp/linpred_interface_XXXXXX", *read = calloc(bytes + 2, 1);
    close(mkstemp(path));
    assert_int_equal(linpred_result_save(result, path, NULL), LINPRED_OK);
    FILE *file = fopen(path, "r");
    assert_int_equal(fread(read, 1, bytes + 2, file), bytes);
    assert_string_equal(read, text);
    fclose(file);
    unlink(path);
    free(read);
    /* Damage is found as in a file. */
    linpred_result *none = NULL;
    text[bytes / 2] ^= 1;
    assert_int_equal(linpred_result_from_text(text, bytes, false, &none, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(linpred_result_from_text(text, bytes / 2, false, &none, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(linpred_result_from_text("", 0, false, &none, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(linpred_result_from_text("x,y\n", 4, false, &none, &error), LINPRED_ERROR_INPUT);
    assert_string_equal(error.message, "'the text' is not a linpred model: it does not begin with '{'; a model is what "
                                       "'linpred fit' writes with -o");
    assert_null(none);
    linpred_text_free(text);
    linpred_text_free(second);
    linpred_result_free(result);
    linpred_result_free(again);
    linpred_data_free(data);
    linpred_options_free(options);
}

/* The mean of tiny numbers loses no digits, and that of huge ones does not overflow. */
static void means_of_extreme_columns(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    assert_int_equal(linpred_options_set(options, "missing", "mean", NULL), LINPRED_OK);
    linpred_data *data = load("small,large,y\n1e-305,1.5e308,0\n3e-305,1.5e308,1\n,,1\n1.25e-305,1.5e308,0\n", options);
    const linpred__recipe *recipe = data->recipe;
    assert_true(fabs(recipe->source[0].mean / 1.75e-305 - 1.0) <= 0x1p-51);
    assert_true(fabs(recipe->source[1].mean / 1.5e308 - 1.0) <= 0x1p-51);
    linpred_data_free(data);
    linpred_options_free(options);
}

static void notes_are_values(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    assert_int_equal(linpred_options_set(options, "missing", "mean", NULL), LINPRED_OK);
    linpred_data *data = load("n,colour,same,y\n1,red,u,a\n9007199254740993,blue,u,b\n,green,u,a\n", options);
    static const struct {
        const char *kind, *column;
        int64_t count;
    } expected[] = {{"labels", "y", 2}, {"levels", "colour", 3}, {"one_level", "same", 1}, {"missing_mean", NULL, -1}};
    linpred_note note = {.struct_size = sizeof note};
    size_t i = 0;
    for (; linpred_data_note(data, i, &note); i++) {
        assert_true(i < sizeof expected / sizeof expected[0]);
        assert_string_equal(note.kind, expected[i].kind);
        assert_int_equal(note.count, expected[i].count);
        assert_true((note.column == NULL) == (expected[i].column == NULL));
        if (note.column)
            assert_string_equal(note.column, expected[i].column);
    }
    assert_int_equal(i, sizeof expected / sizeof expected[0]);
    assert_true(linpred_data_warning(data, 0, &note));
    assert_string_equal(note.kind, "altered_numbers");
    assert_string_equal(note.column, "n");
    assert_true(note.count == 1 && note.line == 3 && strstr(note.sentence, "rounded to the nearest double"));
    assert_false(linpred_data_warning(data, 1, &note));
    linpred_data_free(data);
    linpred_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_own_their_text),
        cmocka_unit_test(options_have_types),
        cmocka_unit_test(given_counts),
        cmocka_unit_test(scopes_have_words),
        cmocka_unit_test(methods_are_listed_by_task),
        cmocka_unit_test(a_shorter_struct_is_filled_as_far_as_it_goes),
        cmocka_unit_test(what_is_read_may_be_shorter_or_longer),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(labels_are_signs_of_scores),
        cmocka_unit_test(models_live_in_memory_too),
        cmocka_unit_test(means_of_extreme_columns),
        cmocka_unit_test(notes_are_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
