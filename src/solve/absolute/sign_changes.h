/* The sign changes of residuals along an edge, and the lowest point of the edge.
 *
 * Along the edge the residuals are r_i - t q_i for t >= 0, and the objective begins with the slope -rate. At t =
 * r_i/q_i the residual of row i changes its sign, and the slope grows by |q_i| (up_i + down_i). The lowest point is
 * where the slope reaches 0. So it is a weighted median of the sign changes.
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_SIGN_CHANGES_H
#define LINPRED_SOLVE_ABSOLUTE_SIGN_CHANGES_H

#include "solve/absolute/vertex.h"

typedef struct linpred__sign_change {
    double t;      /* the residual is 0 at this t */
    double weight; /* the slope of the objective grows by this */
    int64_t row;   /* the row of the residual */
} linpred__sign_change;

/* Writes all sign changes with 0 < t <= reach to `change` and returns their number. `along` holds q. */
int64_t linpred__find_sign_changes(const linpred__absolute *problem, const double *along, double reach,
                                   linpred__sign_change *change);

/* Returns the place of the first sign change at which the sum of the weights reaches `rate`, -1 if it never does. The
   sign changes with smaller t are moved before it. The method is quickselect with the median of three as pivot; its
   expected time is linear. */
int64_t linpred__lowest_sign_change(linpred__sign_change *change, int64_t count, double rate);

#endif
