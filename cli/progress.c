/* What happens while a fit runs: progress on the terminal, Ctrl-C, the file of --trace. The first interrupt ends the
 * fit, which keeps the best so far. A second one ends the program. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t interrupted;
static bool quiet;
static bool shown;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

/* Rewrites one line on standard error, if that is a terminal. */
static bool on_progress(void *context, const linpred_progress *progress)
{
    (void)context;
    if (!quiet && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s: ", progress->stage);
        if (progress->updates > 0 || progress->passes > 0)
            fprintf(stderr, "%" PRId64 " updates, %" PRId64 " passes, ", progress->updates, progress->passes);
        if (!isnan(progress->errors))
            fprintf(stderr, "best %g errors, ", progress->errors);
        fprintf(stderr, "%.1f s (Ctrl-C keeps the best so far) ", progress->seconds);
        shown = true;
    }
    return !interrupted;
}

void cli_watch(cli_invocation *cli)
{
    linpred_options_on_progress(cli->options, on_progress, NULL);
    quiet = cli->quiet;
    signal(SIGINT, on_interrupt);
}

void cli_unwatch(void)
{
    signal(SIGINT, SIG_DFL);
    if (shown)
        fprintf(stderr, "\r\033[K");
}

linpred_status cli_fit(cli_invocation *cli, const linpred_data *data, linpred_result **result, linpred_error *error)
{
    cli_watch(cli);
    linpred_status status = linpred_fit(data, cli->options, result, error);
    cli_unwatch();
    return status;
}

/* ---- the trace --------------------------------------------------------------------------------------------------- */

/* The file of --trace: one CSV row for each update of the perceptron. */

bool cli_trace_update(void *context, const linpred_update *update)
{
    FILE *trace = linpred_output_stream(((cli_session *)context)->trace);
    char number[40];
    fprintf(trace, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", update->update, update->pass, update->row,
            update->label > 0 ? 1 : -1);
    const double values[] = {update->score,        update->loss,   update->norm_squared, update->norm_limit,
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

int cli_trace_open(cli_session *session)
{
    const char *path = session->cli->own[OWN_TRACE];
    linpred_error error;
    if (!path)
        return 0;
    if (linpred_output_open(path, &session->trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, path);
    FILE *trace = linpred_output_stream(session->trace);
    fputs("update,pass,row,label,score,loss,norm_squared,norm_limit,star_product,cosine,cosine_limit,(intercept)",
          trace);
    for (int32_t j = 0; j < linpred_data_columns(session->data); j++) {
        fputc(',', trace);
        cli_print_field(trace, linpred_data_feature(session->data, j));
    }
    fputc('\n', trace);
    return 0;
}

int cli_trace_write(cli_session *session)
{
    linpred_error error;
    linpred_output *trace = session->trace;
    session->trace = NULL;
    if (trace && linpred_output_commit(trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, session->cli->own[OWN_TRACE]);
    return 0;
}
