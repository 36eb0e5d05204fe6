/* What a question is asked about: rows, with or without an intercept, and what one pass found in them. These are
 * values; row_extents.h has the pass.
 *
 * z_i = y_i (x_i, 1) is the signed homogeneous row; through the origin z_i = y_i x_i.
 */
#ifndef LINPRED_PASS_PROBLEM_H
#define LINPRED_PASS_PROBLEM_H

#include "data/data.h"

/* The largest ||(x,1)|| over all rows; without intercept the largest ||x||. It may be infinite. */
typedef struct linpred__radius {
    double above;   /* an upper bound of the radius */
    double nearest; /* the radius to the last digits */
    double squared; /* the radius squared, to the last digits; infinite beyond the range of double */
} linpred__radius;

/* The smallest and the largest value of each column among the rows of each label. */
typedef struct linpred__ranges {
    int64_t rows[2];     /* how many rows are labelled -1 and +1 */
    double *min[2];      /* of each column, over its entries; NULL: not asked for */
    double *max[2];      /* of each column, over its entries */
    int64_t *entries[2]; /* how many entries each column has; NULL: the rows are dense */
} linpred__ranges;

typedef struct linpred__row_extents {
    double *extent; /* the largest |x| of each column */
    linpred__radius radius;
    uint64_t fingerprint;
    linpred__ranges ranges; /* of each column; empty unless asked for */
} linpred__row_extents;

typedef struct linpred__problem {
    const linpred_data *data;
    bool has_intercept;
    linpred__row_extents extents; /* of `data`; for a regression only the fingerprint is set */
} linpred__problem;

#endif
