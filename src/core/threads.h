/* A pool of threads. The calling thread is one of them, so a pool of 1 starts none.
 *
 * Work is cut into numbered tasks. Any thread may take any task. The result of a task must depend on its number alone,
 * so that the number of threads changes no result.
 */
#ifndef LINPRED_CORE_THREADS_H
#define LINPRED_CORE_THREADS_H

#include <stdint.h>

#include "linpred/linpred.h"

typedef struct linpred__pool linpred__pool;

/* The largest number of threads that may be asked for. It keeps a slip of the keyboard from starting millions. */
enum { LINPRED__MAX_THREADS = 256 };

/* Opens a pool. LINPRED_ERROR_USAGE if `threads` is negative or above LINPRED__MAX_THREADS. If `threads` is 0, it has
   one thread for each processor that the process may use. If the system cannot start all threads, the pool has fewer.
 */
linpred_status linpred__pool_open(int threads, linpred__pool **pool, linpred_error *error);
void linpred__pool_close(linpred__pool *pool);
/* The number of threads, with the caller; 1 if pool is NULL. Threads start when this is asked, or with the first work
   for several: whoever may have nothing for them asks for that first. */
int linpred__pool_threads(linpred__pool *pool);

/* Runs work(context, 0), …, work(context, tasks - 1) and returns when all are done. Tasks are handed out in order. If
   pool is NULL, they run on the calling thread. A task must not call this function with the same pool. Waiting threads
   spin briefly before they sleep, so that many short calls in succession cost about a microsecond each. */
void linpred__pool_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);

#endif
