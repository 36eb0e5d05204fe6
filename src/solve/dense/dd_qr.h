/* QR in double-double for small least-squares problems, and their solution where columns depend on each other.
 *
 * Rows are absorbed block by block: [R; B] = Q R', with the right-hand side as the last column, so that memory is that
 * of one block. Householder reflections, at about 32 digits.
 */
#ifndef LINPRED_SOLVE_DENSE_DD_QR_H
#define LINPRED_SOLVE_DENSE_DD_QR_H

#include <stdbool.h>
#include <stdint.h>

#include "num/dd.h"

/* r: n x n, upper triangular, by rows; becomes the R of [r; b]. b: rows x n by columns, `room` apart; destroyed. */
void linpred__dd_qr_absorb(int32_t n, linpred__dd *r, int32_t rows, int64_t room, linpred__dd *b);

/* The least-squares solution of R w ≈ z (p columns of r, then z; so n = p + 1), columns taken in `turn`: one that is
   nearer to the span of those taken before than `threshold` times its own length depends on them and gets weight 0. */
typedef struct linpred__dd_solution {
    int32_t rank;
    int32_t *order;      /* p: columns taken, then those that depend */
    linpred__dd *w;      /* p */
    linpred__dd *factor; /* p x p by rows, the first `rank` columns used: S'R'RS = I */
    linpred__dd *null;   /* (p - rank) x p by rows: R n = 0 */
    double condition;    /* about: of the columns taken, scaled to one length (Frobenius norms) */
} linpred__dd_solution;

bool linpred__dd_solve(int32_t p, const linpred__dd *r, const int32_t *turn, double threshold,
                       linpred__dd_solution *solution); /* false: out of memory, nothing to clear */
void linpred__dd_solution_clear(linpred__dd_solution *solution);

#endif
