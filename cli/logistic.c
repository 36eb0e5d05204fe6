/* linpred fit logistic DATA: the objective as a formula, the table of coefficients as statisticians expect it, and where
 * there is no minimum, the direction along which the loss falls for ever. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void formula_of(const linpred_info *info, char *room, size_t bytes)
{
    char l2[40];
    cli_format_number(info->l2, l2);
    if (info->l2 > 0)
        snprintf(room, bytes, "weighted mean of log(1+exp(-y(<w,x>+b))) + (%s/2)||w||², b not penalised", l2);
    else
        snprintf(room, bytes, "weighted mean of log(1+exp(-y(<w,x>+b))), no penalty");
}

static void print_text(const session *session)
{
    const linpred_result *result = session->result;
    const linpred_info *info = session->info;
    char formula[160], number[40];
    cli_print_data(session);
    formula_of(info, formula, sizeof formula);
    printf("objective    %s\n", formula);
    printf("method       %s, %" PRId64 " iterations, %" PRId64 " passes over the rows\n",
           linpred_method_name(info->method), info->iterations, info->passes);
    printf("outcome      %s: %s\n", linpred_outcome_name(info->outcome), info->reason);
    if (info->outcome == LINPRED_OUTCOME_NO_MINIMISER) {
        printf("direction    y<v,x> > 0 on %" PRId64 " rows, = 0 on %" PRId64
               ", < 0 on none; along v the loss falls for ever\n",
               info->settled_rows, info->rows - info->settled_rows);
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
    for (size_t i = 0; linpred_result_dependency(result, i); i++)
        printf("%-12s %s\n", i == 0 ? "dependent" : "", linpred_result_dependency(result, i));
    if (linpred_result_dependency(result, 0))
        puts("             so the coefficients are not unique: these have the smallest norm");
    cli_inference_table(result);
}

static void add_json(json_t *object, const session *session)
{
    const linpred_result *result = session->result;
    const linpred_info *info = session->info;
    char formula[160];
    formula_of(info, formula, sizeof formula);
    cli_set_text(object, "formula", formula);
    if (linpred_result_dependency(result, 0)) {
        json_t *list = json_array();
        for (size_t i = 0; linpred_result_dependency(result, i); i++)
            json_array_append_new(list, json_string(linpred_result_dependency(result, i)));
        json_object_set_new(object, "dependencies", list);
    }
    cli_inference_to_json(object, result);
}

int run_fit_logistic(cli *cli)
{
    cli->options.task = LINPRED_TASK_LOGISTIC;
    return cli_learn(cli, &(learner){.text = print_text, .json = add_json, .promised = cli_reached});
}
