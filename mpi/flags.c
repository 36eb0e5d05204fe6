/* The options of linpred-mpi: see flags.h. */
#include "flags.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "data/checkpoint.h"

/* What a run may change when it is resumed: no bit of the answer depends on it. */
static const struct {
    const char *name;
    bool takes_value;
} free_flags[] = {{"-o", true},         {"--output", true}, {"--threads", true},
                  {"--progress", true}, {"--quiet", false}, {"--json", false}};

/* How many arguments a flag takes up that a resumed run may change; 0 if it may not. */
static int free_arguments(const char *argument)
{
    for (size_t i = 0; i < sizeof free_flags / sizeof free_flags[0]; i++) {
        size_t length = strlen(free_flags[i].name);
        if (strncmp(argument, free_flags[i].name, length) == 0 && (argument[length] == '\0' || argument[length] == '='))
            return argument[length] == '\0' && free_flags[i].takes_value ? 2 : 1;
    }
    return 0;
}

/* A hash of what was asked. */
static uint64_t hash_command(int argc, char **argv)
{
    uint64_t hash = 0;
    for (int i = 1, skipped; i < argc; i += skipped ? skipped : 1) {
        skipped = free_arguments(argv[i]);
        for (size_t k = 0; !skipped && k <= strlen(argv[i]); k++) /* with the 0 at the end, so that words stay apart */
            hash = (hash ^ (unsigned char)argv[i][k]) * 0x100000001b3u;
    }
    return hash;
}

static int open_checkpoint(const char *path, bool resume, int argc, char **argv)
{
    linpred_error error;
    bool resumed = resume;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], path) == 0) {
            fprintf(stderr, "linpred-mpi: '%s' is named twice: the checkpoint must be a file of its own\n", path);
            return EXIT_INPUT;
        }
    if (linpred__checkpoint_open(path, &resumed, hash_command(argc, argv), &error) != LINPRED_OK) {
        fprintf(stderr, "linpred-mpi: %s\n", error.message);
        return error.status == LINPRED_ERROR_FILE ? EXIT_FAULT : EXIT_INPUT;
    }
    if (resume && !resumed)
        fprintf(stderr, "linpred-mpi: there is nothing to resume in '%s': the run begins at its beginning\n", path);
    return 0;
}

int flags_take(int *argc, char **argv)
{
    const char *path = NULL;
    bool resume = false;
    int kept_arguments = 1;
    for (int i = 1; i < *argc; i++) {
        bool named = strcmp(argv[i], "--checkpoint") == 0;
        if (named && i + 1 == *argc) {
            fputs("linpred-mpi: --checkpoint needs the name of a file\n", stderr);
            return EXIT_INPUT;
        }
        if (named)
            path = argv[++i];
        else if (strcmp(argv[i], "--resume") == 0)
            resume = true;
        else
            argv[kept_arguments++] = argv[i];
    }
    *argc = kept_arguments;
    argv[kept_arguments] = NULL;
    if (resume && !path)
        fputs("linpred-mpi: --resume goes with --checkpoint FILE, the file to go on from\n", stderr);
    if (!path)
        return resume ? EXIT_INPUT : 0;
    return open_checkpoint(path, resume, *argc, argv);
}

void flags_show_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            fputs(
                "\n"
                "options of linpred-mpi alone:\n"
                "  --checkpoint FILE              records each pass there, so that a run that is killed loses little\n"
                "  --resume                       goes on from the checkpoint, on any number of processes\n",
                stdout);
}
