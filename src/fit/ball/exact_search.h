/* Does a ball separate the rows? Constraint generation with exact lifted rows. */
#ifndef LINPRED_FIT_BALL_EXACT_SEARCH_H
#define LINPRED_FIT_BALL_EXACT_SEARCH_H

#include "fit/ball/best_ball.h"
#include "separate/answer.h"

/* What is known of balls that separate the rows. */
typedef struct linpred__ball_separation {
    linpred_separation kind;      /* SEPARATED by the best ball, or by the direction; INSEPARABLE; UNDECIDED */
    linpred__direction direction; /* SEPARATED: integers for (x, ||x||², 1), where no ball of doubles was found */
    linpred__combination witness; /* INSEPARABLE: the hard row is understood */
    double solver_seconds;
    int64_t rounds;
    int64_t working_rows; /* -1: no working rows were needed */
    int64_t passes;       /* but those to try balls */
    int64_t updates;
} linpred__ball_separation;

void linpred__ball_separation_clear(linpred__ball_separation *answer);

/* `known` is the two-way answer for rounded rows: SEPARATED or INSEPARABLE. Its rows come first. Fills kind, direction
   and witness of the answer and adds to its counts. */
linpred_status linpred__search_exact_balls(linpred__run *run, const linpred__ball_lift *lift,
                                           const linpred__problem *lifted, const linpred__two_way *known,
                                           linpred__best_ball *best, linpred__ball_separation *answer,
                                           linpred_error *error);

/* The ball that weights of lifted rows describe, if one around its centre separates the rows, becomes the best. If none
   does and `keep`, the one of fewest mistakes around the centre may. */
linpred_status linpred__ball_try_weights(linpred__run *run, const linpred__ball_lift *lift, const double *w, bool keep,
                                         linpred__best_ball *best, bool *separates, linpred_error *error);

#endif
