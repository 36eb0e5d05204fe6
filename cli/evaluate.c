/* linpred evaluate MODEL DATA: mistakes of a model on labelled rows, how well its scores rank them (AUC), and how well
 * its probabilities are calibrated; for a regression the mean errors. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "cli.h"

enum { BINS = 10 }; /* the calibration is by tenths of [0,1] */

/* Prints a line "name  text" whose text begins in column `indent`, folded to the screen. */
__attribute__((format(printf, 3, 4))) static void print_line(int indent, const char *name, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%s%*s", name, indent - cli_width(name), "");
    cli_print_words(stdout, text, indent, indent, cli_line_width());
    putchar('\n');
}

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
    char title[100];
    int screen = cli_line_width(), left = screen > 0 && screen < 66 ? 20 : 25;
    snprintf(title, sizeof title, "probability of %.80s", positive);
    putchar('\n');
    cli_print_cell(title, left, false);
    printf(" %12s %12s %12s\n", weighted ? "weight" : "rows", "mean", "observed");
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++)
        if (bin.weight > 0)
            printf("  %.1f to %.1f %*.10g %12.4f %12.4f\n", bin.from, bin.to, left, bin.weight, bin.predicted,
                   bin.observed);
}

static json_t *roc_to_json(const linpred_roc *roc)
{
    json_t *list = json_array();
    linpred_roc_corner corner = {.struct_size = sizeof corner};
    for (size_t k = 0; linpred_roc_point(roc, k, &corner); k++) {
        json_t *object = json_object();
        if (isfinite(corner.threshold)) /* no row is labelled +1 at the first corner */
            cli_set_number(object, "threshold", corner.threshold);
        cli_set_number(object, "false_positive_rate", corner.false_positive_rate);
        cli_set_number(object, "true_positive_rate", corner.true_positive_rate);
        json_array_append_new(list, object);
    }
    return list;
}

/* What is shown. */
typedef struct report {
    const linpred_model *model;
    linpred_evaluation evaluation;
    linpred_calibration *calibration; /* NULL if there is no log loss */
    linpred_roc *roc;                 /* NULL without --json, and if only one label occurs */
    bool weighted;
    bool threshold_given;
} report;

static int print_evaluation_json(const cli_invocation *cli, const report *shown)
{
    const linpred_model *model = shown->model;
    const linpred_evaluation *e = &shown->evaluation;
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
    cli_set_number(object, "threshold", e->threshold);
    cli_set_number(object, "precision", e->precision);
    cli_set_number(object, "recall", e->recall);
    cli_set_number(object, "f1", e->f1);
    cli_set_number(object, "auc", e->auc);
    cli_set_number(object, "log_loss", e->log_loss);
    cli_set_number(object, "brier_score", e->brier);
    if (shown->calibration)
        json_object_set_new(object, "calibration", calibration_to_json(shown->calibration));
    if (shown->roc)
        json_object_set_new(object, "roc", roc_to_json(shown->roc));
    return cli_print_json(object);
}

static void print_regression(const linpred_model *model, const linpred_evaluation *e)
{
    enum { LEFT = 21 };
    print_line(LEFT, "mean squared error", "%.9g", e->mean_squared_error);
    print_line(LEFT, "mean absolute error", "%.9g", e->mean_absolute_error);
    if (isnan(e->r_squared))
        print_line(LEFT, "R²", "not defined: all targets are the same");
    else
        print_line(LEFT, "R²", "%.9g = 1 - Σ(y-score)² / %s of these rows", e->r_squared,
                   linpred_model_has_intercept(model) ? "Σ(y-mean y)²" : "Σy² (a model without intercept)");
    double quantile = linpred_model_quantile(model);
    if (isnan(quantile))
        return;
    if (quantile != 0.5)
        print_line(LEFT, "mean quantile loss", "%.9g = mean of %g (y-score) above the fit, %g (score-y) below it",
                   e->mean_loss, 2 * quantile, 2 * (1 - quantile));
    if (e->share_on > 0)
        print_line(LEFT, "below the fit", "%.9g of the rows, and %.9g on it: quantile %g", e->share_below, e->share_on,
                   quantile);
    else
        print_line(LEFT, "below the fit", "%.9g of the rows: quantile %g", e->share_below, quantile);
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

enum { LEFT = 13 }; /* where the figures of a classifier stand */

/* Prints a share of two weights; "not defined" and why if the divisor is 0. */
static void print_share(const char *name, double share, double of, double whole, const char *meaning, const char *why)
{
    if (isnan(share))
        print_line(LEFT, name, "not defined: %s", why);
    else
        print_line(LEFT, name, "%.6g (%.10g of %.10g %s)", share, of, whole, meaning);
}

static void print_shares(const linpred_model *model, const linpred_evaluation *e)
{
    char labelled[100], actual[100], none[100], no_row[100];
    const char *positive = linpred_model_label(model, 1);
    snprintf(labelled, sizeof labelled, "predicted %.40s are %.40s", positive, positive);
    snprintf(actual, sizeof actual, "actual %.40s are found", positive);
    snprintf(none, sizeof none, "no row is predicted %.40s", positive);
    snprintf(no_row, sizeof no_row, "no row is %.40s", positive);
    print_share("precision", e->precision, e->true_positive, e->true_positive + e->false_positive, labelled, none);
    print_share("recall", e->recall, e->true_positive, e->true_positive + e->false_negative, actual, no_row);
    if (!isnan(e->f1))
        print_line(LEFT, "F1", "%.6g (%s)", e->f1,
                   isnan(e->precision) ? "none is found" : "harmonic mean of precision and recall");
}

static void print_evaluation_text(const report *shown)
{
    const linpred_model *model = shown->model;
    const linpred_evaluation *e = &shown->evaluation;
    const linpred_calibration *calibration = shown->calibration;
    print_rows(model, e, shown->weighted);
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
    if (shown->threshold_given)
        print_line(LEFT, "threshold", "%.200s from the %s %.9g on", positive,
                   linpred_model_task(model) == LINPRED_TASK_LOGISTIC ? "probability" : "score", e->threshold);
    print_line(LEFT, "error", "%.6g (%.10g of %.10g)", e->error, e->false_positive + e->false_negative, e->weight);
    if (e->on_boundary > 0)
        print_line(LEFT, "", "%.10g exactly on the boundary, predicted %.200s", e->on_boundary, positive);
    print_shares(model, e);
    if (isnan(e->auc))
        print_line(LEFT, "AUC", "not defined: all rows have the same label");
    else
        print_line(LEFT, "AUC", "%.9g (a positive row scores above a negative one this often, ties half)", e->auc);
    if (calibration) {
        print_line(LEFT, "log loss", "%.9g (mean of -log of the probability given to the actual label)", e->log_loss);
        print_line(LEFT, "Brier score", "%.9g (mean squared difference of probability and outcome)", e->brier);
        print_calibration(calibration, positive, shown->weighted);
    }
}

int cli_read_threshold(const cli_invocation *cli, const linpred_model *model, double *threshold)
{
    *threshold = NAN;
    if (!linpred_options_given(cli->options, "threshold"))
        return 0;
    double given = linpred_options_get_number(cli->options, "threshold");
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION)
        return cli_usage(cli, "--threshold has no meaning for a regression, which predicts numbers");
    if (linpred_model_task(model) == LINPRED_TASK_LOGISTIC && !(given >= 0 && given <= 1))
        return cli_usage(cli, "--threshold of a logistic model is a probability between 0 and 1, not %g", given);
    *threshold = given;
    return 0;
}

/* Computes what is shown. */
static linpred_status evaluate(const cli_invocation *cli, const linpred_data *data, double threshold, report *shown,
                               linpred_error *error)
{
    linpred_evaluation *e = &shown->evaluation;
    int threads = cli_threads(cli);
    linpred_status status = linpred_evaluate_at(shown->model, data, threads, threshold, e, error);
    if (status == LINPRED_OK && !isnan(e->log_loss))
        status = linpred_calibrate(shown->model, data, threads, BINS, &shown->calibration, error);
    if (status == LINPRED_OK && cli->json && !isnan(e->auc))
        status = linpred_roc_draw(shown->model, data, threads, &shown->roc, error);
    return status;
}

int cli_run_evaluate(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    double threshold;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    report shown = {.model = linpred_result_model(result), .evaluation.struct_size = sizeof shown.evaluation};
    int code = cli_read_threshold(cli, shown.model, &threshold);
    if (code == 0) {
        linpred_status status = cli_data_load_for(shown.model, cli->positional[1], true, cli->options, &data, &error);
        if (status == LINPRED_OK)
            status = evaluate(cli, data, threshold, &shown, &error);
        if (status != LINPRED_OK)
            code = cli_fail_status(cli, &error, cli->positional[1]);
    }
    if (code == 0) {
        cli_notice_rows(cli, data, "left out");
        shown.weighted = cli_shape(data).weighted;
        shown.threshold_given = !isnan(threshold);
        if (cli->json)
            code = print_evaluation_json(cli, &shown);
        else
            print_evaluation_text(&shown);
    }
    linpred_roc_free(shown.roc);
    linpred_calibration_free(shown.calibration);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
