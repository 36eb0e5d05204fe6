/* The largest margin on a set of working rows: a least-distance problem, solved to the last digits and certified.
 *
 * With signed rows z_i = y_i (x_i, 1):
 *     homogeneous      minimise ||(w, b)||  subject to  y_i (<w,x_i> + b) >= 1 for all i
 *     free intercept   minimise ||w||       subject to the same
 *     origin           minimise ||w||       subject to  y_i <w,x_i> >= 1
 * The largest margin is γ* = 1/||w||. The answer carries multipliers α >= 0 on the support rows with w = Σ α_i z_i
 * (free intercept: and Σ α_i y_i = 0, exactly), which prove it, since for every unit w and every α >= 0 min_i <w,z_i>
 * <=  Σ α_i <w,z_i> / Σ α_i  <=  ||Σ α_i z_i|| / Σ α_i.
 *
 * It is made for constraint generation: add rows, solve, look for rows of the data that the answer violates, add those,
 * solve again. Every solve starts from the rows that were in support before; the norm never falls from one to the next,
 * so each answer's bound stays a bound for all rows to come.
 *
 * Rows are copied in, dense or sparse; any mixture of the two may be added. A step costs the dot products of the
 * support rows with one row and of all working rows with w, and s² for s support rows: for sparse rows as many
 * operations as they have entries, so that rows far wider than they are many cost little. Memory holds the rows, 16 s²
 * to 36 s² bytes for the factorisation and a few vectors of `columns`.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_LEAST_DISTANCE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_LEAST_DISTANCE_H

#include "linpred/linpred.h"

typedef struct linpred__least_distance linpred__least_distance;

typedef enum linpred__margin_form {
    LINPRED__MARGIN_ORIGIN,
    LINPRED__MARGIN_HOMOGENEOUS,
    LINPRED__MARGIN_FREE_INTERCEPT
} linpred__margin_form;

typedef enum linpred__distance_outcome {
    LINPRED__DISTANCE_OPTIMAL,    /* no working row is violated by more than 2^-46, before w is rounded to doubles */
    LINPRED__DISTANCE_INFEASIBLE, /* the rows combine to (about) zero: the answer holds that combination */
    LINPRED__DISTANCE_LIMIT,      /* `steps` were made; solve again to go on */
    LINPRED__DISTANCE_STALLED     /* too ill-conditioned for double-doubles (norms of w and rows whose product is beyond
                                     1e15     or so); the answer is the best so far, with its true gap */
} linpred__distance_outcome;

/* Arrays live until the next call with the problem. Rows are numbered from 0 in the order they were added. */
typedef struct linpred__distance_answer {
    linpred__distance_outcome outcome;
    const double *weights; /* `columns` long, scaled so that the support rows have y(<w,x>+b) = 1 up to rounding */
    double intercept;      /* 0 through the origin */
    double norm;           /* B, in the form's norm; 0 if the form allows w = 0 (no rows; one class, free intercept) */
    double margin;       /* what these doubles w, b achieve on the working rows, rounded down; infinite if norm is 0 */
    double margin_bound; /* ||Σ α z|| / Σ α, rounded up: no (w, b) has more, on any rows that contain these;
                            infinite if nothing is proved yet */
    double gap;          /* margin_bound / margin - 1; both ends are certified by error bounds, not estimated */
    int64_t support;     /* rows with a positive multiplier */
    const int64_t *rows; /* ascending */
    const double *multipliers;
    const double
        *tails;    /* α_i = multipliers[i] + tails[i]; all 0 unless the bound needs more digits than a double has */
    int64_t steps; /* rows taken into and out of the active set since the problem was opened */
} linpred__distance_answer;

linpred_status linpred__least_distance_open(int32_t columns, linpred__margin_form form,
                                            linpred__least_distance **problem, linpred_error *error);
void linpred__least_distance_close(linpred__least_distance *problem); /* NULL allowed */

/* Values must be finite, labels -1 or +1. `stride` is the distance between dense rows in doubles; sparse row i is
   entries start[i] .. start[i+1]-1, column indices ascending. Out of memory leaves the problem as it was. */
linpred_status linpred__least_distance_add_dense(linpred__least_distance *problem, int64_t rows, const double *values,
                                                 int64_t stride, const double *labels, linpred_error *error);
linpred_status linpred__least_distance_add_sparse(linpred__least_distance *problem, int64_t rows, const int64_t *start,
                                                  const int32_t *indices, const double *values, const double *labels,
                                                  linpred_error *error);

/* At most about `steps` steps (0: no limit); between calls the caller may look at the clock or a stop button. */
linpred_status linpred__least_distance_solve(linpred__least_distance *problem, int64_t steps,
                                             linpred__distance_outcome *outcome, linpred_error *error);

/* The answer of the last solve, rounded to doubles and certified. After INFEASIBLE the multipliers are the combination
   λ >= 0 with Σ λ z close to zero, as floating point found it; margin_bound is then the ε = ||Σ λ z|| / Σ λ that holds
   all the same (in the homogeneous norm), and the weights are those of the last step before. */
linpred__distance_answer linpred__least_distance_answer(linpred__least_distance *problem);

#endif
