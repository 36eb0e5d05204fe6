/* OpenBLAS on one thread. Its number of threads is the process's: saved, set to 1, and put back by the last who leaves,
 * so that fits in several threads do not take each other's 1 for the host's setting. */
#ifndef LINPRED_CORE_BLAS_H
#define LINPRED_CORE_BLAS_H

#ifdef __cplusplus
extern "C" {
#endif

void linpred__blas_enter(void);
void linpred__blas_leave(void);

#ifdef __cplusplus
}
#endif
#endif
