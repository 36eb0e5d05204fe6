/* The shortest whole story: rows in memory, the halfspace of largest margin, and a check that nothing of this is wrong.
 */
#include <linpred/linpred.h>
#include <stdio.h>

int main(void)
{
    static const double x[4][2] = {{2, 1}, {1, 3}, {-1, -2}, {-3, 0.5}};
    static const double y[4] = {1, 1, -1, -1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 2, .values = &x[0][0], .labels = y};
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_check *check = NULL;
    linpred_error error = {.message = "out of memory"};
    linpred_status status = options ? linpred_data_from_arrays(&arrays, &data, &error) : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK)
        status = linpred_fit(data, options, &result, &error);
    if (status == LINPRED_OK)
        status = linpred_verify(result, data, 0, &check, &error);
    if (status == LINPRED_OK) {
        const linpred_model *model = linpred_result_model(result);
        const double *w = linpred_model_coefficients(model);
        printf("%s: %.6g x1 + %.6g x2 + %.6g, margin %.6g\n", linpred_outcome_name(linpred_result_outcome(result)),
               w[0], w[1], linpred_model_intercept(model), linpred_result_number(result, "margin"));
        printf("%s: %s\n", linpred_verdict_name(linpred_check_verdict(check)), linpred_check_summary(check));
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    bool holds = check && linpred_check_verdict(check) != LINPRED_REFUTED;
    linpred_check_free(check);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    return status == LINPRED_OK && holds ? 0 : 1;
}
