/* Logistic regression on real sets whose fits are known to 25 digits. Skipped where the sets are not. */
#include <jansson.h>

#include "logistic_support.h"
#include "reference_data.h"

static json_t *reference(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/logistic/%s", reference_data(), name);
    json_t *root = json_load_file(path, 0, NULL);
    if (!root) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    return root;
}

static linpred_data *load(const char *name, linpred_options *options)
{
    char path[4096];
    linpred_data *data = NULL;
    linpred_error error;
    snprintf(path, sizeof path, "%s/logistic/%s", reference_data(), name);
    options->target = strstr(name, ".csv") ? "1" : NULL;
    if (linpred_data_load(path, options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return data;
}

static double number(const json_t *list, size_t index)
{
    return strtod(json_string_value(json_array_get(list, index)), NULL);
}

/* The place of the reference's parameter: the intercept comes first there, and names of numbered columns may differ. */
static int32_t column_of(const linpred_model *model, const json_t *names, size_t index)
{
    const char *name = json_string_value(json_array_get(names, index));
    for (int32_t j = 0; j < model->columns; j++)
        if (strcmp(linpred_model_feature(model, j), name) == 0)
            return j;
    return index == 0 ? model->columns : (int32_t)index - 1;
}

static void check_coefficients(const linpred_result *result, const json_t *fit, double worst[2])
{
    const json_t *names = json_object_get(fit, "parameters"), *value = json_object_get(fit, "coefficients");
    const json_t *error = json_object_get(fit, "std_errors");
    const linpred_model *model = linpred_result_model(result);
    assert_int_equal(json_array_size(names), (size_t)model->columns + 1);
    for (size_t i = 0; i < json_array_size(names); i++) {
        int32_t j = column_of(model, names, i);
        double found = j < model->columns ? model->w[j] : model->b;
        worst[0] = fmax(worst[0], fabs(found / number(value, i) - 1));
        if (error)
            worst[1] = fmax(worst[1], fabs(linpred_result_standard_errors(result)[j] / number(error, i) - 1));
    }
}

static void maximum_likelihood(void **state)
{
    (void)state;
    json_t *root = reference("reference.json");
    const char *name;
    json_t *fit;
    double worst[2] = {0};
    json_object_foreach(json_object_get(root, "overlap"), name, fit)
    {
        linpred_options options = logistic_options(0.0);
        linpred_data *data = load(name, &options);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        check_coefficients(result, fit, worst);
        near(result->figures.deviance, strtod(json_string_value(json_object_get(fit, "deviance")), NULL), 1e-12);
        near(result->figures.null_deviance, strtod(json_string_value(json_object_get(fit, "null_deviance")), NULL),
             1e-12);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    print_message("largest relative error: coefficients %.1e, standard errors %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] < 1e-11 && worst[1] < 1e-11);
    json_decref(root);
}

static void penalised(void **state)
{
    (void)state;
    json_t *root = reference("reference_l2.json"), *fit;
    double worst[2] = {0};
    size_t i;
    json_array_foreach(json_object_get(root, "fits"), i, fit)
    {
        linpred_options options = logistic_options(strtod(json_string_value(json_object_get(fit, "lambda")), NULL));
        linpred_data *data = load(json_string_value(json_object_get(fit, "file")), &options);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        check_coefficients(result, fit, worst);
        near(result->figures.objective, strtod(json_string_value(json_object_get(fit, "objective")), NULL), 1e-12);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    print_message("largest relative error of a coefficient: %.1e\n", worst[0]);
    assert_true(worst[0] < 1e-10);
    json_decref(root);
}

static void no_minimum(void **state)
{
    (void)state;
    json_t *root = reference("reference.json"), *about;
    static const char *const group[] = {"completely_separated", "quasi_separated"};
    const char *name;
    for (int k = 0; k < 2; k++)
        json_object_foreach(json_object_get(root, group[k]), name, about)
        {
            linpred_options options = logistic_options(0.0);
            linpred_data *data = load(name, &options);
            linpred_result *result = fit_data(data, &options);
            assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
            assert_int_equal(linpred_result_separation(result),
                             k ? LINPRED_SEPARATION_QUASI_SEPARATED : LINPRED_SEPARATION_SEPARATED);
            assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
            linpred_result_free(result);
            linpred_data_free(data);
        }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maximum_likelihood),
        cmocka_unit_test(penalised),
        cmocka_unit_test(no_minimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
