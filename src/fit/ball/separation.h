/* Does a ball separate the rows?
 *
 * The two-way question is asked for rounded lifted rows. If it answers with a halfspace, that gives a centre, and a
 * radius is sought between the farthest row inside and the nearest outside. The ball is accepted if the signs of all
 * rows are certified. If the two-way question answers with a witness and no lifted row was rounded, the witness holds.
 * In all other cases constraint generation goes on with exact rows (fit/ball/exact_search.h). It starts from the rows
 * of the witness, or from those nearest to the halfspace.
 */
#ifndef LINPRED_FIT_BALL_SEPARATION_H
#define LINPRED_FIT_BALL_SEPARATION_H

#include "fit/ball/exact_search.h"

/* `lifted` holds the rounded lifted rows. Balls that are tried on the way may become the best. */
linpred_status linpred__ask_ball_separation(linpred__run *run, const linpred__ball_lift *lift,
                                            const linpred__problem *lifted, linpred__best_ball *best,
                                            linpred__ball_separation *answer, linpred_error *error);

#endif
