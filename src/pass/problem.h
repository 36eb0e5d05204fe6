/* What a question is asked about: rows, with or without an intercept, and what one pass found in them.
 *
 * z_i = y_i (x_i, 1) is the signed homogeneous row; through the origin z_i = y_i x_i.
 */
#ifndef LINPRED_PASS_PROBLEM_H
#define LINPRED_PASS_PROBLEM_H

#include "pass/row_extents.h"

typedef struct linpred__problem {
    const linpred_data *data;
    bool has_intercept;
    linpred__row_extents extents; /* of `data`; for a regression only the fingerprint is set */
} linpred__problem;

#endif
