/* linpred fit logistic DATA: the objective as a formula and the table of coefficients; or, if there is no minimiser,
 * the direction along which the loss decreases for ever. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { FORMULA = 240 };

/* Writes the objective as a formula. */
static void formula_of(const linpred_result *result, char formula[FORMULA])
{
    const char *by_class = linpred_result_option(result, "class-weights");
    const figures info[1] = {cli_figures(result)};
    char l2[40], penalty[80] = ", no penalty";
    cli_format_number(info->l2, l2);
    if (info->l2 > 0)
        snprintf(penalty, sizeof penalty, " + (%s/2)||w||², b not penalised", l2);
    snprintf(formula, FORMULA, "weighted mean of log(1+exp(-y(<w,x>+b)))%s%s%.60s", penalty,
             by_class ? "; weights multiplied by --class-weights " : "", by_class ? by_class : "");
}

static bool has_class_weights(const linpred_result *result)
{
    return linpred_result_class_weight(result, -1) != 1.0 || linpred_result_class_weight(result, 1) != 1.0;
}

void cli_logistic_text(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const figures info[1] = {cli_figures(result)};
    char formula[FORMULA];
    formula_of(result, formula);
    printf("objective    %.12g = %s\n", info->objective, formula);
    if (has_class_weights(result))
        printf("             that is by %.9g on the label %s and by %.9g on %s\n",
               linpred_result_class_weight(result, -1), linpred_model_label(model, -1),
               linpred_result_class_weight(result, 1), linpred_model_label(model, 1));
    cli_print_errors(info);
    putchar('\n');
    if (!isnan(info->deviance))
        printf("deviance     %.9g, with %s %.9g", info->deviance,
               linpred_model_has_intercept(model) ? "the intercept alone" : "no coefficient", info->null_deviance);
    if (!isnan(info->aic))
        printf("; AIC %.9g", info->aic);
    if (!isnan(info->deviance))
        putchar('\n');
    cli_print_rank(result);
    cli_inference_table(result);
}

static void print_no_minimum(const linpred_result *result)
{
    const figures info[1] = {cli_figures(result)};
    char formula[FORMULA];
    formula_of(result, formula);
    printf("objective    %s\n", formula);
    printf("direction    y<v,%s> > 0 on %" PRId64 " row%s, = 0 on %" PRId64
           ", < 0 on none; along v the loss falls for ever\n",
           linpred_model_has_intercept(linpred_result_model(result)) ? "(x,1)" : "x", info->settled_rows,
           cli_plural(info->settled_rows, "s"), info->rows - info->settled_rows);
    cli_print_direction(result);
}

static void print_text(const cli_session *session)
{
    const figures *info = &session->figures;
    cli_print_data(session);
    printf("method       %s, %" PRId64 " iteration%s, %" PRId64 " pass%s over the rows\n",
           linpred_method_name(info->method), info->iterations, cli_plural(info->iterations, "s"), info->passes,
           cli_plural(info->passes, "es"));
    printf("outcome      %s: %s\n", linpred_outcome_name(info->outcome), info->reason);
    if (info->outcome == LINPRED_OUTCOME_NO_MINIMISER)
        print_no_minimum(session->result);
    else
        cli_logistic_text(session->result);
}

void cli_logistic_to_json(json_t *object, const linpred_result *result)
{
    char formula[FORMULA];
    formula_of(result, formula);
    cli_set_text(object, "formula", formula);
    if (has_class_weights(result)) {
        json_t *weights = json_object();
        cli_set_number(weights, "negative", linpred_result_class_weight(result, -1));
        cli_set_number(weights, "positive", linpred_result_class_weight(result, 1));
        json_object_set_new(object, "class_weights", weights);
    }
    cli_inference_to_json(object, result);
}

static void add_json(json_t *object, const cli_session *session)
{
    cli_logistic_to_json(object, session->result);
}

int run_fit_logistic(cli_invocation *cli)
{
    return cli_learn(cli, &(cli_presentation){.text = print_text, .json = add_json, .promised = cli_reached});
}
