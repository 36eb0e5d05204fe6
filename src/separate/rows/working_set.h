/* Working rows: the few rows of the data that the solvers of solve/working/working_rows.h hold. */
#ifndef LINPRED_SEPARATE_ROWS_WORKING_SET_H
#define LINPRED_SEPARATE_ROWS_WORKING_SET_H

#include "pass/problem.h"
#include "solve/working/working_rows.h"

typedef struct linpred__working_set {
    const linpred_data *data;
    bool has_intercept;
    linpred__working_rows *solver; /* the linear programs over the working rows; columns are scaled so that the largest
                                      |x| of each is about 1 */
    int64_t *row;                  /* for each working row its data row */
    size_t capacity;               /* of `row` */
    int64_t rows;                  /* the number of working rows */
} linpred__working_set;

/* Opens a working set without rows. The caller closes it in any case; a struct of zeros may be closed too. */
linpred_status linpred__working_set_open(const linpred__problem *problem, linpred__working_set *working,
                                         linpred_error *error);
void linpred__working_set_close(linpred__working_set *working);
/* Adds those rows that are not working rows yet. *added is their number. The list must not repeat a row. */
linpred_status linpred__working_set_add(linpred__working_set *working, const int64_t *row, int64_t count,
                                        int64_t *added, linpred_error *error);
/* Computes *bound = ||Σ λ z|| / Σ λ, rounded up, over `count` rows of the data with multipliers λ > 0. No homogeneous
   margin is above it. */
linpred_status linpred__bound_margin(const linpred_data *data, bool has_intercept, const int64_t *row,
                                     const double *multiplier, int64_t count, double *bound, linpred_error *error);

#endif
