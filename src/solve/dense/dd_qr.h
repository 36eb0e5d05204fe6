/* QR in double-double for small least-squares problems. Columns may depend on each other.
 *
 *   [R; B] = Q R_new,   where B is a block of rows with the right side as its last column
 *
 * R absorbs the rows block by block, with Householder reflections at about 32 digits. Memory is needed for R and one
 * block only.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_QR_H
#define LINPRED_SOLVE_DENSE_DD_QR_H

#include <stdbool.h>
#include <stdint.h>

#include "num/dd.h"

/* r is n x n, upper triangular, by rows. It becomes the R of [r; b]. b is rows x n, by columns that are `stride` apart;
   it is overwritten. */
void linpred__dd_qr_absorb(int32_t n, linpred__dd *r, int32_t rows, int64_t stride, linpred__dd *b);

/* The least-squares solution of R w ≈ z, where R is the first p columns of the (p+1) x (p+1) matrix r and z its last
   column. Independent columns are chosen; the coefficients of the others are 0. */
typedef struct linpred__dd_solution {
    int32_t rank;        /* number of columns chosen */
    int32_t *order;      /* p long: the columns chosen, then those that depend on them */
    linpred__dd *w;      /* p long: the coefficients, 0 for columns that are not chosen */
    linpred__dd *factor; /* S, p x p by rows, with S'R'RS = I; only its first `rank` columns are used */
    linpred__dd *null;   /* (p - rank) x p by rows: vectors n with R n = 0 up to the threshold */
    double condition; /* estimated condition number of the columns chosen, each scaled to length 1 (Frobenius norm) */
} linpred__dd_solution;

/* Considers the columns in the order of `sequence`. A column is chosen unless its projection onto the columns already
   chosen leaves less than `threshold` of its length. `distinct` says which columns are known not to depend on others:
   they are chosen unless only the rounding of double-double is left; NULL: none. Returns false, with nothing to clear,
   if memory ran out. */
bool linpred__dd_solve(int32_t p, const linpred__dd *r, const int32_t *sequence, double threshold, const bool *distinct,
                       linpred__dd_solution *solution);
void linpred__dd_solution_clear(linpred__dd_solution *solution);

#endif
