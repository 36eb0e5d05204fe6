/* The score <w,x> + b of a row with the exact sign. It is finite unless the exact value is beyond the range of double.
 *
 * The rounding error of a score s of n products is at most (n+8) 2^-52 (Σ|w_j x_j| + |b|) + (n+8) 2^-1000. If |s| is
 * above this bound, the result is s. Else, or if something overflowed, the products are added exactly and the sum is
 * rounded once.
 */
#ifndef LINPRED_DATA_EXACT_SCORE_H
#define LINPRED_DATA_EXACT_SCORE_H

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

#endif
