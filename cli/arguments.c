/* Parses arguments and prints help. Both come from the library's list of options and the program's own few flags. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *flag;
    const char *takes;
    const char *help;
    const char *scopes; /* "": every fit or command that takes it */
} own_flags[OWN_FLAGS] = {
    [OWN_OUTPUT] = {"output", "FILE", "write the result there", ""},
    [OWN_NO_VERIFY] = {"no-verify", "", "do not check the claim after the fit", ""},
    [OWN_TRACE] = {"trace", "FILE", "write one CSV row for each update of the perceptron", "perceptron pocket"},
    [OWN_START] = {"start", "MODEL", "begin at the weights of this model", "perceptron pocket logistic"},
    [OWN_WHAT] = {"what", "label|score|probability",
                  "what to print for each row (default: label, of a regression score); probability: of the label +1, "
                  "see inspect MODEL",
                  ""},
    [OWN_INTERVAL] = {"interval", "",
                      "least squares: also the bounds between which a new target lies (with --confidence)", ""},
    [OWN_ACCEPT_EDITED] = {"accept-edited", "", "take a model that was edited by hand", ""},
    [OWN_TRUTH] = {"truth", "FILE", "write what was planted and what is promised there, as JSON", ""},
};

/* ---- help ------------------------------------------------------------------------------------------------------ */

/* One flag as the help shows it. */
struct help {
    const char *flag;
    const char *takes;
    char initial[32]; /* the default, "" if none */
    const char *text;
    char only[80]; /* "--method perceptron or pocket"; "": whatever the command does */
};

/* Whether `word` is one of `words`, which are separated by spaces. */
static bool has_word(const char *words, const char *word, size_t length)
{
    for (;;) {
        words += strspn(words, " ");
        size_t next = strcspn(words, " ");
        if (next == 0)
            return false;
        if (next == length && memcmp(words, word, length) == 0)
            return true;
        words += next;
    }
}

/* Writes the words of `a` that are also in `b` to `both`. */
static void common_words(const char *a, const char *b, char *both, size_t bytes)
{
    both[0] = '\0';
    for (size_t used = 0, length; a += strspn(a, " "), (length = strcspn(a, " ")) > 0; a += length)
        if (has_word(b, a, length) && used < bytes)
            used += (size_t)snprintf(both + used, bytes - used, "%.*s ", (int)length, a);
}

static bool meet(const char *a, const char *b)
{
    char both[256];
    common_words(a, b, both, sizeof both);
    return both[0] != '\0';
}

/* The methods or losses of the command that an option is for, as a phrase. "": it is for all of them. */
static void name_methods(const char *scopes, const cli_command *command, char *name, size_t bytes)
{
    static const char whole[] = "read encode labels apply fit halfspace regression logistic ball origin generate";
    char both[256];
    common_words(scopes, command->scopes, both, sizeof both);
    linpred_scopes_text(meet(both, whole) ? "" : both, name, bytes);
}

/* How the help words an option for some commands. The first entry that suits a command counts. */
static const struct {
    const char *flag;
    const char *scopes; /* of commands; "": any */
    const char *takes;  /* NULL: as the library says */
    const char *text;   /* NULL: as the library says */
} worded[] = {
    {"method", "ball", "auto|pocket|lp|exact",
     "how to learn it (auto: lp, and where there is no such ball pocket; exact: the fewest mistakes, proved)"},
    {"method", "logistic", "auto|newton|newton-cg",
     "how to learn it (auto: newton, where features are many newton-cg)"},
    {"method", "halfspace", "auto|perceptron|pocket|lp|margin|exact",
     "how to learn it (auto: the largest margin if separable, else pocket and local search; exact: the fewest "
     "mistakes, proved)"},
    {"target", "regression", NULL, "the column to predict, a name or a 1-based number (default: the last)"},
    {"no-intercept", "points vc sample-size", NULL, "halfspaces through the origin"},
    {"cost", "", "A:B", NULL},
    {"class-weights", "", "balanced|A:B", NULL},
};

static void reword(const cli_command *command, struct help *help)
{
    for (size_t i = 0; i < sizeof worded / sizeof worded[0]; i++)
        if (strcmp(worded[i].flag, help->flag) == 0 &&
            (!*worded[i].scopes || meet(worded[i].scopes, command->scopes))) {
            help->takes = worded[i].takes ? worded[i].takes : help->takes;
            help->text = worded[i].text ? worded[i].text : help->text;
            return;
        }
}

/* The next flag of a command, after place *at: first the library's options, then the program's own flags, then those of
   every command. False: there are no more. */
static bool next_flag(const cli_command *command, size_t *at, struct help *help)
{
    static const struct help every[] = {
        {"json", "", "", "print one JSON object, and nothing else, on standard output", ""},
        {"quiet", "", "", "no progress and no notices on standard error", ""},
    };
    linpred_option_text option = {.struct_size = sizeof option};
    size_t options = 0;
    for (; linpred_options_describe(options, &option); options++)
        if (options == *at) {
            ++*at;
            if (!meet(option.scopes, command->scopes))
                continue;
            *help = (struct help){option.name, option.takes, "", option.help, ""};
            snprintf(help->initial, sizeof help->initial, "%s", option.initial);
            name_methods(option.scopes, command, help->only, sizeof help->only);
            reword(command, help);
            return true;
        }
    for (; *at < options + OWN_FLAGS; ++*at) {
        size_t own = *at - options;
        if (!(command->own & (1u << own)))
            continue;
        *help = (struct help){own_flags[own].flag, own_flags[own].takes, "", own_flags[own].help, ""};
        name_methods(own_flags[own].scopes, command, help->only, sizeof help->only);
        ++*at;
        return true;
    }
    size_t rest = (*at)++ - options - OWN_FLAGS;
    if (rest >= sizeof every / sizeof every[0])
        return false;
    *help = every[rest];
    return true;
}

static void print_flag(FILE *out, const struct help *help)
{
    char left[80];
    const char *letter = strcmp(help->flag, "target") == 0 ? "-t, " : strcmp(help->flag, "output") == 0 ? "-o, " : "";
    snprintf(left, sizeof left, "%s--%s%s%s", letter, help->flag, *help->takes ? " " : "", help->takes);
    if (strlen(left) > 30)
        fprintf(out, "  %s\n  %-30s %s", left, "", help->text);
    else
        fprintf(out, "  %-30s %s", left, help->text);
    if (*help->initial)
        fprintf(out, " [%s]", help->initial);
    if (*help->only)
        fprintf(out, "\n  %-30s for %s", "", help->only);
    fputc('\n', out);
}

void cli_help(FILE *out, const cli_command *command)
{
    struct help help;
    fprintf(out, "usage: linpred %s %s [OPTIONS]\n\n%s.\n\noptions, with their defaults in brackets:\n", command->name,
            command->arguments, command->summary);
    for (size_t i = 0; next_flag(command, &i, &help);)
        print_flag(out, &help);
}

json_t *cli_help_to_json(const cli_command *command)
{
    struct help help;
    json_t *object = json_object(), *options = json_array();
    cli_set_text(object, "command", command->name);
    cli_set_text(object, "arguments", command->arguments);
    cli_set_text(object, "summary", command->summary);
    for (size_t i = 0; next_flag(command, &i, &help);) {
        json_t *option = json_object();
        cli_set_text(option, "flag", help.flag);
        cli_set_text(option, "takes", help.takes);
        if (*help.initial)
            cli_set_text(option, "default", help.initial);
        cli_set_text(option, "help", help.text);
        if (*help.only)
            cli_set_text(option, "for", help.only);
        json_array_append_new(options, option);
    }
    json_object_set_new(object, "options", options);
    return object;
}

static int unknown_flag(const cli_invocation *cli, const char *flag)
{
    enum { MAX_FLAGS = 128 };
    const char *words[MAX_FLAGS + 1];
    struct help help;
    size_t n = 0;
    for (size_t i = 0; n < MAX_FLAGS && next_flag(cli->command, &i, &help);)
        words[n++] = help.flag;
    words[n++] = "help";
    const char *near = linpred_nearest(flag, words, n);
    if (near)
        return cli_usage(cli, "linpred %s has no option --%.60s; did you mean --%s?", cli->command->name, flag, near);
    return cli_usage(cli, "linpred %s has no option --%.60s; linpred %s --help lists them", cli->command->name, flag,
                     cli->command->name);
}

/* ---- parsing
 * --------------------------------------------------------------------------------------------------------- */

/* Whether `flag` is an option of the library that this command takes; what it takes is `*takes`. */
static bool find_option(const cli_invocation *cli, const char *flag, const char **takes)
{
    linpred_option_text option = {.struct_size = sizeof option};
    for (size_t i = 0; linpred_options_describe(i, &option); i++)
        if (strcmp(option.name, flag) == 0 && meet(option.scopes, cli->command->scopes)) {
            *takes = option.takes;
            return true;
        }
    return false;
}

static bool find_own(const cli_invocation *cli, const char *flag, int *index)
{
    for (int i = 0; i < OWN_FLAGS; i++)
        if (strcmp(own_flags[i].flag, flag) == 0 && (cli->command->own & (1u << i))) {
            *index = i;
            return true;
        }
    return false;
}

static int set_option(cli_invocation *cli, const char *flag, const char *value)
{
    linpred_error error;
    if (linpred_options_given(cli->options, flag))
        return cli_usage(cli, "--%s is given twice", flag);
    if (linpred_options_set(cli->options, flag, value, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_INPUT, &error, NULL);
    return 0;
}

/* One flag, at argv[*at]; a value may follow in the next argument. */
static int parse_flag(cli_invocation *cli, int argc, char **argv, int *at)
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
    const char *takes = "";
    int own = 0;
    bool is_option = find_option(cli, flag, &takes);
    if (!is_option && !find_own(cli, flag, &own))
        return unknown_flag(cli, flag);
    if (!is_option)
        takes = own_flags[own].takes;
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
        return set_option(cli, flag, value);
    if (cli->own[own])
        return cli_usage(cli, "--%s is given twice", flag);
    cli->own[own] = value;
    return 0;
}

int cli_parse(cli_invocation *cli, int argc, char **argv, int from)
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
