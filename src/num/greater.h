/* The greater of two upper bounds. fmax would pass over what is no number; here that bounds nothing. */
#ifndef LINPRED_NUM_GREATER_H
#define LINPRED_NUM_GREATER_H

#include <math.h>

static inline double linpred__greater(double a, double b)
{
    return isnan(b) ? (double)INFINITY : b > a ? b : a;
}

#endif
