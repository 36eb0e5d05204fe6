/* The screen that standard output or standard error leads to: how wide it is, and whether words on it have a colour.
 *
 * Colour is for a terminal alone, and a word says the same without it. NO_COLOR (if it is not empty) and TERM=dumb turn
 * it off.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { MIN_COLUMNS = 60 }; /* narrower screens get lines of this length */

static int width_of(int descriptor)
{
    const char *set = getenv("COLUMNS");
    struct winsize window;
    long columns = set ? strtol(set, NULL, 10) : 0;
    if (columns <= 0 && isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &window) == 0)
        columns = window.ws_col;
    if (columns <= 0 || columns > 10000)
        return 0;
    return columns < MIN_COLUMNS ? MIN_COLUMNS : (int)columns;
}

int cli_line_width(void)
{
    return width_of(STDOUT_FILENO);
}

void cli_print_message(const char *text)
{
    static const char before[] = "linpred: ";
    enum { INDENT = sizeof before - 1 };
    int width = isatty(STDERR_FILENO) ? width_of(STDERR_FILENO) : 0;
    fputs(before, stderr);
    if (width > 0)
        cli_print_words(stderr, text, INDENT, INDENT, width);
    else
        fputs(text, stderr);
    fputc('\n', stderr);
}

int cli_print_words(FILE *out, const char *text, int at, int indent, int width)
{
    for (const char *end; *text; text = end) {
        size_t length = strcspn(text, " ");
        int columns = cli_width(text) - cli_width(text + length);
        end = text + length + (text[length] == ' ');
        if (width > 0 && at > indent && at + 1 + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)length, text);
        at += columns;
    }
    return at;
}

static bool has_colours(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

void cli_print_coloured(const char *text, cli_colour colour)
{
    static const int codes[] = {[CLI_GREEN] = 32, [CLI_YELLOW] = 33, [CLI_RED] = 31};
    if (has_colours())
        printf("\033[1;%dm%s\033[0m", codes[colour], text);
    else
        fputs(text, stdout);
}
