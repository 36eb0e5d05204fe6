/* The sums that the checker takes of each row of a classifier. */
#ifndef LINPRED_CHECK_ROWS_SUMS_H
#define LINPRED_CHECK_ROWS_SUMS_H

#include "data/data.h"

typedef struct linpred__row_sums {
    double score;  /* Σ w_j x_j */
    double size;   /* Σ |w_j x_j| */
    double square; /* Σ (x_j - c_j)² */
} linpred__row_sums;

/* The sums of rows from .. to - 1, in any order, with ordinary rounding. `c` NULL: all are 0. Sparse rows have no c. */
void linpred__sum_rows(const linpred__block *block, int32_t from, int32_t to, const double *w, const double *c,
                       linpred__row_sums *out);

#endif
