/* The integers of witnesses, and exact sums of products of an integer and a double. */
#ifndef LINPRED_CHECK_WITNESS_INTEGERS_H
#define LINPRED_CHECK_WITNESS_INTEGERS_H

#include <gmp.h>
#include <stdbool.h>

#include "data/data.h"
#include "num/integers.h"

/* Reads a positive integer from decimal text. Returns false if the text is not one. */
static inline bool linpred__read_positive(mpz_t number, const char *text)
{
    return text && mpz_set_str(number, text, 10) == 0 && mpz_sgn(number) > 0;
}

/* Adds factor x 2^1074 to sum. Every double times 2^1074 is an integer. */
static inline void linpred__add_exactly(mpz_t sum, const mpz_t factor, double x, mpz_t scratch)
{
    linpred__set_shifted(scratch, x, 1074);
    mpz_addmul(sum, scratch, factor);
}

/* combination.c: adds λ z 2^1074 of rows of the file to the sums of the columns and of the intercept behind them, and λ
   to the last. Returns false if there are none, one is not in the data, or a weight is no positive integer. */
bool linpred__add_signed_rows(int64_t count, const int64_t *rows, char *const *weight, const linpred_data *data,
                              linpred__integers *sum);

#endif
