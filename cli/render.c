/* PNG and PDF of a picture, by the program rsvg-convert of librsvg. It is asked for at run time, so that linpred
 * neither needs it to be built nor pays for it at every start. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

extern char **environ;

/* The ending of a file's name with its dot; "" if it has none. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name ? dot : "";
}

cli_format cli_picture_format(const char *path)
{
    const char *ending = ending_of(path);
    return strcasecmp(ending, ".png") == 0 ? CLI_PNG : strcasecmp(ending, ".pdf") == 0 ? CLI_PDF : CLI_SVG;
}

/* Whether a program of this name is on the PATH. */
static bool is_on_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    for (size_t length; path && *path; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

int cli_check_render(const cli_invocation *cli, const char *path)
{
    const char *ending = ending_of(path);
    bool is_svg = cli_picture_format(path) == CLI_SVG;
    if (is_svg && *ending && strcasecmp(ending, ".svg") != 0)
        return cli_usage(cli, "'%.300s': pictures are .svg, .png or .pdf, and '%.20s' is none of them", path, ending);
    if (!is_svg && !is_on_path("rsvg-convert"))
        return cli_usage(cli,
                         "'%.200s': PNG and PDF are made by rsvg-convert, which is not installed (Debian: "
                         "librsvg2-bin): install it, or write an .svg",
                         path);
    return 0;
}

/* Runs rsvg-convert from one file to another; whether it succeeded. */
static bool convert_svg(cli_format format, FILE *in, FILE *out)
{
    char name[] = "rsvg-convert", flag[] = "-f", png[] = "png", pdf[] = "pdf", zoom[] = "-z", twice[] = "2";
    char *const arguments[] = {name, flag, format == CLI_PNG ? png : pdf, format == CLI_PNG ? zoom : NULL, twice, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ended = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) == 0 &&
        posix_spawnp(&child, name, &actions, NULL, arguments, environ) == 0) {
        while (waitpid(child, &ended, 0) < 0)
            if (errno != EINTR)
                ended = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return ended != -1 && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
}

/* Copies what was written to a temporary file to the file that was asked for. */
static int keep_rendered(const cli_invocation *cli, const char *path, FILE *from)
{
    linpred_error error;
    linpred_output *output = NULL;
    char buffer[1 << 16];
    rewind(from);
    if (linpred_output_open(path, &output, &error) != LINPRED_OK)
        return cli_fail_written(cli, &error, path);
    for (size_t bytes; (bytes = fread(buffer, 1, sizeof buffer, from)) > 0;)
        fwrite(buffer, 1, bytes, linpred_output_stream(output));
    if (linpred_output_commit(output, &error) != LINPRED_OK)
        return cli_fail_written(cli, &error, path);
    return 0;
}

int cli_render(const cli_invocation *cli, const char *path, const char *text, size_t bytes)
{
    linpred_error error = {.status = LINPRED_ERROR_INTERNAL};
    FILE *in = tmpfile(), *out = tmpfile();
    int code;
    if (!in || !out || fwrite(text, 1, bytes, in) != bytes || fflush(in) != 0) {
        snprintf(error.message, sizeof error.message, "cannot write a temporary file: %s", strerror(errno));
        code = cli_fail_status(cli, &error, path);
    } else {
        rewind(in);
        if (convert_svg(cli_picture_format(path), in, out)) {
            code = keep_rendered(cli, path, out);
        } else {
            snprintf(error.message, sizeof error.message,
                     "rsvg-convert could not make '%.300s'; an .svg needs no "
                     "other program",
                     path);
            code = cli_fail_status(cli, &error, path);
        }
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return code;
}
