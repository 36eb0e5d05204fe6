/* A basis: independent rows B, as many columns J, and the inverse of the square matrix A = Z[B,J] modulo a prime.
 *
 * The inverse C is kept up to date in O(size^2) as rows come and go:
 *   row i is      a_i = alpha A on the columns J,  alpha = a_i C,
 *   and differs from  sum alpha_b z_b  on other columns by its residual.
 * A residual that is not 0 modulo the prime is not 0, so i is independent of B and (i, that column) may join.
 * That A is invertible modulo the prime proves that it is invertible. Exact solutions are lifted from C by Dixon's
 * method: x = x_0 + x_1 p + x_2 p^2 + …, x_t = C r_t mod p, r_(t+1) = (r_t - A x_t)/p, until the p-adic number is long
 * enough to be recognised as a fraction.
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
    const linpred__integral *z; /* borrowed */
    int prime_index;
    uint64_t prime;
    uint64_t *residue; /* of every entry of z */
    int32_t size;
    int32_t capacity;
    int32_t *row;          /* B */
    int32_t *column;       /* J */
    int32_t *row_place;    /* z->rows long: the place in B, or -1 */
    int32_t *column_place; /* z->columns long: the place in J, or -1 */
    uint64_t *inverse;     /* inverse[j * room + b], j a place in J, b one in B */
    uint64_t *alpha;       /* the row last expressed, modulo the prime */
    uint64_t *residual;    /* and what is left of it, for each column of z */
    uint64_t *scratch;
    linpred__uint128 *sums;
} linpred__modular_basis;

/* An empty basis. LINPRED_ERROR_MEMORY, or LINPRED_ERROR_USAGE if a basis might outgrow LINPRED__BASIS_LARGEST. */
linpred_status linpred__modular_basis_open(const linpred__integral *z, linpred__modular_basis *basis);
void linpred__modular_basis_close(linpred__modular_basis *basis);

/* Sets alpha and residual for a row; answers a column with a residual, -1 if there is none modulo the prime. */
int32_t linpred__modular_basis_express(linpred__modular_basis *basis, int32_t row);
/* (row, column) joins; the row was the one last expressed, the column its answer. */
void linpred__modular_basis_grow(linpred__modular_basis *basis, int32_t row, int32_t column);
/* `row`, the one last expressed, takes the place of the row at `place`, whose true alpha is not zero. False: no prime
   of the list will do (never seen). */
bool linpred__modular_basis_replace(linpred__modular_basis *basis, int32_t place, int32_t row);

/* The next prime, for a basis as it is: where this one hid a residual. */
bool linpred__modular_basis_change_prime(linpred__modular_basis *basis);

/* x with A x = right (by places in B, x by places in J), or transposed: x A = right (by places in J, x by places in B):
   x = numerator / denominator, denominator > 0. Proved by size: A numerator - denominator right is a multiple of p^t
   and smaller than p^t, so it is 0. *solved is false if the effort ran out. */
typedef struct linpred__fractions {
    linpred__integers numerator;
    mpz_t denominator;
} linpred__fractions;

bool linpred__fractions_open(int32_t count, linpred__fractions *fractions);
void linpred__fractions_close(linpred__fractions *fractions);

linpred_status linpred__modular_basis_solve(const linpred__modular_basis *basis, bool transposed,
                                            const linpred__integers *right, linpred__fractions *x,
                                            linpred__effort *effort, bool *solved);
/* From x by places in J to integers w (all zero before) by columns of the view that z was made of: w_j is proportional
   to x_j 2^-column_exponent_j, so that <w, row of doubles> has the sign of <x, integer row>. Common divisor 1. */
void linpred__modular_basis_direction(const linpred__modular_basis *basis, const linpred__fractions *x,
                                      linpred__integers *w);

#endif
