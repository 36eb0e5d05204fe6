/* Processes that work on one pass together, made by fork. Pipes carry their messages, so that no MPI is needed. */
#ifndef LINPRED_TESTS_PROCESS_SUPPORT_H
#define LINPRED_TESTS_PROCESS_SUPPORT_H

#include "guarded_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/comm.h"

enum { MOST_PROCESSES = 9 };

static int pipes[MOST_PROCESSES][MOST_PROCESSES][2]; /* from, to */
static linpred__comm comm;

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

/* The one with the lower number sends first: a pipe holds less than a message may have. */
static inline void exchange_through(int other, const void *send, size_t send_count, void *receive, size_t receive_count)
{
    if (comm.process < other)
        send_through(other, send, send_count);
    receive_through(other, receive, receive_count);
    if (comm.process > other)
        send_through(other, send, send_count);
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
            comm = (linpred__comm){processes,         p,          send_through, receive_through, exchange_through,
                                   broadcast_through, give_up_all};
            linpred__comm_set(&comm);
            guards_made += (unsigned)(7 * p);   /* what one process sends is not what another has behind its pieces */
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
