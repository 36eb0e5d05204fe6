/* Vectors of doubles: the norm of (v, extra) without overflow or underflow of squares, the sum in eight lanes, and the
 * nearest fractions. */
#include "num/vector.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/fast.h"
#include "num/dd.h"
#include "num/limits.h"

/* ||(v, extra)||² 2^(-2 exponent), with an exponent that keeps the squares in range; infinite where an entry is. */
static double scaled_square(const double *v, int64_t n, double extra, int *exponent)
{
    double largest = fabs(extra);
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    if (isinf(largest)) {
        *exponent = 0;
        return largest;
    }
    *exponent = largest > 0.0 ? ilogb(largest) : 0;
    /* 2^-exponent as two factors, because it may be beyond the range of doubles. */
    double half = ldexp(1.0, -*exponent / 2), rest = ldexp(1.0, -*exponent - -*exponent / 2);
    double scaled = extra * half * rest;
    linpred__dd sum = linpred__two_product(scaled, scaled);
    for (int64_t i = 0; i < n; i++) {
        if (v[i] == 0.0) /* weights of many columns are mostly 0 */
            continue;
        scaled = v[i] * half * rest;
        sum = linpred__dd_add(sum, linpred__two_product(scaled, scaled));
    }
    return sum.hi;
}

double linpred__norm(const double *v, int64_t n, double extra)
{
    int exponent;
    double square = scaled_square(v, n, extra, &exponent);
    return ldexp(sqrt(square), exponent);
}

double linpred__norm_squared(const double *v, int64_t n, double extra)
{
    int exponent;
    double square = scaled_square(v, n, extra, &exponent);
    return ldexp(square, 2 * exponent);
}

double linpred__norm_above(const double *v, int64_t n, double extra)
{
    double above = 1.0 + ((double)n + 8.0) * 0x1p-52;
    double sum = extra * extra;
    for (int64_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    if (sum > 0x1p-900 && sum < 0x1p900)
        return sqrt(sum) * above;
    /* Squares overflow or underflow. Scale by a power of two that makes the largest value about 1. */
    double largest = fabs(extra);
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    if (largest == 0.0)
        return 0.0;
    int exponent;
    frexp(largest, &exponent);
    sum = ldexp(extra, -exponent) * ldexp(extra, -exponent);
    for (int64_t i = 0; i < n; i++) {
        double scaled = ldexp(v[i], -exponent);
        sum += scaled * scaled;
    }
    return ldexp(sqrt(sum) * above, exponent);
}

/* ---- the sum: eight lanes, each with a second sum of its rounding errors ----------------------------------------- */

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

/* ---- fractions --------------------------------------------------------------------------------------------------- */

int linpred__round_to_fractions(double *n, int32_t d)
{
    for (int q = 1; q <= LINPRED__MAX_DENOMINATOR; q++) {
        bool near = true;
        for (int32_t j = 0; near && j < d; j++)
            near = n[j] == 0.0 ||
                   (fabs(n[j] * q) < 0x1p40 && fabs(n[j] * q - nearbyint(n[j] * q)) < 1e-6 * q * fabs(n[j]) &&
                    nearbyint(n[j] * q) != 0.0);
        for (int32_t j = 0; near && j < d; j++)
            n[j] = nearbyint(n[j] * q);
        if (near)
            return q;
    }
    return 0;
}
