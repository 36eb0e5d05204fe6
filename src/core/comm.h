/* Processes that work on one fit together.
 *
 * All of them run the same program on the same data, in lockstep: each decides the same from the same numbers. The pass
 * (data/tree.h) is where they share the work: each visits its own blocks of rows, and all end with the merged state.
 * What is not shared is done by every process alike. Nothing else in the library knows about processes.
 *
 * The library sends nothing itself: a program that starts processes hands it these functions. All of them block, and
 * are called from one thread at a time. They do not fail: a process that cannot go on ends all of them.
 */
#ifndef LINPRED_CORE_COMM_H
#define LINPRED_CORE_COMM_H

#include <stddef.h>

#include "linpred/linpred.h"

typedef struct linpred__comm {
    int processes;
    int process; /* which of them this is, from 0 */
    void (*send)(int to, const void *bytes, size_t count);
    void (*receive)(int from, void *bytes, size_t count);
    /* Sends to a process and receives from it at once; one of the counts may be 0. It has to call this too. */
    void (*exchange)(int other, const void *send, size_t send_count, void *receive, size_t receive_count);
    /* Gives the bytes of the process `from` to all. */
    void (*broadcast)(int from, void *bytes, size_t count);
    /* Ends all processes: this one cannot go on, for the reason in `error`. */
    void (*give_up)(const linpred_error *error);
} linpred__comm;

/* Sets the processes; NULL: this process is alone, as at first. The table must live as long as it is set. */
void linpred__comm_set(const linpred__comm *comm);
/* The processes; NULL if this one is alone. */
const linpred__comm *linpred__comm_get(void);

/* Whether this process writes what all have found: it is alone, or the first. */
bool linpred__comm_writes(void);
/* The first process's answer to a question about its own clock or machine, so that all decide alike. */
bool linpred__comm_agree(bool answer);

/* The part of `count` things that belongs to a process: `from` .. `to` - 1. Each process has its share, in order. */
typedef struct linpred__share {
    int64_t from;
    int64_t to;
} linpred__share;
linpred__share linpred__share_of(int64_t count, int processes, int process);
/* The process whose share holds a thing. */
int linpred__sharer(int64_t count, int processes, int64_t thing);

#endif
