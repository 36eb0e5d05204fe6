/* The program: the table of commands, and which command the arguments name. Each command has a file of its own. */
#include <signal.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define OWN(flag) (1u << OWN_##flag)

const char cli_first_word[] = "linpred ";

const cli_command cli_commands[] = {
    {"fit halfspace", "DATA...", "learn a halfspace from labelled rows, and prove what is claimed of it",
     "read encode labels fit origin halfspace random", OWN(OUTPUT) | OWN(NO_VERIFY) | OWN(TRACE) | OWN(START),
     1 | AND_FILES, cli_run_fit_halfspace},
    {"separable", "DATA...", "a hyperplane that separates the two labels, or a few rows that prove there is none",
     "read encode labels fit origin lp", OWN(OUTPUT) | OWN(NO_VERIFY), 1 | AND_FILES, cli_run_separable},
    {"fit regression", "DATA...",
     "learn a linear function of the columns, or of their powers, by least squares or absolutes",
     "read encode fit origin regression squared absolute", OWN(OUTPUT) | OWN(NO_VERIFY), 1 | AND_FILES,
     cli_run_fit_regression},
    {"fit logistic", "DATA...",
     "learn probabilities by logistic regression, and prove that a minimum exists and is reached",
     "read encode labels fit origin logistic", OWN(OUTPUT) | OWN(NO_VERIFY) | OWN(START), 1 | AND_FILES,
     cli_run_fit_logistic},
    {"fit ball", "DATA...",
     "learn a ball with the label +1 inside (--outside: the other) and the rest outside, or prove that there is none",
     "read encode labels fit ball random", OWN(OUTPUT) | OWN(NO_VERIFY), 1 | AND_FILES, cli_run_fit_ball},
    {"verify", "MODEL DATA...", "check a model's claims against data, independently of how it was found", "read apply",
     OWN(ACCEPT_EDITED), 2 | AND_FILES, cli_run_verify},
    {"predict", "MODEL DATA...", "label or score the rows of a file", "read apply predict decide interval",
     OWN(OUTPUT) | OWN(WHAT) | OWN(INTERVAL) | OWN(ACCEPT_EDITED), 2 | AND_FILES, cli_run_predict},
    {"evaluate", "MODEL DATA...", "how well a model does on labelled rows", "read apply decide", OWN(ACCEPT_EDITED),
     2 | AND_FILES, cli_run_evaluate},
    {"plot", "MODEL DATA", "a picture of a model over rows, as SVG, PNG or PDF", "read apply",
     OWN(OUTPUT) | OWN(KIND) | OWN(AXES) | OWN(PROJECT) | OWN(WITH) | OWN(THEME) | OWN(ACCEPT_EDITED), 2, cli_run_plot},
    {"plot perceptron", "DATA", "the perceptron at work: its updates, and both sides of the proof of its bound",
     "read encode labels fit origin perceptron random", OWN(OUTPUT) | OWN(THEME), 1, cli_run_plot_perceptron},
    {"plot pocket", "DATA", "pocket at work: the best of the perceptron's weights so far, over its updates",
     "read encode labels fit origin pocket random", OWN(OUTPUT) | OWN(THEME), 1, cli_run_plot_pocket},
    {"plot search", "DATA", "the search for the fewest mistakes: the best so far and the bound, over time",
     "read encode labels fit origin exact random", OWN(OUTPUT) | OWN(THEME), 1, cli_run_plot_search},
    {"plot separable", "DATA", "separated, quasi-separated or overlapping: the direction or the rows that prove it",
     "read encode labels fit origin", OWN(OUTPUT) | OWN(AXES) | OWN(PROJECT) | OWN(THEME), 1, cli_run_plot_separable},
    {"plot shatter", "POINTS", "every labelling of points in the plane, or the one that fails", "read points",
     OWN(OUTPUT) | OWN(THEME), 1, cli_run_plot_shatter},
    {"report", "MODEL DATA", "a page about a model on rows: claims with their proofs, coefficients, pictures",
     "read apply", OWN(OUTPUT) | OWN(ACCEPT_EDITED), 2, cli_run_report},
    {"inspect", "FILE", "what is in a data file or a model", "read", OWN(ACCEPT_EDITED) | OWN(ALL), 1, cli_run_inspect},
    {"convert", "DATA...", "the rows of a file as NumPy's npz archive, which every command reads, also beyond memory",
     "read convert", OWN(OUTPUT), 1 | AND_FILES, cli_run_convert},
    {"generate", "NAME", "data that shows what the theory says, as CSV; without NAME, the list of what there is",
     "generate", OWN(OUTPUT) | OWN(TRUTH), 1, cli_run_generate},
    {"shatter", "POINTS", "whether halfspaces or balls realise every labelling of the points, with proof",
     "read points", 0, 1, cli_run_shatter},
    {"bounds vc", "--dimension N", "the VC dimension of a class of predictors, and why", "vc", 0, 0, cli_run_bounds_vc},
    {"bounds sample-size", "--dimension N",
     "how many rows are enough to learn, by the VC dimension or the size of the class", "sample-size", 0, 0,
     cli_run_bounds_sample_size},
    {"bounds updates", "DATA", "how many updates the perceptron can make on these rows at most",
     "read encode labels fit origin", 0, 1, cli_run_bounds_updates},
    {"bounds generalization", "MODEL DATA", "what a model's error on the rows says of its true error",
     "read apply generalization", OWN(ACCEPT_EDITED), 2, cli_run_bounds_generalization},
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];
enum { MAX_COMMANDS = sizeof cli_commands / sizeof cli_commands[0] };

static void help(FILE *out)
{
    static const char *const paragraphs[] = {
        "DATA is a CSV, TSV, Parquet, SQLite, LIBSVM, npy or npz file, may be compressed (.gz, .zst), and is standard "
        "input "
        "if '-'. DATA... may be several files of the same columns: their rows are one data set, in this order.",
        "linpred COMMAND --help lists a command's options, linpred man COMMAND is its manual page, and linpred "
        "completion bash|zsh|fish completes them in a shell.",
        "Exit code: 0 the claim holds; 1 the answer is no, the method ended at its limit, or the verdict is PARTLY "
        "PROVED, REFUTED or NOT JUDGED; 2 the usage or the input is wrong; 3 memory, disk or the program failed. "
        "--method auto ends with 0 also if nothing separates: its claim is then its count of mistakes.",
    };
    enum { INDENT = 46, USUAL = 120 };
    int width = cli_line_width();
    fprintf(out, "linpred %s: linear predictors that prove their answers\n\nusage:\n", linpred_version());
    for (size_t i = 0; i < cli_command_count; i++) {
        bool narrow = width > 0 && width < 2 * INDENT;
        int indent = narrow ? INDENT / 4 : INDENT;
        fprintf(out, "  linpred %-21s %-13s%s%*s", cli_commands[i].name, cli_commands[i].arguments, narrow ? "\n" : " ",
                narrow ? indent : 0, "");
        cli_print_words(out, cli_commands[i].summary, indent, indent, width);
        fputc('\n', out);
    }
    for (size_t i = 0; i < sizeof paragraphs / sizeof paragraphs[0]; i++) {
        fputs(i == 0 ? "\n" : "", out);
        cli_print_words(out, paragraphs[i], 0, 0, width > 0 ? width : USUAL);
        fputc('\n', out);
    }
}

static int help_as_json(const char *prefix)
{
    json_t *object = json_object(), *list = json_array();
    cli_set_text(object, "version", linpred_version());
    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name, prefix, strlen(prefix)) == 0)
            json_array_append_new(list, cli_help_to_json(&cli_commands[i]));
    json_object_set_new(object, "commands", list);
    return cli_print_json(object);
}

static int tell_version(const cli_invocation *cli, int argc, char **argv)
{
    static const char *const flags[] = {"--json", "--quiet"};
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], flags[0]) == 0 || strcmp(argv[i], flags[1]) == 0)
            continue;
        const char *near = linpred_nearest(argv[i], flags, 2);
        return cli_usage(cli, "linpred version takes --json and no other argument, not '%.60s'%s%s%s", argv[i],
                         near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    }
    if (!cli->json) {
        printf("linpred %s\n", linpred_version());
        return EXIT_HOLDS;
    }
    json_t *object = json_object();
    cli_set_text(object, "version", linpred_version());
    return cli_print_json(object);
}

/* The number of words of the command's name if the arguments begin with them; else 0. */
static int matches(const cli_command *command, int argc, char **argv)
{
    const char *space = strchr(command->name, ' ');
    if (!space)
        return argc > 1 && strcmp(argv[1], command->name) == 0 ? 1 : 0;
    size_t first = (size_t)(space - command->name);
    return argc > 2 && strlen(argv[1]) == first && memcmp(argv[1], command->name, first) == 0 &&
                   strcmp(argv[2], space + 1) == 0
               ? 2
               : 0;
}

/* The command whose name the arguments begin with, of two the one with more words: `plot shatter` rather than `plot`.
   Sets the number of its words. NULL: there is none. */
static const cli_command *find_command(int argc, char **argv, int *words)
{
    const cli_command *found = NULL;
    *words = 0;
    for (size_t i = 0; i < cli_command_count; i++)
        if (matches(&cli_commands[i], argc, argv) > *words) {
            found = &cli_commands[i];
            *words = matches(found, argc, argv);
        }
    return found;
}

/* The second words of the commands whose first word is `first`, as in `linpred fit halfspace`; *one is one of them. */
static size_t second_words(const char *first, const char *words[MAX_COMMANDS], const cli_command **one)
{
    size_t n = 0, length = strlen(first);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name, first, length) == 0 && cli_commands[i].name[length] == ' ') {
            *one = n == 0 ? &cli_commands[i] : *one;
            words[n++] = cli_commands[i].name + length + 1;
        }
    return n;
}

/* The only word that begins with the same three letters as `text`; NULL if none does or several do. */
static const char *begins_alike(const char *text, const char *const *words, size_t n)
{
    enum { LETTERS = 3 };
    const char *found = NULL;
    for (size_t i = 0; i < n; i++)
        if (strlen(text) >= LETTERS && strncmp(text, words[i], LETTERS) == 0) {
            if (found)
                return NULL;
            found = words[i];
        }
    return found;
}

/* Prints the help for `linpred fit --help`, and the error for `linpred fit` alone or `linpred fit cube`. */
static int first_word_alone(cli_invocation *cli, int argc, char **argv, const char *const *words, size_t n,
                            const cli_command *one)
{
    const char *first = argv[1];
    bool asked = false, another = argc > 2 && argv[2][0] != '-';
    for (int i = 2; i < argc && !another; i++)
        asked = asked || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    for (const cli_command *c = cli_commands; asked && !cli->json && c < cli_commands + cli_command_count; c++)
        if (strncmp(c->name, first, strlen(first)) == 0)
            cli_help(stdout, c);
    if (asked)
        return cli->json ? help_as_json(first) : EXIT_HOLDS;
    char list[160] = "";
    for (size_t i = 0; i < n; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0      ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 words[i]);
    if (!another)
        return cli_usage(cli, "linpred %s needs another word, %s, as in: linpred %s %s", first, list, one->name,
                         one->arguments);
    if (strcmp(first, "fit") == 0 && cli_other_word(argv[2]))
        return cli_usage(cli, "there is no 'linpred fit %.60s': %s", argv[2], cli_other_word(argv[2]));
    const char *near = linpred_nearest(argv[2], words, n);
    if (!near) /* "logit" is not near "logistic" in letters, but begins alike */
        near = begins_alike(argv[2], words, n);
    return cli_usage(cli, "there is no 'linpred %s %.60s'; say %s%s%s%s", first, argv[2], list,
                     near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* Suggests the command whose first word is nearest. */
static int unknown_command(cli_invocation *cli, const char *word)
{
    if (cli_other_word(word))
        return cli_usage(cli, "there is no command '%.60s': %s", word, cli_other_word(word));
    const char *names[MAX_COMMANDS];
    char first[MAX_COMMANDS][32];
    for (size_t i = 0; i < cli_command_count; i++) {
        snprintf(first[i], sizeof first[i], "%.*s", (int)strcspn(cli_commands[i].name, " "), cli_commands[i].name);
        names[i] = first[i];
    }
    const char *near = linpred_nearest(word, names, cli_command_count);
    if (near)
        return cli_usage(cli, "there is no command '%.60s'; did you mean '%s'?", word, near);
    return cli_usage(cli, "there is no command '%.60s'; linpred --help lists them", word);
}

/* Turns `help fit halfspace` into `fit halfspace --help`. */
static void put_help_last(int argc, char **argv)
{
    static char help_flag[] = "--help";
    for (int i = 1; i + 1 < argc; i++)
        argv[i] = argv[i + 1];
    argv[argc - 1] = help_flag;
}

/* Runs cli->command, whose name is the first `words` arguments, or prints its help. */
static int run_found(cli_invocation *cli, int argc, char **argv, int words)
{
    for (int k = words + 1; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            if (cli->json)
                return cli_print_json(cli_help_to_json(cli->command));
            cli_help(stdout, cli->command);
            return cli->command->run == cli_run_generate ? cli_list_instances(cli) : EXIT_HOLDS;
        }
    if (cli->command->run == cli_run_generate && argc == words + 1 + cli->json)
        return cli_list_instances(cli);
    int code = cli_parse(cli, argc, argv, words + 1);
    if (code == 0)
        code = cli_progress_begin(cli);
    return code ? code : cli->command->run(cli);
}

static int run_command(cli_invocation *cli, int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return EXIT_INPUT;
    }
    if (argc > 2 && strcmp(argv[1], "help") == 0 && argv[2][0] != '-')
        put_help_last(argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        if (cli->json)
            return help_as_json("");
        help(stdout);
        return EXIT_HOLDS;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0)
        return tell_version(cli, argc, argv);
    if (strcmp(argv[1], "completion") == 0)
        return cli_completion(cli, argc, argv);
    if (strcmp(argv[1], "man") == 0)
        return cli_manual(cli, argc, argv);
    int length;
    cli->command = find_command(argc, argv, &length);
    if (cli->command)
        return run_found(cli, argc, argv, length);
    const char *words[MAX_COMMANDS];
    const cli_command *one = NULL;
    size_t n = second_words(argv[1], words, &one);
    return n > 0 ? first_word_alone(cli, argc, argv, words, n, one) : unknown_command(cli, argv[1]);
}

/* Keeps OpenBLAS from starting threads of its own, which would use processors idly for a while. It reads this variable
   in a constructor that runs after this one if the program holds OpenBLAS. If OpenBLAS is a shared library it has
   started already. */
__attribute__((constructor(101))) static void spare_threads(void)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

/* Keeps freed memory in the process: it is soon needed again, and new memory costs a page fault for every 4 KB. Only
   blocks of 4 MB and more come from the system directly and go back to it. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

int cli_main(int argc, char **argv)
{
    keep_memory();
    signal(SIGPIPE, SIG_IGN); /* `linpred … | head` is no error */
    signal(SIGXFSZ, SIG_IGN); /* a file that would grow beyond the limit is an error of writing, and then removed */
    cli_invocation cli = {0};
    for (int i = 1; i < argc; i++)
        cli.json = cli.json || strcmp(argv[i], "--json") == 0;
    cli.notices = cli.json ? json_array() : NULL;
    cli.options = linpred_options_new();
    int code = EXIT_FAULT;
    if (cli.options)
        code = run_command(&cli, argc, argv);
    linpred_options_free(cli.options);
    free(cli.file);
    json_decref(cli.notices);
    return cli_close_output(&cli, code);
}
