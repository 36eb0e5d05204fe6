/* Logistic regression from rows in memory: fit, see what was found, show the coefficients with their standard errors,
 * verify, and give probabilities for new rows. A regression by least squares goes the same way, with
 * the task "regression" and scores in place of probabilities. */
#include <linpred/linpred.h>
#include <stdio.h>

/* Hours of study and of sleep; whether the examination was passed. */
static const double hours[12][2] = {{1, 7},   {2, 5}, {2.5, 8}, {3, 6}, {3.5, 7}, {4, 5},
                                    {4.5, 8}, {5, 6}, {5.5, 4}, {6, 7}, {7, 6},   {8, 5}};
static const double passed[12] = {-1, -1, -1, -1, 1, -1, 1, -1, 1, 1, 1, 1};

static void show_coefficients(const linpred_result *result)
{
    int32_t columns = linpred_model_columns(linpred_result_model(result));
    for (int32_t j = 0; j <= columns; j++) { /* the intercept is the last */
        linpred_coefficient c = {.struct_size = sizeof c};
        linpred_result_coefficient(result, j, &c);
        printf("%-12s %8.4f, standard error %.4f, z %.2f, p %.3f\n", c.name, c.value, c.standard_error, c.t, c.p);
    }
}

static linpred_status show_probabilities(const linpred_model *model, linpred_error *error)
{
    static const double rows[2][2] = {{3, 8}, {6, 5}};
    static const double unknown[2] = {1, 1}; /* scores do not depend on the labels */
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = 2, .columns = 2, .values = &rows[0][0], .labels = unknown};
    linpred_data *data = NULL;
    double scores[2];
    linpred_status status = linpred_data_from_arrays(&arrays, &data, error);
    if (status == LINPRED_OK)
        status = linpred_score(model, data, 0, scores, error);
    for (int i = 0; status == LINPRED_OK && i < 2; i++)
        printf("%g hours of study, %g of sleep: passes with probability %.4f\n", rows[i][0], rows[i][1],
               linpred_probability(scores[i]));
    linpred_data_free(data);
    return status;
}

int main(void)
{
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = 12, .columns = 2, .values = &hours[0][0], .labels = passed};
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_check *check = NULL;
    linpred_error error = {.message = "out of memory"};
    linpred_status status = options ? linpred_options_set(options, "task", "logistic", &error) : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK)
        status = linpred_data_from_arrays(&arrays, &data, &error);
    if (status == LINPRED_OK)
        status = linpred_fit(data, options, &result, &error);
    if (status == LINPRED_OK)
        status = linpred_verify(result, data, 0, &check, &error);
    if (status == LINPRED_OK) {
        printf("%s: %s\n", linpred_outcome_name(linpred_result_outcome(result)), linpred_result_reason(result));
        printf("%s: %s\n", linpred_verdict_name(linpred_check_verdict(check)), linpred_check_summary(check));
        if (linpred_result_outcome(result) ==
            LINPRED_OUTCOME_OPTIMAL) { /* without a minimum there are no coefficients to show */
            show_coefficients(result);
            status = show_probabilities(linpred_result_model(result), &error);
        }
    }
    if (status != LINPRED_OK)
        fprintf(stderr, "%s\n", error.message);
    bool holds = check && linpred_check_verdict(check) != LINPRED_REFUTED;
    linpred_check_free(check);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    return status == LINPRED_OK && holds ? 0 : 1;
}
