/* Which radius is best for a given centre? And the best ball of all that were tried. */
#ifndef LINPRED_FIT_BALL_BEST_BALL_H
#define LINPRED_FIT_BALL_BEST_BALL_H

#include "core/run.h"
#include "fit/ball/lift.h"
#include "pass/ball_tally.h"

/* The best ball tried so far. */
typedef struct linpred__best_ball {
    double *centre; /* columns long */
    double radius_squared;
    double errors;  /* the weight of its mistakes; INFINITY before a ball is tried */
    int64_t passes; /* passes over the rows that the functions below made */
} linpred__best_ball;

linpred_status linpred__best_ball_open(const linpred__ball_lift *lift, linpred__best_ball *best, linpred_error *error);
void linpred__best_ball_close(linpred__best_ball *best);

/* If a ball around the centre separates the rows with certified signs, it becomes the best. Its sphere is midway
   between the farthest row that belongs inside and the nearest that belongs outside. */
linpred_status linpred__ball_try_to_separate(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                             linpred__best_ball *best, bool *separates, linpred_error *error);
/* Finds the radius with the fewest mistakes around the centre. The ball becomes the best if it makes fewer than
   that. */
linpred_status linpred__ball_try(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                 linpred__best_ball *best, linpred_error *error);
/* Replaces the best ball by the one with the fewest mistakes around the same centre. */
linpred_status linpred__ball_try_again(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                       linpred_error *error);

/* Counts the mistakes of the best ball on all rows; one pass. */
linpred_status linpred__ball_count(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                   linpred__ball_tally *tally, linpred_error *error);

#endif
