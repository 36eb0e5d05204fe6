/* The greater of two upper bounds. A bound that is NaN bounds nothing, so the result is then infinite; fmax would
 * ignore it. `a` must not be NaN.
 */
#ifndef LINPRED_NUM_GREATER_H
#define LINPRED_NUM_GREATER_H

#include <math.h>

static inline double linpred__greater(double a, double b)
{
    return isnan(b) ? (double)INFINITY : b > a ? b : a;
}

#endif
