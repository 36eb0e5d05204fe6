/* Branch and cut for the fewest mistakes: which rows must be given up?
 *
 * The covering program of cover.h over the inseparable subsets known so far, subsets from alternative.h where its
 * solution covers some too little, and a tree of branches: a row is given up, or kept. Every leaf has multipliers that
 * prove a bound for its branch, so the tree at any time proves the least of them, rounded up to a whole cost. It is
 * done when that meets the best halfspace.
 */
#ifndef LINPRED_SOLVE_COVER_BRANCH_H
#define LINPRED_SOLVE_COVER_BRANCH_H

#include "solve/cover/alternative.h"
#include "solve/cover/cover.h"
#include "solve/cover/hyperplane_search.h"
#include "solve/limits.h"

typedef struct linpred__branch {
    int32_t parent;           /* -1: the root */
    int32_t row;              /* what its parent branches on */
    bool given_up;            /* this branch: the row is given up; else it is kept */
    int32_t child;            /* the first of two, kept and given up; -1: a leaf */
    int64_t bound;            /* proved for it, times 2^bits of the cover */
    linpred__packing packing; /* leaves: what proves it */
} linpred__branch;

typedef struct linpred__tree {
    linpred__hyperplane_search *planes; /* borrowed */
    linpred__alternative alternative;
    linpred__cover cover;
    linpred__branch *branch;
    int32_t branches;
    size_t branch_capacity;
    int32_t *open; /* a heap of leaves, least bound first */
    int32_t opens;
    size_t open_capacity;
    linpred__packing root; /* what proves the root's own bound, once it has branches */
    double *price;
    int64_t explored;
} linpred__tree;

/* Why a search came to its end. */
typedef enum linpred__tree_end {
    LINPRED__TREE_DONE,    /* the bound meets the best */
    LINPRED__TREE_STOPPED, /* the caller said so */
    LINPRED__TREE_WORKED,  /* the work allowed was done */
    LINPRED__TREE_FULL,    /* it has LINPRED__MAX_BRANCHES branches */
    LINPRED__TREE_STUCK    /* rows that integers separate, but no halfspace of doubles that was found */
} linpred__tree_end;

linpred_status linpred__tree_open(linpred__tree *tree, linpred__hyperplane_search *planes, linpred_error *error);
void linpred__tree_close(linpred__tree *tree);
/* Goes on until the work counted in planes->work is above `work`. */
linpred_status linpred__tree_search(linpred__tree *tree, double work, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error);
/* What the tree proves: no halfspace costs less. */
int64_t linpred__tree_bound(const linpred__tree *tree);

#endif
