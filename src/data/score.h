/* Scores of a row with the exact sign: of a halfspace, <w,x> + b, and of a ball, ρ - ||x-v||² with ρ = r². A score is
 * finite unless the exact value is beyond the range of double.
 *
 * x means its decimals, if it has any (decimals.h). A double x is off them by at most 2^-53 |x|, which the bounds below
 * count as one more rounding.
 *
 * The rounding error of a score s = <w,x> + b of n products is at most (n+8) 2^-52 (Σ|w_j x_j| + |b|) + (n+8) 2^-1000.
 * If |s| is above this bound, the result is s. Else, or if something overflowed, the products are added exactly and the
 * sum is rounded once.
 *
 * The score of a ball is computed as s = (ρ - ||v||²) - Σ_j x_j (x_j - 2 v_j). A zero adds nothing, and column j goes
 * to lane j mod 8 as in row.h, so that dense and sparse rows give the same bits. The rounding error of s is at most
 *
 *   β = (n+8) 2^-52 (|ρ| + ||v||² + Σ |x_j (x_j - 2 v_j)|) + (n+8) 2^-1000.
 *
 * If |s| > 2^16 β, the result is s, with a relative error below 2^-16. Else the products are added exactly and the sum
 * is rounded once.
 */
#ifndef LINPRED_DATA_SCORE_H
#define LINPRED_DATA_SCORE_H

#include "data/data.h"

/* The bound for magnitude = Σ|w_j x_j| + |b|. It is inline, because a call of code for narrow vectors slows down loops
   that are compiled for wide ones. */
static inline double linpred__score_bound(int32_t columns, double magnitude)
{
    double n = (double)columns + 8.0;
    return n * 0x1p-52 * magnitude + n * 0x1p-1000; /* 2^-1070 would suffice, but arithmetic on subnormals is slow */
}

double linpred__row_score(const linpred__block *block, int32_t r, const double *w, double b);
/* The same, always by the exact sum, rounded once. It is 0 only if the exact score is 0. */
double linpred__exact_score(const linpred__block *block, int32_t r, const double *w, double b);

/* What coefficients mean beyond their doubles: part p of coefficient j is value[p width + j], that of an intercept
   last. Each part is below the last digit of the one before. */
typedef struct linpred__tails {
    int32_t count; /* of parts; 0: nothing */
    int32_t width; /* columns, + 1 with an intercept */
    double *value;
} linpred__tails;

/* The same for coefficients with tails. */
double linpred__tailed_score(const linpred__block *block, int32_t r, const double *w, double b,
                             const linpred__tails *tails);

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
