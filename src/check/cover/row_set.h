/* Signed rows as integers, and some of them: their rank, and vectors that are orthogonal to them (whole_rows.c). */
#ifndef LINPRED_CHECK_COVER_ROW_SET_H
#define LINPRED_CHECK_COVER_ROW_SET_H

#include <gmp.h>

#include "data/data.h"

/* The signed rows as integers: each column is multiplied by a power of two. */
typedef struct linpred__whole_rows {
    int32_t rows;
    int32_t columns; /* with the intercept */
    mpz_t *z;        /* rows x columns, row by row */
    double *value;   /* the same numbers, exactly: a double has room for each, or it is infinite */
} linpred__whole_rows;

/* False: out of memory. In any case linpred__whole_rows_close releases what there is. */
bool linpred__whole_rows_open(const linpred_data *data, bool has_intercept, linpred__whole_rows *whole);
void linpred__whole_rows_close(linpred__whole_rows *whole);

/* Some of the rows, and some of the columns. Rows in ascending order take the least work. */
typedef struct linpred__row_set {
    const linpred__whole_rows *whole;
    const int64_t *cost; /* of a mistake on each row of `whole` */
    int32_t rows;
    const int32_t *row;
    int32_t columns;
    const int32_t *column;
} linpred__row_set;

/* Writes as many of the columns to `column` as the rows have rank, so that the rows have the same rank in them. Returns
   the rank; -1: out of memory. */
int32_t linpred__row_set_rank(const linpred__row_set *set, int32_t *column);
/* Two independent vectors of integers that are orthogonal to the columns - 2 rows `through` (numbers of rows of
   `whole`); each has an entry for each column. Returns 1; 0 if these rows are dependent; -1: out of memory. */
int linpred__row_set_orthogonal(const linpred__row_set *set, const int32_t *through, mpz_t *first, mpz_t *second);

#endif
