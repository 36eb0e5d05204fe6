/* The search for the fewest mistakes on gathered rows, and the proof that its tree of branches gives.
 *
 * Branch and cut and local search take turns: early on a better halfspace helps more than a better bound. */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TURNS_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TURNS_H

#include "proof/witness.h"
#include "solve/cover/branch.h"

/* Takes turns until the tree is done, is stopped or fails, or until search->work is above `work`. The first local
   searches start from least squares and from the halfspace `known`. Turns are measured in work, so that the answer does
   not depend on time. Opens the tree unless it is open. */
linpred_status linpred__take_turns(linpred__hyperplane_search *search, const double *known, linpred__tree *tree,
                                   double work, linpred__effort *effort, linpred__tree_end *end, linpred_error *error);

/* The local searches alone, until they have found nothing better for two thirds of their work: for rows that the first
   turns did not settle. */
linpred_status linpred__search_at_length(linpred__hyperplane_search *search, linpred__effort *effort,
                                         linpred_error *error);

/* Copies the tree into a proof: its branches, the multipliers of its leaves, and the subsets that they use, with their
   integers. file_row[i] is the row of the file of row i; costs are in `unit`. Rows with file_row 0, which must be
   right, are left out of the subsets; a checker adds them. If the tree is too large, the proof is the bound of its
   root. */
linpred_status linpred__keep_cover_proof(const linpred__tree *tree, const int64_t *file_row, double unit,
                                         linpred__cover_proof *proof, linpred_error *error);

#endif
