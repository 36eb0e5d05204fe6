/* Vectors of integers of any size, such as the directions and weights of witnesses. */
#ifndef LINPRED_NUM_INTEGERS_H
#define LINPRED_NUM_INTEGERS_H

#include <gmp.h>
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
/* Divides by the greatest common divisor. A vector of zeros does not change. */
void linpred__integers_reduce(linpred__integers *integers);
/* Bits of the largest absolute value, 0 if all are zero. */
size_t linpred__integers_bits(const linpred__integers *integers);
/* The element as a decimal string, which linpred__release frees. NULL: out of memory. */
char *linpred__integers_text(const linpred__integers *integers, int32_t index);
/* Returns the fraction f, which is 0 or has 1/2 <= |f| < 1, and the exponent with value = f 2^exponent, rounded to
   nearest even. */
double linpred__integer_fraction(const mpz_t value, long *exponent);

#endif
