/* From a tree of branches to the certificate that carries it. */
#ifndef LINPRED_FIT_ZERO_ONE_PROOF_H
#define LINPRED_FIT_ZERO_ONE_PROOF_H

#include "fit/fit.h"
#include "solve/branch.h"

/* The subsets that the tree's leaves use, proved anew with their integers, and the tree itself, for rows of the file
   file_row[i] and costs in `unit`. Where the tree is too large to be kept, the bound of its root alone. */
linpred_status linpred__keep_search(const linpred__tree *tree, const int64_t *file_row, double unit, linpred__search *search,
                                    linpred_error *error);

#endif
