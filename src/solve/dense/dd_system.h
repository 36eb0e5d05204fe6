/* Square systems A x = b and A'x = b in double-double.
 *
 * A is factored in doubles, P A = L U. Then  x <- x + A^-1 (b - A x)  is repeated, with the residual in double-double,
 * until x does not change at about 30 digits. If A is so ill-conditioned that this does not converge, or if it is
 * small, it is solved by QR in double-double, which takes some fifty times as long.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_SYSTEM_H
#define LINPRED_SOLVE_DENSE_DD_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "num/dd.h"

typedef struct linpred__dd_system {
    int32_t n;
    linpred__dd *matrix; /* A with scaled rows and columns, n x n by rows */
    int *exponent;       /* column k is scaled by 2^exponent[k] */
    int *row_exponent;   /* row i is scaled by 2^row_exponent[i] */
    double singular;     /* QR takes a column for dependent if less than this part of its length is left */
    double *factor;      /* L and U, n x n by rows; NULL: solve by QR */
    int *exchange;       /* LAPACK's row exchanges */
} linpred__dd_system;

bool linpred__dd_system_open(linpred__dd_system *system, int32_t n, const linpred__dd *matrix, double singular);
void linpred__dd_system_close(linpred__dd_system *system);
/* Solves A x = right, or A'x = right if `transposed`. Both functions return false if memory ran out. */
bool linpred__dd_system_solve(const linpred__dd_system *system, bool transposed, const linpred__dd *right,
                              linpred__dd *x);

#endif
