/* The score of a ball, ρ - ||x-v||² with ρ = r², with the exact sign.
 *
 * It is computed as s = (ρ - ||v||²) - Σ_j x_j (x_j - 2 v_j). A zero adds nothing, and column j goes to lane j mod 8 as
 * in row.h, so that dense and sparse rows give the same bits. The rounding error of s is at most
 *
 *   β = (n+8) 2^-52 (|ρ| + ||v||² + Σ |x_j (x_j - 2 v_j)|) + (n+8) 2^-1000.
 *
 * If |s| > 2^16 β, the result is s, with a relative error below 2^-16. Else the products are added exactly and
 * the sum is rounded once.
 */
#ifndef LINPRED_DATA_BALL_SCORE_H
#define LINPRED_DATA_BALL_SCORE_H

#include "data/data.h"

typedef struct linpred__ball {
    const double *centre;  /* v, borrowed */
    double radius_squared; /* ρ; the ball is empty if it is 0 or less */
    double centre_squared; /* ||v||², rounded; infinite if it overflows */
} linpred__ball;

linpred__ball linpred__ball_of(const double *centre, int32_t columns, double radius_squared);
/* The score of row r. It is 0 only if the exact score is 0, and infinite if the exact score is beyond the range of
   double. */
double linpred__ball_score(const linpred__ball *ball, const linpred__block *block, int32_t r);
/* The same, always by the exact sum, rounded once. */
double linpred__ball_exact_score(const linpred__ball *ball, const linpred__block *block, int32_t r);

#endif
