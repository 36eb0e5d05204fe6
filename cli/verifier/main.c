/* linpred-verify MODEL DATA: the command `linpred verify` as a program of its own. It holds the checker and the
 * readers, and nothing that finds answers. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../cli.h"
#include "../draw/picture.h"

const char cli_first_word[] = "linpred-";
const cli_command cli_commands[] = {
    {"verify", "MODEL DATA...", "check a model's claim against data, independently of how it was found", "read apply",
     1u << OWN_ACCEPT_EDITED, 2 | AND_FILES, cli_run_verify},
};
const size_t cli_command_count = 1;
/* It draws nothing. */
const draw_kind draw_kinds[1] = {0};
const size_t draw_kind_count = 0;

static bool asks_for(int argc, char **argv, const char *word, const char *letter)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0 || strcmp(argv[i], letter) == 0)
            return true;
    return false;
}

static int run_verifier(cli_invocation *cli, int argc, char **argv)
{
    cli->command = &cli_commands[0];
    if (asks_for(argc, argv, "--help", "-h")) {
        if (cli->json)
            return cli_print_json(cli_help_to_json(cli->command));
        cli_help(stdout, cli->command);
        return EXIT_HOLDS;
    }
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        json_t *object = cli->json ? json_object() : NULL;
        if (!object)
            return printf("linpred-verify %s\n", linpred_version()), EXIT_HOLDS;
        cli_set_text(object, "version", linpred_version());
        return cli_print_json(object);
    }
    int code = cli_parse(cli, argc, argv, 1);
    if (code == 0)
        code = cli_progress_begin(cli);
    return code ? code : cli_run_verify(cli);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    cli_invocation cli = {.json = asks_for(argc, argv, "--json", "--json")};
    cli.notices = cli.json ? json_array() : NULL;
    cli.options = linpred_options_new();
    int code = cli.options ? run_verifier(&cli, argc, argv) : EXIT_FAULT;
    linpred_options_free(cli.options);
    free(cli.file);
    json_decref(cli.notices);
    return cli_close_output(&cli, code);
}
