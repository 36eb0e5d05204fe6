/* linpred predict MODEL DATA: one line for each row with its label, score or probability, and with --interval a
 * prediction interval; to standard output or a file. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef enum predicted { LABEL, SCORE, PROBABILITY } predicted;

static const char *const words[] = {"label", "score", "probability"};

static double number_of(double score, predicted what)
{
    return what == PROBABILITY ? linpred_probability(score) : score;
}

/* The predictions, one for each row of the file. A row that was dropped has the label 0 and the score NaN. */
typedef struct answers {
    const linpred_model *model;
    predicted what;
    int64_t rows;
    const signed char *labels; /* NULL unless labels are printed */
    double *scores;
    double *low; /* NULL without --interval */
    double *high;
} answers;

static void print_number(FILE *out, double value)
{
    char number[40];
    if (isinf(value))
        snprintf(number, sizeof number, value < 0 ? "-inf" : "inf");
    else
        cli_format_number(value, number);
    fputs(isnan(value) ? "NA" : number, out);
}

static void print_rows(FILE *out, const answers *a)
{
    fprintf(out, "%s%s\n", words[a->what], a->low ? ",low,high" : "");
    for (int64_t i = 0; i < a->rows; i++) {
        if (a->labels && a->labels[i] != 0)
            cli_print_field(out, linpred_model_label(a->model, a->labels[i]));
        else if (a->labels)
            fputs("NA", out);
        else
            /* NOLINTNEXTLINE(clang-analyzer-core*): answers without labels have scores */
            print_number(out, number_of(a->scores[i], a->what));
        if (a->low) {
            fputc(',', out);
            print_number(out, a->low[i]);
            fputc(',', out);
            print_number(out, a->high[i]);
        }
        fputc('\n', out);
    }
}

/* JSON has no infinite numbers, so an infinite bound is null, like the answer for a row that was dropped. The bound is
   infinite if the prediction beside it is a number. */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *answer_of(const answers *a, int64_t i)
{
    if (a->labels)
        return a->labels[i] != 0 ? json_string(linpred_model_label(a->model, a->labels[i])) : json_null();
    /* NOLINTNEXTLINE(clang-analyzer-core*): answers without labels have scores */
    return number_or_null(number_of(a->scores[i], a->what));
}

static int print_predictions_json(const cli_invocation *cli, const answers *a)
{
    json_t *object = json_object();
    cli_set_count(object, "rows", a->rows);
    if (linpred_model_task(a->model) != LINPRED_TASK_REGRESSION) {
        cli_set_text(object, "positive", linpred_model_label(a->model, 1));
        cli_set_text(object, "negative", linpred_model_label(a->model, -1));
    }
    cli_notices_to_json(cli, object);
    if (a->low)
        cli_set_number(object, "confidence", linpred_options_get_number(cli->options, "confidence"));
    if (cli->own[OWN_OUTPUT]) {
        cli_set_text(object, "output", cli->own[OWN_OUTPUT]);
        return cli_print_json(object);
    }
    json_t *list = json_array(), *low = json_array(), *high = json_array();
    bool whole = true;
    for (int64_t i = 0; i < a->rows && whole; i++)
        whole = json_array_append_new(list, answer_of(a, i)) == 0 &&
                (!a->low || (json_array_append_new(low, number_or_null(a->low[i])) == 0 &&
                             json_array_append_new(high, number_or_null(a->high[i])) == 0));
    json_object_set_new(object, a->what == LABEL ? "labels" : a->what == SCORE ? "scores" : "probabilities", list);
    if (a->low) {
        json_object_set(object, "low", low);
        json_object_set(object, "high", high);
    }
    json_decref(low);
    json_decref(high);
    if (whole)
        return cli_print_json(object);
    json_decref(object);
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    return cli_fail_status(cli, &error, cli->positional[1]);
}

static int write_file(const cli_invocation *cli, const answers *a)
{
    char *text = NULL;
    size_t bytes = 0;
    linpred_error error = {.message = "out of memory"};
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        print_rows(out, a);
    bool whole = out && fclose(out) == 0 && linpred_write_file(cli->own[OWN_OUTPUT], text, bytes, &error) == LINPRED_OK;
    free(text);
    return whole ? 0 : cli_fail(cli, EXIT_FAULT, &error, cli->own[OWN_OUTPUT]);
}

/* Prints a notice for each dependency of the training columns that rows break. The training data do not determine the
   predictions of such rows. */
static int notice_broken(const cli_invocation *cli, const linpred_result *result, const linpred_data *data)
{
    enum { NAMED = 3 };
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    size_t count = linpred_result_dependency_count(result), broken = 0;
    if (count == 0)
        return 0;
    int64_t *rows = calloc(2 * count, sizeof *rows), *first = rows + count;
    linpred_status status =
        rows ? linpred_broken_dependencies(result, data, cli_threads(cli), rows, first, &error) : LINPRED_ERROR_MEMORY;
    for (size_t k = 0; status == LINPRED_OK && k < count; k++)
        if (rows[k] > 0 && broken++ < NAMED)
            cli_notice(cli,
                       "%" PRId64 " row%s (the first is row %" PRId64
                       ") break%s a dependency that held between the columns of the training data, %s: the training "
                       "data do not determine %s",
                       rows[k], cli_plural(rows[k], "s"), first[k], rows[k] == 1 ? "s" : "",
                       linpred_result_dependency_sentence(result, k),
                       rows[k] == 1 ? "its prediction" : "their predictions");
    if (broken > NAMED)
        cli_notice(cli, "rows break %zu more dependenc%s of the training columns", broken - NAMED,
                   broken - NAMED == 1 ? "y" : "ies");
    free(rows);
    return status == LINPRED_OK ? 0 : cli_fail_status(cli, &error, cli->positional[1]);
}

/* Prints a notice if rows have no finite interval, since the fit does not determine their prediction. */
static void notice_undetermined(const cli_invocation *cli, const answers *a)
{
    int64_t count = 0, first = 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (isinf(a->low[i]) && count++ == 0)
            first = i + 1;
    if (count > 0)
        cli_notice(cli,
                   "the interval of %" PRId64 " row%s that break%s a dependency (the first is row %" PRId64
                   ") is the whole line",
                   count, cli_plural(count, "s"), count == 1 ? "s" : "", first);
}

/* Computes the scores, labels and intervals that are asked for, into the arrays of `a`. */
static int ask(const cli_invocation *cli, const linpred_data *data, answers *a, signed char *labels)
{
    linpred_error error;
    int threads = cli_threads(cli);
    linpred_status status = a->what == LABEL ? linpred_predict_labels(a->model, data, threads, labels, &error)
                                             : linpred_score(a->model, data, threads, a->scores, &error);
    if (status != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[1]);
    a->labels = a->what == LABEL ? labels : NULL;
    double confidence = linpred_options_get_number(cli->options, "confidence");
    if (a->low && linpred_predict_interval(a->model, data, threads, confidence, a->low, a->high, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    return 0;
}

static int predict(const cli_invocation *cli, const linpred_result *result, const linpred_data *data, predicted what)
{
    const linpred_model *model = linpred_result_model(result);
    linpred_error no_memory = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    linpred_shape shape = cli_shape(data);
    bool interval = cli->own[OWN_INTERVAL];
    int64_t rows = shape.rows_in_file;
    double *numbers = malloc((size_t)rows * (interval ? 3 : 1) * sizeof *numbers);
    signed char *labels = malloc((size_t)rows);
    answers a = {.model = model, .what = what, .rows = rows, .scores = numbers};
    if (interval) {
        a.low = numbers + rows;
        a.high = numbers + 2 * rows;
    }
    int code = numbers && labels ? ask(cli, data, &a, labels) : cli_fail_status(cli, &no_memory, cli->positional[1]);
    if (code == 0)
        cli_warn_of_data(cli, data);
    if (code == 0 && shape.dropped_missing > 0)
        cli_notice(cli, "%" PRId64 " row%s with missing values: the answer is NA", shape.dropped_missing,
                   cli_plural(shape.dropped_missing, "s"));
    if (code == 0)
        code = notice_broken(cli, result, data);
    if (code == 0 && interval)
        notice_undetermined(cli, &a);
    if (code == 0 && cli->own[OWN_OUTPUT])
        code = write_file(cli, &a);
    if (code == 0 && cli->json)
        code = print_predictions_json(cli, &a);
    else if (code == 0 && !cli->own[OWN_OUTPUT])
        print_rows(stdout, &a);
    free(numbers);
    free(labels);
    return code;
}

/* Method lp decides whether a halfspace or ball separates the rows. If none does, its coefficients belong to the proof
   and do not predict well. */
bool cli_is_mere_proof(const linpred_result *result)
{
    return linpred_result_method(result) == LINPRED_METHOD_LP &&
           linpred_result_outcome(result) != LINPRED_OUTCOME_SEPARATED;
}

int cli_run_predict(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    const char *asked = cli->own[OWN_WHAT] ? cli->own[OWN_WHAT] : words[LABEL];
    predicted what = LABEL;
    while (what <= PROBABILITY && strcmp(asked, words[what]) != 0)
        what++;
    if (what > PROBABILITY)
        return cli_usage(cli, "--what takes label, score or probability, not '%.60s'", asked);
    if (linpred_options_given(cli->options, "confidence") && !cli->own[OWN_INTERVAL])
        return cli_usage(cli, "--confidence has no meaning for predict without --interval");
    for (int i = 0; i < 2; i++) {
        int code = cli_check_output(cli, OWN_OUTPUT, cli->positional[i]);
        if (code)
            return code;
    }
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    const linpred_model *model = linpred_result_model(result);
    bool ball = linpred_model_task(model) == LINPRED_TASK_BALL;
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION; /* its prediction is the score */
    int code;
    if (regression && cli->own[OWN_WHAT] && what == LABEL)
        code = cli_usage(cli, "--what label has no meaning for a regression, which predicts numbers");
    else if (what == PROBABILITY && linpred_model_task(model) != LINPRED_TASK_LOGISTIC)
        code = cli_usage(cli, "only a logistic model gives probabilities: linpred fit logistic DATA -o MODEL");
    else if (linpred_data_load_for(model, cli->positional[1], false, cli->options, &data, &error) != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    else {
        if (cli_is_mere_proof(result))
            cli_notice(cli,
                       "'%.300s' was fitted to decide whether a %s separates the rows, and none was found: its %s not "
                       "chosen to predict; fit with --method pocket or auto",
                       cli->positional[0], ball ? "ball" : "halfspace",
                       ball ? "centre and radius are" : "coefficients are");
        code = predict(cli, result, data, regression ? SCORE : what);
    }
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
