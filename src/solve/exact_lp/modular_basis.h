/* A basis of independent integer rows, with the inverse of its square matrix modulo a prime p.
 *
 * B is a set of rows, J a set of as many columns, A = Z[B,J], and C = A^-1 modulo p.
 *
 * Row i is expressed by the basis in two steps:
 *   alpha = a_i C, where a_i is row i on the columns J, so that z_i = Σ alpha_b z_b on J modulo p;
 *   residual = z_i - Σ alpha_b z_b on all columns, modulo p.
 * A residual that is not 0 modulo p is not 0. Then row i is independent of B, and (i, that column) can join (B, J).
 * A is invertible modulo p, hence invertible: this proves that the rows of B are independent. C is updated in
 * O(size^2) when a row joins or replaces another.
 *
 * Exact solutions of A x = r come from C by Dixon's lifting:
 *   r_0 = r,  x_t = C r_t mod p,  r_(t+1) = (r_t - A x_t)/p,  x = x_0 + x_1 p + x_2 p^2 + …
 * The p-adic number is computed until it is long enough to be recognised as a fraction.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_MODULAR_BASIS_H
#define LINPRED_SOLVE_EXACT_LP_MODULAR_BASIS_H

#include "solve/effort.h"
#include "core/int128.h"
#include "num/integers.h"
#include "solve/exact_lp/integral_rows.h"

#include "linpred/linpred.h"
#include "solve/limits.h"

typedef struct linpred__modular_basis {
    const linpred__integral *z; /* the integer rows Z; borrowed */
    int prime_index;            /* number of p in linpred__prime */
    uint64_t prime;             /* p */
    uint64_t *residue;          /* every entry of z modulo p */
    int32_t size;               /* rows in B, columns in J */
    int32_t capacity;           /* the largest possible size: min(z->rows, z->columns) */
    int32_t *row;               /* B: the row at each place */
    int32_t *column;            /* J: the column at each place */
    int32_t *row_place;         /* for each row of z its place in B, or -1 */
    int32_t *column_place;      /* for each column of z its place in J, or -1 */
    uint64_t *inverse;          /* C: inverse[j * capacity + b], j is a place in J, b a place in B */
    uint64_t *alpha;            /* by places in B: alpha of the row last expressed, modulo p */
    uint64_t *residual;         /* for each column of z: the residual of the row last expressed, modulo p */
    uint64_t *scratch;          /* capacity long */
    linpred__uint128 *sums;     /* scratch, capacity long */
} linpred__modular_basis;

/* Whether a basis of z is small enough for exact work: it cannot have more than LINPRED__MAX_BASIS_ROWS rows. */
bool linpred__modular_basis_fits(const linpred__integral *z);
/* Opens an empty basis of a z that fits. Returns false if memory runs out. */
bool linpred__modular_basis_open(const linpred__integral *z, linpred__modular_basis *basis);
void linpred__modular_basis_close(linpred__modular_basis *basis);

/* Sets alpha and residual for a row. Returns the first column with a residual that is not 0, or -1 if all are 0 modulo
   the prime. */
int32_t linpred__modular_basis_express(linpred__modular_basis *basis, int32_t row);
/* Adds (row, column) to (B, J). The row must be the one last expressed, and its residual in the column must not be
   0. */
void linpred__modular_basis_grow(linpred__modular_basis *basis, int32_t row, int32_t column);
/* Replaces the row at `place` by `row`, which must be the one last expressed. Its exact alpha at `place` must not be 0;
   if it is 0 modulo the prime, the prime changes. Returns false if no prime of the list works. */
bool linpred__modular_basis_replace(linpred__modular_basis *basis, int32_t place, int32_t row);

/* Computes C anew modulo the next prime, after a residual was 0 modulo this prime but not 0. B keeps its order, J may
   change its order. Returns false if no prime of the list works. */
bool linpred__modular_basis_change_prime(linpred__modular_basis *basis);

/* The numbers numerator_k / denominator, with denominator > 0. */
typedef struct linpred__fractions {
    linpred__integers numerator;
    mpz_t denominator;
} linpred__fractions;

bool linpred__fractions_open(int32_t count, linpred__fractions *fractions);
void linpred__fractions_close(linpred__fractions *fractions);

/* Solves A x = right, with `right` by places in B and x by places in J. If transposed, it solves x A = right, with
   `right` by places in J and x by places in B. The solution is exact: A numerator - denominator right is a multiple of
   p^t and smaller than p^t, so it is 0. *solved is false if the effort ran out. */
linpred_status linpred__modular_basis_solve(const linpred__modular_basis *basis, bool transposed,
                                            const linpred__integers *right, linpred__fractions *x,
                                            linpred__effort *effort, bool *solved);
/* The same into an x that may hold an earlier solution, which is freed. Of `right`, which has entries for a basis of
   full size, only as many entries are used as the basis has. */
linpred_status linpred__modular_basis_solve_anew(const linpred__modular_basis *basis, bool transposed,
                                                 const linpred__integers *right, linpred__fractions *x,
                                                 linpred__effort *effort, bool *solved);
/* Converts x, by places in J, to integers w, by columns of the view that z was made from. w_j is proportional to
   x_j 2^-column_exponent_j, so that <w, row of doubles> has the sign of <x, integer row>. w must be all zero before;
   its common divisor is 1 after. */
void linpred__modular_basis_direction(const linpred__modular_basis *basis, const linpred__fractions *x,
                                      linpred__integers *w);

#endif
