/* Vectors of integers of any size, such as the directions and weights of witnesses, and doubles as integers. */
#ifndef LINPRED_NUM_INTEGERS_H
#define LINPRED_NUM_INTEGERS_H

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct linpred__integers {
    int32_t count;
    mpz_t *value;
} linpred__integers;

/* Opens a vector of zeros. If memory runs out, returns false and *integers is empty. Closing an empty vector does
   nothing. */
bool linpred__integers_open(int32_t count, linpred__integers *integers);
void linpred__integers_close(linpred__integers *integers);
/* False: out of memory, and *to does not change. */
bool linpred__integers_copy(const linpred__integers *from, linpred__integers *to);
/* Sets all entries to doubles, times the power of two that makes them integers. */
void linpred__integers_take(const double *w, linpred__integers *out);
/* Divides by the greatest common divisor. A vector of zeros does not change. */
void linpred__integers_reduce(linpred__integers *integers);
/* Bits of the largest absolute value, 0 if all are zero. */
size_t linpred__integers_bits(const linpred__integers *integers);
/* The element as a decimal string, which linpred__release frees. NULL: out of memory. */
char *linpred__integers_text(const linpred__integers *integers, int32_t index);
/* Returns the fraction f, which is 0 or has 1/2 <= |f| < 1, and the exponent with value = f 2^exponent, rounded to
   nearest even. */
double linpred__integer_fraction(const mpz_t value, long *exponent);

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

#endif
