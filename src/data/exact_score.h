/* The score <w,x> + b of a row with the exact sign. It is finite unless the exact value is beyond the range of double.
 *
 * A computed score s of n products is off by at most (n+8) 2^-52 (Σ|w_j x_j| + |b|) + (n+8) 2^-1000. If |s| is above
 * that bound, s is taken. Else, or if something overflowed, the products are added exactly and the sum is rounded once.
 */
#ifndef LINPRED_DATA_EXACT_SCORE_H
#define LINPRED_DATA_EXACT_SCORE_H

#include "data/data.h"

/* The bound. Inline: a call of plain code slows down loops that are compiled for wide vectors. */
static inline double linpred__score_bound(int32_t columns, double magnitude)
{
    double n = (double)columns + 8.0;
    return n * 0x1p-52 * magnitude + n * 0x1p-1000; /* 2^-1070 would be enough, but subnormal numbers are slow */
}

double linpred__row_score(const linpred__block *block, int32_t r, const double *w, double b);
/* The exact sum, rounded once; 0 only if it is 0. */
double linpred__exact_score(const linpred__block *block, int32_t r, const double *w, double b);

#endif
