/* Weighted absolute (quantile) regression on rows that fit in cache: the optimal vertex, up to rounding.
 *
 *   minimise  Σ_i ρ_i(y_i - <x_i, w>) - <c, w>,   ρ_i(r) = up_i r for r > 0, -down_i r for r < 0
 *
 * c is Σ slope_i x_i over rows that are not here, because the sign of their residual is known.
 *
 * A vertex is a w whose residuals are 0 on a basis of `columns` independent rows. Each row has a dual a_i: it is up_i
 * for a positive residual and -down_i for a negative one, and the duals of the basis solve Σ a_i x_i + c = 0. The
 * vertex is optimal if every dual of the basis is in [-down_i, up_i].
 *
 * If it is not optimal, the row of the steepest edge leaves the basis. The fit moves along that edge to its lowest
 * point, a weighted median of sign changes, and the row that changes sign there enters the basis (Barrodale and
 * Roberts; Bloomfield and Steiger).
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_VERTEX_H
#define LINPRED_SOLVE_ABSOLUTE_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/threads.h"

typedef struct linpred__absolute {
    /* Input. */
    int32_t columns;
    int64_t rows;
    const double *x;             /* by columns: entry j of row i is x[j*rows + i] */
    const double *y;             /* the target of each row */
    const double *up;            /* for each row the slope of its loss at positive residuals, >= 0 */
    const double *down;          /* for each row the negated slope at negative residuals, >= 0 */
    const double *c;             /* columns long: see above */
    bool (*stop)(void *context); /* returns true if the caller wants to stop; called every few steps; NULL: never */
    void *context;               /* the argument of `stop` */
    linpred__pool *pool;         /* threads of the interior point method; NULL: one */
    bool near_optimum;           /* the basis is nearly optimal, and a better one need not be looked for */
    /* Input and output. */
    int64_t *basis; /* columns long: independent rows to begin with, then the rows of the last vertex */
    /* Output. */
    double *w;        /* columns long: the last vertex */
    double *residual; /* rows long: y_i - <x_i, w>, exactly 0 on the basis */
    double *dual;     /* columns long: the duals of the basis */
    int64_t steps;    /* moves along an edge */
    bool optimal;     /* false if the solve was stopped, took too many steps, or rounding left no lowest point */
} linpred__absolute;

typedef enum linpred__absolute_end {
    LINPRED__ABSOLUTE_DONE,      /* the output is filled; `optimal` says whether the vertex is optimal */
    LINPRED__ABSOLUTE_DEPENDENT, /* the rows of the first basis are dependent */
    LINPRED__ABSOLUTE_NO_MEMORY  /* memory ran out */
} linpred__absolute_end;

linpred__absolute_end linpred__absolute_solve(linpred__absolute *problem);

#endif
