/* How fast files are read: ns a cell and MB/s, beside what people use today.
 *
 *     bench_read [--threads N] [--repeats N] [--alone] [FILE…]
 *
 * Without files it writes three into the folder for temporary files and takes them away again: 300,000 x 51 normal
 * numbers as CSV, with 6 and with 17 digits, and 200,000 rows of 70 entries as LIBSVM. CSV is compared with
 * pandas.read_csv (default engine and options, timed inside Python, import excluded), LIBSVM with liblinear-train: the
 * time from its start until it has closed the data file, seen in /proc; its training comes after. Runs alternate;
 * medians are printed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/options.h"
#include "core/random.h"
#include "measure.h"
#include "table/readers.h"

enum { MOST = 99 };

static void write_csv(const char *path, int digits)
{
    linpred__random random;
    linpred__random_seed(&random, 1);
    FILE *file = fopen(path, "w");
    for (int c = 1; file && c <= 51; c++)
        fprintf(file, "x%d%c", c, c < 51 ? ',' : '\n');
    for (int i = 0; file && i < 300000; i++)
        for (int c = 1; c <= 51; c++)
            fprintf(file, "%.*g%c", digits, linpred__random_normal(&random), c < 51 ? ',' : '\n');
    if (!file || fclose(file) != 0)
        exit(EXIT_FAILURE);
}

static void write_libsvm(const char *path)
{
    linpred__random random;
    linpred__random_seed(&random, 2);
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < 200000; i++) {
        fputs(i % 2 ? "+1" : "-1", file);
        for (int k = 0, index = 0; k < 70; k++) {
            index += 1 + (int)linpred__random_below(&random, 56);
            fprintf(file, " %d:%.6g", index, linpred__random_normal(&random));
        }
        fputc('\n', file);
    }
    if (!file || fclose(file) != 0)
        exit(EXIT_FAILURE);
}

static double ours(const char *path, linpred__pool *pool, int64_t *cells, bool *sparse)
{
    linpred_options options;
    linpred__options_init(&options);
    linpred__table *table = NULL;
    linpred_error error;
    double start = now();
    if (linpred__table_read(path, &(linpred__read_request){.options = &options}, pool, &table, &error) != LINPRED_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    double seconds = now() - start;
    *cells = table->entries;
    *sparse = table->layout == LINPRED__SPARSE;
    linpred__table_free(table);
    return seconds;
}

/* Negative: not to be had. */
static double pandas(const char *path)
{
    static const char program[] = "import sys,time,pandas; t=time.perf_counter(); pandas.read_csv(sys.argv[1]); "
                                  "print(time.perf_counter()-t)";
    char *command = NULL;
    if (asprintf(&command, "/usr/bin/python3 -c '%s' '%s' 2>/dev/null", program, path) < 0)
        return -1.0;
    FILE *pipe = popen(command, "r");
    double seconds = -1.0;
    if (!pipe || fscanf(pipe, "%lf", &seconds) != 1)
        seconds = -1.0;
    if (pipe)
        pclose(pipe);
    free(command);
    return seconds;
}

/* Whether process `id` has the file open. */
static bool has_open(pid_t id, const char *path)
{
    for (int descriptor = 3; descriptor < 8; descriptor++) {
        char link[64];
        char target[4096];
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)id, descriptor);
        ssize_t bytes = readlink(link, target, sizeof target - 1);
        if (bytes > 0) {
            target[bytes] = '\0';
            if (strcmp(target, path) == 0)
                return true;
        }
    }
    return false;
}

static double liblinear(const char *path)
{
    char full[4096];
    if (!realpath(path, full))
        return -1.0;
    double start = now();
    pid_t id = fork();
    if (id == 0) {
        execlp("liblinear-train", "liblinear-train", "-q", "-s", "0", full, "/dev/null", (char *)NULL);
        _exit(127);
    }
    bool seen = false;
    double seconds = -1.0;
    while (waitpid(id, NULL, WNOHANG) == 0) {
        bool open = has_open(id, full);
        seen = seen || open;
        if (seen && !open) {
            seconds = now() - start;
            kill(id, SIGKILL);
            waitpid(id, NULL, 0);
            break;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return seconds;
}

static void compare(const char *path, linpred__pool *pool, int repeats, bool alone)
{
    double mine[MOST];
    double theirs[MOST];
    int64_t cells = 0;
    bool sparse = false;
    struct stat about;
    if (stat(path, &about) != 0)
        exit(EXIT_FAILURE);
    ours(path, pool, &cells, &sparse); /* the file is in memory from here on */
    for (int i = 0; i < repeats; i++) {
        mine[i] = ours(path, pool, &cells, &sparse);
        theirs[i] = alone ? -1.0 : sparse ? liblinear(path) : pandas(path);
    }
    double megabytes = (double)about.st_size / 1e6;
    double m = median(mine, repeats);
    double t = median(theirs, repeats);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("%-14s %4.0f MB  linpred %6.3f s %6.0f MB/s %6.2f ns a cell", name, megabytes, m, megabytes / m,
           1e9 * m / (double)cells);
    if (t > 0.0)
        printf("   %s %6.3f s %5.0f MB/s   %.1f times", sparse ? "liblinear" : "pandas", t, megabytes / t, t / m);
    printf("\n");
}

int main(int count, char **argument)
{
    int threads = 0;
    int repeats = 5;
    bool alone = false;
    int first = 1;
    for (; first < count && strncmp(argument[first], "--", 2) == 0; first++) {
        if (strcmp(argument[first], "--alone") == 0)
            alone = true;
        else if (strcmp(argument[first], "--threads") == 0 && first + 1 < count)
            threads = atoi(argument[++first]);
        else if (strcmp(argument[first], "--repeats") == 0 && first + 1 < count)
            repeats = atoi(argument[++first]);
    }
    repeats = repeats < 1 ? 1 : repeats > MOST ? MOST : repeats;
    linpred__pool *pool = NULL;
    if (linpred__pool_open(threads, &pool, NULL) != LINPRED_OK)
        return EXIT_FAILURE;
    for (int i = first; i < count; i++)
        compare(argument[i], pool, repeats, alone);
    if (first == count) {
        const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
        for (int kind = 0; kind < 3; kind++) {
            static const char *const names[] = {"digits6.csv", "digits17.csv", "sparse.svm"};
            char path[4096];
            snprintf(path, sizeof path, "%s/linpred-%d-%s", folder, (int)getpid(), names[kind]);
            if (kind < 2)
                write_csv(path, kind == 0 ? 6 : 17);
            else
                write_libsvm(path);
            compare(path, pool, repeats, alone);
            unlink(path);
        }
    }
    linpred__pool_close(pool);
    return EXIT_SUCCESS;
}
