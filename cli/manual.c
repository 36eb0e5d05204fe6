/* linpred man [COMMAND]: a manual page in roff, from the table of commands and the flags of each. `cmake --install`
 * puts the pages where man finds them. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Writes a character beyond ASCII by its number, which every roff reads. Returns its length in bytes. */
static size_t write_wide(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    unsigned code = c[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (c[i] & 0x3Fu);
    fprintf(out, "\\[u%04X]", code);
    return length;
}

/* Writes text for roff: a backslash, a hyphen that is a minus, a dot or quote at the beginning of a line. The text is
   our own, and well-formed. */
static void write_roff(FILE *out, const char *text)
{
    bool begins = true;
    for (size_t length; *text; text += length) {
        length = 1;
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if ((unsigned char)*text >= 0x80)
            length = write_wide(out, text);
        else
            fputc(*text, out);
        begins = *text == '\n';
    }
}

static void write_page_name(FILE *out, const char *command)
{
    fputs("linpred\\-", out);
    for (; *command; command++)
        fputs(*command == ' ' || *command == '-' ? "\\-" : (char[]){*command, '\0'}, out);
}

static void write_head(FILE *out, const char *name)
{
    fprintf(out, ".\\\" Written by linpred man.\n.TH \"");
    for (; *name; name++)
        fputc(*name == ' ' ? '-' : *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name, out);
    fprintf(out, "\" 1 \"\" \"linpred %s\" \"linpred\"\n", linpred_version());
}

static void write_exit_codes(FILE *out)
{
    fputs(".SH EXIT STATUS\n.TP\n.B 0\nThe claim holds.\n.TP\n.B 1\nThe answer is no, the method ended at its limit, "
          "or the "
          "verdict is PARTLY PROVED, REFUTED or NOT JUDGED.\n.TP\n.B 2\nThe usage or the input is wrong.\n.TP\n.B "
          "3\nMemory, disk "
          "or the "
          "program failed.\n",
          out);
}

static void write_flag(FILE *out, const cli_flag *flag)
{
    fputs(".TP\n", out);
    if (strcmp(flag->name, "target") == 0 || strcmp(flag->name, "output") == 0)
        fprintf(out, "\\fB\\-%c\\fR, ", flag->name[0]);
    fputs("\\fB\\-\\-", out);
    write_roff(out, flag->name);
    fputs("\\fR", out);
    if (*flag->takes) {
        fputs(" \\fI", out);
        write_roff(out, flag->takes);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    write_roff(out, flag->text);
    if (*flag->initial) {
        fputs(" [", out);
        write_roff(out, flag->initial);
        fputc(']', out);
    }
    if (*flag->only) {
        fputs("\n.br\nFor ", out);
        write_roff(out, flag->only);
    }
    fputs(".\n", out);
}

static void write_command_page(FILE *out, const cli_command *command)
{
    cli_flag flag;
    char name[80];
    snprintf(name, sizeof name, "linpred %s", command->name);
    write_head(out, name);
    fputs(".SH NAME\n", out);
    write_page_name(out, command->name);
    fputs(" \\- ", out);
    write_roff(out, command->summary);
    fputs("\n.SH SYNOPSIS\n.B linpred ", out);
    write_roff(out, command->name);
    fputs("\n.I ", out);
    write_roff(out, command->arguments);
    fputs("\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n", out);
    char first[2] = {(char)(command->summary[0] >= 'a' && command->summary[0] <= 'z' ? command->summary[0] - 'a' + 'A'
                                                                                     : command->summary[0]),
                     '\0'};
    write_roff(out, first);
    write_roff(out, command->summary + 1);
    fputs(".\n.SH OPTIONS\nDefaults stand in brackets.\n", out);
    for (size_t i = 0; cli_next_flag(command, &i, &flag);)
        write_flag(out, &flag);
    write_exit_codes(out);
    fputs(".SH SEE ALSO\n.BR linpred (1)\n", out);
}

static void write_main_page(FILE *out)
{
    write_head(out, "linpred");
    fputs(".SH NAME\nlinpred \\- linear predictors that prove their answers\n.SH SYNOPSIS\n.B linpred\n.I COMMAND\n"
          "[\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\nlinpred learns halfspaces, balls, regressions and "
          "logistic "
          "models from tables, and proves what it says of them. Each fit states claims with their proofs; "
          "\\fBlinpred verify\\fR checks them independently.\n.PP\nData is a CSV, TSV, Parquet, SQLite, LIBSVM, npy or "
          "npz "
          "file, may "
          "be compressed (.gz, .zst), and is standard input if it is called \\-. With \\fB\\-\\-json\\fR a command "
          "prints one "
          "JSON object.\n.SH COMMANDS\n",
          out);
    for (size_t i = 0; i < cli_command_count; i++) {
        fputs(".TP\n.B linpred ", out);
        write_roff(out, cli_commands[i].name);
        fputc(' ', out);
        write_roff(out, cli_commands[i].arguments);
        fputc('\n', out);
        write_roff(out, cli_commands[i].summary);
        fputs(". See \\fB", out);
        write_page_name(out, cli_commands[i].name);
        fputs("\\fR(1).\n", out);
    }
    fputs(".TP\n.B linpred completion bash|zsh|fish\na script that completes commands and options in a shell.\n"
          ".TP\n.B linpred man [COMMAND]\na manual page, to be read with \\fBman \\-l \\-\\fR.\n",
          out);
    write_exit_codes(out);
    fputs(".SH EXAMPLES\n.nf\nlinpred inspect data.csv\nlinpred fit halfspace data.csv \\-o model.json\n"
          "linpred verify model.json data.csv\nlinpred report model.json data.csv \\-o report.html\n.fi\n",
          out);
}

int cli_manual(const cli_invocation *cli, int argc, char **argv)
{
    char name[80] = "";
    for (int i = 2; i < argc; i++)
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", i > 2 ? " " : "", argv[i]);
    if (argc == 2) {
        write_main_page(stdout);
        return EXIT_HOLDS;
    }
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0) {
            write_command_page(stdout, &cli_commands[i]);
            return EXIT_HOLDS;
        }
    return cli_usage(cli, "linpred man: there is no command '%.60s'; linpred --help lists them", name);
}
