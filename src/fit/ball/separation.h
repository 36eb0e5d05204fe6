/* Does a ball separate the rows? The two-way question answers for rounded lifted rows; what it says is certified on
 * exact ones.
 *
 * The halfspace that it proposes gives a centre. A radius is sought between the farthest row inside and the nearest
 * outside, and a ball is accepted if the sign of every row is certain. Its witness holds as it stands if no lifted row
 * was rounded. Otherwise, and where no ball of doubles came of its halfspace, constraint generation goes on with exact
 * rows (fit/ball/exact_search.h), from the rows that mattered.
 */
#ifndef LINPRED_FIT_BALL_SEPARATION_H
#define LINPRED_FIT_BALL_SEPARATION_H

#include "fit/ball/exact_search.h"

/* `lifted` are the lifted rows. Balls that are tried on the way may become the best. */
linpred_status linpred__ask_ball_separation(linpred__run *run, const linpred__ball_lift *lift,
                                            const linpred__problem *lifted, linpred__best_ball *best,
                                            linpred__ball_separation *answer, linpred_error *error);

#endif
