/* The score <w,x>+b of a row, to be trusted: its sign is the exact one, and it is finite unless the exact value is not.
 *
 * A computed score s of n products is off by at most (n+8) 2^-52 (Σ|w_j x_j| + |b|) + (n+8) 2^-1000. Beyond that bound
 * it is taken as it is; nearer to zero, or where something overflowed, the products are added exactly and rounded once.
 */
#ifndef LINPRED_DATA_EXACT_SCORE_H
#define LINPRED_DATA_EXACT_SCORE_H

#include "data/data.h"

/* Inline: it stands in loops compiled for wide vectors, which plain code called from there would slow down. */
static inline double linpred__score_bound(int32_t columns, double magnitude)
{
    double n = (double)columns + 8.0;
    return n * 0x1p-52 * magnitude + n * 0x1p-1000; /* 2^-1070 would do, but subnormal numbers are slow */
}

double linpred__row_score(const linpred__block *block, int32_t r, const double *w, double b);
/* Always the exact sum, rounded once; 0 only if it is 0. */
double linpred__exact_score(const linpred__block *block, int32_t r, const double *w, double b);

#endif
