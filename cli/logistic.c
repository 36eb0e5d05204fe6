/* linpred fit logistic DATA: the objective as a formula, the table of coefficients as statisticians expect it, and where
 * there is no minimum, the direction along which the loss falls for ever. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { FORMULA = 240 };

static void formula_of(const session *session, char room[FORMULA])
{
    const char *by_class = session->cli->options.class_weights;
    char l2[40], penalty[80] = ", no penalty";
    cli_format_number(session->info->l2, l2);
    if (session->info->l2 > 0)
        snprintf(penalty, sizeof penalty, " + (%s/2)||w||², b not penalised", l2);
    snprintf(room, FORMULA, "weighted mean of log(1+exp(-y(<w,x>+b)))%s%s%.60s", penalty,
             by_class ? "; weights multiplied by --class-weights " : "", by_class ? by_class : "");
}

static void print_text(const session *session)
{
    const linpred_result *result = session->result;
    const linpred_info *info = session->info;
    char formula[FORMULA], number[40];
    cli_print_data(session);
    formula_of(session, formula);
    printf("objective    %s\n", formula);
    printf("method       %s, %" PRId64 " iteration%s, %" PRId64 " pass%s over the rows\n",
           linpred_method_name(info->method), info->iterations, cli_plural(info->iterations, "s"), info->passes,
           cli_plural(info->passes, "es"));
    printf("outcome      %s: %s\n", linpred_outcome_name(info->outcome), info->reason);
    if (info->outcome == LINPRED_OUTCOME_NO_MINIMISER) {
        printf("direction    y<v,%s> > 0 on %" PRId64 " row%s, = 0 on %" PRId64
               ", < 0 on none; along v the loss falls for ever\n",
               linpred_model_has_intercept(linpred_result_model(result)) ? "(x,1)" : "x", info->settled_rows,
               cli_plural(info->settled_rows, "s"), info->rows - info->settled_rows);
        cli_print_direction(result);
        return;
    }
    printf("value        %.12g", info->objective);
    if (!isnan(info->gap))
        printf(", at most %.2g of it above the minimum", info->gap);
    cli_format_number(info->errors, number);
    printf("\nerrors       %s of %g\n", number, linpred_data_shape(session->data).weight);
    if (!isnan(info->deviance))
        printf("deviance     %.9g, with %s %.9g", info->deviance,
               linpred_model_has_intercept(linpred_result_model(result)) ? "the intercept alone" : "no coefficient",
               info->null_deviance);
    if (!isnan(info->aic))
        printf("; AIC %.9g", info->aic);
    if (!isnan(info->deviance))
        putchar('\n');
    cli_inference_table(result);
}

static void add_json(json_t *object, const session *session)
{
    const linpred_result *result = session->result;
    char formula[FORMULA];
    formula_of(session, formula);
    cli_set_text(object, "formula", formula);
    cli_inference_to_json(object, result);
}

int run_fit_logistic(cli *cli)
{
    cli->options.task = LINPRED_TASK_LOGISTIC;
    return cli_learn(cli, &(learner){.text = print_text, .json = add_json, .promised = cli_reached});
}
