/* Sums of many doubles at nearly twice their precision. Eight double-doubles are summed side by side and then added in
 * a fixed order, so the bits are the same on every machine.
 */
#ifndef LINPRED_NUM_SUM_H
#define LINPRED_NUM_SUM_H

#include <stdint.h>

#include "num/dd.h"

linpred__dd linpred__sum(const double *x, int64_t n);

#endif
