/* The bound on the perceptron's updates, and its proof step by step.
 *
 * With R = max ||(x,1)|| and w* of least norm B with y<w*,x> >= 1 on all rows (all homogeneous), after T updates from 0
 *     <w*,w> >= T,    ||w||^2 <= T R^2,    hence  cos(w*,w) >= sqrt(T)/(RB)  and  T <= (RB)^2.
 */
#ifndef LINPRED_FIT_PERCEPTRON_UPDATE_BOUND_H
#define LINPRED_FIT_PERCEPTRON_UPDATE_BOUND_H

#include "fit/fit.h"

typedef struct linpred__update_bound {
    double *w; /* w*, rounded so that every y<w*,x> >= 1; NULL: the rows are not separable, or not known to be */
    double b;
    double norm;           /* B of this w*, rounded up */
    double radius;         /* R, to nearest; 0: not known */
    double radius_squared; /* R^2, rounded up */
} linpred__update_bound;

/* Finds w* for the rows that the loop runs on and sets norm and update_bound of the info. */
linpred_status linpred__find_update_bound(linpred__fit *asking, linpred__update_bound *bound, linpred_error *error);
void linpred__update_bound_clear(linpred__update_bound *bound);
/* Fills both sides of the inequalities for an update. */
void linpred__update_bound_step(const linpred__update_bound *bound, linpred_update *update);

/* A run ended at its limit: asks the oracle whether it could ever have ended, and says so. */
linpred_status linpred__explain_limit(linpred__fit *fit, linpred_error *error);

#endif
