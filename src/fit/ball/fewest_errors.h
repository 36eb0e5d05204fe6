/* The ball of fewest mistakes, and a proof.
 *
 * A ball is a halfspace of lifted rows on whose right side the hard row is. So the search for halfspaces
 * (separate/fewest_errors/search_turns.h) goes over exact lifted rows, equal ones taken together, with the hard row as
 * one that costs more than all others. The proof is a tree over subsets that no ball separates; the hard row is
 * understood in each.
 */
#ifndef LINPRED_FIT_BALL_FEWEST_ERRORS_H
#define LINPRED_FIT_BALL_FEWEST_ERRORS_H

#include "fit/ball/best_ball.h"
#include "proof/cover_proof.h"
#include "solve/cover/branch.h"

typedef struct linpred__ball_fewest_errors {
    bool whole;            /* exact arithmetic holds the rows; else nothing was searched */
    double lower_bound;    /* no ball's mistakes weigh less; best->errors itself where they meet */
    bool optimal;          /* they meet, or what is between them is within the last digits of linear programs */
    linpred__tree_end end; /* of the search */
    linpred__cover_proof proof;
    int64_t working_rows;
} linpred__ball_fewest_errors;

/* Searches from the best ball, and improves it. Refuses rows that are too many. */
linpred_status linpred__ask_ball_fewest_errors(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                               linpred__best_ball *best, linpred__ball_fewest_errors *answer,
                                               linpred_error *error);
void linpred__ball_fewest_errors_clear(linpred__ball_fewest_errors *answer);

/* Local search alone, from the best ball, where the rows are not too many for it. */
linpred_status linpred__ask_ball_local_search(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                              linpred__best_ball *best, linpred_error *error);

#endif
