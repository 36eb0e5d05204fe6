/* OpenBLAS on one thread. Its number of threads is the process's: saved, set to 1, and put back by the last who leaves,
 * so that fits in several threads do not take each other's 1 for the host's setting. */
#ifndef LINPRED_CORE_BLAS_H
#define LINPRED_CORE_BLAS_H

#include "linpred/linpred.h"

#ifdef __cplusplus
extern "C" {
#endif

void linpred__blas_enter(void);
void linpred__blas_leave(void);
/* Whether threads may call it side by side: its serial flavour gives them the same room to work in. */
bool linpred__blas_takes_threads(void);
/* OpenBLAS takes a buffer for each thread that calls it. Where the address space is limited and has no room for one, it asks the
   system for ever: better an error before that. */
linpred_status linpred__blas_check_room(int threads, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
