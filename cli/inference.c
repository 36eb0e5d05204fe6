/* The table of coefficients as statisticians expect it, of regressions and logistic regressions, fitted now or saved: estimate, standard
 * error, t (of a logistic fit z), p and confidence interval. */
#include <math.h>

#include "cli.h"

enum { SHOWN = 25 };

static bool is_logistic(const linpred_result *result)
{
    return linpred_model_task(linpred_result_model(result)) == LINPRED_TASK_LOGISTIC;
}

static int32_t count_of(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    return linpred_model_columns(model) + linpred_model_has_intercept(model);
}

static bool has_inference(const linpred_result *result)
{
    bool any = false;
    for (int32_t j = 0; linpred_result_standard_errors(result) && !any && j < count_of(result); j++)
        any = !isnan(linpred_result_coefficient(result, j).low);
    return any;
}

static void print_row(const linpred_result *result, int32_t j, int width, bool inference)
{
    linpred_coefficient c = linpred_result_coefficient(result, j);
    fputs("  ", stdout);
    cli_print_cell(c.name, width, false);
    printf(" %16.9g", c.value + 0.0); /* no -0 */
    if (inference && isnan(c.standard_error))
        printf("  cannot be estimated: its column depends on others");
    else if (inference)
        printf(" %12.5g %9.3f %9.3g  [%.6g, %.6g]", c.standard_error, c.t, c.p, c.low, c.high);
    putchar('\n');
}

/* Which columns depend on others, one a line. */
static void print_dependencies(const linpred_result *result)
{
    for (size_t i = 0; linpred_result_dependency(result, i); i++)
        printf("%-12s %s\n", i == 0 ? "dependent" : "", linpred_result_dependency(result, i));
    if (linpred_result_dependency(result, 0) && linpred_model_loss(linpred_result_model(result)) == LINPRED_LOSS_SQUARED)
        puts("             so the coefficients are not unique: these have the smallest norm");
}

void cli_inference_table(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const linpred_info *info = linpred_result_info(result);
    int32_t columns = linpred_model_columns(model);
    bool inference = has_inference(result);
    int width = 11;
    for (int32_t j = 0; j < columns && j < SHOWN; j++) {
        int length = cli_width(linpred_model_feature(model, j));
        width = length > width ? length < 40 ? length : 40 : width;
    }
    print_dependencies(result);
    printf("coefficients");
    if (inference)
        printf("%*s %16s %12s %9s %9s  %g %% interval", width - 10, "", "", "std. error", is_logistic(result) ? "z" : "t", "p",
               100.0 * linpred_result_confidence(result));
    putchar('\n');
    for (int32_t j = 0; j < columns && j < SHOWN; j++)
        print_row(result, j, width, inference);
    if (columns > SHOWN)
        printf("  … and %d more: in the model (-o) and with --json\n", columns - SHOWN);
    if (linpred_model_has_intercept(model))
        print_row(result, columns, width, inference);
    if (*info->reason_no_errors)
        printf("  no standard errors: %s\n", info->reason_no_errors);
}

void cli_inference_to_json(json_t *object, const linpred_result *result)
{
    const linpred_info *info = linpred_result_info(result);
    json_t *dependencies = json_array();
    for (size_t i = 0; linpred_result_dependency(result, i); i++)
        json_array_append_new(dependencies, json_string(linpred_result_dependency(result, i)));
    json_object_set_new(object, "dependencies", dependencies);
    if (*info->reason_no_errors)
        cli_set_text(object, "no_standard_errors", info->reason_no_errors);
    if (!has_inference(result))
        return;
    json_t *errors = json_object(), *t = json_object(), *p = json_object(), *intervals = json_object();
    for (int32_t j = 0; j < count_of(result); j++) {
        linpred_coefficient c = linpred_result_coefficient(result, j);
        cli_set_number(errors, c.name, c.standard_error);
        cli_set_number(t, c.name, c.t);
        cli_set_number(p, c.name, c.p);
        if (!isnan(c.low))
            json_object_set_new(intervals, c.name, json_pack("[f, f]", c.low, c.high));
    }
    json_object_set_new(object, "standard_errors", errors);
    json_object_set_new(object, is_logistic(result) ? "z" : "t", t);
    json_object_set_new(object, "p", p);
    cli_set_number(object, "confidence", linpred_result_confidence(result));
    json_object_set_new(object, "confidence_intervals", intervals);
}
