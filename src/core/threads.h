/* A small pool of threads. The caller is one of them, so a pool of 1 starts none.
 *
 * Work is cut into numbered tasks. Which thread takes a task is left to chance. What a task computes must depend on its
 * number alone, so that the number of threads changes no result.
 */
#ifndef LINPRED_CORE_THREADS_H
#define LINPRED_CORE_THREADS_H

#include <stdint.h>

#include "linpred/linpred.h"

typedef struct linpred__pool linpred__pool;

/* threads 0: one for each processor that this process may use. If the system grants fewer, the pool has fewer. */
linpred_status linpred__pool_open(int threads, linpred__pool **pool, linpred_error *error);
void linpred__pool_close(linpred__pool *pool);
/* How many threads work, the caller included; 1 for NULL. */
int linpred__pool_threads(const linpred__pool *pool);

/* Runs work(context, 0), …, work(context, tasks - 1) and returns once all are done. Tasks are handed out in order. With
   pool NULL they run on this thread. A task must not call this on the same pool. Waiting threads spin briefly before
   they sleep, so that many short calls in a row cost about a microsecond each. */
void linpred__pool_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);

#endif
