/* The point of least norm with <ω,z> >= 1 for some vectors z, in rationals: ω = Σ α z.
 *
 * The dual active set method of Goldfarb and Idnani, in terms of the multipliers α and of the products of the z alone.
 * Nothing is rounded, so nothing cycles.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_RATIONAL_H
#define LINPRED_SOLVE_LEAST_DISTANCE_RATIONAL_H

#include "num/integers.h"

typedef struct linpred__rational_distance {
    int32_t rows, rank;            /* no more than `rank` of the vectors are independent */
    const linpred__integers *gram; /* rows x rows: their products, borrowed */
    mpq_t *alpha;                  /* of each vector; 0: it is not active */
    int32_t *active, count;        /* the active ones, which are independent */
    mpq_t *r;                      /* of each active vector: how the one that joins is a combination of them */
    mpq_t *system;                 /* scratch: active vectors x (active vectors + 1) */
    mpq_t *score;                  /* <ω,z> of each vector */
} linpred__rational_distance;

/* False: out of memory; to be closed in any case. */
bool linpred__rational_open(const linpred__integers *gram, int32_t rows, int32_t rank,
                            linpred__rational_distance *work);
void linpred__rational_close(linpred__rational_distance *work);
/* False: no ω has <ω,z> > 0 for all, or it takes more than so many steps. */
bool linpred__rational_solve(linpred__rational_distance *work, int32_t steps);

#endif
