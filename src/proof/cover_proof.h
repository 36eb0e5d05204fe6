/* What proves that no halfspace makes fewer mistakes: inseparable subsets, and a tree of branches over them.
 *
 * Every halfspace gives up (gets wrong) at least one row of every subset. With multipliers y_S >= 0 and a_i = Σ_{S ∋ i}
 * y_S, what it gives up costs at least
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i)
 *
 * where a branch fixes rows: given up, or kept (no term). A node of the tree branches on a row, or is a leaf with its
 * multipliers. Rows that are equal (values and label) are one row, the first, that costs what all of them do.
 */
#ifndef LINPRED_PROOF_COVER_PROOF_H
#define LINPRED_PROOF_COVER_PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* A search that is done may leave this much between the bound and the best cost, relative: the last digits of linear
 * programs. */
#define LINPRED__COST_TOLERANCE 0x1p-30

typedef struct linpred__subset {
    int64_t rows;
    int64_t *row;  /* of the file, ascending */
    char **weight; /* positive integers λ, decimal: Σ λ z = 0 */
} linpred__subset;

typedef struct linpred__node {
    int64_t row; /* branches on this row of the file: what follows is first the branch that keeps it; 0: a leaf */
    int64_t count;
    int64_t *subset;    /* 0-based, ascending */
    double *multiplier; /* > 0 */
} linpred__node;

typedef struct linpred__cover_proof {
    int64_t subsets;
    linpred__subset *subset;
    int64_t nodes;
    linpred__node *node; /* each before its branches: the one that keeps its row, then the one that gives it up */
} linpred__cover_proof;

void linpred__cover_proof_clear(linpred__cover_proof *search);
/* These allocate, numbers 0 and pointers NULL. False: out of memory. */
bool linpred__cover_proof_subsets(linpred__cover_proof *search, int64_t count);
bool linpred__cover_proof_nodes(linpred__cover_proof *search, int64_t count);
bool linpred__subset_rows(linpred__subset *subset, int64_t count);
bool linpred__node_multipliers(linpred__node *node, int64_t count);

#endif
