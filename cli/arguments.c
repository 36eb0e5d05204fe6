/* Arguments and help, both from the library's table of options and the few flags of the program's own. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *flag;
    const char *takes;
    const char *help;
} own_flags[OWN_FLAGS] = {
    [OWN_OUTPUT] = {"output", "FILE", "write the result there"},
    [OWN_NO_VERIFY] = {"no-verify", "", "do not check the claim after the fit"},
    [OWN_TRACE] = {"trace", "FILE", "write one CSV row for each update of the perceptron"},
    [OWN_START] = {"start", "MODEL", "begin at the weights of this model"},
    [OWN_WHAT] = {"what", "label|score|probability", "what to print for each row (default: label)"},
    [OWN_INTERVAL] = {"interval", "", "least squares: also the bounds between which a new target lies (with --confidence)"},
    [OWN_ACCEPT_EDITED] = {"accept-edited", "", "take a model that was edited by hand"},
    [OWN_TRUTH] = {"truth", "FILE", "write what was planted and what is promised there, as JSON"},
};

/* Flags that every command takes. */
static const char *const common[] = {"json", "quiet", "help"};

/* ---- help ------------------------------------------------------------------------------------------------------ */

static void help_line(FILE *out, const char *flag, const char *takes, const char *text, const char *initial)
{
    char left[80];
    const char *letter = strcmp(flag, "target") == 0 ? "-t, " : strcmp(flag, "output") == 0 ? "-o, " : "";
    snprintf(left, sizeof left, "%s--%s%s%s", letter, flag, *takes ? " " : "", takes);
    if (strlen(left) > 30)
        fprintf(out, "  %s\n  %-30s %s", left, "", text);
    else
        fprintf(out, "  %-30s %s", left, text);
    if (*initial)
        fprintf(out, " [%s]", initial);
    fputc('\n', out);
}

void cli_help(FILE *out, const command *command)
{
    fprintf(out, "usage: linpred %s %s [OPTIONS]\n\n%s.\n\noptions, with their defaults in brackets:\n", command->name,
            command->arguments, command->summary);
    for (size_t i = 0; i < linpred_options_count(); i++) {
        linpred_option_text option = linpred_options_describe(i);
        if (option.applies & command->applies)
            help_line(out, option.flag, option.takes, option.help, option.initial);
    }
    for (int i = 0; i < OWN_FLAGS; i++)
        if (command->own & (1u << i))
            help_line(out, own_flags[i].flag, own_flags[i].takes, own_flags[i].help, "");
    help_line(out, "json", "", "print one JSON object, and nothing else, on standard output", "");
    help_line(out, "quiet", "", "no progress and no notices on standard error", "");
}

/* ---- which word was meant ---------------------------------------------------------------------------------------- */

/* Edits (insert, delete, replace, swap of neighbours) from a to b; long words are never near. */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 32 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= MOST || m >= MOST)
        return MOST;
    size_t d[MOST + 1][MOST + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

const char *cli_nearest(const char *text, const char *const *words, size_t n)
{
    const char *best = NULL;
    size_t least = strlen(text) / 3 + 2; /* about one slip in three letters */
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(text, words[i]);
        if (strlen(text) >= 3 && strncmp(words[i], text, strlen(text)) == 0)
            d = 1; /* cut short */
        if (d < least) {
            least = d;
            best = words[i];
        }
    }
    return best;
}

static int unknown_flag(const cli *cli, const char *flag)
{
    const char *words[128];
    size_t n = 0;
    for (size_t i = 0; i < linpred_options_count(); i++)
        if (linpred_options_describe(i).applies & cli->command->applies)
            words[n++] = linpred_options_describe(i).flag;
    for (int i = 0; i < OWN_FLAGS; i++)
        if (cli->command->own & (1u << i))
            words[n++] = own_flags[i].flag;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        words[n++] = common[i];
    const char *near = cli_nearest(flag, words, n);
    if (near)
        return cli_usage(cli, "linpred %s has no option --%.60s; did you mean --%s?", cli->command->name, flag, near);
    return cli_usage(cli, "linpred %s has no option --%.60s; linpred %s --help lists them", cli->command->name, flag,
                     cli->command->name);
}

/* ---- parsing --------------------------------------------------------------------------------------------------------- */

/* The place of `flag` among the library's options, or of the program's own; false if it is neither or not for this command. */
static bool find_option(const cli *cli, const char *flag, size_t *index)
{
    for (size_t i = 0; i < linpred_options_count(); i++) {
        linpred_option_text option = linpred_options_describe(i);
        if (strcmp(option.flag, flag) == 0 && (option.applies & cli->command->applies)) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool find_own(const cli *cli, const char *flag, int *index)
{
    for (int i = 0; i < OWN_FLAGS; i++)
        if (strcmp(own_flags[i].flag, flag) == 0 && (cli->command->own & (1u << i))) {
            *index = i;
            return true;
        }
    return false;
}

static int set_option(cli *cli, size_t index, const char *flag, const char *value)
{
    linpred_error error;
    if (cli->given[index])
        return cli_usage(cli, "--%s is given twice", flag);
    cli->given[index] = true;
    if (linpred_options_set(&cli->options, flag, value, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_INPUT, &error, NULL);
    return 0;
}

/* One flag, at argv[*at]; a value may follow in the next argument. */
static int parse_flag(cli *cli, int argc, char **argv, int *at)
{
    const char *argument = argv[*at];
    char flag[64];
    const char *equals = strchr(argument, '=');
    if (strcmp(argument, "-t") == 0 || strcmp(argument, "-o") == 0) {
        strcpy(flag, argument[1] == 't' ? "target" : "output");
        equals = NULL;
    } else if (strncmp(argument, "--", 2) != 0) {
        return cli_usage(cli, "there is no option %.60s; linpred %s --help lists them", argument, cli->command->name);
    } else {
        size_t length = equals ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
        snprintf(flag, sizeof flag, "%.*s", (int)(length < 63 ? length : 63), argument + 2);
    }
    bool json = strcmp(flag, "json") == 0;
    if (json || strcmp(flag, "quiet") == 0) {
        if (equals)
            return cli_usage(cli, "--%s takes no value", flag);
        *(json ? &cli->json : &cli->quiet) = true;
        return 0;
    }
    size_t option = 0;
    int own = 0;
    bool is_option = find_option(cli, flag, &option);
    if (!is_option && !find_own(cli, flag, &own))
        return unknown_flag(cli, flag);
    const char *takes = is_option ? linpred_options_describe(option).takes : own_flags[own].takes;
    const char *value = "";
    if (*takes && equals)
        value = equals + 1;
    else if (*takes && *at + 1 < argc)
        value = argv[++*at];
    else if (*takes)
        return cli_usage(cli, "--%s needs a value (%s)", flag, takes);
    else if (equals)
        return cli_usage(cli, "--%s takes no value", flag);
    if (is_option)
        return set_option(cli, option, flag, value);
    if (cli->own[own])
        return cli_usage(cli, "--%s is given twice", flag);
    cli->own[own] = value;
    return 0;
}

int cli_parse(cli *cli, int argc, char **argv, int from)
{
    int positionals = 0;
    bool only_files = false;
    for (int i = from; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = parse_flag(cli, argc, argv, &i);
            if (code)
                return code;
        } else if (positionals == cli->command->positionals) {
            return cli_usage(cli, "'%.60s' is one argument too many; usage: linpred %s %s [OPTIONS]", argv[i],
                             cli->command->name, cli->command->arguments);
        } else {
            cli->positional[positionals++] = argv[i];
        }
    }
    if (positionals < cli->command->positionals)
        return cli_usage(cli, "%s is missing; usage: linpred %s %s [OPTIONS]",
                         cli->command->run == run_generate ? "a name" : "a file", cli->command->name,
                         cli->command->arguments);
    return 0;
}
