/* The coefficients of least norm, by Gram-Schmidt on the dependencies in double-double. */
#include "fit/least_norm.h"

#include <math.h>

#include "fit/limits.h"

/* Scales a vector by a power of two, so that the largest of its terms is between 1 and 2. */
static void normalise(linpred__dd *n, size_t terms, size_t length)
{
    double largest = 0.0;
    for (size_t j = 0; j < terms; j++)
        largest = fmax(largest, fabs(n[j].hi));
    int exponent = largest > 0 ? ilogb(largest) : 0;
    for (size_t j = 0; exponent != 0 && j < length; j++)
        n[j] = (linpred__dd){ldexp(n[j].hi, -exponent), ldexp(n[j].lo, -exponent)};
}

/* target <- target - (<n,target> / <n,n>) n. If n has one term only, that term of the target becomes 0 exactly: a
   constant column has the coefficient 0. Returns whether <n,target> was more than the rounding of its terms. */
static bool take_out(const linpred__dd *n, size_t terms, size_t length, linpred__dd *target)
{
    linpred__dd along = {0.0, 0.0}, square = {0.0, 0.0};
    size_t last = 0, parts = 0;
    double size = 0.0;
    for (size_t j = 0; j < terms; j++) {
        if (n[j].hi == 0.0)
            continue;
        size += fabs(n[j].hi * target[j].hi);
        along = linpred__dd_add(along, linpred__dd_multiply(n[j], target[j]));
        square = linpred__dd_add(square, linpred__dd_multiply(n[j], n[j]));
        last = j;
        parts++;
    }
    if (!(square.hi > 0) || along.hi == 0.0)
        return false;
    linpred__dd part = linpred__dd_negate(linpred__dd_divide(along, square));
    for (size_t j = 0; j < length; j++)
        if (n[j].hi != 0.0)
            target[j] = linpred__dd_add(target[j], linpred__dd_multiply(part, n[j]));
    if (parts == 1)
        target[last] = (linpred__dd){0.0, 0.0};
    return fabs(along.hi) > 0x1p-90 * size;
}

void linpred__take_least_norm(linpred__dd *null, int32_t count, size_t terms, size_t length, linpred__dd *w)
{
    for (int32_t i = 0; i < count; i++) {
        linpred__dd *n = null + (size_t)i * length;
        normalise(n, terms, length);
        for (int32_t k = 0; k < 2 * i; k++) /* twice: the second time removes the rounding of the first */
            take_out(null + (size_t)(k % i) * length, terms, length, n);
        normalise(n, terms, length);
    }
    /* Where the entries of n differ by more than double-double has digits, one sweep leaves much of the largest. */
    bool moved = true;
    for (int sweep = 0; sweep < 2 || (moved && sweep < LINPRED__LEAST_NORM_SWEEPS); sweep++) {
        moved = false;
        for (int32_t i = 0; i < count; i++)
            moved = take_out(null + (size_t)i * length, terms, length, w) || moved;
    }
}

bool linpred__has_least_norm(const double *vector, int32_t terms)
{
    double smallest = INFINITY, largest = 0.0;
    for (int32_t j = 0; j < terms; j++)
        if (vector[j] != 0.0) {
            smallest = fmin(smallest, fabs(vector[j]));
            largest = fmax(largest, fabs(vector[j]));
        }
    return largest == 0.0 || (isfinite(largest) && ilogb(largest) - ilogb(smallest) <= LINPRED__LEAST_NORM_SPREAD);
}

void linpred__take_dropped(const double *null, int32_t count, size_t terms, size_t length, linpred__dd *w)
{
    for (int32_t k = 0; k < count; k++) {
        const double *n = null + (size_t)k * length;
        size_t last = terms - 1;
        while (last > 0 && n[last] == 0.0)
            last--;
        linpred__dd part = linpred__dd_negate(linpred__dd_divide(w[last], (linpred__dd){n[last], 0.0}));
        for (size_t j = 0; part.hi != 0.0 && j < length; j++)
            if (n[j] != 0.0)
                w[j] = linpred__dd_add(w[j], linpred__dd_multiply(part, (linpred__dd){n[j], 0.0}));
        w[last] = (linpred__dd){0.0, 0.0};
    }
}
