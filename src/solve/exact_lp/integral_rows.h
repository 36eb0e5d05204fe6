/* Rows of doubles as rows of integers, exactly.
 *
 *   z_ij = integer_ij 2^(c_j + r_i)
 *
 * Every entry is m 2^e with m odd. The column exponent c_j is the smallest e in column j. The row exponent r_i >= 0 is
 * the smallest e - c_j in row i. Scaling by positive powers of two does not change which rows can be separated or which
 * are dependent. Weights and directions are scaled back exactly. Columns in which no row has an entry are left out.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_INTEGRAL_ROWS_H
#define LINPRED_SOLVE_EXACT_LP_INTEGRAL_ROWS_H

#include <gmp.h>
#include <stdbool.h>

#include "solve/rows.h"

typedef struct linpred__integral {
    int32_t rows;
    int32_t columns;          /* columns in which some row has an entry */
    int32_t *column_of;       /* the number of each column in the view it came from */
    int64_t *start;           /* rows + 1 long: row i has the entries start[i] .. start[i+1]-1 */
    int32_t *index;           /* the column of each entry, ascending within a row; a column may repeat */
    int64_t *mantissa;        /* odd, below 2^53: integer_ij is the sum of mantissa 2^shift over the column's entries */
    int32_t *shift;           /* >= 0 */
    double *scaled;           /* each entry as a double times 2^-column_top[j]: in (-1, 1), off by at most 2^-1074 */
    int32_t *column_exponent; /* c_j */
    int32_t *column_top;      /* every entry of column j is below 2^column_top[j] in size */
    int32_t *row_exponent;    /* r_i */
    double *size;             /* for each row the sum of |scaled| */
    int32_t widest;           /* bits of the largest entry mantissa 2^shift, 0 if there is none */
} linpred__integral;

/* Converts the rows use[0 .. used-1] of the view to rows 0 .. used-1. Returns false, with *integral empty, if memory
   ran out. */
bool linpred__integral_open(const linpred__rows *rows, const int32_t *use, int32_t used, linpred__integral *integral);
void linpred__integral_close(linpred__integral *integral);
/* Returns the first entry of a row in a column, or -1 if there is none. Other entries of that column follow it. */
int64_t linpred__integral_find(const linpred__integral *integral, int32_t row, int32_t column);
/* value = integer_ij of a row and a column. */
void linpred__integral_at(const linpred__integral *integral, int32_t row, int32_t column, mpz_t scratch, mpz_t value);
/* value = mantissa 2^shift of one entry. */
void linpred__integral_get(const linpred__integral *integral, int64_t entry, mpz_t value);
/* value[place[j]] = integer_ij of the row, for every column j with place[j] >= 0. `value` has `count` elements; those
   without an entry become 0. */
void linpred__integral_place(const linpred__integral *integral, int32_t row, const int32_t *place, int32_t count,
                             mpz_t *value);
/* sum += factor · mantissa 2^shift of the entry. */
void linpred__integral_add_multiple(const linpred__integral *integral, int64_t entry, const mpz_t factor, mpz_t scratch,
                                    mpz_t sum);

#endif
