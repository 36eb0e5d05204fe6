/* The active rows of a least-distance problem with many rows, proposed in doubles.
 *
 * The active-set method lets one row join at a time, and each step reads all active rows in double-double. With a
 * thousand support rows that takes seconds. Here their set is guessed first from the products K of the rows:
 *
 *     minimise  α'Kα/2 - Σ α  over α >= 0           the dual problem
 *
 * 1. If the rows are at most about as many as the columns: single multipliers are changed, each time the one that
 *    gains most, until all conditions hold roughly. Else an interior point method gives the start (interior.h).
 * 2. Block pivoting: solve for the α that gives all rows of the set the value 1; rows with α <= 0 leave, rows with a
 *    value below 1 join, all at once; repeat until no row leaves or joins.
 * 3. The active-set method takes the set as its own. It corrects α and w in double-double and goes on from there.
 *
 * Step 2 takes few rounds from such a start. If it does not end, the proposal is dropped.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_PROPOSAL_H
#define LINPRED_SOLVE_LEAST_DISTANCE_PROPOSAL_H

#include "core/run.h"
#include "solve/least_distance/state.h"

typedef struct linpred__distance_proposal {
    int64_t size;    /* rows of the set; 0: no set was found */
    int64_t *member; /* these rows, ascending */
    double *alpha;   /* one for each row of the problem; positive for members, 0 for the others */
    double intercept;
    double *factor; /* size x size: the upper triangular R with R'R = A'A, by rows */
} linpred__distance_proposal;

/* Step 1. Fills alpha, one for each row, and w, as wide as the rows, with b last. *found: the values of all rows are
   roughly right. False: out of memory. */
bool linpred__distance_rough(linpred__least_distance *p, linpred__run *run, double *alpha, double *w, bool *found);

/* Step 2. The set at the start are the rows with a positive `alpha` of the proposal; `member` has a place for each row.
   The caller releases `factor`. If the run must stop, no set is found. The products of the rows must be there. False:
   out of memory. */
bool linpred__distance_pivot(const linpred__least_distance *p, linpred__run *run, linpred__distance_proposal *proposal);

#endif
