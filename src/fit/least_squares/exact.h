/* Least squares in rationals, where columns and rows are so few that this takes milliseconds. */
#ifndef LINPRED_FIT_LEAST_SQUARES_EXACT_H
#define LINPRED_FIT_LEAST_SQUARES_EXACT_H

#include "fit/least_squares/objective.h"
#include "model/dependency.h"

/* What rationals say of coefficients: they are the minimiser, rounded to double-double. */
typedef struct linpred__squares_exact {
    bool solved;    /* false: the problem is too large, or its minimiser is not unique */
    double squares; /* Σ v r² at the coefficients, in the unit of the design; double-double would lose it where large
                       terms cancel */
    double gap;     /* by which part of it the rounding raised the objective above its minimum */
    double pull;    /* the largest |g_j| / Σ v |x_j r| of the gradient g = C'λ that the dependencies leave */
    double fall; /* ||S'g||² / Σ v r²: by which part the objective falls along the columns that count as independent */
} linpred__squares_exact;

/* Replaces the coefficients, in the user's units (S is that of the solution, in the units of the design), by those that
   minimise the objective among all with <n,w> = 0 for each dependency n, the intercept left out of <n,w>. With a
   penalty dependencies restrict nothing. For columns without powers. */
linpred_status linpred__squares_exactly(const linpred__squares_objective *objective,
                                        const linpred__squares_solution *solution,
                                        const linpred__dependencies *dependencies, linpred__dd *plain,
                                        linpred__squares_exact *answer, linpred_error *error);

#endif
