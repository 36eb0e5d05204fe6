/* Balls { x : ||x-v||² < ρ } as halfspaces of lifted rows (x, ||x||², 1).
 *
 *     ρ - ||x-v||²  =  2<v,x> - ||x||² + (ρ - ||v||²)
 *
 * is linear in the lifted row, and a linear function of lifted rows is a ball, but for a positive factor, exactly if
 * the weight of ||x||² is negative: one more signed row that must be positive, z_0 = -e (the hard row). About any point
 * c and in any unit 2^k, ((x-c)/2^k, ||x-c||²/4^k, 1) does as well: rows far from the origin keep their digits.
 *
 * Searches run on rounded lifted rows, an ordinary linpred_data. What they find is certified on exact rows: ||x-c||² is
 * a sum of a few doubles, which solve/ takes as entries of one column.
 */
#ifndef LINPRED_FIT_BALL_LIFT_H
#define LINPRED_FIT_BALL_LIFT_H

#include "core/options.h"
#include "core/threads.h"
#include "data/ball_score.h"
#include "num/integers.h"
#include "proof/witness.h"
#include "separate/rows/gather.h"

typedef struct linpred__ball_lift {
    const linpred_data *data; /* the file's rows, borrowed */
    double inside;            /* the label of the rows that belong inside: +1, or -1 with --outside */
    double *about;            /* c: not 0 only in columns whose values are all far from 0 on one side; x - c is exact */
    double *mean;             /* of the rows that belong inside */
    int exponent;             /* k: every |x_j - c_j| is below 2^k */
    linpred_data *lifted;     /* columns + 2 wide, through the origin; label +1 is inside; the hard row comes last and
                                 weighs more than all others */
    bool exact;               /* no lifted row was rounded */
} linpred__ball_lift;

linpred_status linpred__ball_lift_open(const linpred_data *data, bool outside, linpred__pool *pool,
                                       linpred__ball_lift *lift, linpred_error *error);
void linpred__ball_lift_close(linpred__ball_lift *lift);
/* Rows of the lifted data (the hard row too) as signed rows, exact: a column may have several entries, which add up.
 *whole is false if a number is beyond the range of such sums, and then nothing is given. */
linpred_status linpred__ball_gather(const linpred__ball_lift *lift, const int64_t *row, int64_t count,
                                    linpred__gathered *gathered, bool *whole, linpred_error *error);
/* The centre of the ball that weights of lifted rows describe. False: they describe no ball, or the centre is beyond
   the range of doubles. */
bool linpred__ball_centre(const linpred__ball_lift *lift, const double *w, double *centre);
/* Weights of lifted rows for a ball. */
void linpred__ball_weights(const linpred__ball_lift *lift, const linpred__ball *ball, double *w);
/* Integer weights of lifted rows as integers for (x, ||x||², 1), positive on rows labelled +1. */
linpred_status linpred__ball_direction(const linpred__ball_lift *lift, const linpred__integers *w,
                                       linpred__direction *direction, linpred_error *error);

#endif
