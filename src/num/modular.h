/* Arithmetic modulo a prime just below 2^60.
 *
 * The primes are below 2^60, so that 256 products fit in 128 bits before they must be reduced. A number that is not 0
 * modulo a prime is not 0. One prime proves that much. No proof relies on the converse.
 */
#ifndef LINPRED_NUM_MODULAR_H
#define LINPRED_NUM_MODULAR_H

#include <stdint.h>

#include "core/int128.h"

enum { LINPRED__PRIMES = 16, LINPRED__PRIME_BITS = 59 }; /* every prime is above 2^59 */

uint64_t linpred__prime(int index); /* 0 .. LINPRED__PRIMES-1 */

/* x modulo p = 2^60 - c without a division, since 2^60 = c modulo p, and c < 2^10. x has at most 128 bits, after the
   first step 78, and then 61. */
static inline uint64_t linpred__mod_reduce(linpred__uint128 x, uint64_t p)
{
    const uint64_t mask = (UINT64_C(1) << 60) - 1, c = mask + 1 - p;
    x = (x >> 60) * c + ((uint64_t)x & mask);
    uint64_t rest = (uint64_t)(x >> 60) * c + ((uint64_t)x & mask);
    return rest >= p ? rest - p : rest;
}

static inline uint64_t linpred__mod_multiply(uint64_t a, uint64_t b, uint64_t p)
{
    return linpred__mod_reduce((linpred__uint128)a * b, p);
}

static inline uint64_t linpred__mod_add(uint64_t a, uint64_t b, uint64_t p)
{
    return a + b >= p ? a + b - p : a + b;
}

static inline uint64_t linpred__mod_subtract(uint64_t a, uint64_t b, uint64_t p)
{
    return a >= b ? a - b : a + p - b;
}

static inline uint64_t linpred__mod_negate(uint64_t a, uint64_t p)
{
    return a ? p - a : 0;
}

uint64_t linpred__mod_inverse(uint64_t a, uint64_t p); /* a not 0 modulo p */
uint64_t linpred__mod_power_of_two(unsigned exponent, uint64_t p);

/* Products of many numbers with the same factor need no division (Shoup). The quotient floor(factor x / p) is estimated
   from floor(factor 2^64 / p); the estimate is right or 1 too small. */
typedef struct linpred__mod_factor {
    uint64_t factor;
    uint64_t quotient; /* floor(factor 2^64 / p) */
} linpred__mod_factor;

static inline linpred__mod_factor linpred__mod_prepare(uint64_t factor, uint64_t p)
{
    return (linpred__mod_factor){factor, linpred__divide_word(factor, p)};
}

static inline uint64_t linpred__mod_times(linpred__mod_factor f, uint64_t x, uint64_t p)
{
    uint64_t guess = (uint64_t)(((linpred__uint128)f.quotient * x) >> 64);
    uint64_t rest = f.factor * x - guess * p; /* below 2p; both products wrap around modulo 2^64 */
    return rest >= p ? rest - p : rest;
}

uint64_t linpred__mod_dot(const uint64_t *a, const uint64_t *b, int32_t n, uint64_t p);
/* y -= factor x */
void linpred__mod_subtract_multiple(uint64_t *y, uint64_t factor, const uint64_t *x, int32_t n, uint64_t p);

#endif
