/* linpred fit regression DATA: the objective, how well the model fits, and the table of coefficients; for a model
 * fitted now or saved. */
#include <math.h>
#include <string.h>

#include "cli.h"

static void print_objective(const linpred_model *model, const cli_figures *stated)
{
    double quantile = linpred_model_quantile(model);
    printf("objective    %.9g = mean of ", stated->objective);
    if (linpred_model_loss(model) == LINPRED_LOSS_SQUARED && stated->l2 > 0)
        printf("(score-y)² + %g/2 ||w||², intercept not in ||w||\n", stated->l2);
    else if (linpred_model_loss(model) == LINPRED_LOSS_SQUARED)
        puts("(score-y)²");
    else if (quantile == 0.5)
        puts("|score-y|");
    else
        printf("%g (y-score) above the fit, %g (score-y) below it\n", 2 * quantile, 2 * (1 - quantile));
}

/* Prints the mean squared and absolute error, except the one that is the objective itself. */
static void print_mean_errors(const linpred_model *model, const cli_figures *stated)
{
    bool squared = linpred_model_loss(model) == LINPRED_LOSS_SQUARED;
    bool show_squared = !squared || stated->l2 > 0, show_absolute = squared || linpred_model_quantile(model) != 0.5;
    printf("mean error%s ", show_squared && show_absolute ? "s " : "  ");
    if (show_squared && isnan(stated->mean_squared_error))
        printf("squared: beyond the range of numbers%s", show_absolute ? ", " : "\n");
    else if (show_squared)
        printf("squared %.9g%s", stated->mean_squared_error, show_absolute ? ", " : "\n");
    if (show_absolute)
        printf("absolute %.9g\n", stated->mean_absolute_error);
}

void cli_regression_text(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const cli_figures stated[1] = {cli_read_figures(result)};
    bool intercept = linpred_model_has_intercept(model);
    char p[16];
    print_objective(model, stated);
    if (linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE && stated->unique == 0 &&
        stated->outcome == LINPRED_OUTCOME_OPTIMAL)
        puts("             not unique: other coefficients do as well");
    print_mean_errors(model, stated);
    if (isnan(stated->r_squared) && linpred_model_loss(model) == LINPRED_LOSS_SQUARED)
        printf("R²           not defined: all targets are %s\n", intercept ? "the same" : "0");
    if (!isnan(stated->r_squared))
        printf("R²           %.9g = 1 - Σ(y-score)² / %s", stated->r_squared,
               intercept ? "Σ(y-mean y)²" : "Σy² (no intercept)");
    if (!isnan(stated->r_squared) && !isnan(linpred_result_number(result, "adjusted_r_squared")))
        printf("; adjusted %.9g", linpred_result_number(result, "adjusted_r_squared"));
    if (!isnan(stated->r_squared))
        putchar('\n');
    if (!isnan(stated->residual_sd))
        printf("residual sd  %.9g on %.10g degree%s of freedom\n", stated->residual_sd, stated->degrees_of_freedom,
               stated->degrees_of_freedom == 1 ? "" : "s");
    cli_format_p(stated->f_p_value, p);
    if (!isnan(stated->f_statistic))
        printf("F            %.6g on %.10g and %.10g degrees of freedom (p %s): that all coefficients%s are 0\n",
               stated->f_statistic, linpred_result_number(result, "model_degrees_of_freedom"),
               stated->degrees_of_freedom, p, intercept ? " but the intercept" : "");
    cli_print_rank(result);
    cli_inference_table(result);
}

static void print_regression_text(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    cli_print_data(session);
    printf("method       %s: %s\n", linpred_method_name(stated->method), stated->reason);
    printf("outcome      %s", linpred_outcome_name(stated->outcome));
    if (!isnan(stated->gap))
        printf(", gap %.3g", stated->gap);
    putchar('\n');
    cli_regression_text(session->result);
}

void cli_regression_to_json(json_t *object, const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const cli_figures stated[1] = {cli_read_figures(result)};
    bool absolute = linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE;
    cli_set_text(object, "loss", absolute ? "absolute" : "squared");
    cli_set_number(object, "quantile", absolute ? linpred_model_quantile(model) : NAN);
    cli_set_count(object, "degree", linpred_model_degree(model));
    cli_set_number(object, "adjusted_r_squared", linpred_result_number(result, "adjusted_r_squared"));
    if (!isnan(stated->f_statistic))
        json_object_set_new(
            object, "f_degrees_of_freedom",
            json_pack("[f, f]", linpred_result_number(result, "model_degrees_of_freedom"), stated->degrees_of_freedom));
    cli_inference_to_json(object, result);
}

static void add_regression_json(json_t *object, const cli_session *session)
{
    const linpred_model *model = linpred_result_model(session->result);
    json_t *bounds = json_object();
    cli_regression_to_json(object, session->result);
    for (int32_t j = 0; session->check && j < linpred_model_columns(model) + linpred_model_has_intercept(model); j++)
        cli_set_number(bounds, cli_coefficient_name(model, j), linpred_check_error_bound(session->check, j));
    if (json_object_size(bounds) > 0)
        json_object_set(object, "error_bounds", bounds);
    json_decref(bounds);
}

int cli_run_fit_regression(cli_invocation *cli)
{
    return cli_learn(
        cli, &(cli_presentation){.text = print_regression_text, .json = add_regression_json, .promised = cli_reached});
}
