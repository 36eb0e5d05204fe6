/* Weighted absolute (quantile) regression on rows that fit in cache, exactly: the optimal vertex.
 *
 *   minimise  Σ_i ρ_i(y_i - <x_i, w>) - <c, w>,   ρ_i(r) = up_i r for r > 0, -down_i r for r < 0
 *
 * c stands for rows whose sign is known and fixed: the sum of their slopes times x. A basis is `columns` rows that the
 * fit goes through. With its duals a solved from Σ a_i x_i + c = 0 (a_i = up_i above the fit, -down_i below), the
 * vertex is optimal if all a_i of the basis lie in [-down_i, up_i]; else the worst row leaves the basis, and the fit
 * moves along that edge to the lowest point of it, a weighted median (Barrodale and Roberts; Bloomfield and Steiger).
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_VERTEX_H
#define LINPRED_SOLVE_ABSOLUTE_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__absolute {
    /* in */
    int32_t columns;
    int64_t rows;
    const double *x; /* by columns, `rows` apart: column j of row i is x[j*rows + i] */
    const double *y;
    const double *up;
    const double *down;
    const double *c;             /* columns long */
    bool (*stop)(void *context); /* asked now and then; NULL: never */
    void *context;
    /* in: independent rows; out: those of the optimal vertex */
    int64_t *basis; /* columns long */
    /* out */
    double *w;
    double *residual; /* rows long; 0 on the basis */
    double *dual;     /* of the basis */
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
