/* linpred predict MODEL DATA: one line for each row with its label, probability or score, with --interval a prediction
 * interval, and with --keep columns of the file; to standard output or a file. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef enum predicted { LABEL, PROBABILITY, SCORE, PREDICTED } predicted;

static const char *const words[] = {"label", "probability", "score"};
static const char *const keys[] = {"labels", "probabilities", "scores"}; /* in JSON */

/* What is printed for each row. */
typedef struct asked_columns {
    predicted what[PREDICTED];
    int count;        /* length of `what` */
    double threshold; /* NaN: the model's own */
} asked_columns;

/* The predictions, one for each row of the file. A row that cannot be scored has the score NaN. */
typedef struct answers {
    const linpred_model *model;
    const linpred_data *data; /* for the columns of --keep */
    asked_columns asked;
    int64_t rows;
    double *scores;
    double *low; /* NULL without --interval */
    double *high;
} answers;

/* The label of a row; NULL if it cannot be scored. */
static const char *predicted_label(const answers *a, int64_t row)
{
    int sign = linpred_decide(a->model, a->scores[row], a->asked.threshold);
    return sign ? linpred_model_label(a->model, sign) : NULL;
}

static double number_of(const answers *a, int64_t row, predicted what)
{
    return what == PROBABILITY ? linpred_probability(a->scores[row]) : a->scores[row];
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    char number[40];
    if (isinf(value))
        snprintf(number, sizeof number, value < 0 ? "-inf" : "inf");
    else
        cli_format_number(value, number);
    fputs(isnan(value) ? "NA" : number, out);
}

/* Whether a column of --keep has this name. The column of predictions is then called predicted_NAME. */
static bool is_taken(const answers *a, const char *name)
{
    const char *kept;
    for (int32_t k = 0; (kept = linpred_data_kept(a->data, k)); k++)
        if (strcmp(kept, name) == 0)
            return true;
    return false;
}

static void print_header(FILE *out, const answers *a)
{
    const char *kept, *between = "";
    for (int32_t k = 0; (kept = linpred_data_kept(a->data, k)); k++, between = ",") {
        fputs(between, out);
        cli_print_field(out, kept);
    }
    for (int i = 0; i < a->asked.count; i++, between = ",")
        fprintf(out, "%s%s%s", between, is_taken(a, words[a->asked.what[i]]) ? "predicted_" : "",
                words[a->asked.what[i]]);
    if (a->low)
        fprintf(out, ",%slow,%shigh", is_taken(a, "low") ? "predicted_" : "", is_taken(a, "high") ? "predicted_" : "");
    fputc('\n', out);
}

static void print_row(FILE *out, const answers *a, int64_t row)
{
    const char *between = "";
    char buffer[LINPRED_KEPT_BYTES];
    for (int32_t k = 0; linpred_data_kept(a->data, k); k++, between = ",") {
        const char *cell = linpred_data_kept_cell(a->data, k, row + 1, buffer);
        fputs(between, out);
        cli_print_field(out, cell ? cell : "NA");
    }
    for (int i = 0; i < a->asked.count; i++, between = ",") {
        fputs(between, out);
        if (a->asked.what[i] == LABEL)
            cli_print_field(out, predicted_label(a, row) ? predicted_label(a, row) : "NA");
        else
            print_number(out, number_of(a, row, a->asked.what[i]));
    }
    if (a->low) {
        fputc(',', out);
        print_number(out, a->low[row]);
        fputc(',', out);
        print_number(out, a->high[row]);
    }
    fputc('\n', out);
}

static void print_rows(FILE *out, const answers *a)
{
    print_header(out, a);
    for (int64_t i = 0; i < a->rows; i++)
        print_row(out, a, i);
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

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* JSON has no infinite numbers, so an infinite bound is null, like the answer for a row that cannot be scored. The
   bound is infinite if the prediction beside it is a number. */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* Adds a list of predictions; false if out of memory. */
static bool add_predictions(json_t *object, const answers *a, predicted what)
{
    json_t *list = json_array();
    bool whole = json_object_set_new(object, keys[what], list) == 0;
    for (int64_t i = 0; i < a->rows && whole; i++)
        whole = json_array_append_new(list, what == LABEL ? text_or_null(predicted_label(a, i))
                                                          : number_or_null(number_of(a, i, what))) == 0;
    return whole;
}

static bool add_bounds(json_t *object, const answers *a, const char *key, const double *bounds)
{
    json_t *list = json_array();
    bool whole = json_object_set_new(object, key, list) == 0;
    for (int64_t i = 0; i < a->rows && whole; i++)
        whole = json_array_append_new(list, number_or_null(bounds[i])) == 0;
    return whole;
}

/* Adds the columns of --keep, if there are any. */
static bool add_kept(json_t *object, const answers *a)
{
    char buffer[LINPRED_KEPT_BYTES];
    json_t *columns = linpred_data_kept(a->data, 0) ? json_object() : NULL;
    bool whole = !columns || json_object_set_new(object, "kept", columns) == 0;
    const char *name;
    for (int32_t k = 0; whole && (name = linpred_data_kept(a->data, k)); k++) {
        json_t *list = json_array();
        whole = json_object_set_new(columns, name, list) == 0;
        for (int64_t i = 1; i <= a->rows && whole; i++)
            whole = json_array_append_new(list, text_or_null(linpred_data_kept_cell(a->data, k, i, buffer))) == 0;
    }
    return whole;
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
    cli_set_number(object, "threshold", a->asked.threshold);
    if (a->low)
        cli_set_number(object, "confidence", linpred_options_get_number(cli->options, "confidence"));
    if (cli->own[OWN_OUTPUT]) {
        cli_set_text(object, "output", cli->own[OWN_OUTPUT]);
        return cli_print_json(object);
    }
    bool whole = add_kept(object, a);
    for (int i = 0; i < a->asked.count && whole; i++)
        whole = add_predictions(object, a, a->asked.what[i]);
    if (a->low && whole)
        whole = add_bounds(object, a, "low", a->low) && add_bounds(object, a, "high", a->high);
    if (whole)
        return cli_print_json(object);
    json_decref(object);
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    return cli_fail_status(cli, &error, cli->positional[1]);
}

/* ---- notices ----------------------------------------------------------------------------------------------------- */

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

/* Prints what is to be said about the predictions. Returns 0, or an exit code. */
static int notice_predictions(const cli_invocation *cli, const linpred_result *result, const answers *a)
{
    cli_notice_rows(cli, a->data, "the answer is NA");
    int code = cli_notice_broken(cli, result, a->data);
    for (int i = 0; i < a->asked.count; i++)
        if (is_taken(a, words[a->asked.what[i]]))
            cli_notice(cli, "a column of --keep is called '%s', so the prediction is called 'predicted_%s'",
                       words[a->asked.what[i]], words[a->asked.what[i]]);
    if (code == 0 && a->low)
        notice_undetermined(cli, a);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Computes scores and intervals into the arrays of `a`. */
static int ask(const cli_invocation *cli, answers *a)
{
    linpred_error error;
    int threads = cli_threads(cli);
    if (linpred_score(a->model, a->data, threads, a->scores, &error) != LINPRED_OK)
        return cli_fail_rows(cli, &error, cli->positional[1]);
    double confidence = linpred_options_get_number(cli->options, "confidence");
    if (a->low &&
        linpred_predict_interval(a->model, a->data, threads, confidence, a->low, a->high, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    return 0;
}

static int predict(const cli_invocation *cli, const linpred_result *result, const linpred_data *data,
                   const asked_columns *asked)
{
    linpred_error no_memory = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    bool interval = cli->own[OWN_INTERVAL];
    int64_t rows = linpred_data_rows_in_file(data);
    double *numbers = malloc((size_t)(rows > 0 ? rows : 1) * (interval ? 3 : 1) * sizeof *numbers);
    answers a = {.model = linpred_result_model(result), .data = data, .asked = *asked, .rows = rows, .scores = numbers};
    if (!numbers)
        return cli_fail_status(cli, &no_memory, cli->positional[1]);
    if (interval) {
        a.low = numbers + rows;
        a.high = numbers + 2 * rows;
    }
    int code = ask(cli, &a);
    if (code == 0)
        code = notice_predictions(cli, result, &a);
    if (code == 0 && cli->own[OWN_OUTPUT])
        code = write_file(cli, &a);
    if (code == 0 && cli->json)
        code = print_predictions_json(cli, &a);
    else if (code == 0 && !cli->own[OWN_OUTPUT])
        print_rows(stdout, &a);
    free(numbers);
    return code;
}

/* Method lp decides whether a halfspace or ball separates the rows. If none does, its coefficients belong to the proof
   and do not predict well. */
bool cli_is_mere_proof(const linpred_result *result)
{
    return linpred_result_method(result) == LINPRED_METHOD_LP &&
           linpred_result_outcome(result) != LINPRED_OUTCOME_SEPARATED;
}

/* Reads the list of --what. Returns 0, or prints the error and returns an exit code. */
static int read_what(const cli_invocation *cli, const char *list, asked_columns *asked)
{
    const char *at = list;
    do {
        size_t bytes = strcspn(at, ",");
        int what = 0;
        while (what < PREDICTED && (strlen(words[what]) != bytes || memcmp(words[what], at, bytes) != 0))
            what++;
        if (what == PREDICTED)
            return cli_usage(cli, "--what takes label, probability, score, or several of them with commas, not '%.60s'",
                             list);
        for (int i = 0; i < asked->count; i++)
            if (asked->what[i] == (predicted)what)
                return cli_usage(cli, "--what names %s twice", words[what]);
        asked->what[asked->count++] = (predicted)what;
        at += bytes;
    } while (*at++ == ',');
    return 0;
}

/* Sets what is to be printed. Fails if the model cannot give it. */
static int choose(const cli_invocation *cli, const linpred_model *model, asked_columns *asked)
{
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION; /* its prediction is the score */
    bool logistic = linpred_model_task(model) == LINPRED_TASK_LOGISTIC;
    int code = cli_read_threshold(cli, model, &asked->threshold);
    if (asked->count == 0) {
        asked->what[asked->count++] = regression ? SCORE : LABEL;
        return code;
    }
    bool labels = false;
    for (int i = 0; i < asked->count && code == 0; i++) {
        labels = labels || asked->what[i] == LABEL;
        if (regression && asked->what[i] == LABEL)
            code = cli_usage(cli, "--what label has no meaning for a regression, which predicts numbers");
        else if (asked->what[i] == PROBABILITY && !logistic)
            code = cli_usage(cli, "only a logistic model gives probabilities: linpred fit logistic DATA -o MODEL");
    }
    if (code == 0 && !labels && !isnan(asked->threshold))
        code = cli_usage(cli, "--threshold is for labels: add label to --what");
    return code;
}

int cli_run_predict(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    asked_columns asked = {.threshold = NAN};
    int code = cli->own[OWN_WHAT] ? read_what(cli, cli->own[OWN_WHAT], &asked) : 0;
    if (code == 0 && linpred_options_given(cli->options, "confidence") && !cli->own[OWN_INTERVAL])
        code = cli_usage(cli, "--confidence has no meaning for predict without --interval");
    for (int i = 0; i < 2 && code == 0; i++)
        code = cli_check_output(cli, OWN_OUTPUT, cli->positional[i]);
    if (code)
        return code;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    const linpred_model *model = linpred_result_model(result);
    bool ball = linpred_model_task(model) == LINPRED_TASK_BALL;
    code = choose(cli, model, &asked);
    if (code == 0 && cli_data_load_for(model, cli->positional[1], false, cli->options, &data, &error) != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    if (code == 0 && cli_is_mere_proof(result))
        cli_notice(cli,
                   "'%.300s' was fitted to decide whether a %s separates the rows, and none was found: its %s not "
                   "chosen to predict; fit with --method pocket or auto",
                   cli->positional[0], ball ? "ball" : "halfspace",
                   ball ? "centre and radius are" : "coefficients are");
    if (code == 0)
        code = predict(cli, result, data, &asked);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
