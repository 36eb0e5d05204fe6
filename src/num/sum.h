/* Sums of many doubles to nearly twice their precision: eight double-doubles side by side, added in a fixed order. */
#ifndef LINPRED_NUM_SUM_H
#define LINPRED_NUM_SUM_H

#include <stdint.h>

#include "num/dd.h"

linpred__dd linpred__sum(const double *x, int64_t n);

#endif
