/* The search for the fewest mistakes on gathered rows, and the proof that its tree of branches gives. */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TURNS_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TURNS_H

#include "proof/cover_proof.h"
#include "solve/cover/branch.h"

/* Branch and cut and local search in turns, from least squares and from `known`: early on a better halfspace is worth
   more than a better bound. Turns are measured in work, not in time, so that the answer depends on nothing else; they
   end once search->work is above `work`. Opens the tree unless it is open. */
linpred_status linpred__take_turns(linpred__hyperplane_search *search, const double *known, linpred__tree *tree,
                                   double work, linpred__effort *effort, linpred__tree_end *end, linpred_error *error);

/* The subsets that the tree's leaves use, with their integers, and the tree itself, for rows of the file
   file_row[i] and costs in `unit`. Rows of number 0, which must be right, are understood and left out of subsets. Where
   the tree is too large to be kept, the bound of its root alone. */
linpred_status linpred__keep_cover_proof(const linpred__tree *tree, const int64_t *file_row, double unit,
                                         linpred__cover_proof *search, linpred_error *error);

#endif
