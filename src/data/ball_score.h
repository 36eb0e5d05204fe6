/* The score of a ball, ρ - ||x-v||², to be trusted: its sign is the exact one.
 *
 * Computed as (ρ - ||v||²) - Σ x_j (x_j - 2 v_j): a zero adds nothing, so dense and sparse rows give the same bits,
 * entry j in lane j mod 8 as in row.h. Off by at most (n+8) 2^-52 (|ρ| + ||v||² + Σ |x_j (x_j - 2 v_j)|) + (n+8)
 * 2^-1000; where the score is not 2^16 times beyond that, the products are added exactly and rounded once.
 */
#ifndef LINPRED_DATA_BALL_SCORE_H
#define LINPRED_DATA_BALL_SCORE_H

#include "data/data.h"

typedef struct linpred__ball {
    const double *centre;  /* v, borrowed */
    double radius_squared; /* ρ; 0 or less: the empty ball */
    double centre_squared; /* ||v||², to a few digits in the last place; may be infinite */
} linpred__ball;

linpred__ball linpred__ball_of(const double *centre, int32_t columns, double radius_squared);
/* Positive inside, 0 only if it is 0; infinite beyond the range of double. */
double linpred__ball_score(const linpred__ball *ball, const linpred__block *block, int32_t r);
/* Always the exact sum, rounded once. */
double linpred__ball_exact_score(const linpred__ball *ball, const linpred__block *block, int32_t r);

#endif
