/* What happens while a file is read or a fit runs: progress and Ctrl-C. Progress is one line on a
 * terminal, rewritten in place and gone when it is done, or with --progress plain a line every two seconds. The first
 * interrupt of a fit ends it, and the best so far is kept. A second one ends the program. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { FEWEST_COLUMNS = 40 };
static const double patience = 0.5;      /* seconds without a word; what takes less shows nothing */
static const double plain_seconds = 2.0; /* between two lines of --progress plain */

static struct {
    volatile sig_atomic_t interrupted;
    bool watching; /* a fit runs that ends when it is asked to */
    bool plain;    /* lines rather than one that is rewritten */
    bool none;     /* nothing is shown */
    bool shown;    /* a line stands there that must be wiped */
    bool told;     /* that the fit is about to end */
    double began;  /* when the first word could have been shown */
    double said;   /* when the last line of --progress plain was written */
    double limit;  /* --max-seconds */
} state;

static void on_interrupt(int number)
{
    state.interrupted = 1;
    signal(number, SIG_DFL);
}

bool cli_interrupted(void)
{
    return state.interrupted != 0;
}

static int terminal_columns(void)
{
    struct winsize window;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
    return columns >= FEWEST_COLUMNS ? columns : 80;
}

/* Adds a formatted part to the line, with a comma before it unless it is the first behind the stage. */
__attribute__((format(printf, 3, 4))) static void add_to_line(char *line, size_t bytes, const char *format, ...)
{
    size_t used = strlen(line);
    va_list arguments;
    if (used >= bytes)
        return;
    used += (size_t)snprintf(line + used, bytes - used, "%s ", line[used - 1] == ':' ? "" : ",");
    if (used >= bytes)
        return;
    va_start(arguments, format);
    vsnprintf(line + used, bytes - used, format, arguments);
    va_end(arguments);
}

/* How far reading is: bytes, the rate, and what is left. */
static void describe_reading(const linpred_progress *progress, char *line, size_t bytes)
{
    double rate = progress->seconds > 0 ? (double)progress->bytes / progress->seconds : 0;
    double left = (double)progress->total_bytes - (double)progress->bytes;
    if (progress->bytes < 0) { /* a database, of which only rows are known */
        add_to_line(line, bytes, "%" PRId64 " rows", progress->updates);
        return;
    }
    if (progress->total_bytes > 0)
        add_to_line(line, bytes, "%.0f of %.0f MB", 1e-6 * (double)progress->bytes,
                    1e-6 * (double)progress->total_bytes);
    else
        add_to_line(line, bytes, "%.0f MB", 1e-6 * (double)progress->bytes);
    add_to_line(line, bytes, "%.0f MB/s", 1e-6 * rate);
    if (progress->total_bytes > 0 && rate > 0 && left >= 0)
        add_to_line(line, bytes, "%.0f s left", left / rate);
}

/* What the learner measures: those of its numbers that are known. */
static void describe_fit(const linpred_progress *progress, char *line, size_t bytes)
{
    if (progress->updates > 0)
        add_to_line(line, bytes, "%" PRId64 " steps", progress->updates);
    if (progress->passes > 0)
        add_to_line(line, bytes, "%" PRId64 " passes", progress->passes);
    if (!isnan(progress->errors))
        add_to_line(line, bytes, "best %g mistakes", progress->errors);
    if (!isnan(progress->lower_bound))
        add_to_line(line, bytes, "none below %g", progress->lower_bound);
    if (!isnan(progress->gap))
        add_to_line(line, bytes, "gap %.1e", progress->gap);
    if (progress->working_rows > 0)
        add_to_line(line, bytes, "%" PRId64 " working rows", progress->working_rows);
    add_to_line(line, bytes, "%.1f s", progress->seconds);
    if (isfinite(state.limit) && state.limit < 1e9)
        add_to_line(line, bytes, "%.0f s left", fmax(0, state.limit - progress->seconds));
}

/* Writes the line: over the last one on a terminal, below it with --progress plain. */
static void show_line(char *line)
{
    if (state.plain) {
        double now = cli_now();
        if (state.said > 0 && now - state.said < plain_seconds)
            return;
        state.said = now;
        fprintf(stderr, "linpred: %s\n", line);
        return;
    }
    size_t columns = (size_t)terminal_columns() - 1;
    if (strlen(line) > columns)
        line[columns] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
    state.shown = true;
}

bool cli_on_progress(void *context, const linpred_progress *progress)
{
    (void)context;
    char line[300];
    if (!state.none && cli_now() - state.began >= patience) {
        snprintf(line, sizeof line, "%s:", progress->stage);
        if (strcmp(progress->stage, "reading") == 0)
            describe_reading(progress, line, sizeof line);
        else
            describe_fit(progress, line, sizeof line);
        if (state.watching && !state.plain)
            snprintf(line + strlen(line), sizeof line - strlen(line), " (Ctrl-C keeps the best so far)");
        show_line(line);
    }
    return !state.interrupted;
}

static void wipe_line(void)
{
    if (state.shown)
        fprintf(stderr, "\r\033[K");
    state.shown = false;
}

int cli_progress_begin(cli_invocation *cli)
{
    const char *word = cli->progress ? cli->progress : "auto";
    bool plain = strcmp(word, "plain") == 0, none = strcmp(word, "none") == 0;
    if (!plain && !none && strcmp(word, "auto") != 0)
        return cli_usage(cli, "--progress takes plain, none or auto, not '%.60s'", word);
    state.plain = plain;
    state.none = none || cli->quiet || (!plain && !isatty(STDERR_FILENO));
    state.began = cli_now();
    linpred_options_on_progress(cli->options, cli_on_progress, NULL);
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

linpred_status cli_data_load(const char *path, const linpred_options *options, linpred_data **data,
                             linpred_error *error)
{
    linpred_status status = linpred_data_load(path, options, data, error);
    wipe_line();
    return status;
}

linpred_status cli_data_load_for(const linpred_model *model, const char *path, bool labels,
                                 const linpred_options *options, linpred_data **data, linpred_error *error)
{
    linpred_status status = linpred_data_load_for(model, path, labels, options, data, error);
    wipe_line();
    return status;
}

linpred_status cli_points_load(const char *path, const linpred_options *options, linpred_data **points,
                               linpred_error *error)
{
    linpred_status status = linpred_points_load(path, options, points, error);
    wipe_line();
    return status;
}

linpred_status cli_convert_file(const char *path, const linpred_options *options, const char *output,
                                linpred_shape *shape, linpred_error *error)
{
    linpred_status status = linpred_convert(path, options, output, shape, error);
    wipe_line();
    return status;
}

linpred_status cli_inspect_file(const char *path, const linpred_options *options, linpred_inspection **inspection,
                                linpred_error *error)
{
    linpred_status status = linpred_inspect(path, options, inspection, error);
    wipe_line();
    return status;
}

/* ---- fitting ----------------------------------------------------------------------------------------------------- */

void cli_watch(cli_invocation *cli)
{
    state.watching = true;
    state.limit = linpred_options_get_number(cli->options, "max-seconds");
    signal(SIGINT, on_interrupt);
}

void cli_unwatch(void)
{
    signal(SIGINT, SIG_DFL);
    state.watching = false;
    wipe_line();
    if (state.interrupted && !state.told && !state.none)
        fputs("linpred: stopped by Ctrl-C: the best so far is kept\n", stderr);
    state.told = state.told || state.interrupted;
}
