/* Weighted absolute (quantile) regression on rows that fit in cache: the optimal vertex, exact but for rounding.
 *
 *   minimise  Σ_i ρ_i(y_i - <x_i, w>) - <c, w>,   ρ_i(r) = up_i r for r > 0, -down_i r for r < 0
 *
 * c is the sum of slope times x over rows that are not here because their sign is known. A basis is a set of `columns`
 * rows that the fit goes through. The duals a are a_i = up_i above the fit, a_i = -down_i below, and those of the basis
 * solve Σ a_i x_i + c = 0. The vertex is optimal if all a_i of the basis lie in [-down_i, up_i]. If not, the row that
 * gains most leaves the basis, and the fit moves along that edge to its lowest point, a weighted median (Barrodale and
 * Roberts; Bloomfield and Steiger).
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_VERTEX_H
#define LINPRED_SOLVE_ABSOLUTE_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__absolute {
    /* in */
    int32_t columns;
    int64_t rows;
    const double *x;             /* by columns, `rows` apart: column j of row i is x[j*rows + i] */
    const double *y;             /* rows long */
    const double *up;            /* rows long */
    const double *down;          /* rows long */
    const double *c;             /* columns long */
    bool (*stop)(void *context); /* asked every few steps whether to stop; NULL: never */
    void *context;               /* of `stop` */
    /* in and out */
    int64_t *basis; /* columns long: independent rows come in, the rows of the vertex go out */
    /* out */
    double *w;        /* columns long */
    double *residual; /* rows long; 0 on the basis */
    double *dual;     /* of the basis, columns long */
    int64_t steps;
    bool optimal; /* false: stopped, or rounding left no edge that goes down */
} linpred__absolute;

typedef enum linpred__absolute_end {
    LINPRED__ABSOLUTE_DONE,
    LINPRED__ABSOLUTE_DEPENDENT, /* the basis rows are not independent */
    LINPRED__ABSOLUTE_NO_MEMORY
} linpred__absolute_end;

linpred__absolute_end linpred__absolute_solve(linpred__absolute *problem);

#endif
