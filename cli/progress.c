/* Progress and Ctrl-C. The first interrupt ends the fit, which keeps the best so far. A second one ends the program. */
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
