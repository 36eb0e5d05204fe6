/* Integers of witnesses, and exact sums of products of an integer and a double. */
#ifndef LINPRED_CHECK_WITNESS_INTEGERS_H
#define LINPRED_CHECK_WITNESS_INTEGERS_H

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

/* A positive integer from decimal text; false if it is none. */
static inline bool linpred__read_positive(mpz_t number, const char *text)
{
    return text && mpz_set_str(number, text, 10) == 0 && mpz_sgn(number) > 0;
}

/* sum += factor x 2^1127: with 53 bits of x before the point and at least 2^-1074 for the last of them, an integer. */
static inline void linpred__add_exactly(mpz_t sum, const mpz_t factor, double x, mpz_t scratch)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    if (fraction == 0.0)
        return;
    mpz_set_d(scratch, ldexp(fraction, 53));
    mpz_mul(scratch, scratch, factor);
    mpz_mul_2exp(scratch, scratch, (mp_bitcnt_t)(exponent + 1074)); /* >= 0, since |x| >= 2^-1074 */
    mpz_add(sum, sum, scratch);
}

#endif
