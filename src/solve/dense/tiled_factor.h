/* The Cholesky factor of a large matrix, tile by tile on all threads. */
#ifndef LINPRED_SOLVE_DENSE_TILED_FACTOR_H
#define LINPRED_SOLVE_DENSE_TILED_FACTOR_H

#include <stdbool.h>

#include "core/threads.h"

/* The lower triangle of the n x n matrix, which stands by columns, becomes L with A = L L'; the other triangle is left
   alone. False if A is not positive definite. The tiles depend on n alone, so that threads change no bit. The caller
   has entered OpenBLAS (core/blas.h). */
bool linpred__tiled_factor(linpred__pool *pool, int n, double *a);

#endif
