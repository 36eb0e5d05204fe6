/* Finds the whole numbers that a vector is nearly proportional to. */
#ifndef LINPRED_NUM_FRACTIONS_H
#define LINPRED_NUM_FRACTIONS_H

#include <stdint.h>

/* Finds the smallest q <= 16 for which every q n_j is within a relative 1e-6 of a whole number other than 0 (or n_j is
   0), replaces n by these whole numbers, and returns q. If there is none, n does not change and 0 is returned. */
int linpred__round_to_fractions(double *n, int32_t d);

#endif
