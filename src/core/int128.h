/* Integers of 128 bits, for products of two 64-bit words.
 *
 * GCC and Clang have __int128 on 64-bit targets and on WebAssembly. On other targets Clang has _BitInt of C23, but no
 * functions that divide it or convert it from and to double. So this header has the conversions and the one division
 * that the library needs; no other code divides these integers.
 */
#ifndef LINPRED_CORE_INT128_H
#define LINPRED_CORE_INT128_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__

typedef __int128 linpred__int128;
typedef unsigned __int128 linpred__uint128;

/* x rounded towards zero; |x| < 2^127. */
static inline linpred__int128 linpred__int128_of(double x)
{
    return (linpred__int128)x;
}

static inline double linpred__int128_value(linpred__int128 x)
{
    return (double)x;
}

/* floor(a 2^64 / b); a < b < 2^63. */
static inline uint64_t linpred__divide_word(uint64_t a, uint64_t b)
{
    return (uint64_t)(((linpred__uint128)a << 64) / b);
}

#else

typedef _BitInt(128) linpred__int128;
typedef unsigned _BitInt(128) linpred__uint128;

static inline linpred__int128 linpred__int128_of(double x)
{
    double size = x < 0 ? -x : x;
    uint64_t high = (uint64_t)(size * 0x1p-64);
    uint64_t low = (uint64_t)(size - (double)high * 0x1p64);
    linpred__int128 whole = (linpred__int128)((linpred__uint128)high << 64 | low);
    return x < 0 ? -whole : whole;
}

/* Keeps the 64 leading bits and sets the last of them if any lower bit is set. Rounding these 64 bits gives the same
   double as rounding all bits. */
static inline double linpred__int128_value(linpred__int128 x)
{
    linpred__uint128 size = x < 0 ? -(linpred__uint128)x : (linpred__uint128)x;
    uint64_t high = (uint64_t)(size >> 64);
    int shift = high ? 64 - __builtin_clzll(high) : 0;
    bool more = (size & (((linpred__uint128)1 << shift) - 1)) != 0;
    double value = ldexp((double)((uint64_t)(size >> shift) | more), shift);
    return x < 0 ? -value : value;
}

static inline uint64_t linpred__divide_word(uint64_t a, uint64_t b)
{
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; bit++) {
        a <<= 1;
        quotient = quotient << 1 | (a >= b);
        a -= a >= b ? b : 0;
    }
    return quotient;
}

#endif

#endif
