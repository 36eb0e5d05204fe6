/* The k-th smallest of many numbers. */
#ifndef LINPRED_NUM_SELECT_H
#define LINPRED_NUM_SELECT_H

#include <stdint.h>

/* The number that would stand at place `want` if all were sorted; the last one if `want` is too large. Reorders the
   numbers. */
double linpred__select_number(double *number, int64_t count, int64_t want);

#endif
