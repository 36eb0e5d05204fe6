/* A program of one version, to be run with the libraries of later ones. It uses what programs use: options by name and
 * type, callbacks, arrays, files, a fit of each task, a check, predictions, a model in memory, and every struct that
 * the caller allocates. Each step says its line if it fails. */
#include <linpred/linpred.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                    \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static const double points[6][2] = {{2, 1}, {1, 3}, {3, 2}, {-1, -2}, {-3, 0.5}, {-2, -1}};
static const double signs[6] = {1, 1, 1, -1, -1, -1};
static const double numbers[6] = {3.1, 3.9, 5.2, -2.8, -2.6, -3.1};

static bool on_progress(void *context, const linpred_progress *progress)
{
    ++*(int *)context;
    return progress->seconds < 1e9;
}

static bool on_update(void *context, const linpred_update *update)
{
    *(int64_t *)context = update->update;
    return update->columns == 2 && isfinite(update->weights[1]);
}

static linpred_data *rows(const double *labels)
{
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = 6, .columns = 2, .values = &points[0][0], .labels = labels};
    linpred_data *data = NULL;
    EXPECT(linpred_data_from_arrays(&arrays, &data, NULL) == LINPRED_OK);
    return data;
}

static void use_options(void)
{
    linpred_options *options = linpred_options_new();
    linpred_option_text text = {.struct_size = sizeof text};
    linpred_error error;
    char phrase[80];
    EXPECT(options && linpred_options_describe(0, &text) && *text.name && *text.help && *text.scopes);
    EXPECT(linpred_options_set(options, "l2", "0.5", &error) == LINPRED_OK);
    EXPECT(linpred_options_set_text(options, "target", "y", &error) == LINPRED_OK);
    EXPECT(linpred_options_set_count(options, "seed", 3, &error) == LINPRED_OK);
    EXPECT(linpred_options_set_switch(options, "no-intercept", true, &error) == LINPRED_OK);
    EXPECT(linpred_options_set_choice(options, "method", LINPRED_METHOD_NEWTON, &error) == LINPRED_OK);
    EXPECT(linpred_options_set_number(options, "l2", -1, &error) == LINPRED_ERROR_USAGE && *error.message);
    linpred_options *copy = linpred_options_copy(options);
    EXPECT(linpred_options_get_number(copy, "l2") == 0.5 && linpred_options_get_count(copy, "seed") == 3);
    EXPECT(strcmp(linpred_options_get_text(copy, "target"), "y") == 0 && linpred_options_given(copy, "target"));
    EXPECT(linpred_options_get_switch(copy, "no-intercept"));
    EXPECT(linpred_options_get_choice(copy, "method") == LINPRED_METHOD_NEWTON);
    EXPECT(linpred_scopes_text("pocket", phrase, sizeof phrase) > 0 && !linpred_options_listens(copy, "ball"));
    linpred_options_free(options);
    linpred_options_free(copy);
}

static void use_result(const linpred_result *result, const linpred_data *data)
{
    const linpred_model *model = linpred_result_model(result);
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_coefficient coefficient = {.struct_size = sizeof coefficient};
    linpred_evaluation evaluation = {.struct_size = sizeof evaluation};
    linpred_note note = {.struct_size = sizeof note};
    linpred_result *again = NULL;
    char *text = NULL;
    size_t bytes = 0;
    double scores[6];
    signed char labels[6];
    EXPECT(linpred_data_shape(data, &shape) && shape.rows == 6 && shape.columns == 2 && shape.weight == 6);
    EXPECT(linpred_data_note(data, 0, &note) && *note.kind && *note.sentence);
    EXPECT(linpred_result_coefficient(result, 0, &coefficient) && strcmp(coefficient.name, "x1") == 0);
    EXPECT(linpred_score(model, data, 1, scores, NULL) == LINPRED_OK);
    EXPECT(linpred_evaluate(model, data, 1, &evaluation, NULL) == LINPRED_OK && evaluation.rows == 6);
    if (linpred_model_task(model) != LINPRED_TASK_REGRESSION) {
        EXPECT(linpred_predict_labels(model, data, 1, labels, NULL) == LINPRED_OK);
        for (int i = 0; i < 6; i++)
            EXPECT(labels[i] == signs[i]);
    }
    EXPECT(linpred_result_to_text(result, &text, &bytes, NULL) == LINPRED_OK);
    EXPECT(linpred_result_from_text(text, bytes, false, &again, NULL) == LINPRED_OK);
    linpred_result_free(again);
    linpred_text_free(text);
}

static void fit_each_task(void)
{
    for (int task = LINPRED_TASK_HALFSPACE; task <= LINPRED_TASK_BALL; task++) {
        int calls = 0;
        linpred_data *data = rows(task == LINPRED_TASK_REGRESSION ? numbers : signs);
        linpred_options *options = linpred_options_new();
        linpred_result *result = NULL;
        linpred_options_set_task(options, (linpred_task)task);
        linpred_options_on_progress(options, on_progress, &calls);
        if (task == LINPRED_TASK_LOGISTIC)
            EXPECT(linpred_options_set(options, "l2", "0.1", NULL) == LINPRED_OK);
        EXPECT(linpred_fit(data, options, &result, NULL) == LINPRED_OK);
        if (result)
            use_result(result, data);
        linpred_result_free(result);
        linpred_options_free(options);
        linpred_data_free(data);
    }
}

static void trace_the_perceptron(void)
{
    int64_t updates = 0;
    linpred_data *data = rows(signs);
    linpred_options *options = linpred_options_new();
    linpred_result *result = NULL;
    EXPECT(linpred_options_set(options, "method", "perceptron", NULL) == LINPRED_OK);
    linpred_options_on_update(options, on_update, &updates);
    EXPECT(linpred_fit(data, options, &result, NULL) == LINPRED_OK && updates > 0);
    linpred_result_free(result);
    linpred_options_free(options);
    linpred_data_free(data);
}

static void ask_theory(void)
{
    linpred_options *options = linpred_options_new();
    linpred_bounds *bounds = NULL;
    linpred_bound bound = {.struct_size = sizeof bound};
    linpred_instance *instance = NULL;
    linpred_instance_text text = {.struct_size = sizeof text};
    linpred_arrays arrays = {.struct_size = sizeof arrays};
    EXPECT(linpred_generate("xor", options, &instance, NULL) == LINPRED_OK);
    EXPECT(linpred_instance_arrays(instance, &arrays) && arrays.rows > 0 && arrays.values);
    EXPECT(linpred_instances_describe(0, &text) && *text.name && *text.shows);
    EXPECT(linpred_options_set_count(options, "dimension", 3, NULL) == LINPRED_OK);
    EXPECT(linpred_sample_size(options, &bounds, NULL) == LINPRED_OK);
    EXPECT(linpred_bounds_get(bounds, 0, &bound) && bound.value > 1 && *bound.numbers && *bound.says);
    linpred_bounds_free(bounds);
    linpred_instance_free(instance);
    linpred_options_free(options);
}

int main(void)
{
    EXPECT(linpred_version_number() >= LINPRED_VERSION_NUMBER);
    use_options();
    fit_each_task();
    trace_the_perceptron();
    ask_theory();
    printf("linpred %s with the header of %d.%d.%d: %d failures\n", linpred_version(), LINPRED_VERSION_MAJOR,
           LINPRED_VERSION_MINOR, LINPRED_VERSION_PATCH, failures);
    return failures > 0;
}
