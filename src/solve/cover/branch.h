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

#include "solve/cover/explore.h"
#include "solve/limits.h"

typedef struct linpred__tree {
    linpred__hyperplane_search *search; /* the rows and the best halfspace; borrowed */
    linpred__explorer explorer;         /* it has all subsets */
    linpred__branch *branch;            /* all branches; the root is number 0 */
    int32_t branches;                   /* number of branches */
    size_t branch_capacity;             /* allocated length of branch */
    int32_t *open;                      /* a heap of the leaves to explore, smallest bound first */
    int32_t opens;                      /* number of these leaves */
    size_t open_capacity;               /* allocated length of open */
    linpred__packing root;              /* the multipliers that prove the root's bound, once the root is divided */
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
/* Explores leaf b, which is not in the heap, and divides it unless its bound closes it or the effort ends. *end is
   left, or becomes STUCK. */
linpred_status linpred__tree_visit(linpred__tree *tree, int32_t b, double work, linpred__effort *effort,
                                   linpred__tree_end *end, linpred_error *error);
/* Continues the search until it ends or search->work is above `work`. */
linpred_status linpred__tree_search(linpred__tree *tree, double work, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error);
/* Takes the leaf with the smallest bound from the heap, and puts one back. */
int32_t linpred__tree_pop(linpred__tree *tree);
void linpred__tree_push(linpred__tree *tree, int32_t b);
/* Divides leaf b in two: the first keeps the row, the second gives it up. */
linpred_status linpred__tree_divide(linpred__tree *tree, int32_t b, int32_t row, linpred_error *error);
/* The lower bound that the tree proves for the cost of every halfspace. */
int64_t linpred__tree_bound(const linpred__tree *tree);

#endif
