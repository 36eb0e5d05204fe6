/* Processes that work on one pass together, made by fork. Pipes carry their messages, so that no MPI is needed. */
#ifndef LINPRED_TESTS_PROCESS_SUPPORT_H
#define LINPRED_TESTS_PROCESS_SUPPORT_H

#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/comm.h"

enum { MOST_PROCESSES = 9 };

static int pipes[MOST_PROCESSES][MOST_PROCESSES][2]; /* from, to */
static linpred__comm comm;

/* ---- memory with guards ---- */

/* Each piece is followed by bytes that differ from process to process: one that sends or receives more than a piece
   holds spoils them. `guard_memory` is for the set-up of a group of tests. */
struct guarded {
    size_t bytes;
    unsigned char guard;
};
enum { GUARD_BEFORE = 32, GUARD_BEHIND = 64 };

static inline void check_guard(const struct guarded *piece)
{
    const unsigned char *behind = (const unsigned char *)piece + GUARD_BEFORE + piece->bytes;
    for (int i = 0; i < GUARD_BEHIND; i++)
        if (behind[i] != piece->guard)
            abort();
}

static inline void guarded_release(void *context, void *memory)
{
    (void)context;
    if (memory) {
        check_guard((struct guarded *)((char *)memory - GUARD_BEFORE));
        free((char *)memory - GUARD_BEFORE);
    }
}

static inline void *guarded_reallocate(void *context, void *memory, size_t bytes)
{
    char *made = calloc(1, GUARD_BEFORE + bytes + GUARD_BEHIND);
    const struct guarded *old = memory ? (struct guarded *)((char *)memory - GUARD_BEFORE) : NULL;
    if (!made)
        return NULL;
    *(struct guarded *)made = (struct guarded){bytes, (unsigned char)(77 + comm.process)};
    memset(made + GUARD_BEFORE + bytes, 77 + comm.process, GUARD_BEHIND);
    if (old)
        memcpy(made + GUARD_BEFORE, memory, old->bytes < bytes ? old->bytes : bytes);
    guarded_release(context, memory);
    return made + GUARD_BEFORE;
}

static inline int guard_memory(void **state)
{
    (void)state;
    static const linpred_allocator guarded = {sizeof(linpred_allocator), guarded_reallocate, guarded_release, NULL};
    linpred_set_allocator(&guarded);
    return 0;
}

/* ---- messages ---- */

static inline void send_through(int to, const void *bytes, size_t count)
{
    const char *from = bytes;
    for (ssize_t n; count > 0; from += n, count -= (size_t)n)
        if ((n = write(pipes[comm.process][to][1], from, count)) <= 0)
            _exit(90);
}

static inline void receive_through(int from, void *bytes, size_t count)
{
    char *to = bytes;
    for (ssize_t n; count > 0; to += n, count -= (size_t)n)
        if ((n = read(pipes[from][comm.process][0], to, count)) <= 0)
            _exit(91);
}

static inline void broadcast_through(int from, void *bytes, size_t count)
{
    if (from != comm.process)
        receive_through(from, bytes, count);
    for (int i = 0; from == comm.process && i < comm.processes; i++)
        if (i != from)
            send_through(i, bytes, count);
}

static inline void give_up_all(const linpred_error *error)
{
    fprintf(stderr, "process %d: %s\n", comm.process, error->message);
    _exit(92);
}

/* Starts so many processes. Each does the work, and all must answer 0. */
static inline void ask_processes(int processes, int (*work)(void *context), void *context)
{
    pid_t child[MOST_PROCESSES];
    for (int i = 0; i < processes; i++)
        for (int k = 0; k < processes; k++)
            assert_int_equal(pipe(pipes[i][k]), 0);
    for (int p = 0; p < processes; p++)
        if ((child[p] = fork()) == 0) {
            comm = (linpred__comm){processes, p, send_through, receive_through, broadcast_through, give_up_all};
            linpred__comm_set(&comm);
            alarm(200);                         /* processes that wait for each other are a failure */
            for (int i = 0; i < processes; i++) /* a process that waits for one that has ended is told so */
                for (int k = 0; k < processes; k++) {
                    if (k != p)
                        close(pipes[i][k][0]);
                    if (i != p)
                        close(pipes[i][k][1]);
                }
            _exit(work(context));
        }
    for (int i = 0; i < processes; i++)
        for (int k = 0; k < processes; k++) {
            close(pipes[i][k][0]);
            close(pipes[i][k][1]);
        }
    for (int p = 0; p < processes; p++) {
        int status;
        assert_int_equal(waitpid(child[p], &status, 0), child[p]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* ---- numbers that all processes must find alike ---- */

struct asked_numbers {
    void (*find)(void *context, double *found);
    void *context;
    size_t count;
    double *wanted;
};

static inline int find_wanted(void *context)
{
    const struct asked_numbers *asked = context;
    double *found = calloc(asked->count, sizeof *found);
    asked->find(asked->context, found);
    int differ = memcmp(found, asked->wanted, asked->count * sizeof *found) != 0;
    free(found);
    return differ;
}

/* Each of several processes must find `count` numbers, to the last bit as this one does alone. */
static inline void processes_find_the_same(void (*find)(void *context, double *found), void *context, size_t count)
{
    struct asked_numbers asked = {find, context, count, calloc(count, sizeof(double))};
    find(context, asked.wanted);
    for (int processes = 2; processes <= 4; processes++)
        ask_processes(processes, find_wanted, &asked);
    free(asked.wanted);
}

#endif
