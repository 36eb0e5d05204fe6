/* Does a ball separate the rows? Constraint generation with exact lifted rows.
 *
 * Exact linear programming separates the working rows, or proves them inseparable. A pass finds rows that the weights
 * get wrong; they join the working rows, until there are none. */
#ifndef LINPRED_FIT_BALL_EXACT_SEARCH_H
#define LINPRED_FIT_BALL_EXACT_SEARCH_H

#include "fit/ball/best_ball.h"
#include "separate/answer.h"

/* What is known of balls that separate the rows. */
typedef struct linpred__ball_separation {
    linpred_separation kind;      /* SEPARATED by the best ball or by the direction, INSEPARABLE or UNDECIDED */
    linpred__direction direction; /* if SEPARATED, but by no ball of doubles: integers for (x, ||x||², 1); else empty */
    linpred__combination witness; /* if INSEPARABLE: rows of the file; the hard row is left out, a checker adds it */
    double solver_seconds;
    int64_t rounds;
    int64_t working_rows; /* the largest number of working rows; -1 if none were needed */
    int64_t passes;       /* without the passes that best_ball.h counts */
    int64_t updates;      /* of the perceptron that the two-way question begins with */
} linpred__ball_separation;

void linpred__ball_separation_clear(linpred__ball_separation *answer);

/* `known` is the two-way answer for rounded rows: SEPARATED or INSEPARABLE. The first working rows are those of its
   witness, or those nearest to its halfspace. Sets kind, direction and witness of the answer and adds to its counts. */
linpred_status linpred__search_exact_balls(linpred__run *run, const linpred__ball_lift *lift,
                                           const linpred__problem *lifted, const linpred__two_way *known,
                                           linpred__best_ball *best, linpred__ball_separation *answer,
                                           linpred_error *error);

/* Tries balls around the centre that weights of lifted rows describe. One that separates the rows becomes the best. If
   none does and `keep` is set, the one with the fewest mistakes becomes the best if it makes fewer. */
linpred_status linpred__ball_try_weights(linpred__run *run, const linpred__ball_lift *lift, const double *w, bool keep,
                                         linpred__best_ball *best, bool *separates, linpred_error *error);

#endif
