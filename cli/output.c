/* Errors, notices, JSON and numbers as text. Results go to standard output, errors and notices to standard error. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The one of several files that a message is about: "FILE:LINE: …", "A and 2 more files, FILE:LINE: …" or "cannot open
   'FILE': …". Rows may stand for lines, as in "FILE: row 7: …". *line becomes 0 if none is named. NULL: the message is
   about all files. */
static const char *file_named(const cli_invocation *cli, const char *first, const char *message, long long *line)
{
    static const char more[] = " more file", closed[] = "cannot open '";
    const char *at = message, *others = strstr(message, more);
    if (others) {
        at = others + strlen(more);
        at += *at == 's';
        at = strncmp(at, ", ", 2) == 0 ? at + 2 : message;
    }
    if (strncmp(message, closed, strlen(closed)) == 0)
        at = message + strlen(closed);
    for (int i = -1; i < cli->files; i++) {
        const char *file = i < 0 ? first : cli->file[i];
        size_t length = strlen(file);
        if (strncmp(at, file, length) != 0 || (at[length] != ':' && at[length] != '\''))
            continue;
        if (sscanf(at + length, at[length + 1] == ' ' ? ": row %lld" : ":%lld", line) != 1)
            *line = 0;
        return file;
    }
    return NULL;
}

int cli_fail(const cli_invocation *cli, int code, const linpred_error *error, const char *file)
{
    long long line = error->line;
    cli_print_message(error->message);
    if (!cli->json)
        return code;
    json_t *about = json_object();
    cli_set_text(about, "message", error->message);
    if (file && cli->files > 0) /* the error counts rows through all files */
        file = file_named(cli, file, error->message, &line);
    if (file)
        cli_set_text(about, "file", file);
    if (line > 0 && (file || cli->files == 0))
        cli_set_count(about, "line", line);
    if (error->column > 0)
        cli_set_count(about, "column", error->column);
    json_t *object = json_object();
    json_object_set_new(object, "error", about);
    return cli_print_json(object) == 0 ? code : EXIT_FAULT;
}

int cli_fail_status(const cli_invocation *cli, const linpred_error *error, const char *file)
{
    bool fault = error->status == LINPRED_ERROR_MEMORY || error->status == LINPRED_ERROR_INTERNAL;
    return cli_fail(cli, fault ? EXIT_FAULT : EXIT_INPUT, error, file);
}

/* "part-1.npz: …", or "part-1.npz and 2 more files: …" */
static bool begins_with_file(const char *message, const char *file)
{
    size_t length = strlen(file);
    return strncmp(message, file, length) == 0 &&
           (message[length] == ':' || strncmp(message + length, " and ", 5) == 0);
}

/* An error of rows names no file, unless they were read again and are not what they were. */
int cli_fail_rows(const cli_invocation *cli, const linpred_error *error, const char *file)
{
    linpred_error about = *error;
    bool named = begins_with_file(error->message, file);
    for (int i = 0; i < cli->files; i++)
        named = named || begins_with_file(error->message, cli->file[i]);
    if (error->status == LINPRED_ERROR_INPUT && !named)
        snprintf(about.message, sizeof about.message, "%.150s: %.355s", file, error->message);
    return cli_fail_status(cli, &about, file);
}

/* A file that cannot be written gives EXIT_FAULT. A model that cannot be stored in a file gives EXIT_INPUT. */
int cli_fail_written(const cli_invocation *cli, const linpred_error *error, const char *file)
{
    return error->status == LINPRED_ERROR_FILE ? cli_fail(cli, EXIT_FAULT, error, file)
                                               : cli_fail_status(cli, error, file);
}

int cli_usage(const cli_invocation *cli, const char *format, ...)
{
    linpred_error error = {.status = LINPRED_ERROR_USAGE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    return cli_fail(cli, EXIT_INPUT, &error, NULL);
}

/* A JSON string in which broken UTF-8 is replaced. */
static json_t *text_to_json(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(copy ? copy : "");
    free(copy);
    return string;
}

void cli_notice(const cli_invocation *cli, const char *format, ...)
{
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!cli->quiet)
        cli_print_message(text);
    if (cli->notices)
        json_array_append_new(cli->notices, text_to_json(text));
}

void cli_notices_to_json(const cli_invocation *cli, json_t *object)
{
    json_object_set(object, "notices", cli->notices);
}

void cli_warn_of_data(const cli_invocation *cli, const linpred_data *data)
{
    linpred_note warning = {.struct_size = sizeof warning};
    for (size_t i = 0; linpred_data_warning(data, i, &warning); i++)
        cli_notice(cli, "%s", warning.sentence);
}

/* The length of the JSON token that begins at `text`: a string, a number, or one other character. */
static size_t token(const char *text)
{
    size_t length = 1;
    if (*text == '"') {
        while (text[length] != '"')
            length += text[length] == '\\' ? 2 : 1;
        return length + 1;
    }
    return *text == '-' || isdigit((unsigned char)*text) ? strspn(text, "+-.0123456789eE") : length;
}

/* Prints JSON. Each number with a point or exponent gets the fewest digits that read back to the same bits. */
static void print_shortest(const char *text)
{
    const char *written = text;
    for (size_t length; *text; text += length) {
        char number[40];
        length = token(text);
        if (length == 1 || *text == '"' || strcspn(text, ".eE") >= length)
            continue;
        cli_format_number(strtod(text, NULL), number);
        fwrite(written, 1, (size_t)(text - written), stdout);
        fputs(number, stdout);
        written = text + length;
    }
    fputs(written, stdout);
}

/* A failure to write is reported later, by cli_close_output. */
int cli_print_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    if (!text) {
        fputs("linpred: out of memory\n", stderr);
        return EXIT_FAULT;
    }
    print_shortest(text);
    putchar('\n');
    free(text);
    return 0;
}

void cli_set_number(json_t *object, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(object, key,
                            isfinite(value) && value == trunc(value) && fabs(value) < 0x1p53
                                ? json_integer((json_int_t)value)
                                : json_real(value));
}

void cli_set_count(json_t *object, const char *key, int64_t value)
{
    if (value >= 0)
        json_object_set_new(object, key, json_integer(value));
}

void cli_set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text_to_json(text));
}

void cli_format_number(double value, char text[40])
{
    linpred_number_text(value + 0.0, text); /* -0 becomes 0 */
}

void cli_format_sum(double value, char text[40])
{
    bool whole = value == trunc(value) && fabs(value) < 0x1p53;
    snprintf(text, 40, whole ? "%.0f" : "%.9g", value + 0.0); /* -0 becomes 0 */
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two names are the same regular file. */
static bool same_file(const char *a, const char *b)
{
    struct stat about_a, about_b;
    return stat(a, &about_a) == 0 && stat(b, &about_b) == 0 && S_ISREG(about_a.st_mode) && is_same(&about_a, &about_b);
}

/* Whether this file is standard output, so that what is written to it and what is printed would be mixed. */
static bool is_standard_output(const char *path)
{
    struct stat file, output, nothing;
    return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 && is_same(&file, &output) &&
           !(stat("/dev/null", &nothing) == 0 && is_same(&file, &nothing));
}

int cli_check_output(const cli_invocation *cli, own_flag flag, const char *input)
{
    const char *path = cli->own[flag];
    linpred_error error;
    if (!path)
        return 0;
    if (strcmp(path, "-") == 0)
        return cli_usage(cli, "to write to standard output say /dev/stdout, not '-'");
    if (linpred_path_writable(path, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_INPUT, &error, path);
    if (cli->json && is_standard_output(path))
        return cli_usage(cli, "with --json standard output holds one JSON object: '%.300s' must be another file", path);
    for (int i = -1; i < cli->files; i++) {
        const char *read = i < 0 ? input : cli->file[i];
        if (read && (strcmp(path, read) == 0 || same_file(path, read)))
            return cli_usage(cli, "'%.300s' is read by this command: the result must not be written over it", read);
    }
    return 0;
}

int cli_close_output(const cli_invocation *cli, int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == EPIPE)
        return code;
    (void)cli;
    fprintf(stderr, "linpred: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_FAULT;
}
