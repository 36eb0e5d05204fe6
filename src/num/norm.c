/* The Euclidean norm of (v, extra), without overflow or underflow of squares. */
#include "num/norm.h"

#include <math.h>

#include "num/dd.h"

/* ||(v, extra)||² 2^(-2 exponent), with an exponent that keeps the squares in range. */
static double scaled_square(const double *v, int64_t n, double extra, int *exponent)
{
    double largest = linpred__norm_above(v, n, extra);
    *exponent = largest > 0.0 && isfinite(largest) ? ilogb(largest) : 0;
    double scaled = ldexp(extra, -*exponent);
    linpred__dd sum = linpred__two_product(scaled, scaled);
    for (int64_t i = 0; i < n; i++) {
        scaled = ldexp(v[i], -*exponent);
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
