/* Does a ball separate the rows?
 *
 * The two-way question is asked for rounded lifted rows. If it answers with a halfspace, that gives a centre, and a
 * radius is sought between the farthest row inside and the nearest outside. The ball is accepted if the signs of all
 * rows are certified. If the two-way question answers with a witness and no lifted row was rounded, the witness holds.
 * In all other cases constraint generation goes on with exact rows. It starts from the rows of the witness, or from
 * those nearest to the halfspace. Exact linear programming separates the working rows, or proves them inseparable. A
 * pass finds rows that the weights get wrong; they join the working rows, until there are none.
 */
#ifndef LINPRED_FIT_BALL_SEPARATION_H
#define LINPRED_FIT_BALL_SEPARATION_H

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

/* `lifted` holds the rounded lifted rows. Balls that are tried on the way may become the best. */
linpred_status linpred__ask_ball_separation(linpred__run *run, const linpred__ball_lift *lift,
                                            const linpred__problem *lifted, linpred__best_ball *best,
                                            linpred__ball_separation *answer, linpred_error *error);

#endif
