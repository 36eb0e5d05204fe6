/* The upper triangular R of a QR factorisation whose Q is never kept, as columns come and go.
 *
 * For the columns a_1 … a_s of A: R'R = A'A, so that A R^-1 has orthonormal columns. R is found without forming A'A:
 * a new column a is appended from its least-squares coefficients c on the others and the length ρ of what they leave
 * over, R <- [ R  Rc ] [ 0   ρ ], which keeps A R^-1 exactly as orthonormal as it was; dropping a column leaves a
 * Hessenberg matrix that rotations make triangular again. All entries are double-doubles, in rows, since every loop
 * runs along rows.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_TRIANGLE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_TRIANGLE_H

#include <stdbool.h>

#include "solve/dense/dd_vector.h"

typedef struct linpred__triangle {
    int64_t size;
    int64_t capacity; /* the distance between rows */
    linpred__dd_vector entry;
} linpred__triangle;

bool linpred__triangle_append(linpred__triangle *r, linpred__dd_vector c, linpred__dd rho); /* false: out of memory */
void linpred__triangle_drop(linpred__triangle *r, int64_t k);
void linpred__triangle_free(linpred__triangle *r);

/* g <- R'^-1 g and g <- R^-1 g. Only the leading parts take part (g.lo is set to zero) unless `careful`. */
void linpred__triangle_solve_transposed(const linpred__triangle *r, linpred__dd_vector g, bool careful);
void linpred__triangle_solve(const linpred__triangle *r, linpred__dd_vector g, bool careful);

#endif
