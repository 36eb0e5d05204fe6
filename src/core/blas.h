/* OpenBLAS on one thread.
 *
 * OpenBLAS has one thread count for the whole process. On several threads it would split sums in an order that depends
 * on their number, and start threads inside ours. So between enter and leave the count is 1. The first call of enter
 * saves the host's count, the last call of leave puts it back. Calls may nest, and several threads of the host may be
 * inside at once: they are counted together, so that none takes the other's 1 for the host's setting. If the host
 * itself calls OpenBLAS meanwhile, it runs on one thread; if the host sets the count meanwhile, that setting is lost.
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
/* linpred__pool_run for tasks that may call OpenBLAS, with the count at 1. A serial build of OpenBLAS has one buffer
   for all threads, so with such a build the tasks run on this thread. */
void linpred__blas_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);
/* OpenBLAS takes a buffer for each thread that calls it. If the address space is limited (ulimit -v) and has no place
   for a buffer, OpenBLAS asks the system for ever. This answers LINPRED_ERROR_MEMORY before that happens. */
linpred_status linpred__blas_check_room(int threads, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
