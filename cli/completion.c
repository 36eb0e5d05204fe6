/* linpred completion SHELL: a script that completes commands, flags and the values of flags, for bash, zsh or fish. All
 * words come from the table of commands and the flags of each. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Whether a flag takes one of some words, "light|dark". */
static bool has_choices(const cli_flag *flag)
{
    return strchr(flag->takes, '|') && !strpbrk(flag->takes, ":<>");
}

/* Writes the choices of a flag with blanks between them. */
static void write_choices(FILE *out, const char *takes)
{
    for (; *takes; takes++)
        fputc(*takes == '|' ? ' ' : *takes, out);
}

/* Writes a text for single quotes of a shell. In zsh brackets and colons mean something of their own. */
static void write_quoted(FILE *out, const char *text, bool zsh)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (zsh && strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

/* Calls write(out, word, command) for each first word, and for each second word of `first` if it is not NULL. */
static void each_word(FILE *out, const char *first,
                      void (*write)(FILE *out, const char *word, const cli_command *command))
{
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_commands[i];
        size_t length = strcspn(command->name, " ");
        char word[40];
        bool before = false;
        snprintf(word, sizeof word, "%.*s", (int)length, command->name);
        if (first) {
            if (strcmp(first, word) == 0 && command->name[length])
                write(out, command->name + length + 1, command);
            continue;
        }
        for (size_t k = 0; k < i; k++)
            before = before || (strncmp(cli_commands[k].name, word, length) == 0 &&
                                strchr(" ", cli_commands[k].name[length]) != NULL);
        if (!before)
            write(out, word, command);
    }
}

static void write_word(FILE *out, const char *word, const cli_command *command)
{
    (void)command;
    fprintf(out, "%s ", word);
}

static bool has_second_words(const char *first)
{
    size_t length = strlen(first);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name, first, length) == 0 && cli_commands[i].name[length] == ' ')
            return true;
    return false;
}

/* ---- bash ---- */

static void write_bash_seconds(FILE *out, const char *word, const cli_command *command)
{
    (void)command;
    if (!has_second_words(word))
        return;
    fprintf(out, "    %s) words=\"", word);
    each_word(out, word, write_word);
    fputs("\" ;;\n", out);
}

static void write_bash_command(FILE *out, const cli_command *command)
{
    cli_flag flag;
    fprintf(out, "  '%s')\n    flags=\"--help", command->name);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);)
        fprintf(out, " --%s", flag.name);
    fputs("\"\n    case $before in\n", out);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);)
        if (has_choices(&flag)) {
            fprintf(out, "    --%s) values=\"", flag.name);
            write_choices(out, flag.takes);
            fputs("\" ;;\n", out);
        }
    fputs("    esac\n    ;;\n", out);
}

static void write_bash(FILE *out)
{
    fputs("# Completion of linpred for bash, written by `linpred completion bash`.\n"
          "_linpred() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
          "  local words= flags= values=\n"
          "  COMPREPLY=()\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"",
          out);
    each_word(out, NULL, write_word);
    fputs("help version completion man\"\n  elif [ \"$COMP_CWORD\" -eq 2 ]; then\n    case $command in\n", out);
    each_word(out, NULL, write_bash_seconds);
    fputs("    completion) words=\"bash zsh fish\" ;;\n    esac\n  fi\n"
          "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); fi\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then return; fi\n"
          "  case \"$command ${COMP_WORDS[2]}\" in\n",
          out);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strchr(cli_commands[i].name, ' '))
            fprintf(out, "  '%s') command='%s' ;;\n", cli_commands[i].name, cli_commands[i].name);
    fputs("  esac\n  case $command in\n", out);
    for (size_t i = 0; i < cli_command_count; i++)
        write_bash_command(out, &cli_commands[i]);
    fputs("  esac\n"
          "  if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
          "  elif [ \"${word#-}\" != \"$word\" ]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
          "  else COMPREPLY+=($(compgen -f -- \"$word\")); fi\n"
          "}\ncomplete -o filenames -F _linpred linpred\n",
          out);
}

/* ---- zsh ---- */

static void write_zsh_word(FILE *out, const char *word, const cli_command *command)
{
    fprintf(out, " '%s:", word);
    write_quoted(out, has_second_words(word) ? "" : command->summary, true);
    fputc('\'', out);
}

static void write_zsh_seconds(FILE *out, const char *word, const cli_command *command)
{
    (void)command;
    if (!has_second_words(word))
        return;
    fprintf(out, "    %s) second=(", word);
    each_word(out, word, write_zsh_word);
    fputs(") ;;\n", out);
}

static void write_zsh_command(FILE *out, const cli_command *command)
{
    cli_flag flag;
    fprintf(out, "  '%s') _arguments '--help[list the options]'", command->name);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);) {
        fprintf(out, " \\\n    '--%s[", flag.name);
        write_quoted(out, flag.text, true);
        fputc(']', out);
        if (has_choices(&flag)) {
            fprintf(out, ":%s:(", flag.name);
            write_choices(out, flag.takes);
            fputc(')', out);
        } else if (*flag.takes) {
            fprintf(out, ":%s:%s", flag.name,
                    strcmp(flag.takes, "FILE") == 0 || strcmp(flag.takes, "MODEL") == 0 ? "_files" : "");
        }
        fputc('\'', out);
    }
    fputs(" '*:file:_files' ;;\n", out);
}

static void write_zsh(FILE *out)
{
    fputs("#compdef linpred\n# Completion of linpred for zsh, written by `linpred completion zsh`.\n_linpred() {\n"
          "  local command=$words[2]\n  local -a first second\n  first=(",
          out);
    each_word(out, NULL, write_zsh_word);
    fputs(" 'help:what a command does' 'version:which version this is' 'completion:this script' 'man:a manual page')\n"
          "  if (( CURRENT == 2 )); then _describe command first; return; fi\n  case $command in\n",
          out);
    each_word(out, NULL, write_zsh_seconds);
    fputs("  esac\n  if (( CURRENT == 3 && $#second )); then _describe command second; fi\n"
          "  case \"$command $words[3]\" in\n",
          out);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strchr(cli_commands[i].name, ' '))
            fprintf(out, "  '%s') command='%s'; shift words; (( CURRENT-- )) ;;\n", cli_commands[i].name,
                    cli_commands[i].name);
    fputs("  esac\n  shift words; (( CURRENT-- ))\n  case $command in\n", out);
    for (size_t i = 0; i < cli_command_count; i++)
        write_zsh_command(out, &cli_commands[i]);
    fputs("  esac\n}\n_linpred \"$@\"\n", out);
}

/* ---- fish ---- */

static void write_fish_word(FILE *out, const char *word, const cli_command *command)
{
    fprintf(out, "complete -c linpred -n 'test (count (commandline -opc)) -eq 1' -fa %s -d '", word);
    write_quoted(out, has_second_words(word) ? "" : command->summary, false);
    fputs("'\n", out);
}

static void write_fish_command(FILE *out, const cli_command *command)
{
    cli_flag flag;
    const char *second = strchr(command->name, ' ');
    char first[40], condition[120];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(command->name, " "), command->name);
    if (second) {
        fprintf(out, "complete -c linpred -n '__linpred_at %s; and test (count (commandline -opc)) -eq 2' -fa %s -d '",
                first, second + 1);
        write_quoted(out, command->summary, false);
        fputs("'\n", out);
    }
    snprintf(condition, sizeof condition, "__linpred_at %s", command->name);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);) {
        fprintf(out, "complete -c linpred -n '%s' -l %s", condition, flag.name);
        if (has_choices(&flag)) {
            fputs(" -xa '", out);
            write_choices(out, flag.takes);
            fputc('\'', out);
        } else if (*flag.takes) {
            fputs(" -r", out);
        }
        fputs(" -d '", out);
        write_quoted(out, flag.text, false);
        fputs("'\n", out);
    }
}

static void write_fish(FILE *out)
{
    fputs("# Completion of linpred for fish, written by `linpred completion fish`.\n"
          "function __linpred_at\n  set -l words (commandline -opc)\n  set -e words[1]\n"
          "  test (count $words) -ge (count $argv); or return 1\n  for i in (seq (count $argv))\n"
          "    test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n  end\nend\n",
          out);
    each_word(out, NULL, write_fish_word);
    for (size_t i = 0; i < cli_command_count; i++)
        write_fish_command(out, &cli_commands[i]);
}

int cli_completion(const cli_invocation *cli, int argc, char **argv)
{
    static const struct {
        const char *shell;
        void (*write)(FILE *out);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; argc == 3 && i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(argv[2], shells[i].shell) == 0) {
            shells[i].write(stdout);
            return EXIT_HOLDS;
        }
    return cli_usage(cli, "linpred completion takes the name of a shell: bash, zsh or fish");
}
