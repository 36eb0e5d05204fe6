/* Arguments and help, both from the library's table of options and the few flags of the program's own. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *flag;
    const char *takes;
    const char *help;
    unsigned applies; /* 0: every fit or command that takes it */
} own_flags[OWN_FLAGS] = {
    [OWN_OUTPUT] = {"output", "FILE", "write the result there", 0},
    [OWN_NO_VERIFY] = {"no-verify", "", "do not check the claim after the fit", 0},
    [OWN_TRACE] = {"trace", "FILE", "write one CSV row for each update of the perceptron", LINPRED_FOR_TRACE},
    [OWN_START] = {"start", "MODEL", "begin at the weights of this model", LINPRED_FOR_START},
    [OWN_WHAT] = {"what", "label|score|probability",
                  "what to print for each row (default: label, of a regression score); probability: of the label +1, "
                  "see inspect MODEL",
                  0},
    [OWN_INTERVAL] = {"interval", "",
                      "least squares: also the bounds between which a new target lies (with --confidence)", 0},
    [OWN_ACCEPT_EDITED] = {"accept-edited", "", "take a model that was edited by hand", 0},
    [OWN_TRUTH] = {"truth", "FILE", "write what was planted and what is promised there, as JSON", 0},
};

/* Flags that every command takes. */
static const char *const common[] = {"json", "quiet", "help"};

/* ---- help ------------------------------------------------------------------------------------------------------ */

/* One flag as the help shows it. */
struct help {
    const char *flag;
    const char *takes;
    const char *initial;
    const char *text;
    char only[80]; /* "--method perceptron or pocket"; "": whatever the command does */
};

/* Which of a command's methods or losses an option is for; "" if for all of them. */
static void name_methods(unsigned applies, const command *command, char *room, size_t bytes)
{
    const unsigned whole = LINPRED_FOR_READ | LINPRED_FOR_ENCODE | LINPRED_FOR_LABELS | LINPRED_FOR_APPLY |
                           LINPRED_FOR_FIT | LINPRED_FOR_HALFSPACE | LINPRED_FOR_REGRESSION | LINPRED_FOR_LOGISTIC |
                           LINPRED_FOR_BALL | LINPRED_FOR_ORIGIN | LINPRED_FOR_GENERATE;
    applies &= command->applies;
    linpred_applies_text(applies & whole ? 0 : applies, room, bytes);
}

/* Where an option means something else, or less, to some commands than to others: the first that suits a command. */
static const struct {
    const char *flag;
    unsigned applies;
    const char *takes; /* NULL: as the library says */
    const char *text;  /* NULL: as the library says */
} worded[] = {
    {"method", LINPRED_FOR_BALL, "auto|pocket|lp|exact",
     "how to learn it (auto: lp, and where there is no such ball pocket; exact: the fewest mistakes, proved)"},
    {"method", LINPRED_FOR_LOGISTIC, "auto|newton|newton-cg",
     "how to learn it (auto: newton, where features are many newton-cg)"},
    {"method", LINPRED_FOR_HALFSPACE, "auto|perceptron|pocket|lp|margin|exact",
     "how to learn it (auto: the largest margin if separable, else pocket and local search; exact: the fewest "
     "mistakes, proved)"},
    {"target", LINPRED_FOR_REGRESSION, NULL, "the column to predict, a name or a 1-based number (default: the last)"},
    {"no-intercept", LINPRED_FOR_POINTS | LINPRED_FOR_VC | LINPRED_FOR_SAMPLE_SIZE, NULL,
     "halfspaces through the origin"},
    {"cost", ~0u, "A:B", NULL},
    {"class-weights", ~0u, "balanced|A:B", NULL},
};

static void reword(const command *command, struct help *help)
{
    for (size_t i = 0; i < sizeof worded / sizeof worded[0]; i++)
        if (strcmp(worded[i].flag, help->flag) == 0 && (worded[i].applies & command->applies)) {
            help->takes = worded[i].takes ? worded[i].takes : help->takes;
            help->text = worded[i].text ? worded[i].text : help->text;
            return;
        }
}

/* Flag `index`: the library's options first, then the program's own. False past the last; *taken tells whether the
   command takes it. */
static bool describe_flag(const command *command, size_t index, struct help *help, bool *taken)
{
    static linpred_option_text option; /* holds the default's text */
    static const struct help common[] = {
        {"json", "", "", "print one JSON object, and nothing else, on standard output", ""},
        {"quiet", "", "", "no progress and no notices on standard error", ""},
    };
    size_t options = linpred_options_count();
    *taken = true;
    if (index < options) {
        option = linpred_options_describe(index);
        *help = (struct help){option.flag, option.takes, option.initial, option.help, ""};
        *taken = (option.applies & command->applies) != 0;
        name_methods(option.applies, command, help->only, sizeof help->only);
        reword(command, help);
    } else if (index < options + OWN_FLAGS) {
        size_t own = index - options;
        *help = (struct help){own_flags[own].flag, own_flags[own].takes, "", own_flags[own].help, ""};
        *taken = (command->own & (1u << own)) != 0;
        name_methods(own_flags[own].applies, command, help->only, sizeof help->only);
    } else if (index < options + OWN_FLAGS + sizeof common / sizeof common[0]) {
        *help = common[index - options - OWN_FLAGS];
    } else {
        return false;
    }
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

void cli_help(FILE *out, const command *command)
{
    struct help help;
    bool taken;
    fprintf(out, "usage: linpred %s %s [OPTIONS]\n\n%s.\n\noptions, with their defaults in brackets:\n", command->name,
            command->arguments, command->summary);
    for (size_t i = 0; describe_flag(command, i, &help, &taken); i++)
        if (taken)
            print_flag(out, &help);
}

json_t *cli_help_to_json(const command *command)
{
    struct help help;
    bool taken;
    json_t *object = json_object(), *options = json_array();
    cli_set_text(object, "command", command->name);
    cli_set_text(object, "arguments", command->arguments);
    cli_set_text(object, "summary", command->summary);
    for (size_t i = 0; describe_flag(command, i, &help, &taken); i++) {
        if (!taken)
            continue;
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
    const char *near = linpred_nearest(flag, words, n);
    if (near)
        return cli_usage(cli, "linpred %s has no option --%.60s; did you mean --%s?", cli->command->name, flag, near);
    return cli_usage(cli, "linpred %s has no option --%.60s; linpred %s --help lists them", cli->command->name, flag,
                     cli->command->name);
}

/* ---- parsing
 * --------------------------------------------------------------------------------------------------------- */

/* The place of `flag` among the library's options, or of the program's own; false if it is neither or not for this
 * command. */
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
