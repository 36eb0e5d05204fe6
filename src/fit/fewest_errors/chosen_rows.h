/* Rows chosen from the distinct ones: the search on them, and the proof that a tree on them gives. */
#ifndef LINPRED_FIT_FEWEST_ERRORS_CHOSEN_ROWS_H
#define LINPRED_FIT_FEWEST_ERRORS_CHOSEN_ROWS_H

#include "proof/witness.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/rows/solver_rows.h"
#include "solve/cover/branch.h"

typedef struct linpred__chosen_rows {
    const linpred_data *data;
    bool has_intercept;
    const linpred__distinct *distinct;
    int64_t rows;
    const int64_t *row; /* numbers of distinct rows */
} linpred__chosen_rows;

/* Opens a search on the rows; `gathered` and `cost` hold what it borrows. */
linpred_status linpred__open_chosen_rows(const linpred__chosen_rows *chosen, uint64_t seed, linpred__gathered *gathered,
                                         int64_t **cost, linpred__hyperplane_search *search, linpred_error *error);

/* The proof of a tree of that search. */
linpred_status linpred__prove_by_tree(const linpred__chosen_rows *chosen, const linpred__tree *tree,
                                      linpred__cover_proof *proof, linpred_error *error);

#endif
