/* The largest margin in the form asked for, and in the other form:
 *
 *     homogeneous         min y(<w,x>+b) / ||(w,b)||
 *     without intercept   min y(<w,x>+b) / ||w||
 */
#ifndef LINPRED_SEPARATE_BOTH_MARGINS_H
#define LINPRED_SEPARATE_BOTH_MARGINS_H

#include "separate/largest_margin.h"

typedef struct linpred__both_margins {
    bool without_intercept; /* `largest` is largest by ||w||; false through the origin, where both are the same */
    bool better;            /* `largest` is finite and separates the rows */
    linpred__largest_margin largest; /* in the form asked for */
    bool other_found;                /* `other` was asked for and found, with finite weights */
    linpred__largest_margin other;   /* in the other form; empty if it was not asked for */
    linpred__vector other_weights;   /* if other_found: w of `other`, then b */
    linpred__vector
        bound_weights; /* if `without_intercept` and other_found: the same, which bound the perceptron's updates */
} linpred__both_margins;

/* w, b must separate the rows; the search starts from them. The other form is asked for only if the first was found. */
linpred_status linpred__ask_both_margins(linpred__run *run, const linpred__problem *problem, bool without_intercept,
                                         const double *w, double b, linpred__both_margins *answer,
                                         linpred_error *error);
void linpred__both_margins_clear(linpred__both_margins *answer);

#endif
