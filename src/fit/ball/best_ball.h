/* The best ball so far, and how balls are tried: a centre is given, which radius is best? */
#ifndef LINPRED_FIT_BALL_BEST_BALL_H
#define LINPRED_FIT_BALL_BEST_BALL_H

#include "core/run.h"
#include "fit/ball/lift.h"

/* The best ball tried so far. */
typedef struct linpred__best_ball {
    double *centre; /* columns long */
    double radius_squared;
    double errors;  /* the weight of its mistakes; infinite: none was tried */
    int64_t passes; /* made to try balls */
} linpred__best_ball;

linpred_status linpred__best_ball_open(const linpred__ball_lift *lift, linpred__best_ball *best, linpred_error *error);
void linpred__best_ball_close(linpred__best_ball *best);

/* If a radius around the centre separates the rows, each sign certain, that ball becomes the best. Its sphere is midway
   between the farthest row inside and the nearest outside. */
linpred_status linpred__ball_try_to_separate(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                             linpred__best_ball *best, bool *separates, linpred_error *error);
/* The ball of fewest mistakes around the centre, if it makes fewer than the best, becomes the best. */
linpred_status linpred__ball_try(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                 linpred__best_ball *best, linpred_error *error);
/* The same around the best ball's own centre, whatever its mistakes. */
linpred_status linpred__ball_try_again(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                       linpred_error *error);

typedef struct linpred__ball_tally {
    double weight;  /* of all rows */
    double errors;  /* the weight of the mistakes, each sign certain */
    double nearest; /* the least | sqrt(ρ) - ||x-v|| | of all rows; NaN if ρ <= 0 */
} linpred__ball_tally;

/* What the best ball does on all rows; one pass. */
linpred_status linpred__ball_count(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                   linpred__ball_tally *tally, linpred_error *error);

#endif
