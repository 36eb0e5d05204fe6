/* The watch over the other processes: see watch.h. A process that has died is a zombie among the children of mpirun, or
   is no longer among them. */
#include "watch.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum {
    LOOK_SECONDS = 1,    /* between two looks at the others */
    PATIENCE_SECONDS = 3 /* how long mpirun, which noticed too, has to end this process */
};

/* What /proc says of a process. */
typedef struct process_state {
    char name[32];
    char state; /* 'Z': it has ended, and its parent has not asked how */
    int parent;
} process_state;

static struct {
    void (*say_why)(void);
    atomic_bool ended;
    int parent;
    char name[32];
    int *seen; /* processes of this run that were alive once, this one among them */
    int count;
    int size;
} watch;

static bool read_state(int process, process_state *to)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    int read = fscanf(file, "%*d (%31[^)]) %c %d", to->name, &to->state, &to->parent);
    fclose(file);
    return read == 3;
}

static bool is_alive(int process)
{
    process_state state;
    return read_state(process, &state) && state.parent == watch.parent && !strchr("ZX", state.state);
}

static void remember(int process)
{
    process_state state;
    for (int i = 0; i < watch.count; i++)
        if (watch.seen[i] == process)
            return;
    if (!read_state(process, &state) || strcmp(state.name, watch.name) != 0)
        return;
    if (watch.count == watch.size) {
        int size = 2 * watch.size + 16;
        int *longer = realloc(watch.seen, (size_t)size * sizeof *longer);
        if (!longer)
            return; /* this one is not watched */
        watch.seen = longer;
        watch.size = size;
    }
    watch.seen[watch.count++] = process;
}

/* Remembers the children that one thread of mpirun has started. */
static void remember_children(const char *thread)
{
    char path[96];
    int process;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", watch.parent, thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while (fscanf(file, "%d", &process) == 1)
        remember(process);
    fclose(file);
}

/* Whether mpirun, or one of the processes that it has started here, has died. */
static bool one_has_died(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", watch.parent);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));)
        remember_children(entry->d_name);
    if (threads)
        closedir(threads);
    for (int i = 0; i < watch.count; i++)
        if (!is_alive(watch.seen[i]))
            return true;
    return getppid() != watch.parent;
}

static void *keep_watch(void *unused)
{
    while (!one_has_died())
        sleep(LOOK_SECONDS);
    sleep(PATIENCE_SECONDS);
    if (!atomic_load(&watch.ended)) {
        watch.say_why();
        _exit(EXIT_FAULT);
    }
    return unused;
}

void watch_begin(void (*say_why)(void))
{
    process_state own;
    pthread_t thread;
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (!here || atoi(here) < 2 || !read_state(getpid(), &own))
        return;
    watch.say_why = say_why;
    watch.parent = own.parent;
    snprintf(watch.name, sizeof watch.name, "%s", own.name);
    if (pthread_create(&thread, NULL, keep_watch, NULL) == 0)
        pthread_detach(thread);
}

void watch_end(void)
{
    atomic_store(&watch.ended, true);
}
