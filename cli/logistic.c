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
    const cli_figures stated[1] = {cli_read_figures(result)};
    const linpred_model *model = linpred_result_model(result);
    bool intercept = linpred_model_has_intercept(model), weighted = by_class || linpred_model_weights(model);
    char l2[40], penalty[80] = ", no penalty";
    cli_format_number(stated->l2, l2);
    if (stated->l2 > 0)
        snprintf(penalty, sizeof penalty, " + (%s/2)||w||²%s", l2, intercept ? ", b not penalised" : "");
    snprintf(formula, FORMULA, "%smean of log(1+exp(-y%s))%s%s%.60s", weighted ? "weighted " : "",
             intercept ? "(<w,x>+b)" : "<w,x>", penalty, by_class ? "; weights multiplied by --class-weights " : "",
             by_class ? by_class : "");
}

static bool has_class_weights(const linpred_result *result)
{
    return linpred_result_class_weight(result, -1) != 1.0 || linpred_result_class_weight(result, 1) != 1.0;
}

/* Whether all coefficients are 0, so that every row is on the boundary: neither label is more probable. */
static bool scores_nothing(const linpred_model *model)
{
    const double *w = linpred_model_coefficients(model);
    bool any = linpred_model_has_intercept(model) && linpred_model_intercept(model) != 0;
    for (int32_t j = 0; !any && j < linpred_model_columns(model); j++)
        any = w[j] != 0;
    return !any;
}

void cli_logistic_text(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const cli_figures stated[1] = {cli_read_figures(result)};
    char formula[FORMULA];
    formula_of(result, formula);
    printf("objective    %.12g = %s\n", stated->objective, formula);
    if (has_class_weights(result))
        printf("             that is by %.9g on the label %s and by %.9g on %s\n",
               linpred_result_class_weight(result, -1), linpred_model_label(model, -1),
               linpred_result_class_weight(result, 1), linpred_model_label(model, 1));
    cli_print_errors(stated);
    puts(scores_nothing(model) ? ": all on the boundary, since every score is 0" : "");
    if (!isnan(stated->deviance))
        printf("deviance     %.9g, with %s %.9g", stated->deviance,
               linpred_model_has_intercept(model) ? "the intercept alone" : "no coefficient", stated->null_deviance);
    if (!isnan(stated->aic))
        printf("; AIC %.9g", stated->aic);
    if (!isnan(stated->deviance))
        putchar('\n');
    cli_print_rank(result);
    cli_inference_table(result);
}

static void print_no_minimum(const linpred_result *result)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    char formula[FORMULA];
    formula_of(result, formula);
    printf("objective    %s\n", formula);
    printf("direction    y<v,%s> > 0 on %" PRId64 " row%s, = 0 on %" PRId64
           ", < 0 on none; along v the loss falls for ever\n",
           linpred_model_has_intercept(linpred_result_model(result)) ? "(x,1)" : "x", stated->settled_rows,
           cli_plural(stated->settled_rows, "s"), stated->rows - stated->settled_rows);
    cli_print_direction(result);
    cli_print_rows_left(result);
    cli_print_finite_part(result, stated);
}

/* Prints the method and its work. The passes are those of all questions together. If a question about separation found
   that there is no minimum, the method made no iteration, and passes of the perceptron are most of the work. */
static void print_method(const cli_figures *stated)
{
    const char *method = linpred_method_name(stated->method);
    if (stated->outcome == LINPRED_OUTCOME_NO_MINIMISER && stated->iterations == 0)
        printf("method       %s was not needed: questions about separation decided, in %" PRId64
               " pass%s over the rows%s\n",
               method, stated->passes, cli_plural(stated->passes, "es"),
               stated->passes > 1 ? " (the perceptron's included)" : "");
    else
        printf("method       %s, %" PRId64 " iteration%s, %" PRId64 " pass%s over the rows\n", method,
               stated->iterations, cli_plural(stated->iterations, "s"), stated->passes,
               cli_plural(stated->passes, "es"));
}

static void print_logistic_text(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    cli_print_data(session);
    print_method(stated);
    printf("outcome      %s: %s\n", linpred_outcome_name(stated->outcome), stated->reason);
    if (stated->outcome == LINPRED_OUTCOME_NO_MINIMISER)
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

static void add_logistic_json(json_t *object, const cli_session *session)
{
    cli_logistic_to_json(object, session->result);
}

int cli_run_fit_logistic(cli_invocation *cli)
{
    return cli_learn(
        cli, &(cli_presentation){.text = print_logistic_text, .json = add_logistic_json, .promised = cli_reached});
}
