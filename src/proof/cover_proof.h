/* The proof that no halfspace's mistakes cost less: inseparable subsets S, and a tree of branches over rows.
 *
 * Every halfspace gets at least one row of every subset wrong. A node of the tree either branches on a row, or is a
 * leaf. A row is branched on in two ways: the halfspace gets it wrong (gives it up), or gets it right (keeps it). At a
 * leaf some rows are given up, some are kept, and the others are free. With multipliers y_S >= 0 and a_i = Σ_{S ∋ i}
 * y_S the mistakes of a halfspace of that leaf cost at least
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i).
 *
 * Rows with equal values and label count as one row, the first of them, with the sum of their costs.
 */
#ifndef LINPRED_PROOF_COVER_PROOF_H
#define LINPRED_PROOF_COVER_PROOF_H

#include "proof/witness.h"

/* The relative difference between bound and best cost that a finished search may leave. Linear programs in doubles are
   about that accurate. */
#define LINPRED__COST_TOLERANCE 0x1p-30

typedef struct linpred__node {
    int64_t row;        /* the row of the file on which the node branches; 0: the node is a leaf */
    int64_t count;      /* of a leaf: the number of multipliers */
    int64_t *subset;    /* the subset of each multiplier, 0-based, ascending */
    double *multiplier; /* y_S > 0 */
} linpred__node;

typedef struct linpred__cover_proof {
    int64_t subsets;
    linpred__combination *subset; /* each is inseparable */
    int64_t nodes;
    linpred__node *node; /* in preorder: a node, then the branch that keeps its row, then the one that gives it up */
} linpred__cover_proof;

void linpred__cover_proof_clear(linpred__cover_proof *search);
/* These allocate arrays of zeros. They return false if memory runs out. */
bool linpred__cover_proof_subsets(linpred__cover_proof *search, int64_t count);
bool linpred__cover_proof_nodes(linpred__cover_proof *search, int64_t count);
bool linpred__node_multipliers(linpred__node *node, int64_t count);

#endif
