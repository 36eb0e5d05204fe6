/* The integers of witnesses, doubles as integers, and exact sums of products of an integer and a double. */
#ifndef LINPRED_CHECK_WITNESS_INTEGERS_H
#define LINPRED_CHECK_WITNESS_INTEGERS_H

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads a positive integer from decimal text. Returns false if the text is not one. */
static inline bool linpred__read_positive(mpz_t number, const char *text)
{
    return text && mpz_set_str(number, text, 10) == 0 && mpz_sgn(number) > 0;
}

/* The exponent of the lowest bit of x that is set; 0 for x = 0. */
static inline int linpred__lowest_bit(double x)
{
    int exponent;
    uint64_t bits = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    for (exponent -= 53; bits > 0 && bits % 2 == 0; bits /= 2)
        exponent++;
    return bits > 0 ? exponent : 0;
}

/* Sets number to x 2^shift, rounded towards 0. */
static inline void linpred__set_shifted(mpz_t number, double x, int shift)
{
    int exponent;
    mpz_set_d(number, ldexp(frexp(x, &exponent), 53));
    shift += exponent - 53;
    if (shift >= 0)
        mpz_mul_2exp(number, number, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(number, number, (mp_bitcnt_t)-shift);
}

/* Adds factor x 2^1074 to sum. Every double times 2^1074 is an integer. */
static inline void linpred__add_exactly(mpz_t sum, const mpz_t factor, double x, mpz_t scratch)
{
    linpred__set_shifted(scratch, x, 1074);
    mpz_addmul(sum, scratch, factor);
}

#endif
