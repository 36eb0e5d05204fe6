/* The integers of witnesses, and exact sums of products of an integer and a double. */
#ifndef LINPRED_CHECK_WITNESS_INTEGERS_H
#define LINPRED_CHECK_WITNESS_INTEGERS_H

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

/* Reads a positive integer from decimal text. Returns false if the text is not one. */
static inline bool linpred__read_positive(mpz_t number, const char *text)
{
    return text && mpz_set_str(number, text, 10) == 0 && mpz_sgn(number) > 0;
}

/* Adds factor x 2^1127 to sum. With x = f 2^e and 1/2 <= |f| < 1, f 2^53 is an integer and e + 1074 > 0, so
   x 2^1127 = (f 2^53) 2^(e + 1074) is an integer too. */
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
