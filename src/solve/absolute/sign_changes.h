/* Where the residuals of rows change sign along an edge, and the lowest point of the edge.
 *
 * Along the edge residuals are r - t q for t >= 0. The objective falls at first at a given rate. At t = r/q the
 * residual of a row changes sign, and the slope of the objective grows by |q| (up + down). The lowest point is where
 * the slope reaches 0: a weighted median of the sign changes.
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_SIGN_CHANGES_H
#define LINPRED_SOLVE_ABSOLUTE_SIGN_CHANGES_H

#include "solve/absolute/vertex.h"

typedef struct linpred__sign_change {
    double t;      /* where the residual changes sign */
    double weight; /* by how much the slope of the objective grows there */
    int64_t row;
} linpred__sign_change;

/* Writes all sign changes with 0 < t <= reach, usually few since a move is short; answers their number. */
int64_t linpred__find_sign_changes(const linpred__absolute *problem, const double *along, double reach,
                                   linpred__sign_change *change);

/* The place of the first sign change at which the weights up to it reach `rate`, -1 if they never do. Sign changes
   before it are moved to the front. Expected time is linear: a partition about the median of three, then the half that
   matters.
 */
int64_t linpred__lowest_sign_change(linpred__sign_change *change, int64_t count, double rate);

#endif
