/* The covering program: a lower bound for the cost of mistakes.
 *
 * Every halfspace makes a mistake on at least one row of each inseparable subset S. With x_i = 1 on the rows that are
 * given up (counted as mistakes), this gives
 *
 *   minimise  Σ cost_i x_i   subject to   Σ_{i in S} x_i >= 1 for every known subset S,  0 <= x <= 1
 *
 * Any multipliers y_S >= 0 prove a bound (Lagrange duality). With a_i = Σ_{S ∋ i} y_S every halfspace costs at least
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i)
 *
 * in a branch of the search in which some rows are given up (x_i = 1) and others are kept (x_i = 0, no term). Bounds
 * are computed in integers: multipliers are multiples of 2^-bits, with bits = 20, or fewer if the costs are large.
 */
#ifndef LINPRED_SOLVE_COVER_COVER_H
#define LINPRED_SOLVE_COVER_COVER_H

#include <stdbool.h>

#include "linpred/linpred.h"
#include "num/integers.h"
#include "solve/cover/packing_simplex.h"
#include "solve/rows.h"

typedef struct linpred__cover {
    int32_t n;                        /* rows */
    const int64_t *cost;              /* cost of giving up each row; borrowed */
    int bits;                         /* multipliers are multiples of 2^-bits */
    int shift;                        /* the linear program has costs times 2^-shift, which add up to less than 2^40 */
    int32_t subsets;                  /* all inseparable subsets that are known */
    int64_t *start;                   /* subset s has the rows row[start[s] .. start[s+1]-1] */
    int32_t *row;                     /* ascending within a subset */
    linpred__integers *weight;        /* for each subset the λ > 0 with Σ λ_i z_i = 0 that prove it inseparable */
    size_t start_capacity;            /* allocated length of start */
    size_t row_capacity;              /* allocated length of row */
    size_t weight_capacity;           /* allocated length of weight */
    linpred__packing_simplex simplex; /* the linear program */
    int32_t examined;                 /* the subsets that are known to have a row that the branch does not keep */
    double *lower;                    /* n long: 1 on rows that the branch gives up, else 0 */
    double *upper;                    /* n long: 0 on rows that the branch keeps, else 1 */
    double *x;                        /* n long: the solution of the linear program */
    int64_t *load;                    /* n long, scratch: (cost_i - a_i) 2^bits */
    double work;                      /* estimated multiplications of all linear programs so far */
} linpred__cover;

/* The multipliers that are not 0. */
typedef struct linpred__packing {
    int32_t count;
    int32_t *subset; /* the subset of each multiplier */
    int64_t *y;      /* y_S 2^bits */
} linpred__packing;

/* `total` is the sum of all costs, below 2^60. */
linpred_status linpred__cover_open(linpred__cover *cover, int32_t n, const int64_t *cost, int64_t total,
                                   linpred_error *error);
void linpred__cover_close(linpred__cover *cover);
/* Adds a new subset. The cover takes over the integers, and *weight becomes empty, even if
   the call fails. */
linpred_status linpred__cover_add(linpred__cover *cover, const int32_t *row, int32_t count, linpred__integers *weight,
                                  linpred_error *error);
/* Begins with the branch in `lower` and `upper`. `known` are good multipliers for it, those of its parent. */
void linpred__cover_begin(linpred__cover *cover, const linpred__packing *known);
/* Solves the linear program of the branch for all subsets that are known by now and fills x. *contradiction is a subset
   of which the branch keeps all rows, so that no halfspace belongs to it, or -1. */
void linpred__cover_solve(linpred__cover *cover, bool (*stop)(void *context), void *context, int32_t *contradiction,
                          bool *stopped);
/* The multipliers of the last solution, rounded down to multiples of 2^-bits. */
linpred_status linpred__cover_packing(const linpred__cover *cover, linpred__packing *packing, linpred_error *error);
void linpred__packing_clear(linpred__packing *packing);
/* The bound that the multipliers prove for the branch in `lower` and `upper`, times 2^bits. */
int64_t linpred__cover_bound(linpred__cover *cover, const linpred__packing *packing);

#endif
