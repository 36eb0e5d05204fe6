/* Where a search starts: weights that are cheap to find and prove nothing. */
#ifndef LINPRED_SEPARATE_START_H
#define LINPRED_SEPARATE_START_H

#include "core/run.h"
#include "pass/problem.h"

/* A few passes of the perceptron before any linear program. They separate easy data. If they do not separate the rows,
   their last weights are the first proposal for constraint generation. */
typedef struct linpred__first_passes {
    bool separated; /* every row is on its right side */
    bool stopped;   /* the run was stopped */
    int64_t updates;
    int64_t passes; /* rows visited / rows of the data; large data is sampled, so this may be 0 */
} linpred__first_passes;

/* Sets w, columns + 1 long, to the last weights, the intercept last. */
linpred_status linpred__ask_first_passes(linpred__run *run, const linpred__problem *problem, double *w,
                                         linpred__first_passes *answer, linpred_error *error);

/* A good first halfspace: least squares on the labels.
 *
 *     minimise  Σ weight_i (<w,x_i> + b - y_i)²
 *
 * The normal equations are scaled to a unit diagonal, and 1e-9 is added to the diagonal. Up to the intercept the
 * solution is Fisher's discriminant.
 *
 * Sets w (columns long) and, with an intercept, *b. Returns false if there are too many columns, or if the system
 * cannot be solved. */
bool linpred__find_least_squares_start(linpred__run *run, const linpred__problem *problem, double *w, double *b);

#endif
