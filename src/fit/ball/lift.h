/* Balls { x : ||x-v||² < ρ } as halfspaces of lifted rows (x, ||x||², 1).
 *
 *     ρ - ||x-v||²  =  2<v,x> - ||x||² + (ρ - ||v||²)
 *
 * is linear in the lifted row. Conversely, a linear function of lifted rows is a positive multiple of such a score
 * exactly if the weight of ||x||² is negative. The data for a search gets one more signed row that says so, the hard
 * row z_0 = -e, where e is the unit vector of the column ||x||².
 *
 * The same holds for ((x-c)/2^k, ||x-c||²/4^k, 1) with any point c and any k. A good choice of c and k lets rows far
 * from the origin keep their digits.
 *
 * Searches run on rounded lifted rows, which are an ordinary linpred_data. What they find is certified on exact rows.
 * In an exact row ||x-c||² is a sum of several doubles; solve/ accepts several entries in one column and adds them.
 */
#ifndef LINPRED_FIT_BALL_LIFT_H
#define LINPRED_FIT_BALL_LIFT_H

#include "core/options.h"
#include "core/threads.h"
#include "data/score.h"
#include "num/integers.h"
#include "proof/witness.h"
#include "separate/rows/solver_rows.h"

typedef struct linpred__ball_lift {
    const linpred_data *data; /* the file's rows, borrowed */
    double inside;            /* the label of the rows that belong inside: +1, or -1 with --outside */
    double *about;            /* c. In a column with values near 0 or of both signs it is 0. x - c is exact. */
    double *mean;             /* the weighted mean of the rows that belong inside */
    int exponent;             /* k: every |x_j - c_j| is below 2^k */
    linpred_data *lifted;     /* the rounded lifted rows: columns + 2 columns, label +1 for rows that belong inside; the
                                 hard row is the last row and weighs more than all others together */
    bool exact;               /* no lifted row was rounded */
    bool wide; /* squares of some entries are below the range of doubles beside the largest: entries of exact rows have
                  exponents */
    int unit;  /* exact rows are ((x-c)/2^unit, ||x-c||²/2^square_unit, 1): k and 2k; if wide, 0 and 0 */
    int square_unit;
} linpred__ball_lift;

linpred_status linpred__ball_lift_open(const linpred_data *data, bool outside, linpred__pool *pool,
                                       linpred__ball_lift *lift, linpred_error *error);
void linpred__ball_lift_close(linpred__ball_lift *lift);
/* Gathers lifted rows (row data->rows is the hard row) as exact signed rows. A column may have several entries; its
   value is their sum. *whole is false if a number is no sum of doubles; then `gathered` is not set. */
linpred_status linpred__ball_gather(const linpred__ball_lift *lift, const int64_t *row, int64_t count,
                                    linpred__gathered *gathered, bool *whole, linpred_error *error);
/* Finds the centre of the ball that weights of lifted rows describe. Returns false if they describe no ball, or if the
   centre is beyond the range of doubles. */
bool linpred__ball_centre(const linpred__ball_lift *lift, const double *w, double *centre);
/* Weights of lifted rows for a ball. */
void linpred__ball_weights(const linpred__ball_lift *lift, const linpred__ball *ball, double *w);
/* Turns integer weights of exact rows into integer weights of (x, ||x||², 1) whose score is
   positive on rows labelled +1. */
linpred_status linpred__ball_direction(const linpred__ball_lift *lift, const linpred__integers *w,
                                       linpred__direction *direction, linpred_error *error);

/* wide_rows.c: weights of lifted rows become weights of exact rows, and back. They are multiplied by a power of two. */
void linpred__ball_to_exact(const linpred__ball_lift *lift, double *w);
void linpred__ball_from_exact(const linpred__ball_lift *lift, double *w);
void linpred__ball_round_exact(const linpred__ball_lift *lift, const linpred__integers *w, double *rounded);
/* The weight of the rows of the file that integers for (x, ||x||², 1) have on their wrong side. */
linpred_status linpred__ball_mistakes(const linpred__ball_lift *lift, const linpred__direction *direction,
                                      double *mistakes, linpred_error *error);

#endif
