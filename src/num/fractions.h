/* Vectors that are nearly in the ratio of small whole numbers. */
#ifndef LINPRED_NUM_FRACTIONS_H
#define LINPRED_NUM_FRACTIONS_H

#include <stdint.h>

/* Rounds to multiples of 1/q for a small q, times q, if all of it is near; answers q, or 0. */
int linpred__round_to_fractions(double *n, int32_t d);

#endif
