/* The steps of every command that learns from a file: check options and output files, read, fit, verify, save, show,
 * choose the exit code. A command says by its cli_presentation what it shows and what it promises. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static const char *level_of(const void *data, const char *column, int32_t index)
{
    return linpred_data_level(data, column, index);
}

void cli_print_data(const cli_session *session)
{
    linpred_shape shape = cli_shape(session->data);
    bool regression = linpred_options_get_task(session->cli->options) == LINPRED_TASK_REGRESSION;
    int32_t terms = linpred_model_columns(linpred_result_model(session->result));
    bool powers = regression && terms > shape.columns;
    printf("data         %s", session->cli->positional[0]);
    if (session->cli->files > 0)
        printf(" and %d more file%s", session->cli->files, cli_plural(session->cli->files, "s"));
    printf(": %" PRId64 " row%s, %d %s%s", shape.rows, cli_plural(shape.rows, "s"), shape.columns,
           powers ? "column" : "feature", cli_plural(shape.columns, "s"));
    if (powers)
        printf(", %d features with powers", terms);
    if (shape.sparse)
        printf(", sparse (%" PRId64 " entries)", shape.entries);
    putchar('\n');
    if (shape.dropped_missing > 0)
        printf("             left out for missing values: %" PRId64 " of %" PRId64 " rows\n", shape.dropped_missing,
               shape.rows_in_file);
    if (shape.dropped_weightless > 0)
        printf("             left out for weight 0: %" PRId64 " of %" PRId64 " rows\n", shape.dropped_weightless,
               shape.rows_in_file);
    if (shape.filled_missing > 0)
        printf("             filled in for missing values: means, in %" PRId64 " of %" PRId64 " rows\n",
               shape.filled_missing, shape.rows_in_file);
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_data_note(session->data, i, &note); i++) {
        if (shape.dropped_missing > 0 && strcmp(note.kind, "missing_drop") == 0)
            continue; /* printed above, with the number of rows */
        printf("%-12s ", i > 0 ? "" : regression ? "target" : "labels");
        cli_print_note(&note, level_of, session->data);
    }
    cli_print_weights(session->result);
}

/* Whether there are coefficients to show and to save. If the objective has no minimiser, there are none. */
static bool has_model(const cli_session *session)
{
    return session->figures.outcome != LINPRED_OUTCOME_NO_MINIMISER;
}

/* Whether the model and its figures are not shown, because they do not answer what was asked. Integers answer it in the
   model's place. */
static bool hides_model(const cli_session *session, const cli_presentation *presentation)
{
    return presentation->or_nothing && (!(has_model(session) && presentation->promised(session)) ||
                                        linpred_result_direction(session->result, 0) != NULL);
}

static void print_text(const cli_session *session, const cli_presentation *presentation)
{
    const char *output = session->cli->own[OWN_OUTPUT];
    presentation->text(session);
    cli_claims_to_text(session->result, session->check, !hides_model(session, presentation));
    if (output && has_model(session))
        printf("model        %s\n", output);
    else if (output)
        puts("model        none: there is nothing to write without a minimum");
}

static int print_json(const cli_session *session, const cli_presentation *presentation)
{
    const cli_figures *stated = &session->figures;
    linpred_shape shape = cli_shape(session->data);
    json_t *object = json_object();
    cli_set_text(object, "outcome", linpred_outcome_name(stated->outcome));
    cli_set_text(object, "reason", stated->reason);
    cli_set_text(object, "method", linpred_method_name(stated->method));
    cli_set_count(object, "rows", stated->rows);
    cli_set_count(object, "columns", stated->columns);
    cli_set_count(object, "rows_dropped_missing", shape.dropped_missing);
    cli_set_count(object, "rows_dropped_weightless", shape.dropped_weightless);
    cli_set_count(object, "rows_filled_missing", shape.filled_missing);
    cli_about_to_json(object, session->result);
    cli_notices_to_json(session->cli, object);
    bool ball = linpred_options_get_task(session->cli->options) ==
                LINPRED_TASK_BALL; /* a ball has centre and radius instead of coefficients */
    bool hidden = hides_model(session, presentation);
    if (!ball && has_model(session) && !hidden)
        json_object_set_new(object, "coefficients", cli_coefficients(linpred_result_model(session->result)));
    if (presentation->json)
        presentation->json(object, session);
    cli_direction_to_json(object, session->result);
    cli_figures shown_figures = *stated;
    if (hidden)
        shown_figures.objective = shown_figures.errors = shown_figures.perceptron_loss = NAN;
    cli_figures_to_json(object, &shown_figures);
    cli_witness_to_json(object, session->result);
    cli_claims_to_json(object, session->result, session->check, !hidden);
    if (session->check)
        cli_check_to_json(object, session->result, session->check, !hidden);
    cli_seconds_to_json(object, session->read_seconds, stated->seconds, session->check ? session->verify_seconds : NAN);
    if (session->cli->own[OWN_OUTPUT] && has_model(session))
        cli_set_text(object, "model", session->cli->own[OWN_OUTPUT]);
    return cli_print_json(object);
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

/* Loads the model of --start. If the method does not use a start, this fails before the data is read. */
static int load_start(cli_session *session)
{
    cli_invocation *cli = session->cli;
    linpred_error error;
    char others[80];
    if (!cli->own[OWN_START])
        return 0;
    linpred_scopes_text("start", others, sizeof others);
    if (!linpred_options_listens(cli->options, "start"))
        return cli_usage(cli, "--start is for %s", others);
    if (linpred_result_load(cli->own[OWN_START], false, &session->start, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->own[OWN_START]);
    linpred_options_set_start(cli->options, linpred_result_model(session->start));
    return 0;
}

/* Checks, before anything takes long, that the options suit the fit and that the output files can be written. */
static int prepare(cli_session *session)
{
    cli_invocation *cli = session->cli;
    linpred_error error;
    linpred_options_on_update(cli->options, cli->own[OWN_TRACE] ? cli_trace_update : NULL, session);
    if (linpred_options_check(cli->options, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_INPUT, &error, NULL);
    int code = load_start(session);
    if (code)
        return code;
    code = cli_check_output(cli, OWN_OUTPUT, cli->positional[0]);
    if (code == 0)
        code = cli_check_output(cli, OWN_TRACE, cli->positional[0]);
    if (code)
        return code;
    if (cli->own[OWN_OUTPUT] && cli->own[OWN_TRACE] && strcmp(cli->own[OWN_OUTPUT], cli->own[OWN_TRACE]) == 0)
        return cli_usage(cli, "--output and --trace name the same file");
    return 0;
}

/* Ctrl-C ends the fit, which keeps the best model so far. */
static linpred_status fit_watched(cli_invocation *cli, const linpred_data *data, linpred_result **result,
                                  linpred_error *error)
{
    cli_watch(cli);
    linpred_status status = linpred_fit(data, cli->options, result, error);
    cli_unwatch();
    return status;
}

static int load_and_fit(cli_session *session)
{
    cli_invocation *cli = session->cli;
    linpred_error error;
    double began = cli_now();
    if (cli_data_load(cli->positional[0], cli->options, &session->data, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    session->read_seconds = cli_now() - began;
    cli_warn_of_data(cli, session->data);
    int code = cli_trace_open(session);
    if (code)
        return code;
    if (fit_watched(cli, session->data, &session->result, &error) != LINPRED_OK)
        return cli_fail_rows(cli, &error, cli->positional[0]);
    session->figures = cli_read_figures(session->result);
    if (!cli_shape(session->data).whole_weights && cli_has_inference(session->result))
        cli_notice(cli, "some row weights are not whole numbers: standard errors, p and intervals count a weight of k "
                        "as k copies of the row, and change if all weights are multiplied by a number");
    return 0;
}

/* A fit that its own check refutes is a fault of linpred. No model is written. */
static int fail_refuted(const cli_session *session)
{
    linpred_error error = {.status = LINPRED_ERROR_INTERNAL};
    snprintf(
        error.message, sizeof error.message,
        "internal error: the fit is refuted by its own check, so nothing is written: %.200s; please report this to "
        "the authors of linpred, with the command, what linpred --version says, and the data or a part of it that "
        "shows the error",
        linpred_check_summary(session->check));
    return cli_fail_status(session->cli, &error, session->cli->positional[0]);
}

static int verify_and_save(cli_session *session)
{
    cli_invocation *cli = session->cli;
    linpred_error error;
    if (!cli->own[OWN_NO_VERIFY]) {
        double began = cli_now();
        if (linpred_verify(session->result, session->data, cli_threads(cli), &session->check, &error) != LINPRED_OK)
            return cli_fail_rows(cli, &error, cli->positional[0]);
        session->verify_seconds = cli_now() - began;
        if (linpred_check_verdict(session->check) == LINPRED_REFUTED)
            return fail_refuted(session);
        cli_notice_respecting(cli, session->result, session->check);
    }
    int code = cli_trace_write(session);
    if (code)
        return code;
    if (cli->own[OWN_OUTPUT] && has_model(session) &&
        linpred_result_save(session->result, cli->own[OWN_OUTPUT], &error) != LINPRED_OK)
        return cli_fail_written(cli, &error, cli->own[OWN_OUTPUT]);
    if (cli->own[OWN_OUTPUT] && !has_model(session) && access(cli->own[OWN_OUTPUT], F_OK) == 0)
        cli_notice(cli, "'%.300s' was not written: what it holds is from before, and no answer to this fit",
                   cli->own[OWN_OUTPUT]);
    return 0;
}

static int exit_code(const cli_session *session, const cli_presentation *presentation)
{
    bool verified = !session->check || cli_check_code(session->check) == EXIT_HOLDS;
    return verified && presentation->promised(session) ? EXIT_HOLDS : EXIT_NO;
}

bool cli_reached(const cli_session *session)
{
    return session->figures.outcome == LINPRED_OUTCOME_SEPARATED || session->figures.outcome == LINPRED_OUTCOME_OPTIMAL;
}

int cli_learn(cli_invocation *cli, const cli_presentation *presentation)
{
    cli_session session = {.cli = cli};
    int code = prepare(&session);
    if (code == 0)
        code = load_and_fit(&session);
    if (code == 0)
        code = verify_and_save(&session);
    if (code == 0 && cli->json)
        code = print_json(&session, presentation);
    else if (code == 0)
        print_text(&session, presentation);
    if (code == 0)
        code = exit_code(&session, presentation);
    linpred_check_free(session.check);
    linpred_result_free(session.result);
    linpred_data_free(session.data);
    linpred_result_free(session.start);
    linpred_output_discard(session.trace);
    return code;
}
