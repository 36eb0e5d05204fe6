/* QR in double-double for small least-squares problems, also if columns depend on each other.
 *
 *   [R; B] = Q R',   B a block of rows with the right-hand side as its last column
 *
 * Rows are absorbed block by block by Householder reflections, at about 32 digits. Memory is that of R and one block.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_QR_H
#define LINPRED_SOLVE_DENSE_DD_QR_H

#include <stdbool.h>
#include <stdint.h>

#include "num/dd.h"

/* r: n x n, upper triangular, by rows; becomes the R of [r; b]. b: rows x n by columns, `stride` apart; it is
   overwritten. */
void linpred__dd_qr_absorb(int32_t n, linpred__dd *r, int32_t rows, int64_t stride, linpred__dd *b);

/* The least-squares solution of R w ≈ z, where z is column p of the n x n matrix r, n = p + 1. */
typedef struct linpred__dd_solution {
    int32_t rank;        /* columns taken */
    int32_t *order;      /* p long: the columns taken, then those that depend on them */
    linpred__dd *w;      /* p long; 0 for columns that depend on others */
    linpred__dd *factor; /* S with S'R'RS = I, p x p by rows, of which the first `rank` columns are used */
    linpred__dd *null;   /* vectors n with R n = 0, (p - rank) x p by rows */
    double condition;    /* estimate, of the columns taken and scaled to one length (Frobenius norms) */
} linpred__dd_solution;

/* Takes the columns in the order of `turn`. A column depends on those before it if they leave less than `threshold` of
   its length. False: out of memory, nothing to clear. */
bool linpred__dd_solve(int32_t p, const linpred__dd *r, const int32_t *turn, double threshold,
                       linpred__dd_solution *solution);
void linpred__dd_solution_clear(linpred__dd_solution *solution);

#endif
