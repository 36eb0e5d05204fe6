/* Every public call that answers a status, with each of its pointers NULL in turn: LINPRED_ERROR_USAGE and a sentence
 * that names the call, nothing written. And freeing nothing. */
#include <glob.h>
#include <string.h>

#include "support.h"

static linpred_options options;
static linpred_data *data;
static linpred_result *fitted;
static const linpred_model *model;
static char untouched; /* what out-parameters point to before and after */

#define HOLE(index, value) (hole == (index) ? NULL : (value))
#define OUT(type) ((type *)&out)
static void *out = &untouched;
static double numbers[8];
static signed char signs[4];
static int64_t counts[8];

#define CALL(name, ...)                                                                                                \
    static linpred_status call_##name(int hole, linpred_error *error)                                                  \
    {                                                                                                                  \
        return linpred_##name(__VA_ARGS__);                                                                            \
    }

static linpred_arrays arrays_of(void)
{
    static const double values[] = {0, 1, 2, 3}, labels[] = {-1, -1, 1, 1};
    return (linpred_arrays){
        .struct_size = sizeof(linpred_arrays), .rows = 4, .columns = 1, .values = values, .labels = labels};
}

static linpred_arrays arrays;
static linpred_frame frame = {.struct_size = sizeof frame};
static linpred_evaluation evaluation = {.struct_size = sizeof evaluation};
static linpred_shape converted = {.struct_size = sizeof converted};
static linpred_check *check;
static linpred_bound bound = {.struct_size = sizeof bound};
static linpred_generalization generalization = {.struct_size = sizeof generalization};

CALL(options_set, HOLE(0, &options), HOLE(1, "seed"), "7", error)
CALL(options_set_text, HOLE(0, &options), HOLE(1, "target"), "y", error)
CALL(options_set_number, HOLE(0, &options), HOLE(1, "l2"), 0.1, error)
CALL(options_set_count, HOLE(0, &options), HOLE(1, "seed"), 7, error)
CALL(options_set_switch, HOLE(0, &options), HOLE(1, "bound"), true, error)
CALL(options_set_choice, HOLE(0, &options), HOLE(1, "method"), LINPRED_METHOD_LP, error)
CALL(options_add_file, HOLE(0, &options), HOLE(1, "nowhere.csv"), error)
CALL(options_check, HOLE(0, &options), error)
CALL(data_load, HOLE(0, "nowhere.csv"), HOLE(1, &options), HOLE(2, OUT(linpred_data *)), error)
CALL(convert, HOLE(0, "nowhere.csv"), HOLE(1, &options), HOLE(2, "nowhere.npz"), HOLE(3, &converted), error)
CALL(data_load_for, HOLE(0, model), HOLE(1, "nowhere.csv"), true, &options, HOLE(2, OUT(linpred_data *)), error)
CALL(data_from_arrays, HOLE(0, &arrays), HOLE(1, OUT(linpred_data *)), error)
CALL(data_from_frame, HOLE(0, &frame), HOLE(1, &options), HOLE(2, OUT(linpred_data *)), error)
CALL(data_from_frame_for, HOLE(0, model), HOLE(1, &frame), true, &options, HOLE(2, OUT(linpred_data *)), error)
CALL(fit, HOLE(0, data), HOLE(1, &options), HOLE(2, OUT(linpred_result *)), error)
CALL(find_separation, HOLE(0, data), HOLE(1, &options), HOLE(2, OUT(linpred_result *)), error)
CALL(result_save, HOLE(0, fitted), HOLE(1, "nowhere/model.json"), error)
CALL(result_load, HOLE(0, "nowhere.json"), false, HOLE(1, OUT(linpred_result *)), error)
CALL(result_to_text, HOLE(0, fitted), HOLE(1, OUT(char *)), NULL, error)
CALL(result_from_text, HOLE(0, "{}"), 2, false, HOLE(1, OUT(linpred_result *)), error)
CALL(broken_dependencies, HOLE(0, fitted), HOLE(1, data), 1, HOLE(2, counts), HOLE(3, counts + 4), error)
CALL(predict_labels, HOLE(0, model), HOLE(1, data), 1, HOLE(2, signs), error)
CALL(path_writable, HOLE(0, "nowhere/file"), error)
CALL(write_file, HOLE(0, "nowhere/file"), HOLE(1, "text"), 4, error)
CALL(output_open, HOLE(0, "nowhere/file"), HOLE(1, OUT(linpred_output *)), error)
CALL(output_commit, HOLE(0, (linpred_output *)NULL), error)
CALL(score, HOLE(0, model), HOLE(1, data), 1, HOLE(2, numbers), error)
CALL(predict_interval, HOLE(0, model), HOLE(1, data), 1, 0.9, HOLE(2, numbers), HOLE(3, numbers + 4), error)
CALL(leverage, HOLE(0, model), HOLE(1, data), 1, HOLE(2, numbers), error)
CALL(result_same_data, HOLE(0, fitted), HOLE(1, data), 1, HOLE(2, (bool *)numbers), error)
CALL(evaluate, HOLE(0, model), HOLE(1, data), 1, HOLE(2, &evaluation), error)
CALL(evaluate_at, HOLE(0, model), HOLE(1, data), 1, 0.5, HOLE(2, &evaluation), error)
CALL(roc_draw, HOLE(0, model), HOLE(1, data), 1, HOLE(2, OUT(linpred_roc *)), error)
CALL(calibrate, HOLE(0, model), HOLE(1, data), 1, 10, HOLE(2, OUT(linpred_calibration *)), error)
CALL(verify, HOLE(0, fitted), HOLE(1, data), 1, HOLE(2, &check), error)
CALL(inspect, HOLE(0, "nowhere.csv"), HOLE(1, &options), HOLE(2, OUT(linpred_inspection *)), error)
CALL(generate, HOLE(0, "xor"), HOLE(1, &options), HOLE(2, OUT(linpred_instance *)), error)
CALL(points_load, HOLE(0, "nowhere.csv"), HOLE(1, &options), HOLE(2, OUT(linpred_data *)), error)
CALL(shatter, HOLE(0, data), HOLE(1, &options), HOLE(2, OUT(linpred_shattering *)), error)
CALL(vc_dimension, LINPRED_CLASS_BALL, 3, true, HOLE(0, &bound), error)
CALL(sample_size, HOLE(0, &options), HOLE(1, OUT(linpred_bounds *)), error)
CALL(generalize, HOLE(0, fitted), HOLE(1, data), HOLE(2, &options), HOLE(3, &generalization),
     HOLE(4, OUT(linpred_bounds *)), error)

static const struct {
    const char *name;
    linpred_status (*call)(int hole, linpred_error *error);
    int pointers;
} calls[] = {
#define ROW(name, pointers)                                                                                            \
    {                                                                                                                  \
        "linpred_" #name, call_##name, pointers                                                                        \
    }
    ROW(options_set, 2),
    ROW(options_add_file, 2),
    ROW(options_check, 1),
    ROW(data_load, 3),
    ROW(convert, 4),
    ROW(data_load_for, 3),
    ROW(data_from_arrays, 2),
    ROW(data_from_frame, 3),
    ROW(data_from_frame_for, 3),
    ROW(fit, 3),
    ROW(find_separation, 3),
    ROW(result_save, 2),
    ROW(result_load, 2),
    ROW(path_writable, 1),
    ROW(write_file, 2),
    ROW(output_open, 2),
    ROW(output_commit, 1),
    ROW(score, 3),
    ROW(predict_interval, 4),
    ROW(leverage, 3),
    ROW(result_same_data, 3),
    ROW(evaluate, 3),
    ROW(evaluate_at, 3),
    ROW(roc_draw, 3),
    ROW(calibrate, 3),
    ROW(verify, 3),
    ROW(inspect, 3),
    ROW(generate, 3),
    ROW(points_load, 3),
    ROW(shatter, 3),
    ROW(vc_dimension, 1),
    ROW(sample_size, 2),
    ROW(generalize, 5),
    ROW(options_set_text, 2),
    ROW(options_set_number, 2),
    ROW(result_to_text, 2),
    ROW(result_from_text, 2),
    ROW(broken_dependencies, 4),
    ROW(predict_labels, 3),
    ROW(options_set_count, 2),
    ROW(options_set_switch, 2),
    ROW(options_set_choice, 2),
};

static void null_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (int hole = 0; hole < calls[i].pointers; hole++) {
            linpred_error error = {.status = LINPRED_OK};
            assert_int_equal(calls[i].call(hole, &error), LINPRED_ERROR_USAGE);
            assert_int_equal(error.status, LINPRED_ERROR_USAGE);
            if (strncmp(error.message, calls[i].name, strlen(calls[i].name)) != 0 || !strstr(error.message, "NULL"))
                fail_msg("%s, pointer %d: %s", calls[i].name, hole, error.message);
            assert_int_equal(calls[i].call(hole, NULL), LINPRED_ERROR_USAGE);
            assert_ptr_equal(out, &untouched);
        }
}

/* The public headers' calls that answer a status are those of the table. */
static void every_call_is_there(void **state)
{
    (void)state;
    static const char mark[] = "LINPRED_API linpred_status linpred_";
    size_t met = 0;
    glob_t headers;
    assert_int_equal(glob(LINPRED_SOURCE_DIR "/include/linpred/*.h", 0, NULL, &headers), 0);
    for (size_t h = 0; h < headers.gl_pathc; h++) {
        FILE *file = fopen(headers.gl_pathv[h], "r");
        char line[400];
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            if (strncmp(line, mark, sizeof mark - 1) != 0)
                continue;
            const char *name = line + sizeof "LINPRED_API linpred_status " - 1;
            size_t length = strcspn(name, "("), i = 0;
            while (i < sizeof calls / sizeof calls[0] &&
                   (strlen(calls[i].name) != length || memcmp(calls[i].name, name, length) != 0))
                i++;
            if (i == sizeof calls / sizeof calls[0])
                fail_msg("%.*s is not tried", (int)length, name);
            met++;
        }
        fclose(file);
    }
    globfree(&headers);
    assert_int_equal(met, sizeof calls / sizeof calls[0]);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    linpred_options_free(NULL);
    linpred_bounds_free(NULL);
    linpred_data_free(NULL);
    linpred_result_free(NULL);
    linpred_inspection_free(NULL);
    linpred_instance_free(NULL);
    linpred_shattering_free(NULL);
    linpred_output_discard(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(every_call_is_there),
        cmocka_unit_test(nothing_can_be_freed),
    };
    linpred__options_init(&options);
    arrays = arrays_of();
    if (linpred_data_from_arrays(&arrays, &data, NULL) != LINPRED_OK ||
        linpred_fit(data, &options, &fitted, NULL) != LINPRED_OK)
        return 1;
    model = linpred_result_model(fitted);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    linpred_result_free(fitted);
    linpred_data_free(data);
    return failures;
}
