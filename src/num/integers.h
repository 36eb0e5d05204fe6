/* Vectors of integers of any size: directions and weights of witnesses. */
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

/* All zero. False: out of memory, *integers is empty. Every vector is closed once; an empty one may be. */
bool linpred__integers_open(int32_t count, linpred__integers *integers);
void linpred__integers_close(linpred__integers *integers);
bool linpred__integers_copy(const linpred__integers *from, linpred__integers *to);
/* Divides by the greatest common divisor, if there is a non-zero. */
void linpred__integers_reduce(linpred__integers *integers);
size_t linpred__integers_bits(const linpred__integers *integers); /* of the largest */
/* A decimal string; NULL: out of memory. To be given to linpred__release. */
char *linpred__integers_text(const linpred__integers *integers, int32_t index);
/* value = fraction 2^exponent with fraction 0 or in [1/2, 1), to nearest, ties to even. */
double linpred__integer_fraction(const mpz_t value, long *exponent);

#endif
