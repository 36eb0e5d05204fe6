/* One branch of branch and cut, explored: covering program and new inseparable subsets in turns (see branch.h).
 *
 * An explorer has all that this needs: the subsets and the linear programs. Several explorers can explore different
 * branches of one tree at the same time, if each has a search of its own.
 */
#ifndef LINPRED_SOLVE_COVER_EXPLORE_H
#define LINPRED_SOLVE_COVER_EXPLORE_H

#include "solve/cover/alternative.h"
#include "solve/cover/cover.h"
#include "solve/cover/hyperplane_search.h"

typedef struct linpred__branch {
    int32_t parent;           /* the branch that was divided; -1 for the root */
    int32_t row;              /* the row on which the parent was divided; -1 for the root */
    bool given_up;            /* whether this branch gives the row up or keeps it */
    int32_t child;            /* the branch that keeps the next row; child + 1 gives it up. -1 for a leaf */
    int64_t bound;            /* proved lower bound of the cost in this branch, times 2^bits of the cover */
    linpred__packing packing; /* leaves: the multipliers that prove the bound */
} linpred__branch;

typedef struct linpred__explorer {
    linpred__hyperplane_search *search; /* the rows and the best halfspace; borrowed; NULL: the explorer is not open */
    linpred__alternative alternative;   /* finds inseparable subsets */
    linpred__cover cover;               /* the subsets that are known and the covering program */
    double *price;                      /* scratch: the price of each row */
} linpred__explorer;

linpred_status linpred__explorer_open(linpred__explorer *explorer, linpred__hyperplane_search *search,
                                      linpred_error *error);
void linpred__explorer_close(linpred__explorer *explorer);

/* A bound as a whole cost. */
int64_t linpred__whole_bound(const linpred__explorer *explorer, int64_t bound);
/* Whether a branch with this bound cannot hold a better halfspace. */
bool linpred__bound_closes(const linpred__explorer *explorer, int64_t bound);

/* Sets the bounds of the covering program from the rows that are given up and kept on the path from the root to b. */
void linpred__set_branch(linpred__explorer *explorer, const linpred__branch *branch, int32_t b);
/* Alternates the covering program and new subsets until no subset is found, progress stalls, the bound closes branch b,
   or search->work is above `work`. Of all branches only b is changed: its bound and its multipliers. */
linpred_status linpred__explore(linpred__explorer *explorer, linpred__branch *branch, int32_t b, double work,
                                linpred__effort *effort, linpred_error *error);
/* The row to divide the branch on that was explored last; -1 if every x_i is 0 or 1. */
int32_t linpred__undecided_row(const linpred__explorer *explorer);

#endif
