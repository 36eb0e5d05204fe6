/* 128-bit division for references in tests: Clang has none for 32-bit targets. */
#ifndef LINPRED_TESTS_INT128_DIVISION_H
#define LINPRED_TESTS_INT128_DIVISION_H

#include "core/int128.h"

/* Towards zero, as / does; b is not 0. */
static inline linpred__int128 divide128(linpred__int128 a, linpred__int128 b)
{
#ifdef __SIZEOF_INT128__
    return a / b;
#else
    linpred__uint128 x = a < 0 ? -(linpred__uint128)a : (linpred__uint128)a;
    linpred__uint128 y = b < 0 ? -(linpred__uint128)b : (linpred__uint128)b;
    linpred__uint128 quotient = 0, rest = 0;
    for (int bit = 127; bit >= 0; bit--) {
        rest = rest << 1 | (x >> bit & 1);
        quotient <<= 1;
        if (rest >= y) {
            rest -= y;
            quotient |= 1;
        }
    }
    return (a < 0) != (b < 0) ? -(linpred__int128)quotient : (linpred__int128)quotient;
#endif
}

static inline linpred__int128 divisor128(linpred__int128 a, linpred__int128 b)
{
    while (b) {
        linpred__int128 rest = a - divide128(a, b) * b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
