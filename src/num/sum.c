/* Sums in eight lanes, each with a second sum of its rounding errors. */
#include "num/sum.h"

#include <string.h>

#include "core/fast.h"

typedef double vector __attribute__((vector_size(64)));

enum { WIDTH = 8 };

/* Adds x to hi + lo in each lane. lo collects the rounding errors of hi (two_sum); its own rounding is of second order.
   Returns the number of elements added; the rest do not fill a vector. */
LINPRED__FAST static int64_t sum_lanes(const double *x, int64_t n, double *hi, double *lo)
{
    vector sum = {0}, rest = {0};
    int64_t i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        vector value;
        memcpy(&value, x + i, sizeof value);
        vector s = sum + value;
        vector t = s - sum;
        rest += (sum - (s - t)) + (value - t);
        sum = s;
    }
    memcpy(hi, &sum, sizeof sum);
    memcpy(lo, &rest, sizeof rest);
    return i;
}

linpred__dd linpred__sum(const double *x, int64_t n)
{
    double hi[WIDTH], lo[WIDTH];
    int64_t i = sum_lanes(x, n, hi, lo);
    linpred__dd total = {0, 0};
    for (int k = 0; k < WIDTH; k++)
        total = linpred__dd_add(total, linpred__two_sum(hi[k], lo[k]));
    for (; i < n; i++)
        total = linpred__dd_add_double(total, x[i]);
    return total;
}
