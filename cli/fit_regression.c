/* linpred fit regression DATA */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { SHOWN = 25 };

static void print_coefficient(const linpred_coefficient *c, int width, bool inference)
{
    printf("  %-*.40s %16.9g", width, c->name, c->value);
    if (inference && isnan(c->standard_error))
        printf("  cannot be estimated: its column depends on others");
    else if (inference)
        printf(" %12.5g %9.3f %9.3g  [%.6g, %.6g]", c->standard_error, c->t, c->p, c->low, c->high);
    putchar('\n');
}

static void print_coefficients(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const linpred_info *info = linpred_result_info(result);
    int32_t columns = linpred_model_columns(model);
    bool inference = !isnan(info->residual_sd);
    int width = 11;
    for (int32_t j = 0; j < columns && j < SHOWN; j++) {
        int length = (int)strlen(linpred_model_feature(model, j));
        width = length > width ? length < 40 ? length : 40 : width;
    }
    printf("coefficients");
    if (inference)
        printf("%*s %16s %12s %9s %9s  %g %% interval", width - 10, "", "", "std. error", "t", "p", 100.0 * linpred_result_confidence(result));
    putchar('\n');
    for (int32_t j = 0; j < columns && j < SHOWN; j++) {
        linpred_coefficient c = linpred_result_coefficient(result, j);
        print_coefficient(&c, width, inference);
    }
    if (columns > SHOWN)
        printf("  … and %d more: in the model (-o) and with --json\n", columns - SHOWN);
    if (linpred_model_has_intercept(model)) {
        linpred_coefficient c = linpred_result_coefficient(result, columns);
        print_coefficient(&c, width, inference);
    }
    if (*info->reason_no_errors)
        printf("  no standard errors: %s\n", info->reason_no_errors);
}

static void print_text(const session *session)
{
    const cli *cli = session->cli;
    const linpred_result *result = session->result;
    const linpred_info *info = session->info;
    cli_print_data(session);
    bool squared = cli->options.loss == LINPRED_LOSS_SQUARED;
    bool intercept = linpred_model_has_intercept(linpred_result_model(result));
    printf("method       %s: %s\n", linpred_method_name(info->method), info->reason);
    printf("outcome      %s", linpred_outcome_name(info->outcome));
    if (!isnan(info->gap))
        printf(", gap %.3g", info->gap);
    putchar('\n');
    if (squared && cli->options.l2 > 0)
        printf("objective    %.9g = mean of (score-y)² + %g/2 ||w||², intercept not in ||w||\n", info->objective,
               cli->options.l2);
    else if (squared)
        printf("objective    %.9g = mean of (score-y)²\n", info->objective);
    else if (cli->options.quantile == 0.5)
        printf("objective    %.9g = mean of |score-y|\n", info->objective);
    else
        printf("objective    %.9g = mean of %g (y-score) above the fit, %g (score-y) below it\n", info->objective,
               2 * cli->options.quantile, 2 * (1 - cli->options.quantile));
    if (!squared && info->unique == 0)
        puts("             not unique: other coefficients do as well");
    printf("mean errors  squared %.9g, absolute %.9g\n", info->mean_squared_error, info->mean_absolute_error);
    if (!isnan(info->r_squared))
        printf("R²           %.9g = 1 - Σ(y-score)² / %s\n", info->r_squared, intercept ? "Σ(y-mean y)²" : "Σy² (no intercept)");
    if (!isnan(info->residual_sd))
        printf("residual sd  %.9g on %.10g degrees of freedom\n", info->residual_sd, info->degrees_of_freedom);
    if (!isnan(info->f_statistic))
        printf("F            %.6g (p %.3g): that all coefficients%s are 0\n", info->f_statistic, info->f_p_value,
               intercept ? " but the intercept" : "");
    if (info->rank >= 0)
        printf("rank         %" PRId64 " of %d", info->rank, linpred_model_columns(linpred_result_model(result)) + intercept);
    if (info->rank >= 0 && !isnan(info->condition))
        printf(", condition about %.2g", info->condition);
    if (info->rank >= 0)
        putchar('\n');
    for (size_t i = 0; linpred_result_dependency(result, i); i++)
        printf("%-12s %s\n", i == 0 ? "depends" : "", linpred_result_dependency(result, i));
    print_coefficients(result);
}

static void add_json(json_t *object, const session *session)
{
    const linpred_result *result = session->result;
    const linpred_model *model = linpred_result_model(result);
    json_t *errors = json_object(), *t = json_object(), *p = json_object(), *intervals = json_object();
    json_t *bounds = json_object(), *dependencies = json_array();
    for (int32_t j = 0; j < linpred_model_columns(model) + linpred_model_has_intercept(model); j++) {
        linpred_coefficient c = linpred_result_coefficient(result, j);
        cli_set_number(errors, c.name, c.standard_error);
        cli_set_number(t, c.name, c.t);
        cli_set_number(p, c.name, c.p);
        cli_set_number(bounds, c.name, c.error_bound);
        if (!isnan(c.low))
            json_object_set_new(intervals, c.name, json_pack("[f, f]", c.low, c.high));
    }
    for (size_t i = 0; linpred_result_dependency(result, i); i++)
        json_array_append_new(dependencies, json_string(linpred_result_dependency(result, i)));
    json_object_set_new(object, "standard_errors", errors);
    json_object_set_new(object, "t", t);
    json_object_set_new(object, "p", p);
    if (json_object_size(intervals) > 0)
        cli_set_number(object, "confidence", linpred_result_confidence(result));
    json_object_set_new(object, "confidence_intervals", intervals);
    if (*session->info->reason_no_errors)
        cli_set_text(object, "no_standard_errors", session->info->reason_no_errors);
    json_object_set_new(object, "error_bounds", bounds);
    json_object_set_new(object, "dependencies", dependencies);
}

int run_fit_regression(cli *cli)
{
    cli->options.task = LINPRED_TASK_REGRESSION;
    return cli_learn(cli, &(learner){.text = print_text, .json = add_json, .promised = cli_reached});
}
