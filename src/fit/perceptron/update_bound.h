/* The bound on the perceptron's updates, and its proof step by step.
 *
 * With R = max ||(x,1)|| and w* of least norm B with y<w*,x> >= 1 on all rows (all homogeneous), after T updates from 0
 *
 *     <w*,w> >= T,    ||w||^2 <= T R^2,    hence  cos(w*,w) >= sqrt(T)/(RB)  and  T <= (RB)^2.
 */
#ifndef LINPRED_FIT_PERCEPTRON_UPDATE_BOUND_H
#define LINPRED_FIT_PERCEPTRON_UPDATE_BOUND_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__update_bound {
    bool found;          /* the rows of the loop are separable, and their largest margin was found */
    double norm;         /* B = 1 / the largest margin */
    double margin_bound; /* no halfspace has a larger margin on the rows of the loop, as `support` proves */
    linpred__support support;
    linpred__vector weights; /* of the largest margin, the intercept last */
    double updates;          /* (RB)^2 */
    double radius;           /* R, rounded to nearest */
    double *w;             /* w*, scaled so that every y<w*,x> >= 1; NULL if rounding is too large beside the margin */
    double b;              /* the intercept of w* */
    double norm_above;     /* ||(w*,b)||, rounded up */
    double radius_squared; /* R^2, rounded up */
} linpred__update_bound;

/* Finds w* for the rows that the loop runs on. The caller clears the bound. */
linpred_status linpred__find_update_bound(linpred__run *run, const linpred__problem *problem,
                                          linpred__update_bound *bound, linpred_error *error);
void linpred__update_bound_clear(linpred__update_bound *bound);
/* Fills both sides of the inequalities above for one update. */
void linpred__update_bound_step(const linpred__update_bound *bound, linpred_update *update);

#endif
