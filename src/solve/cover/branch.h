/* Branch and cut for the smallest cost of mistakes: which rows must be given up?
 *
 * In each branch two steps alternate: cover.h solves the covering program on the known inseparable subsets, and
 * alternative.h finds a subset that its solution does not cover. When no more subsets are found, the branch is divided
 * in two: one row is given up in one half and kept in the other.
 *
 * Every leaf has multipliers that prove a bound for its branch. So the tree always proves the smallest bound of its
 * leaves, rounded up to a whole cost. The search ends when this bound is the cost of the best known halfspace.
 */
#ifndef LINPRED_SOLVE_COVER_BRANCH_H
#define LINPRED_SOLVE_COVER_BRANCH_H

#include "solve/cover/alternative.h"
#include "solve/cover/cover.h"
#include "solve/cover/hyperplane_search.h"
#include "solve/limits.h"

typedef struct linpred__branch {
    int32_t parent;           /* the branch that was divided; -1 for the root */
    int32_t row;              /* the row on which the parent was divided; -1 for the root */
    bool given_up;            /* whether this branch gives the row up or keeps it */
    int32_t child;            /* the branch that keeps the next row; child + 1 gives it up. -1 for a leaf */
    int64_t bound;            /* proved lower bound of the cost in this branch, times 2^bits of the cover */
    linpred__packing packing; /* leaves: the multipliers that prove the bound */
} linpred__branch;

typedef struct linpred__tree {
    linpred__hyperplane_search *search; /* the rows and the best halfspace; borrowed */
    linpred__alternative alternative;   /* finds inseparable subsets */
    linpred__cover cover;               /* all subsets and the covering program */
    linpred__branch *branch;            /* all branches; the root is number 0 */
    int32_t branches;                   /* number of branches */
    size_t branch_capacity;             /* allocated length of branch */
    int32_t *open;                      /* a heap of the leaves to explore, smallest bound first */
    int32_t opens;                      /* number of these leaves */
    size_t open_capacity;               /* allocated length of open */
    linpred__packing root;              /* the multipliers that prove the root's bound, once the root is divided */
    double *price;                      /* scratch: the price of each row */
    int64_t explored;                   /* branches explored so far */
} linpred__tree;

/* Why a search ended. */
typedef enum linpred__tree_end {
    LINPRED__TREE_DONE,        /* the bound is the cost of the best halfspace */
    LINPRED__TREE_STOPPED,     /* the effort ran out or the caller stopped */
    LINPRED__TREE_OUT_OF_WORK, /* search->work is above the `work` allowed */
    LINPRED__TREE_FULL,        /* the tree has more than LINPRED__MAX_BRANCHES branches */
    LINPRED__TREE_STUCK        /* the rows that are kept are neither separated nor inseparable within the effort */
} linpred__tree_end;

linpred_status linpred__tree_open(linpred__tree *tree, linpred__hyperplane_search *search, linpred_error *error);
void linpred__tree_close(linpred__tree *tree);
/* Continues the search until it ends or search->work is above `work`. */
linpred_status linpred__tree_search(linpred__tree *tree, double work, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error);
/* The lower bound that the tree proves for the cost of every halfspace. */
int64_t linpred__tree_bound(const linpred__tree *tree);

#endif
