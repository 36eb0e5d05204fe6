/* The ball with the fewest mistakes, and the proof that none makes fewer.
 *
 * A ball is a halfspace of lifted rows that has the hard row on its right side. So the search for halfspaces
 * (separate/fewest_errors/search_turns.h) runs on exact lifted rows, with equal rows merged. The hard row costs more
 * than all others together. The proof is a tree of bounds over subsets that no ball separates. The subsets do not list
 * the hard row; a checker adds it to each.
 */
#ifndef LINPRED_FIT_BALL_FEWEST_ERRORS_H
#define LINPRED_FIT_BALL_FEWEST_ERRORS_H

#include "fit/ball/best_ball.h"
#include "proof/witness.h"
#include "solve/cover/branch.h"

typedef struct linpred__ball_fewest_errors {
    bool whole;            /* the lifted rows are exact sums of doubles; if false nothing was searched */
    double cost;           /* of the best ball; with a direction in the proof: of that */
    double lower_bound;    /* no ball's mistakes weigh less; equal to the cost if that is the minimum */
    bool optimal;          /* the cost is the minimum, up to the last digits that linear programs cannot decide */
    linpred__tree_end end; /* how the search ended */
    linpred__cover_proof proof;
    int64_t working_rows; /* distinct rows, without the hard row */
} linpred__ball_fewest_errors;

/* Starts from the best ball and improves it. Fails if the rows or columns exceed the limits. */
linpred_status linpred__ask_ball_fewest_errors(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                               linpred__best_ball *best, linpred__ball_fewest_errors *answer,
                                               linpred_error *error);
void linpred__ball_fewest_errors_clear(linpred__ball_fewest_errors *answer);

/* Improves the best ball by local search alone. Does nothing if the rows or columns exceed the limits. */
linpred_status linpred__ask_ball_local_search(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                              linpred__best_ball *best, linpred_error *error);

#endif
