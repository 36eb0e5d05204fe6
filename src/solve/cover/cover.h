/* The covering program over the inseparable subsets known so far: each needs a row given up.
 *
 *   minimise  Σ cost_i x_i   subject to   Σ_{i in S} x_i >= 1 for every subset S,  0 <= x <= 1
 *
 * Any multipliers y_S >= 0 prove a bound on the cost of every halfspace (Lagrange): with a_i = Σ_{S ∋ i} y_S,
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i)
 *
 * where rows may be given up (x_i = 1) or kept (x_i = 0, no term) by the branch of a search. Bounds are computed in
 * integers: multipliers are whole multiples of 2^-LINPRED__COVER_BITS, or coarser where costs are large.
 */
#ifndef LINPRED_SOLVE_COVER_COVER_H
#define LINPRED_SOLVE_COVER_COVER_H

#include <stdbool.h>

#include "linpred/linpred.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__cover {
    int32_t n;
    const int64_t *cost; /* borrowed */
    int bits;            /* multipliers are multiples of 2^-bits */
    int shift;           /* the linear program has costs times 2^-shift: in all below 2^40 */
    /* All subsets: number s is row[start[s] .. start[s+1]-1], ascending. */
    int32_t subsets;
    int64_t *start;
    int32_t *row;
    linpred__integers *weight; /* of each subset: λ > 0 with Σ λ z = 0 */
    size_t start_capacity;
    size_t row_capacity;
    size_t weight_capacity;
    /* The linear program: which subset each of its rows is, and whether each subset is in it. */
    void *model;
    int32_t *held;
    bool *is_held;
    size_t held_capacity;
    size_t is_held_capacity;
    double *lower; /* n long: the branch */
    double *upper;
    double *x;     /* its solution */
    int64_t *load; /* scratch: a_i */
    double work;   /* of the linear programs so far, in multiplications, about */
} linpred__cover;

/* Multipliers: subset and y 2^bits. */
typedef struct linpred__packing {
    int32_t count;
    int32_t *subset;
    int64_t *y;
} linpred__packing;

linpred_status linpred__cover_open(linpred__cover *cover, int32_t n, const int64_t *cost, int64_t total,
                                   linpred_error *error);
void linpred__cover_close(linpred__cover *cover);
/* A new subset; it joins the linear program. Its integers are taken over, *weight becomes empty, whatever the answer.
 */
linpred_status linpred__cover_add(linpred__cover *cover, const int32_t *row, int32_t count, linpred__integers *weight,
                                  linpred_error *error);
/* Subsets known but left out of the linear program join it where x violates them; answers how many did. */
linpred_status linpred__cover_recall(linpred__cover *cover, int32_t *joined, linpred_error *error);
/* Solves the linear program within lower and upper: x. *feasible false: a subset has no row that may be given up. */
linpred_status linpred__cover_solve(linpred__cover *cover, bool (*stop)(void *context), void *context, bool *feasible,
                                    bool *stopped, linpred_error *error);
/* Drops slack subsets from the linear program once it has grown large. */
linpred_status linpred__cover_trim(linpred__cover *cover, linpred_error *error);
/* The multipliers of the solution. */
linpred_status linpred__cover_packing(const linpred__cover *cover, linpred__packing *packing, linpred_error *error);
void linpred__packing_clear(linpred__packing *packing);
/* What they prove for rows given up where lower is 1, kept where upper is 0: times 2^bits. */
int64_t linpred__cover_bound(linpred__cover *cover, const linpred__packing *packing);

#endif
