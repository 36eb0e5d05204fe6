/* OpenBLAS on one thread. Its number of threads is the process's: saved, set to 1, and put back by the last who leaves,
 * so that fits in several threads do not take each other's 1 for the host's setting. */
#ifndef LINPRED_CORE_BLAS_H
#define LINPRED_CORE_BLAS_H

#include "core/threads.h"
#include "linpred/linpred.h"

#ifdef __cplusplus
extern "C" {
#endif

void linpred__blas_enter(void);
void linpred__blas_leave(void);
/* Tasks that may call it: on one thread where OpenBLAS is the serial one, which gives threads the same room to work in.
 */
void linpred__blas_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context);
/* OpenBLAS takes a buffer for each thread that calls it. Where the address space is limited and has no room for one, it
   asks the system for ever: better an error before that. */
linpred_status linpred__blas_check_room(int threads, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
