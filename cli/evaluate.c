/* linpred evaluate MODEL DATA: mistakes of a model on labelled rows, how well its scores rank them (AUC), and how well
 * its probabilities are calibrated; for a regression the mean errors. */
#include <inttypes.h>
#include <math.h>

#include "cli.h"

enum { BINS = 10 }; /* the calibration is by tenths of [0,1] */

static json_t *calibration_to_json(const linpred_calibration *calibration)
{
    json_t *list = json_array();
    linpred_bin bin = {.struct_size = sizeof bin};
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++) {
        json_t *object = json_object();
        cli_set_number(object, "from", bin.from);
        cli_set_number(object, "to", bin.to);
        cli_set_number(object, "weight", bin.weight);
        cli_set_number(object, "predicted", bin.predicted);
        cli_set_number(object, "observed", bin.observed);
        json_array_append_new(list, object);
    }
    return list;
}

static void print_calibration(const linpred_calibration *calibration, const char *positive, bool weighted)
{
    linpred_bin bin = {.struct_size = sizeof bin};
    printf("\nprobability of %-10.20s %12s %12s %12s\n", positive, weighted ? "weight" : "rows", "mean", "observed");
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++)
        if (bin.weight > 0)
            printf("  %.1f to %.1f %28.10g %12.4f %12.4f\n", bin.from, bin.to, bin.weight, bin.predicted, bin.observed);
}

/* `calibration` is NULL if there is no log loss; here and below. */
static int print_evaluation_json(const cli_invocation *cli, const linpred_model *model, const linpred_evaluation *e,
                                 const linpred_calibration *calibration)
{
    json_t *object = json_object();
    cli_set_count(object, "rows", e->rows);
    cli_set_number(object, "weight", e->weight);
    cli_notices_to_json(cli, object);
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION) {
        cli_set_number(object, "mean_squared_error", e->mean_squared_error);
        cli_set_number(object, "mean_absolute_error", e->mean_absolute_error);
        cli_set_number(object, "r_squared", e->r_squared);
        if (linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE) {
            cli_set_number(object, "quantile", linpred_model_quantile(model));
            cli_set_number(object, "mean_loss", e->mean_loss);
            cli_set_number(object, "share_below", e->share_below);
            cli_set_number(object, "share_on", e->share_on);
        }
        return cli_print_json(object);
    }
    cli_set_text(object, "positive", linpred_model_label(model, 1));
    cli_set_text(object, "negative", linpred_model_label(model, -1));
    json_t *confusion = json_object();
    cli_set_number(confusion, "true_positive", e->true_positive);
    cli_set_number(confusion, "false_positive", e->false_positive);
    cli_set_number(confusion, "true_negative", e->true_negative);
    cli_set_number(confusion, "false_negative", e->false_negative);
    json_object_set_new(object, "confusion", confusion);
    cli_set_number(object, "error_rate", e->error);
    cli_set_number(object, "accuracy", 1.0 - e->error);
    cli_set_number(object, "on_boundary", e->on_boundary);
    cli_set_number(object, "auc", e->auc);
    cli_set_number(object, "log_loss", e->log_loss);
    cli_set_number(object, "brier_score", e->brier);
    if (calibration)
        json_object_set_new(object, "calibration", calibration_to_json(calibration));
    return cli_print_json(object);
}

static void print_regression(const linpred_model *model, const linpred_evaluation *e)
{
    printf("mean squared error   %.9g\n", e->mean_squared_error);
    printf("mean absolute error  %.9g\n", e->mean_absolute_error);
    if (isnan(e->r_squared))
        puts("R²                   not defined: all targets are the same");
    else
        printf("R²                   %.9g = 1 - Σ(y-score)² / %s of these rows\n", e->r_squared,
               linpred_model_has_intercept(model) ? "Σ(y-mean y)²" : "Σy² (a model without intercept)");
    double quantile = linpred_model_quantile(model);
    if (isnan(quantile))
        return;
    if (quantile != 0.5)
        printf("mean quantile loss   %.9g = mean of %g (y-score) above the fit, %g (score-y) below it\n", e->mean_loss,
               2 * quantile, 2 * (1 - quantile));
    printf("below the fit        %.9g of the rows", e->share_below);
    if (e->share_on > 0)
        printf(", and %.9g on it", e->share_on);
    printf(": quantile %g\n", quantile);
}

/* Prints the first line: "9 rows, labels in column 'y', total weight 13 (column w)". */
static void print_rows(const linpred_model *model, const linpred_evaluation *e, bool weighted)
{
    char total[40];
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION;
    printf("%" PRId64 " row%s, %s in column '%s'", e->rows, cli_plural(e->rows, "s"), regression ? "target" : "labels",
           linpred_model_target(model));
    cli_format_sum(e->weight, total);
    if (weighted)
        printf(", total weight %s (column %s)", total, linpred_model_weights(model));
    puts("\n");
}

static void print_evaluation_text(const linpred_model *model, const linpred_evaluation *e,
                                  const linpred_calibration *calibration, bool weighted)
{
    print_rows(model, e, weighted);
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION) {
        print_regression(model, e);
        return;
    }
    const char *positive = linpred_model_label(model, 1);
    const char *negative = linpred_model_label(model, -1);
    printf("%-24s %14s %14s\n", "", "predicted", "predicted");
    printf("%-25s", "");
    cli_print_cell(positive, 14, true);
    putchar(' ');
    cli_print_cell(negative, 14, true);
    fputs("\nactual ", stdout);
    cli_print_cell(positive, 17, false);
    printf(" %14.10g %14.10g\nactual ", e->true_positive, e->false_negative);
    cli_print_cell(negative, 17, false);
    printf(" %14.10g %14.10g\n\n", e->false_positive, e->true_negative);
    printf("error        %.6g (%.10g of %.10g)\n", e->error, e->false_positive + e->false_negative, e->weight);
    if (e->on_boundary > 0)
        printf("             %.10g exactly on the boundary, predicted %s\n", e->on_boundary, positive);
    if (isnan(e->auc))
        puts("AUC          not defined: all rows have the same label");
    else
        printf("AUC          %.9g (a positive row scores above a negative one this often, ties half)\n", e->auc);
    if (calibration) {
        printf("log loss     %.9g (mean of -log of the probability given to the actual label)\n", e->log_loss);
        printf("Brier score  %.9g (mean squared difference of probability and outcome)\n", e->brier);
        print_calibration(calibration, positive, weighted);
    }
}

int cli_run_evaluate(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_evaluation evaluation = {.struct_size = sizeof evaluation};
    linpred_calibration *calibration = NULL;
    int code = 0;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    const linpred_model *model = linpred_result_model(result);
    linpred_status status = linpred_data_load_for(model, cli->positional[1], true, cli->options, &data, &error);
    if (status == LINPRED_OK)
        status = linpred_evaluate(model, data, cli_threads(cli), &evaluation, &error);
    if (status == LINPRED_OK && !isnan(evaluation.log_loss))
        status = linpred_calibrate(model, data, cli_threads(cli), BINS, &calibration, &error);
    int64_t left_out = status == LINPRED_OK ? cli_shape(data).dropped_missing : 0;
    if (status == LINPRED_OK)
        cli_warn_of_data(cli, data);
    if (left_out > 0)
        cli_notice(cli, "%" PRId64 " row%s with missing values %s left out", left_out, cli_plural(left_out, "s"),
                   left_out == 1 ? "is" : "are");
    if (status != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    else if (cli->json)
        code = print_evaluation_json(cli, model, &evaluation, calibration);
    else
        print_evaluation_text(model, &evaluation, calibration, cli_shape(data).weighted);
    linpred_calibration_free(calibration);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
