/* Primes below 2^60, and the longer operations modulo them. */
#include "num/modular.h"

/* 2^60 minus these are the sixteen largest primes below 2^60. */
static const uint16_t below[LINPRED__PRIMES] = {93,  107, 173, 179, 257, 279, 369, 395,
                                                399, 453, 557, 579, 629, 669, 695, 707};

uint64_t linpred__prime(int index)
{
    return (UINT64_C(1) << 60) - below[index];
}

/* Euclid's extended algorithm. */
uint64_t linpred__mod_inverse(uint64_t a, uint64_t p)
{
    int64_t r0 = (int64_t)p, r1 = (int64_t)a, t0 = 0, t1 = 1;
    while (r1) {
        int64_t q = r0 / r1;
        int64_t r2 = r0 - q * r1;
        int64_t t2 = t0 - q * t1;
        r0 = r1, r1 = r2;
        t0 = t1, t1 = t2;
    }
    return t0 < 0 ? (uint64_t)(t0 + (int64_t)p) : (uint64_t)t0;
}

uint64_t linpred__mod_power_of_two(unsigned exponent, uint64_t p)
{
    uint64_t power = 1, square = 2;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = linpred__mod_multiply(power, square, p);
        square = linpred__mod_multiply(square, square, p);
    }
    return power;
}

uint64_t linpred__mod_dot(const uint64_t *a, const uint64_t *b, int32_t n, uint64_t p)
{
    linpred__uint128 sum = 0;
    for (int32_t first = 0; first < n; first += 128) {
        int32_t end = n - first < 128 ? n : first + 128;
        for (int32_t i = first; i < end; i++)
            sum += (linpred__uint128)a[i] * b[i];
        sum = linpred__mod_reduce(sum, p);
    }
    return (uint64_t)sum;
}

void linpred__mod_subtract_multiple(uint64_t *y, uint64_t factor, const uint64_t *x, int32_t n, uint64_t p)
{
    if (factor == 0)
        return;
    linpred__mod_factor f = linpred__mod_prepare(factor, p);
    for (int32_t i = 0; i < n; i++)
        y[i] = linpred__mod_subtract(y[i], linpred__mod_times(f, x[i], p), p);
}
