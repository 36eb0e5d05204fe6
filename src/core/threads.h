/* A small pool of threads. The caller is one of them: a pool of 1 starts none.
 *
 * Work is cut into numbered tasks. Which thread takes which task is left to chance; what a task does must depend on its
 * number alone, so that the number of threads never changes a result.
 */
#ifndef LINPRED_CORE_THREADS_H
#define LINPRED_CORE_THREADS_H

#include <stdint.h>

#include "linpred/linpred.h"

typedef struct linpred__pool linpred__pool;

/* threads 0: one per processor this process may use. */
linpred_status linpred__pool_open(int threads, linpred__pool **pool, linpred_error *error);
void linpred__pool_close(linpred__pool *pool);
int linpred__pool_threads(const linpred__pool *pool);

/* Runs work(context, 0), …, work(context, tasks - 1) and returns once all are done. Tasks are handed out in order.
   pool NULL: on this thread. Not from inside a task. Waiting threads spin briefly before they sleep, so that many short
   calls in a row cost about a microsecond each. */
void linpred__pool_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);

#endif
