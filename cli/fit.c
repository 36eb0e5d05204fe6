/* linpred fit halfspace DATA, linpred fit logistic DATA; and what all fits do */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"

/* What a fit needs beside the options, and what it measured. */
struct session {
    cli *cli;
    linpred_result *start;
    linpred_output *trace;
    double read_seconds;
    double verify_seconds;
    bool verified;
    linpred_check check;
};

/* ---- the trace ------------------------------------------------------------------------------------------------------- */

static bool on_update(void *context, const linpred_update *update)
{
    FILE *trace = linpred_output_stream(((struct session *)context)->trace);
    char number[40];
    fprintf(trace, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", update->update, update->pass, update->row,
            update->label > 0 ? 1 : -1);
    const double values[] = {update->score,      update->loss,   update->norm_squared, update->norm_limit,
                             update->star_product, update->cosine, update->cosine_limit, update->intercept};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        cli_format_number(values[i], number);
        fprintf(trace, ",%s", isnan(values[i]) ? "" : number);
    }
    for (int32_t j = 0; j < update->columns; j++) {
        cli_format_number(update->weights[j], number);
        fprintf(trace, ",%s", number);
    }
    fputc('\n', trace);
    return !cli_interrupted() && !ferror(trace);
}

static void csv_name(FILE *out, const char *name)
{
    fputs(",\"", out);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

static int open_trace(struct session *session, const linpred_data *data)
{
    const char *path = session->cli->own[OWN_TRACE];
    linpred_error error;
    if (!path)
        return 0;
    if (linpred_output_open(path, &session->trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, path);
    FILE *trace = linpred_output_stream(session->trace);
    fputs("update,pass,row,label,score,loss,norm_squared,norm_limit,star_product,cosine,cosine_limit,(intercept)", trace);
    for (int32_t j = 0; j < linpred_data_shape(data).columns; j++)
        csv_name(trace, linpred_data_feature(data, j));
    fputc('\n', trace);
    session->cli->options.on_update = on_update;
    return 0;
}

static int write_trace(struct session *session)
{
    linpred_error error;
    linpred_output *trace = session->trace;
    session->trace = NULL;
    if (trace && linpred_output_commit(trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, session->cli->own[OWN_TRACE]);
    return 0;
}

/* ---- what is printed ----------------------------------------------------------------------------------------------------- */

static void print_data(const linpred_data *data, const char *path, bool regression)
{
    linpred_shape shape = linpred_data_shape(data);
    printf("data         %s: %" PRId64 " row%s, %d feature%s", path, shape.rows, cli_plural(shape.rows, "s"),
           shape.columns, cli_plural(shape.columns, "s"));
    if (shape.sparse)
        printf(", sparse (%" PRId64 " entries)", shape.entries);
    putchar('\n');
    if (shape.dropped_missing > 0)
        printf("             left out for missing values: %" PRId64 " of %" PRId64 " rows\n", shape.dropped_missing,
               shape.rows_in_file);
    if (shape.dropped_weightless > 0)
        printf("             left out for weight 0: %" PRId64 " of %" PRId64 " rows\n", shape.dropped_weightless,
               shape.rows_in_file);
    for (size_t i = 0; linpred_data_note(data, i); i++)
        printf("%-12s %s\n", i > 0 ? "" : regression ? "target" : "labels", linpred_data_note(data, i));
}

/* The limits that could have ended this run. */
static void print_limits(const linpred_options *options, linpred_method method)
{
    const char *before = " (at most ";
    if (method == LINPRED_METHOD_PERCEPTRON || method == LINPRED_METHOD_POCKET) {
        printf("%s%" PRId64 " pass%s", before, options->max_passes, cli_plural(options->max_passes, "es"));
        before = ", ";
        if (options->max_updates < INT64_MAX)
            printf(", %" PRId64 " update%s", options->max_updates, cli_plural(options->max_updates, "s"));
    }
    if (options->max_seconds < 1e300) {
        printf("%s%g seconds", before, options->max_seconds);
        before = ", ";
    }
    puts(*before == ',' ? ")" : "");
}

/* Where the largest margin was found the figure of the other form belongs to another halfspace. */
static void print_margin(const linpred_info *info, bool usual)
{
    double with = info->margin, without = info->margin_without_intercept;
    if (isnan(info->gap)) {
        if (!isnan(with))
            printf("margin       %.9g (intercept in the norm), %.9g (usual)\n", with, without);
        return;
    }
    printf("margin       %.9g (%s), the largest there is, to a relative gap of %.2g\n", usual ? without : with,
           usual ? "usual" : "intercept in the norm", info->gap);
    double other = usual ? with : without;
    if (!isnan(other) && other != (usual ? without : with))
        printf("             another halfspace has the largest %s, %.9g: --norm %s\n",
               usual ? "with the intercept in the norm" : "in the usual form", other,
               usual ? "with-intercept" : "without-intercept");
}

/* The rows that prove that nothing separates the data, in a line; `separable` shows them in full. */
static void print_witness(const linpred_result *result, const char *what)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    enum { SHOWN = 12 };
    if (count == 0)
        return;
    printf("witness      row%s", cli_plural(count, "s"));
    for (int64_t i = 0; i < count && i < SHOWN; i++)
        printf("%s %" PRId64, i ? "," : "", row[i]);
    printf("%s cannot be separated by any %s\n", count > SHOWN ? ", …" : "", what);
}

static void print_end(const struct session *session, const linpred_info *info)
{
    if (session->verified)
        cli_check_to_text(&session->check);
    if (session->cli->own[OWN_OUTPUT] && info->outcome == LINPRED_OUTCOME_NO_MINIMISER)
        puts("model        none: there is nothing to write without a minimum");
    else if (session->cli->own[OWN_OUTPUT])
        printf("model        %s\n", session->cli->own[OWN_OUTPUT]);
}

static void print_text(const struct session *session, const linpred_data *data, const linpred_result *result)
{
    const linpred_info *info = linpred_result_info(result);
    linpred_shape shape = linpred_data_shape(data);
    char number[40], weight[40];
    linpred_task task = linpred_model_task(linpred_result_model(result));
    bool regression = task == LINPRED_TASK_REGRESSION, ball = task == LINPRED_TASK_BALL;
    print_data(data, session->cli->positional[0], regression);
    if (regression) {
        cli_regression_text(session->cli, result);
        print_end(session, info);
        return;
    }
    if (session->cli->options.task == LINPRED_TASK_LOGISTIC) {
        cli_logistic_to_text(result, data);
        print_end(session, info);
        return;
    }
    printf("method       %s", linpred_method_name(info->method));
    print_limits(&session->cli->options, info->method);
    printf("outcome      %s after %" PRId64 " update%s in %" PRId64 " pass%s: %s\n", linpred_outcome_name(info->outcome),
           info->updates, cli_plural(info->updates, "s"), info->passes, cli_plural(info->passes, "es"), info->reason);
    cli_format_number(info->errors, number);
    cli_format_number(shape.weight, weight);
    printf("errors       %s of %s (%.4g %%)", number, weight, 100.0 * info->objective);
    if (ball) {
        puts("");
        if (!isnan(info->margin_without_intercept))
            printf("distance     %.9g: no row is nearer to the sphere\n", info->margin_without_intercept);
        cli_ball_text(linpred_result_model(result));
        print_witness(result, "ball (linpred verify checks the proof in the model)");
        print_end(session, info);
        return;
    }
    printf(", perceptron loss %.6g\n", info->perceptron_loss);
    print_margin(info, session->cli->options.norm == LINPRED_MARGIN_WITHOUT_INTERCEPT);
    if (session->cli->options.bound && isnan(info->update_bound))
        puts("update bound none: no halfspace is known that separates the rows");
    if (!isnan(info->update_bound))
        printf("update bound %.10g = (RB)^2, R = %.9g, B = %.9g: the perceptron from 0 makes no more updates\n",
               info->update_bound, info->radius, info->norm);
    cli_print_coefficients(linpred_result_model(result));
    print_witness(result, "halfspace (linpred separable shows the proof)");
    print_end(session, info);
}

static json_t *notes_to_json(const linpred_data *data)
{
    json_t *notes = json_array();
    for (size_t i = 0; linpred_data_note(data, i); i++)
        json_array_append_new(notes, json_string(linpred_data_note(data, i)));
    return notes;
}

static int print_json(const struct session *session, const linpred_data *data, const linpred_result *result)
{
    const linpred_info *info = linpred_result_info(result);
    const linpred_model *model = linpred_result_model(result);
    linpred_shape shape = linpred_data_shape(data);
    json_t *object = json_object();
    cli_set_text(object, "outcome", linpred_outcome_name(info->outcome));
    cli_set_text(object, "reason", info->reason);
    cli_set_text(object, "method", linpred_method_name(info->method));
    cli_set_count(object, "rows", info->rows);
    cli_set_count(object, "columns", info->columns);
    cli_set_count(object, "rows_dropped_missing", shape.dropped_missing);
    cli_set_count(object, "rows_dropped_weightless", shape.dropped_weightless);
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION;
    if (regression)
        cli_set_text(object, "target", linpred_data_target(data));
    else
        json_object_set_new(object, "labels",
                            json_pack("{s:s, s:s, s:s}", "target", linpred_data_target(data), "negative",
                                  linpred_data_label(data, -1), "positive", linpred_data_label(data, 1)));
    json_object_set_new(object, "notes", notes_to_json(data));
    if (linpred_model_task(model) == LINPRED_TASK_BALL)
        cli_ball_json(object, model);
    else if (info->outcome != LINPRED_OUTCOME_NO_MINIMISER)
        json_object_set_new(object, "coefficients", cli_coefficients(model));
    if (session->cli->options.task == LINPRED_TASK_LOGISTIC)
        cli_logistic_to_json(object, result);
    if (regression)
        cli_regression_json(object, result);
    cli_info_to_json(object, info);
    cli_witness_to_json(object, result);
    if (session->verified)
        cli_check_to_json(object, &session->check);
    cli_seconds_to_json(object, session->read_seconds, info->seconds, session->verified ? session->verify_seconds : NAN);
    if (session->cli->own[OWN_OUTPUT] && info->outcome != LINPRED_OUTCOME_NO_MINIMISER)
        cli_set_text(object, "model", session->cli->own[OWN_OUTPUT]);
    return cli_print_json(object);
}

/* ---- the command ------------------------------------------------------------------------------------------------------------ */

static int exit_code(const struct session *session, const linpred_info *info)
{
    if (session->verified && cli_check_code(&session->check) != EXIT_HOLDS)
        return EXIT_NO;
    /* auto promises the largest margin or, with a proof that there is none, the count of a good halfspace's mistakes. */
    bool promised = info->outcome == LINPRED_OUTCOME_INSEPARABLE && session->cli->options.method == LINPRED_METHOD_AUTO;
    bool reached = info->outcome == LINPRED_OUTCOME_SEPARATED || info->outcome == LINPRED_OUTCOME_OPTIMAL;
    return promised || reached ? EXIT_HOLDS : EXIT_NO;
}

static int finish(struct session *session, const linpred_data *data, linpred_result *result)
{
    cli *cli = session->cli;
    linpred_error error;
    if (!cli->own[OWN_NO_VERIFY]) {
        double began = cli_now();
        if (linpred_verify(result, data, (int)cli->options.threads, &session->check, &error) != LINPRED_OK)
            return cli_fail_status(cli, &error, NULL);
        session->verify_seconds = cli_now() - began;
        session->verified = true;
    }
    int code = write_trace(session);
    if (code)
        return code;
    bool worth_keeping = linpred_result_info(result)->outcome != LINPRED_OUTCOME_NO_MINIMISER;
    if (cli->own[OWN_OUTPUT] && worth_keeping && linpred_result_save(result, cli->own[OWN_OUTPUT], &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_FAULT, &error, cli->own[OWN_OUTPUT]);
    if (cli->json)
        code = print_json(session, data, result);
    else
        print_text(session, data, result);
    return code ? code : exit_code(session, linpred_result_info(result));
}

static int fit_data(struct session *session, const linpred_data *data)
{
    cli *cli = session->cli;
    linpred_error error;
    linpred_result *result = NULL;
    int code = open_trace(session, data);
    if (code)
        return code;
    cli->options.context = session;
    if (cli_fit(cli, data, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    code = finish(session, data, result);
    linpred_result_free(result);
    return code;
}

/* Before anything long: do the options fit together, and can the files be written? */
static int prepare(struct session *session)
{
    cli *cli = session->cli;
    linpred_error error;
    char what[80];
    bool regression = cli->options.task == LINPRED_TASK_REGRESSION;
    bool ball = cli->options.task == LINPRED_TASK_BALL;
    bool walks = !regression && !ball && (cli->options.method == LINPRED_METHOD_PERCEPTRON || cli->options.method == LINPRED_METHOD_POCKET);
    if (strcmp(cli->command->name, "fit logistic") == 0)
        cli->options.task = LINPRED_TASK_LOGISTIC;
    unsigned listens = linpred_options_listens(&cli->options);
    if (regression)
        snprintf(what, sizeof what, "--loss %s", cli->options.loss == LINPRED_LOSS_SQUARED ? "squared" : "absolute");
    else if (cli->options.task == LINPRED_TASK_LOGISTIC)
        snprintf(what, sizeof what, "fit logistic");
    else
        snprintf(what, sizeof what, "%s--method %s", ball ? "fit ball " : "", linpred_method_name(cli->options.method));
    int code = cli_check_applies(cli, LINPRED_FOR_READ | LINPRED_FOR_ENCODE | listens, what);
    if (code)
        return code;
    bool starts = walks || cli->options.task == LINPRED_TASK_LOGISTIC;
    if ((!walks && cli->own[OWN_TRACE]) || (!starts && cli->own[OWN_START]))
        return cli_usage(cli, "--%s has no meaning for %s", cli->own[OWN_TRACE] ? "trace" : "start", what);
    code = cli_check_output(cli, OWN_OUTPUT, cli->positional[0]);
    if (code == 0)
        code = cli_check_output(cli, OWN_TRACE, cli->positional[0]);
    if (code)
        return code;
    if (cli->own[OWN_OUTPUT] && cli->own[OWN_TRACE] && strcmp(cli->own[OWN_OUTPUT], cli->own[OWN_TRACE]) == 0)
        return cli_usage(cli, "--output and --trace name the same file");
    if (cli->own[OWN_START]) {
        if (linpred_result_load(cli->own[OWN_START], false, &session->start, &error) != LINPRED_OK)
            return cli_fail_status(cli, &error, cli->own[OWN_START]);
        cli->options.start = linpred_result_model(session->start);
    }
    return 0;
}

int run_fit(cli *cli)
{
    struct session session = {.cli = cli};
    linpred_error error;
    linpred_data *data = NULL;
    int code = prepare(&session);
    if (code == 0) {
        double began = cli_now();
        if (linpred_data_load(cli->positional[0], &cli->options, &data, &error) != LINPRED_OK)
            code = cli_fail_status(cli, &error, cli->positional[0]);
        session.read_seconds = cli_now() - began;
    }
    if (code == 0)
        code = fit_data(&session, data);
    linpred_data_free(data);
    linpred_result_free(session.start);
    linpred_output_discard(session.trace);
    return code;
}
