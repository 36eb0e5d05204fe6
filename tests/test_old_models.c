/* Model files of every version that was written: they load, predict, and are verified. tests/models/make.sh made them.
 */
#include <dirent.h>

#include "core/options.h"
#include "fit_support.h"

static const char folder[] = LINPRED_SOURCE_DIR "/tests/models/v2";

/* The file of data that a model is of, by its task and target. */
static const char *data_of(const linpred_model *model)
{
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION)
        return "numbers.csv";
    if (strcmp(linpred_model_target(model), "fruit") == 0)
        return "classes.csv";
    return strcmp(linpred_model_target(model), "y") == 0 ? "mixed.csv" : "sparse.libsvm";
}

static void loads_and_holds(const char *name)
{
    char path[400];
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    linpred_options options;
    double scores[16];
    linpred__options_init(&options);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (linpred_result_load(path, false, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    const linpred_model *model = linpred_result_model(result);
    snprintf(path, sizeof path, "%s/%s", folder, data_of(model));
    if (linpred_data_load_for(model, path, true, &options, &data, &error) != LINPRED_OK ||
        linpred_score(model, data, 1, scores, &error) != LINPRED_OK)
        fail_msg("%s: %s", name, error.message);
    assert_true(linpred_data_rows(data) <= 9);
    for (int64_t i = 0; i < linpred_data_rows(data); i++)
        assert_true(isfinite(scores[linpred_data_source_row(data, i) - 1]));
    linpred_check *check = NULL;
    if (linpred_verify(result, data, 1, &check, &error) != LINPRED_OK)
        fail_msg("%s: %s", name, error.message);
    if (linpred_check_verdict(check) == LINPRED_REFUTED || !linpred_check_same_data(check))
        fail_msg("%s: %s", name, linpred_check_summary(check));
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_result_free(result);
}

static void all_of_them(void **state)
{
    (void)state;
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *file; (file = readdir(files)) != NULL;)
        if (strstr(file->d_name, ".json")) {
            loads_and_holds(file->d_name);
            count++;
        }
    closedir(files);
    assert_true(count >= 38);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
