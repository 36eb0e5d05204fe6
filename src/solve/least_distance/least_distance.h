/* The largest margin on a set of working rows: a least-distance problem, solved in double-double and certified.
 *
 * With signed rows z_i = y_i (x_i, 1) there are three forms:
 *     homogeneous      minimise ||(w, b)||  subject to  y_i (<w,x_i> + b) >= 1 for all i
 *     free intercept   minimise ||w||       subject to  y_i (<w,x_i> + b) >= 1 for all i
 *     origin           minimise ||w||       subject to  y_i <w,x_i> >= 1 for all i
 * The largest margin is γ* = 1 / minimum. The answer has multipliers α >= 0 on the support rows with w = Σ α_i z_i; for
 * the free intercept Σ α_i y_i = 0 holds exactly. They prove the margin, because every w of norm 1 and every α >= 0
 * have
 *
 *     min_i <w,z_i>  <=  Σ α_i <w,z_i> / Σ α_i  <=  ||Σ α_i z_i|| / Σ α_i
 *
 * The solver is made for constraint generation: the caller adds rows, solves, looks for rows of the data that violate
 * the answer, adds these, and solves again. Each solve starts from the support of the last one. More rows never
 * decrease the norm, so the margin bound of each answer holds for all later sets of rows.
 *
 * Rows are copied. Dense and sparse rows may be mixed. A step costs the dot products of the support rows with one row
 * and of all working rows with w, and s² operations for s support rows. A product with a sparse row costs one operation
 * for each entry, so a large number of columns costs little. Memory holds the rows, 16 s² to 36 s² bytes for the
 * factor, and a few vectors as long as a row.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_LEAST_DISTANCE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_LEAST_DISTANCE_H

#include "core/run.h"
#include "linpred/linpred.h"

typedef struct linpred__least_distance linpred__least_distance;

typedef enum linpred__margin_form {
    LINPRED__FORM_ORIGIN,
    LINPRED__FORM_HOMOGENEOUS,
    LINPRED__FORM_WITHOUT_INTERCEPT
} linpred__margin_form;

typedef enum linpred__distance_outcome {
    /* No working row is violated by more than 2^-46, before w is rounded to doubles. */
    LINPRED__DISTANCE_OPTIMAL,
    /* Positive multiples of the rows add up to zero, up to rounding. The answer has these multiples. */
    LINPRED__DISTANCE_INFEASIBLE,
    /* The allowed number of steps was made. The next solve continues. */
    LINPRED__DISTANCE_LIMIT,
    /* The problem is too ill-conditioned for double-doubles: the norm of w times that of the rows is beyond about 1e15.
       The answer is the best so far, with its true gap. */
    LINPRED__DISTANCE_STALLED
} linpred__distance_outcome;

/* The arrays are valid until the next call with the problem. Rows are numbered from 0 in the order they were added. */
typedef struct linpred__distance_answer {
    linpred__distance_outcome outcome;
    const double *weights;     /* w, one for each column; the support rows have y(<w,x>+b) = 1 up to rounding */
    double intercept;          /* b; 0 through the origin */
    double norm;               /* the norm that is minimised; 0 if w = 0 meets all rows */
    double margin;             /* the margin of these doubles w, b on the working rows, rounded down; infinite if the
                                  norm is 0 */
    double margin_bound;       /* ||Σ α z|| / Σ α, rounded up: no (w, b) has a larger margin on any set of rows that
                                  contains these; infinite if nothing is proved yet */
    double gap;                /* margin_bound / margin - 1; error bounds certify both numbers */
    int64_t support;           /* number of rows with a positive multiplier */
    const int64_t *rows;       /* these rows, ascending */
    const double *multipliers; /* leading parts of their multipliers: α_i = multipliers[i] + tails[i] */
    const double *tails;       /* trailing parts; all 0 unless the bound needs more digits than a double has */
    int64_t steps;             /* rows that joined or left the active set since the problem was opened */
} linpred__distance_answer;

linpred_status linpred__least_distance_open(int32_t columns, linpred__margin_form form,
                                            linpred__least_distance **problem, linpred_error *error);
void linpred__least_distance_close(linpred__least_distance *problem); /* NULL allowed */

/* Makes room for so many more rows with so many entries in all, which are then added without moving others. */
linpred_status linpred__least_distance_reserve(linpred__least_distance *problem, int64_t rows, int64_t entries,
                                               bool sparse, linpred_error *error);

/* Copy rows into the problem. Values must be finite, labels -1 or +1. `stride` is the distance between dense rows in
   doubles. Sparse row i has the entries start[i] .. start[i+1]-1, with ascending columns. If memory runs out, the
   problem does not change. */
linpred_status linpred__least_distance_add_dense(linpred__least_distance *problem, int64_t rows, const double *values,
                                                 int64_t stride, const double *labels, linpred_error *error);
linpred_status linpred__least_distance_add_sparse(linpred__least_distance *problem, int64_t rows, const int64_t *start,
                                                  const int32_t *indices, const double *values, const double *labels,
                                                  linpred_error *error);

/* Asks for the largest margin in another form, with the same rows. Both forms have an intercept. */
void linpred__least_distance_change_form(linpred__least_distance *problem, linpred__margin_form form);

/* A first halfspace in doubles: all rows have about the value 1 or more, if *found. w is columns + 1 long, with b last
   unless through the origin. */
linpred_status linpred__least_distance_rough(linpred__least_distance *problem, linpred__run *run, double *w,
                                             bool *found, linpred_error *error);

/* The next proposal starts from the rows that are nearest to the halfspace w, b. */
linpred_status linpred__least_distance_start(linpred__least_distance *problem, const double *w, double b,
                                             linpred_error *error);

/* Guesses the support in doubles, if there are many rows and many of them are violated; the next solve starts from it.
   The guess can fail, and then nothing changes. */
linpred_status linpred__least_distance_propose(linpred__least_distance *problem, linpred__run *run,
                                               linpred_error *error);

/* Makes at most about `steps` steps; 0: no limit. Between calls the caller can test whether to stop. */
linpred_status linpred__least_distance_solve(linpred__least_distance *problem, int64_t steps,
                                             linpred__distance_outcome *outcome, linpred_error *error);

/* The answer of the last solve, rounded to doubles and certified. After INFEASIBLE the multipliers are λ >= 0 with
   Σ λ z ≈ 0, margin_bound is ||Σ λ z|| / Σ λ in the homogeneous norm, which is still a proved bound, and the weights
   are those of the last step before. */
linpred__distance_answer linpred__least_distance_answer(linpred__least_distance *problem);

#endif
