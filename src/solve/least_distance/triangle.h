/* The upper triangular R with R'R = A'A, updated as columns of A are appended and dropped. Q = A R^-1 is not stored.
 *
 * A'A is never formed. A new column a = A c + d, with d orthogonal to A and ρ = ||d||, gives
 *
 *     R <- [ R  R c ]
 *          [ 0   ρ  ]
 *
 * and the columns of A R^-1 stay as orthonormal as they were. Dropping a column leaves a Hessenberg matrix, which
 * rotations make triangular again. All entries are double-doubles, stored by rows, because every loop runs along rows.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_TRIANGLE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_TRIANGLE_H

#include <stdbool.h>

#include "solve/dense/dd_vector.h"

typedef struct linpred__triangle {
    int64_t size;             /* rows and columns */
    int64_t capacity;         /* distance between rows in `entry` */
    linpred__dd_vector entry; /* capacity x capacity, by rows */
} linpred__triangle;

/* Appends the column a = A c + d with ρ = ||d||. False: out of memory. */
bool linpred__triangle_append(linpred__triangle *r, linpred__dd_vector c, linpred__dd rho);
/* Takes an upper triangular matrix of doubles, by rows. False: out of memory. */
bool linpred__triangle_take(linpred__triangle *r, int64_t size, const double *entries);
/* Drops column k of A. */
void linpred__triangle_drop(linpred__triangle *r, int64_t k);
void linpred__triangle_free(linpred__triangle *r);

/* g <- R'^-1 g and g <- R^-1 g. If not `careful`, only the leading parts of R and g are used, and g.lo becomes 0. */
void linpred__triangle_solve_transposed(const linpred__triangle *r, linpred__dd_vector g, bool careful);
void linpred__triangle_solve(const linpred__triangle *r, linpred__dd_vector g, bool careful);

#endif
