/* Vectors of integers of any size: directions and weights of certificates. */
#ifndef LINPRED_SOLVE_INTEGERS_H
#define LINPRED_SOLVE_INTEGERS_H

#include <gmp.h>
#include <stdbool.h>

#include "solve/rows.h"

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

/* The exact sign of <w, row>. */
int linpred__row_sign(const linpred__rows *rows, int32_t row, const double *w);
int linpred__row_sign_integers(const linpred__rows *rows, int32_t row, const linpred__integers *w);

/* Rounds w to doubles, times a few common factors, until <rounded, z_i> > 0 certainly on every row use[0 .. used-1].
   Rows at the front of `use` are looked at first: put the tightest there. */
bool linpred__round_separating(const linpred__rows *rows, const int32_t *use, int32_t used, const linpred__integers *w,
                               double *rounded);

#endif
