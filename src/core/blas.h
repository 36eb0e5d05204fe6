/* OpenBLAS on one thread.
 *
 * OpenBLAS has one thread count for the whole process. With several threads it would split sums in an order that
 * depends on their number, and start threads inside ours. So the count is 1 between enter and leave. The first call of
 * enter saves the host's count, and the last call of leave restores it. Calls may nest, and several threads may be
 * between enter and leave at once; they share one counter. If the host calls OpenBLAS meanwhile, it runs on one thread.
 * If the host sets the count meanwhile, its setting is lost.
 */
#ifndef LINPRED_CORE_BLAS_H
#define LINPRED_CORE_BLAS_H

#include "core/threads.h"
#include "linpred/linpred.h"

#ifdef __cplusplus
extern "C" {
#endif

void linpred__blas_enter(void);
void linpred__blas_leave(void);
/* Runs tasks that may call OpenBLAS like linpred__pool_run, with the count at 1. A serial build of OpenBLAS has one
   buffer for all threads, so with such a build all tasks run on the calling thread. Where the
   checker stands alone, no task calls OpenBLAS. */
#ifdef LINPRED_WITHOUT_BLAS
#define linpred__blas_run linpred__pool_run
#else
void linpred__blas_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);
#endif
/* OpenBLAS allocates a buffer for each thread that calls it. If the address space is limited (ulimit -v) and too small,
   OpenBLAS tries for ever. This function returns LINPRED_ERROR_MEMORY before that happens, or has the buffers of all
   threads of the pool allocated, before other memory takes their place. */
linpred_status linpred__blas_check_memory(linpred__pool *pool, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
