/* Telling: errors, JSON, numbers. Results go to standard output, notices to standard error. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int cli_fail(const cli *cli, int code, const linpred_error *error, const char *file)
{
    fprintf(stderr, "linpred: %s\n", error->message);
    if (!cli->json)
        return code;
    json_t *about = json_object();
    cli_set_text(about, "message", error->message);
    if (file)
        cli_set_text(about, "file", file);
    if (error->line > 0)
        cli_set_count(about, "line", error->line);
    if (error->column > 0)
        cli_set_count(about, "column", error->column);
    json_t *object = json_object();
    json_object_set_new(object, "error", about);
    return cli_print_json(object) == 0 ? code : EXIT_FAULT;
}

int cli_fail_status(const cli *cli, const linpred_error *error, const char *file)
{
    bool fault = error->status == LINPRED_ERROR_MEMORY || error->status == LINPRED_ERROR_INTERNAL;
    return cli_fail(cli, fault ? EXIT_FAULT : EXIT_INPUT, error, file);
}

int cli_usage(const cli *cli, const char *format, ...)
{
    linpred_error error = {.status = LINPRED_ERROR_USAGE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    return cli_fail(cli, EXIT_INPUT, &error, NULL);
}

int cli_print_json(json_t *object)
{
    int failed = object ? json_dumpf(object, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) : -1;
    json_decref(object);
    putchar('\n');
    return failed ? EXIT_FAULT : 0;
}

void cli_set_number(json_t *object, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(object, key,
                            isfinite(value) && value == trunc(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value)
                                                                                               : json_real(value));
}

void cli_set_count(json_t *object, const char *key, int64_t value)
{
    if (value >= 0)
        json_object_set_new(object, key, json_integer(value));
}

void cli_set_text(json_t *object, const char *key, const char *text)
{
    json_t *string = json_string(text);
    if (!string) {
        char *copy = strdup(text);
        for (char *c = copy; c && *c; c++)
            if ((unsigned char)*c >= 0x80)
                *c = '?';
        string = json_string(copy ? copy : "");
        free(copy);
    }
    json_object_set_new(object, key, string);
}

void cli_format_number(double value, char room[40])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(room, 40, "%.*g", digits, value);
        if (strtod(room, NULL) == value)
            return;
    }
}

int cli_close_output(const cli *cli, int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == EPIPE)
        return code;
    (void)cli;
    fprintf(stderr, "linpred: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_FAULT;
}
