/* Parses arguments and prints help. Both come from the flags of the command: flags.c. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* ---- help -------------------------------------------------------------------------------------------------------- */

static void print_flag(FILE *out, const cli_flag *flag)
{
    enum { LEFT = 30, INDENT = LEFT + 3 };
    char left[80], initial[80] = "";
    int width = cli_line_width();
    const char *letter = strcmp(flag->name, "target") == 0 ? "-t, " : strcmp(flag->name, "output") == 0 ? "-o, " : "";
    snprintf(left, sizeof left, "%s--%s%s%s", letter, flag->name, *flag->takes ? " " : "", flag->takes);
    if (strlen(left) > LEFT)
        fprintf(out, "  %s\n%*s", left, INDENT, "");
    else
        fprintf(out, "  %-*s ", LEFT, left);
    int at = cli_print_words(out, flag->text, INDENT, INDENT, width);
    if (*flag->initial)
        snprintf(initial, sizeof initial, "[%s]", flag->initial);
    cli_print_words(out, initial, at, INDENT, width);
    if (*flag->only) {
        fprintf(out, "\n%*sfor ", INDENT, "");
        cli_print_words(out, flag->only, INDENT + 4, INDENT + 4, width);
    }
    fputc('\n', out);
}

void cli_help(FILE *out, const cli_command *command)
{
    cli_flag flag;
    char summary[200];
    snprintf(summary, sizeof summary, "%s.", command->summary);
    fprintf(out, "usage: %s%s %s [OPTIONS]\n\n", cli_first_word, command->name, command->arguments);
    cli_print_words(out, summary, 0, 0, cli_line_width());
    fputs("\n\noptions, with their defaults in brackets:\n", out);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);)
        print_flag(out, &flag);
}

json_t *cli_help_to_json(const cli_command *command)
{
    cli_flag flag;
    json_t *object = json_object(), *options = json_array();
    cli_set_text(object, "command", command->name);
    cli_set_text(object, "arguments", command->arguments);
    cli_set_text(object, "summary", command->summary);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);) {
        json_t *option = json_object();
        cli_set_text(option, "flag", flag.name);
        cli_set_text(option, "takes", flag.takes);
        if (*flag.initial)
            cli_set_text(option, "default", flag.initial);
        cli_set_text(option, "help", flag.text);
        if (*flag.only)
            cli_set_text(option, "for", flag.only);
        json_array_append_new(options, option);
    }
    json_object_set_new(object, "options", options);
    return object;
}

static int unknown_flag(const cli_invocation *cli, const char *name)
{
    enum { MAX_FLAGS = 128 };
    const char *words[MAX_FLAGS + 1];
    cli_flag flag;
    size_t n = 0;
    for (size_t i = 0; n < MAX_FLAGS && cli_next_flag(cli->command, &i, &flag);)
        words[n++] = flag.name;
    words[n++] = "help";
    char answer[400];
    if (cli_other_flag(name, cli->command, answer, sizeof answer))
        return cli_usage(cli, "%s%s has no option --%.60s; %s", cli_first_word, cli->command->name, name, answer);
    const char *near = linpred_nearest(name, words, n);
    if (near)
        return cli_usage(cli, "%s%s has no option --%.60s; did you mean --%s?", cli_first_word, cli->command->name,
                         name, near);
    return cli_usage(cli, "%s%s has no option --%.60s; %s%s --help lists them", cli_first_word, cli->command->name,
                     name, cli_first_word, cli->command->name);
}

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

static int set_option(cli_invocation *cli, const char *flag, const char *value)
{
    linpred_error error;
    if (linpred_options_given(cli->options, flag))
        return cli_usage(cli, "--%s is given twice", flag);
    if (linpred_options_set(cli->options, flag, value, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_INPUT, &error, NULL);
    return 0;
}

/* An argument with one dash. */
static int short_flag(const cli_invocation *cli, const char *argument)
{
    cli_flag flag;
    char answer[400];
    if (argument[2] && cli_find_flag(cli->command, argument + 1, &flag))
        return cli_usage(cli, "there is no option %.60s; say -%.60s, with two dashes", argument, argument);
    if (cli_other_flag(argument + 1, cli->command, answer, sizeof answer))
        return cli_usage(cli, "there is no option %.60s; %s", argument, answer);
    return cli_usage(cli, "there is no option %.60s; %s%s --help lists them", argument, cli_first_word,
                     cli->command->name);
}

/* Parses the flag at argv[*at]. If its value is the next argument, *at is moved to it. */
static int parse_flag(cli_invocation *cli, int argc, char **argv, int *at)
{
    const char *argument = argv[*at];
    char name[64];
    const char *equals = strchr(argument, '=');
    if (strcmp(argument, "-t") == 0 || strcmp(argument, "-o") == 0) {
        strcpy(name, argument[1] == 't' ? "target" : "output");
        equals = NULL;
    } else if (strncmp(argument, "--", 2) != 0) {
        return short_flag(cli, argument);
    } else {
        size_t length = equals ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), argument + 2);
    }
    bool json = strcmp(name, "json") == 0;
    if (json || strcmp(name, "quiet") == 0) {
        if (equals)
            return cli_usage(cli, "--%s takes no value", name);
        *(json ? &cli->json : &cli->quiet) = true;
        return 0;
    }
    cli_flag flag;
    if (!cli_find_flag(cli->command, name, &flag))
        return unknown_flag(cli, name);
    const char *value = "";
    if (*flag.takes && equals)
        value = equals + 1;
    else if (*flag.takes && *at + 1 < argc)
        value = argv[++*at];
    else if (*flag.takes)
        return cli_usage(cli, "--%s needs a value (%s)", name, flag.takes);
    else if (equals)
        return cli_usage(cli, "--%s takes no value", name);
    if (strcmp(name, "progress") == 0) {
        if (cli->progress)
            return cli_usage(cli, "--progress is given twice");
        cli->progress = value;
        return 0;
    }
    if (flag.own == NOT_OWN)
        return set_option(cli, name, value);
    if (cli->own[flag.own])
        return cli_usage(cli, "--%s is given twice", name);
    cli->own[flag.own] = value;
    return 0;
}

/* Adds a further file of the data. */
static int add_file(cli_invocation *cli, const char *path)
{
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    const char **grown = realloc(cli->file, ((size_t)cli->files + 1) * sizeof *grown);
    if (grown) {
        cli->file = grown;
        cli->file[cli->files++] = path;
    }
    if (!grown || linpred_options_add_file(cli->options, path, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, path);
    return 0;
}

int cli_parse(cli_invocation *cli, int argc, char **argv, int from)
{
    int positionals = 0, needed = cli->command->positionals % AND_FILES;
    bool only_files = false;
    linpred_task task;
    if (cli_find_task(cli->command, &task))
        linpred_options_set_task(cli->options, task);
    for (int i = from; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = parse_flag(cli, argc, argv, &i);
            if (code)
                return code;
        } else if (positionals == needed && needed < cli->command->positionals) {
            int code = add_file(cli, argv[i]);
            if (code)
                return code;
        } else if (positionals == needed) {
            return cli_usage(cli, "'%.60s' is one argument too many; usage: %s%s %s [OPTIONS]", argv[i], cli_first_word,
                             cli->command->name, cli->command->arguments);
        } else {
            cli->positional[positionals++] = argv[i];
        }
    }
    if (positionals < needed)
        return cli_usage(cli, "%s is missing; usage: %s%s %s [OPTIONS]",
                         strcmp(cli->command->arguments, "NAME") == 0 ? "a name" : "a file", cli_first_word,
                         cli->command->name, cli->command->arguments);
    return 0;
}
