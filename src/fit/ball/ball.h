/* Balls { x : ||x-v||² < ρ } as halfspaces of lifted rows (x, ||x||², 1).
 *
 *     ρ - ||x-v||²  =  2<v,x> - ||x||² + (ρ - ||v||²)
 *
 * is linear in the lifted row, and a linear function of lifted rows is a ball, but for a positive factor, exactly if
 * the weight of ||x||² is negative: one more signed row that must be positive, z_0 = -e (the hard row). About any point
 * c and in any unit 2^k, ((x-c)/2^k, ||x-c||²/4^k, 1) does as well: rows far from the origin keep their digits.
 *
 * The search runs on rounded lifted rows, an ordinary linpred_data. What it finds is settled on exact ones: ||x-c||² is
 * a sum of a few doubles, which solve/ takes as entries of one column.
 */
#ifndef LINPRED_FIT_BALL_BALL_H
#define LINPRED_FIT_BALL_BALL_H

#include "core/options.h"
#include "data/ball_score.h"
#include "fit/fit.h"
#include "separate/gather.h"
#include "num/integers.h"

/* ---- ball_lift.c ----------------------------------------------------------------------------------------------------
 */

typedef struct linpred__ball_lift {
    const linpred_data *data; /* the file's rows, borrowed */
    double inside;            /* the label of the rows that belong inside: +1, or -1 with --outside */
    double *about;            /* c: not 0 only in columns whose values are all far from 0 on one side; x - c is exact */
    double *mean;             /* of the rows that belong inside */
    int exponent;             /* k: every |x_j - c_j| is below 2^k */
    linpred_data
        *lifted; /* columns + 2, through the origin, +1: inside; the hard row last, of more weight than all others */
    bool exact;  /* nothing was rounded */
} linpred__ball_lift;

linpred_status linpred__ball_lift_open(const linpred_data *data, bool outside, linpred__pool *pool,
                                       linpred__ball_lift *lift, linpred_error *error);
void linpred__ball_lift_close(linpred__ball_lift *lift);
/* Rows of the lifted data (the hard row too) as signed rows, exact: a column may have several entries, which add up.
 *whole is false if a number is beyond the range of such sums, and then nothing is given. */
linpred_status linpred__ball_gather(const linpred__ball_lift *lift, const int64_t *row, int64_t count,
                                    linpred__gathered *gathered, bool *whole, linpred_error *error);
/* The centre that weights of lifted rows speak of; false if they are of no ball, or it is beyond the range of doubles.
 */
bool linpred__ball_centre(const linpred__ball_lift *lift, const double *w, double *centre);
/* Weights of lifted rows for a ball. */
void linpred__ball_weights(const linpred__ball_lift *lift, const linpred__ball *ball, double *w);
/* Integer weights of lifted rows as integers for (x, ||x||², 1), positive on rows labelled +1, for the certificate. */
linpred_status linpred__ball_direction(const linpred__ball_lift *lift, const linpred__integers *w,
                                       linpred__certificate *certificate, linpred_error *error);

/* ---- ball_radius.c: a centre is given, which radius?
 * ------------------------------------------------------------------ */

/* Midway between the farthest row inside and the nearest outside, if a radius separates the rows, each sign certain. */
linpred_status linpred__ball_separating_radius(linpred__fit *fit, const linpred__ball_lift *lift, const double *centre,
                                               double *radius_squared, bool *separates, linpred_error *error);
/* The outcome inseparable, in words; `more` follows. */
void linpred__ball_say_inseparable(linpred__fit *fit, const char *more);
/* The best ball around a centre becomes the model if it makes fewer mistakes than *fewest. */
linpred_status linpred__ball_try(linpred__fit *fit, const linpred__ball_lift *lift, const double *centre,
                                 double *fewest, linpred_error *error);
/* Mistakes by weight of a ball, each sign certain; how near a row comes to the sphere, where there are none. */
typedef struct linpred__ball_tally {
    double weight;
    double errors;
    double nearest; /* least | sqrt(ρ) - ||x-v|| |; NaN if ρ <= 0 */
} linpred__ball_tally;
linpred_status linpred__ball_count(linpred__fit *fit, const linpred__ball_lift *lift, const linpred__ball *ball,
                                   linpred__ball_tally *tally, linpred_error *error);

/* ---- ball_search.c: does a ball separate the rows?
 * ---------------------------------------------------------------------- */

/* Fills centre, radius², witness or direction, and the counts of result, and says what was found: SEPARATED,
   INSEPARABLE, UNDECIDED; LIMIT_REACHED or STOPPED if so. The model is the last ball that was tried. */
linpred_status linpred__ball_search(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error);
/* ball_fewest.c: after the search, the ball of fewest mistakes and the proof that none makes fewer, in the certificate.
 */
linpred_status linpred__ball_fewest_errors(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error);

/* Local search from the model's ball, where the rows are not too many for it. Ends when it should, the reason then
 * said. */
linpred_status linpred__ball_local_search(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error);

/* A fit of lifted rows, for what learns halfspaces through the origin; result->model has columns + 2 weights. */
linpred_status linpred__ball_subfit(const linpred__fit *fit, const linpred__ball_lift *lift, linpred_options *options,
                                    linpred__fit *subfit, linpred_error *error);
void linpred__ball_subfit_close(linpred__fit *subfit);

#endif
