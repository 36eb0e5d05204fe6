/* from_file DATA.csv MODEL.json: loads a file whose last column is the label, fits by the pocket algorithm, saves the
 * model, then goes on as another program would: loads the model, verifies its claim against the file, and predicts its
 * rows. */
#include <linpred/linpred.h>
#include <stdio.h>
#include <stdlib.h>

static linpred_status learn(const char *path, const char *model, linpred_error *error)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_status status = options ? linpred_options_set(options, "method", "pocket", error) : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK)
        status = linpred_options_set(options, "max-passes", "200", error);
    if (status == LINPRED_OK)
        status = linpred_data_load(path, options, &data, error);
    if (status == LINPRED_OK)
        status = linpred_fit(data, options, &result, error);
    if (status == LINPRED_OK) {
        printf("%s with %g errors: %s\n", linpred_outcome_name(linpred_result_outcome(result)),
               linpred_result_number(result, "errors"), linpred_result_reason(result));
        status = linpred_result_save(result, model, error);
    }
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    return status;
}

static linpred_status predict(const linpred_model *model, const linpred_data *data, linpred_error *error)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_data_shape(data, &shape);
    int64_t rows = shape.rows_in_file; /* scores are in the order of the file */
    double *scores = malloc((size_t)rows * sizeof *scores);
    linpred_status status = scores ? linpred_score(model, data, 0, scores, error) : LINPRED_ERROR_MEMORY;
    for (int64_t i = 0; status == LINPRED_OK && i < rows && i < 3; i++)
        printf("row %d scores %.4g: %s\n", (int)i + 1, scores[i], linpred_model_label(model, scores[i] >= 0 ? 1 : -1));
    free(scores);
    return status;
}

static linpred_status use(const char *path, const char *file, linpred_error *error)
{
    linpred_options *options = linpred_options_new();
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_check *check = NULL;
    linpred_status status = options ? linpred_result_load(file, false, &result, error) : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK)
        status = linpred_data_load_for(linpred_result_model(result), path, true, options, &data, error);
    if (status == LINPRED_OK)
        status = linpred_verify(result, data, 0, &check, error);
    if (status == LINPRED_OK) {
        printf("%s: %s\n", linpred_verdict_name(linpred_check_verdict(check)), linpred_check_summary(check));
        status = predict(linpred_result_model(result), data, error);
    }
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_options_free(options);
    linpred_result_free(result);
    return status;
}

int main(int argc, char **argv)
{
    linpred_error error = {.message = "out of memory"};
    if (argc != 3) {
        fprintf(stderr, "usage: %s DATA.csv MODEL.json\n", argv[0]);
        return 2;
    }
    if (learn(argv[1], argv[2], &error) == LINPRED_OK && use(argv[1], argv[2], &error) == LINPRED_OK)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
