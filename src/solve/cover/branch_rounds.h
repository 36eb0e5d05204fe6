/* Branch and cut on all threads, round after round.
 *
 * In a round several explorers take the leaves with the smallest bounds and explore them, each with the subsets that
 * were known before the round and those that it finds itself. Then the tree takes over what they found, in the order of
 * the explorers, and divides the leaves. How much an explorer does in a round is counted in work. So neither time nor
 * the number of threads changes the tree, unless the run is stopped.
 */
#ifndef LINPRED_SOLVE_COVER_BRANCH_ROUNDS_H
#define LINPRED_SOLVE_COVER_BRANCH_ROUNDS_H

#include "core/threads.h"
#include "solve/cover/branch.h"

typedef struct linpred__tree_rounds {
    linpred__tree *tree;
    linpred__pool *pool;
    linpred__explorer *explorer[LINPRED__EXPLORERS]; /* open, each with a search of its own on the rows of the tree */
    bool (*stop)(void *context);                     /* asked on all threads */
    void *context;
} linpred__tree_rounds;

/* Rounds until the search ends or has done so much more work. Better halfspaces of the explorers are offered to the
   search of the tree, but not to each other. */
linpred_status linpred__tree_search_rounds(const linpred__tree_rounds *rounds, double work, linpred__tree_end *end,
                                           linpred_error *error);

#endif
