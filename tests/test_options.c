/* Options by name, and what is refused: values out of bounds, options that a fit would ignore. And what can be asked of
 * data made from arrays. */
#include "support.h"

static linpred_options usual(void)
{
    linpred_options options;
    linpred__options_init(&options);
    return options;
}

static void switches_take_yes_and_no(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool on;
    } said[] = {{"", true}, {NULL, true}, {"yes", true}, {"true", true}, {"no", false}, {"false", false}};
    linpred_options options = usual();
    linpred_error error;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        options.no_intercept = !said[i].on;
        assert_int_equal(linpred_options_set(&options, "no-intercept", said[i].text, &error), LINPRED_OK);
        assert_true(options.no_intercept == said[i].on);
    }
    assert_int_equal(linpred_options_set(&options, "no-intercept", "perhaps", &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--no-intercept takes yes or no, not 'perhaps'");
    assert_false(options.no_intercept);
}

/* No text at all: an error where there must be some, the default where there need not. */
static void nothing_is_no_value(void **state)
{
    (void)state;
    linpred_options options = usual(), before = usual();
    linpred_error error;
    linpred_option_text option = {.struct_size = sizeof option};
    for (size_t i = 0; linpred_options_describe(i, &option); i++) {
        bool optional = strcmp(option.takes, "TEXT") == 0 || *option.takes == '\0';
        assert_int_equal(linpred_options_set(&options, option.name, NULL, &error),
                         optional ? LINPRED_OK : LINPRED_ERROR_USAGE);
        if (!optional)
            assert_non_null(strstr(error.message, "not nothing"));
    }
    assert_true(options.rate == before.rate && options.method == before.method && options.seed == before.seed);
    assert_int_equal(linpred_options_set(&options, "target", "a", &error), LINPRED_OK);
    assert_int_equal(linpred_options_set(&options, "target", NULL, &error), LINPRED_OK);
    assert_null(options.target);
    assert_int_equal(linpred_options_set(&options, NULL, "a", &error), LINPRED_ERROR_USAGE);
}

static linpred_data *two_points(sample *s)
{
    *s = sample_new(2, 1);
    s->values[0] = s->labels[0] = 1.0;
    s->values[1] = s->labels[1] = -1.0;
    return sample_data(s, false);
}

static void refused(const linpred_data *data, const linpred_options *options, const char *message)
{
    linpred_result *result = NULL;
    linpred_error error;
    assert_int_equal(linpred_fit(data, options, &result, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, message);
    assert_null(result);
}

static bool never(void *context, const linpred_update *update)
{
    (void)context;
    (void)update;
    return true;
}

static void a_fit_refuses_what_it_would_ignore(void **state)
{
    (void)state;
    sample s;
    linpred_data *data = two_points(&s);
    linpred_options options = usual();
    options.method = LINPRED_METHOD_LP;
    options.rate = 2.0;
    refused(data, &options, "--rate has no meaning for --method lp; it is for --method perceptron or pocket");
    options = usual();
    options.task = LINPRED_TASK_LOGISTIC;
    options.bound = true;
    refused(data, &options, "--bound has no meaning for fit logistic; it is for --method perceptron");
    options = usual();
    options.task = LINPRED_TASK_REGRESSION;
    options.loss = LINPRED_LOSS_ABSOLUTE;
    options.l2 = 1.0;
    refused(data, &options, "--l2 has no meaning for --loss absolute; it is for --loss squared or fit logistic");
    options = usual();
    options.task = LINPRED_TASK_REGRESSION;
    options.method = LINPRED_METHOD_LP;
    refused(data, &options, "--method has no meaning for --loss squared; it is for fit halfspace or logistic or ball");
    options = usual();
    options.method = LINPRED_METHOD_NEWTON;
    refused(data, &options,
            "--method newton is not a method of fit halfspace, which has auto|perceptron|pocket|lp|margin|exact");
    options = usual();
    options.method = LINPRED_METHOD_PERCEPTRON;
    options.seed = 2;
    refused(data, &options, "--seed has no meaning where nothing is random: choose --order random, or leave it out");
    options = usual();
    options.on_update = never;
    refused(data, &options, "--trace has no meaning for --method auto; it is for --method perceptron or pocket");
    linpred_data_free(data);
    sample_free(&s);
}

static void intervals_are_refused_where_there_are_none(void **state)
{
    (void)state;
    sample s;
    linpred_data *data = two_points(&s);
    linpred_options options;
    for (int k = 0; k < 3; k++) {
        static const char *const without[] = {"--l2", "--l2", "--class-weights"};
        char message[100];
        options = usual();
        options.task = k == 0 ? LINPRED_TASK_REGRESSION : LINPRED_TASK_LOGISTIC;
        options.confidence = 0.9;
        options.l2 = k < 2 ? 0.5 : 0.0;
        options.class_weights = k == 2 ? "balanced" : NULL;
        snprintf(message, sizeof message, "--confidence has no meaning with %s, which gives no intervals", without[k]);
        refused(data, &options, message);
    }
    options = usual();
    options.task = LINPRED_TASK_LOGISTIC;
    options.confidence = 0.9;
    assert_int_equal(linpred_options_check(&options, NULL), LINPRED_OK);
    linpred_data_free(data);
    sample_free(&s);
}

static void options_of_other_calls_are_let_through(void **state)
{
    (void)state;
    sample s;
    linpred_data *data = two_points(&s);
    linpred_result *result = NULL;
    linpred_options options = usual();
    options.target = "a";
    options.unknown_level = LINPRED_UNKNOWN_ZERO;
    options.instance_rows = 7;
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    options = usual();
    options.method = LINPRED_METHOD_MARGIN;
    options.start = linpred_result_model(result);
    refused(data, &options,
            "--start has no meaning for --method margin; it is for --method perceptron or pocket or fit logistic");
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

static void a_fit_refuses_values_out_of_bounds(void **state)
{
    (void)state;
    sample s;
    linpred_data *data = two_points(&s);
    linpred_options options = usual();
    options.task = (linpred_task)77;
    refused(data, &options, "the task is 77, which is no task");
    options = usual();
    options.max_passes = 0;
    refused(data, &options, "--max-passes takes a whole number from 1 up, not '0'");
    options = usual();
    options.rate = NAN;
    refused(data, &options, "--rate takes a number above 0, not 'nan'");
    options = usual();
    options.order = (linpred_order)4;
    refused(data, &options, "--order takes cyclic|first|random|worst, not '4'");
    linpred_data_free(data);
    sample_free(&s);
}

/* So do the questions of theory; what belongs to reading is let through. */
static void theory_refuses_what_it_would_ignore(void **state)
{
    (void)state;
    sample s = sample_new(3, 1);
    for (int i = 0; i < 3; i++) {
        s.values[i] = i;
        s.labels[i] = i > 1 ? 1.0 : -1.0;
    }
    linpred_data *data = sample_data(&s, false);
    linpred_options options = usual();
    linpred_result *result = NULL;
    linpred_shattering *shattering = NULL;
    linpred_generalization generalization = {.struct_size = sizeof generalization};
    linpred_bounds *bounds = NULL;
    linpred_error error;
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    options.target = "y";
    options.delta = 0.2;
    options.max_passes = 7; /* of a fit */
    assert_int_equal(linpred_generalize(result, data, &options, &generalization, &bounds, &error), LINPRED_OK);
    linpred_bounds_free(bounds);
    bounds = NULL;
    options.epsilon = 0.2;
    assert_int_equal(linpred_generalize(result, data, &options, &generalization, &bounds, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--epsilon has no meaning for a bound from the error on rows");
    options.vc = 3;
    assert_int_equal(linpred_sample_size(&options, &bounds, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--max-passes has no meaning for sample sizes");
    options.max_passes = usual().max_passes;
    assert_int_equal(linpred_sample_size(&options, &bounds, &error), LINPRED_OK);
    linpred_bounds_free(bounds);
    assert_int_equal(linpred_shatter(data, &options, &shattering, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--vc has no meaning for shattering");
    options = usual();
    options.l2 = 0.1;
    assert_int_equal(linpred_shatter(data, &options, &shattering, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--l2 has no meaning for shattering");
    linpred_result *separation = NULL;
    assert_int_equal(linpred_find_separation(data, &options, &separation, &error), LINPRED_ERROR_USAGE);
    assert_string_equal(error.message, "--l2 has no meaning for the question whether rows are separated");
    assert_null(separation);
    options.l2 = -1;
    assert_int_equal(linpred_shatter(data, &options, &shattering, &error), LINPRED_ERROR_USAGE);
    assert_null(shattering);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

static void statuses_have_names(void **state)
{
    (void)state;
    assert_string_equal(linpred_status_name(LINPRED_OK), "OK");
    assert_string_equal(linpred_status_name(LINPRED_ERROR_INPUT), "ERROR_INPUT");
    assert_string_equal(linpred_status_name((linpred_status)99), "UNKNOWN");
    assert_string_equal(linpred_status_text(LINPRED_ERROR_MEMORY), "out of memory");
    for (int i = 0; i <= LINPRED_ERROR_INTERNAL; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(linpred_status_text((linpred_status)i), linpred_status_text((linpred_status)j));
}

static void arrays_have_names(void **state)
{
    (void)state;
    sample s = sample_new(2, 3);
    s.labels[0] = 1.0;
    s.labels[1] = -1.0;
    linpred_data *data = sample_data(&s, false);
    assert_string_equal(linpred_data_feature(data, 0), "x1");
    assert_string_equal(linpred_data_feature(data, 2), "x3");
    assert_null(linpred_data_feature(data, 3));
    assert_string_equal(linpred_data_label(data, 1), "1");
    assert_string_equal(linpred_data_label(data, -1), "-1");
    assert_string_equal(linpred_data_target(data), "label");
    linpred_note note = {.struct_size = sizeof note};
    assert_true(linpred_data_note(data, 0, &note));
    assert_string_equal(note.sentence, "score > 0 means label = 1; score < 0 means -1");
    assert_string_equal(note.kind, "labels");
    assert_string_equal(note.column, "label");
    assert_false(linpred_data_note(data, 1, &note));
    linpred_data_free(data);
    s.labels[1] = 0.5;
    data = sample_data(&s, false);
    assert_string_equal(linpred_data_feature(data, 1), "x2");
    assert_true(linpred_data_note(data, 0, &note));
    assert_string_equal(note.sentence, "the score is label itself");
    assert_string_equal(note.kind, "target");
    linpred_data_free(data);
    sample_free(&s);
}

/* Starts out of order are refused before an entry is read by them: the arrays end where the entries do. */
static void arrays_are_checked_before_use(void **state)
{
    (void)state;
    static const struct {
        int64_t start[3];
        const char *message;
    } wrong[] = {
        {{-1, 1, 2}, "row 1 starts before the first entry"},
        {{INT64_MIN, 1, 2}, "row 1 starts before the first entry"},
        {{0, INT64_MAX, 2}, "row 2 ends before it starts"},
        {{2, 1, 2}, "row 1 ends before it starts"},
    };
    const double labels[] = {1.0, -1.0};
    double weights[] = {1.0, 1.0};
    double *entries = calloc(2, sizeof *entries); /* on the heap, where a sanitizer watches both ends */
    int32_t *indices = calloc(2, sizeof *indices);
    assert_true(entries && indices);
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = 2, .columns = 1, .values = entries, .indices = indices, .labels = labels};
    linpred_data *data = NULL;
    linpred_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        arrays.start = wrong[i].start;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
        assert_string_equal(error.message, wrong[i].message);
        assert_null(data);
    }
    const int64_t right[] = {0, 1, 2};
    arrays.start = right;
    arrays.weights = weights;
    const double bad[] = {-1.0, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        weights[1] = bad[i];
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
        assert_string_equal(error.message, "the weight of row 2 is negative or not finite");
    }
    weights[0] = weights[1] = 0.0;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_ERROR_INPUT);
    assert_string_equal(error.message, "no row is left: all have weight 0");
    weights[0] = weights[1] = 2.0;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    linpred_data_free(data);
    free(entries);
    free(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_take_yes_and_no),
        cmocka_unit_test(nothing_is_no_value),
        cmocka_unit_test(a_fit_refuses_what_it_would_ignore),
        cmocka_unit_test(intervals_are_refused_where_there_are_none),
        cmocka_unit_test(options_of_other_calls_are_let_through),
        cmocka_unit_test(a_fit_refuses_values_out_of_bounds),
        cmocka_unit_test(theory_refuses_what_it_would_ignore),
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(arrays_have_names),
        cmocka_unit_test(arrays_are_checked_before_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
