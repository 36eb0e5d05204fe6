/* Rows of doubles as rows of integers, exactly.
 *
 * A double is m 2^e with m odd. With column exponents c_j (the lowest bit anywhere in column j) and then row exponents
 * r_i >= 0 (the lowest bit left in row i), z_ij = integer_ij 2^(c_j + r_i). Scaling by positive powers of two changes
 * neither which rows can be separated nor which are dependent; weights and directions are scaled back exactly.
 * Columns that none of the rows touches are left out.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_INTEGRAL_ROWS_H
#define LINPRED_SOLVE_EXACT_LP_INTEGRAL_ROWS_H

#include <gmp.h>
#include <stdbool.h>

#include "solve/rows.h"

typedef struct linpred__integral {
    int32_t rows;
    int32_t columns;    /* touched by some row */
    int32_t *column_of; /* the column's number in the view it came from */
    int64_t *start;     /* rows + 1 */
    int32_t *index;     /* column of each entry, ascending within a row, equal ones add up; no entry is zero */
    int64_t *mantissa;  /* integer_ij = mantissa 2^shift, summed over the entries of the column */
    int32_t *shift;
    double *scaled;           /* z_ij 2^-column_top[j], for estimates; in (-1, 1), off by at most 2^-1074 */
    int32_t *column_exponent; /* c_j */
    int32_t *column_top;      /* |z_ij| < 2^column_top[j] */
    int32_t *row_exponent;    /* r_i */
    double *size;             /* the sum of |scaled| over the row */
    int32_t widest;           /* bits of the largest |integer_ij|, 0 if there is no entry */
} linpred__integral;

/* The rows use[0 .. used-1] of the view become rows 0 .. used-1. False: out of memory, *integral is empty. */
bool linpred__integral_open(const linpred__rows *rows, const int32_t *use, int32_t used, linpred__integral *integral);
void linpred__integral_close(linpred__integral *integral);
/* The first entry of a row in a column, or -1 if there is none; others of the column follow it. */
int64_t linpred__integral_find(const linpred__integral *integral, int32_t row, int32_t column);
/* The integer of a row in a column. */
void linpred__integral_at(const linpred__integral *integral, int32_t row, int32_t column, mpz_t scratch, mpz_t value);
void linpred__integral_get(const linpred__integral *integral, int64_t entry, mpz_t value); /* one entry by itself */
/* value[place[j]] = the integer of a row in column j, for the columns whose place is not negative; the first `count` of
 * value. */
void linpred__integral_place(const linpred__integral *integral, int32_t row, const int32_t *place, int32_t count,
                             mpz_t *value);
/* sum += integer entry * factor; `scratch` is any mpz. */
void linpred__integral_add_multiple(const linpred__integral *integral, int64_t entry, const mpz_t factor, mpz_t scratch,
                                    mpz_t sum);

#endif
