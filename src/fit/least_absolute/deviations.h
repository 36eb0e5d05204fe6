/* Least absolute deviations in the coordinates of the design: the question, and the parts of its solution.
 *
 *   minimise  Σ ρ(y - <x, w>),   ρ(r) = up r for r > 0, -down r for r < 0,   up = 2τ weight, down = 2(1-τ) weight
 *
 * τ is the quantile. Some optimum is a vertex: a fit through `rank` rows, the basis. A row that lies clearly above or
 * below the fit is fixed on that side. It then enters the small problem only through the sum c of slope times x, where
 * its slope is up or -down. The other rows are active. The small problem holds them in memory.
 */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_DEVIATIONS_H
#define LINPRED_FIT_LEAST_ABSOLUTE_DEVIATIONS_H

#include "fit/design.h"
#include "num/dd.h"

/* The question. The search sets `spread` and changes nothing else. */
typedef struct linpred__deviations {
    linpred__design design;
    double quantile;
    double spread;   /* mean |y - mean y| of a sample; perturbations and tolerances are multiples of it */
    double *scratch; /* one row, leading and trailing parts, 2 width; only for code outside of passes */
} linpred__deviations;

/* Which columns are independent, and how the others depend on them. */
typedef struct linpred__deviation_span {
    int32_t rank;
    int32_t *column; /* the `rank` independent columns; the others have coefficient 0 */
    int32_t dependencies;
    linpred__dd *null; /* dependencies x width by rows, in the units of the design */
    bool unknown;      /* the run was stopped before the columns were looked at: the intercept alone is taken */
} linpred__deviation_span;

/* A vertex: the fit through the rows of a basis. */
typedef struct linpred__deviation_vertex {
    int64_t *basis;      /* data rows, `rank` of them */
    double *w;           /* width long */
    double perturbation; /* size of the seeded perturbation of y, which keeps more than `rank` rows from meeting in a
                            vertex */
    bool singular;       /* the search met a basis that doubles cannot tell from a singular one */
    bool near_optimum;   /* the basis is optimal for the same rows and nearly the same y */
} linpred__deviation_vertex;

/* Which side of the fit rows are fixed on. */
typedef struct linpred__deviation_sides {
    int8_t *side; /* of each data row: +1 above the fit, -1 below, 0 active; +2, -2: fixed, but on the wrong side */
    double *c;    /* Σ slope x over the fixed rows, in the independent columns, `rank` long */
} linpred__deviation_sides;

/* How much work was done. */
typedef struct linpred__deviation_effort {
    int64_t steps;       /* of the simplex method */
    int64_t rounds;      /* small problems solved */
    int64_t passes;      /* over all rows */
    int64_t active_rows; /* of the largest small problem */
} linpred__deviation_effort;

void linpred__deviation_span_clear(linpred__deviation_span *span);

/* ---- steps of the search ---- */

/* Finds independent columns, and equally many independent rows as a first basis. If the sample has dependencies, a pass
   looks for rows outside of it that break them. If the run is stopped meanwhile, the span is that of the intercept. */
linpred_status linpred__deviations_span(const linpred__deviations *question, const int64_t *sample, int64_t samples,
                                        linpred__deviation_span *span, int64_t *basis,
                                        linpred__deviation_effort *effort, linpred_error *error);

/* For a run that was stopped: the fit of the intercept alone, at the quantile of the targets; without an intercept it
   is 0. */
linpred_status linpred__deviations_intercept(const linpred__deviations *question, linpred__deviation_span *span,
                                             int64_t *basis, linpred_error *error);

/* One pass: fixes the rows farther than `band` from the fit, makes the others active, counts them, and sets c. */
linpred_status linpred__deviations_fix_rows(const linpred__deviations *question, const linpred__deviation_span *span,
                                            const linpred__deviation_vertex *vertex, double band,
                                            linpred__deviation_sides *sides, int64_t *active, linpred_error *error);
/* One pass: marks the fixed rows that lie on the wrong side of the fit by 2 or -2, and counts them. */
linpred_status linpred__deviations_price(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                         linpred__deviation_sides *sides, int64_t *wrong, linpred_error *error);

/* The active rows of a small problem. The rows of the basis are added to them. */
typedef struct linpred__deviation_rows {
    const int64_t *row;
    int64_t count;
    const double *c; /* Σ slope x over the fixed rows */
} linpred__deviation_rows;

/* Moves the vertex to the optimum of the active and the fixed rows, with the fixed rows kept on their sides; or says
   that it is singular. */
linpred_status linpred__deviations_solve(const linpred__deviations *question, const linpred__deviation_span *span,
                                         linpred__deviation_rows rows, linpred__deviation_vertex *vertex,
                                         linpred__deviation_effort *effort, linpred_error *error);

#endif
