/* The largest margin over all rows, by constraint generation.
 *
 *     minimise ||w|| or ||(w,b)||   subject to   y(<w,x>+b) >= 1 on the working rows
 *
 * is solved as a least-distance problem. A pass over all rows finds those with y(<w,x>+b) < 1. They join the working
 * rows, until there are none. The multipliers α of every solution prove the bound ||Σ α z|| / Σ α for all rows. The
 * search ends when the margin on all rows reaches the bound.
 */
#ifndef LINPRED_SEPARATE_LARGEST_MARGIN_H
#define LINPRED_SEPARATE_LARGEST_MARGIN_H

#include "core/run.h"
#include "data/score.h"
#include "pass/problem.h"
#include "proof/witness.h"
#include "solve/least_distance/least_distance.h"

typedef enum linpred__margin_end {
    LINPRED__MARGIN_FOUND, /* the relative gap between margin and bound is small */
    LINPRED__MARGIN_NONE,  /* working rows combine to about zero: they are probably inseparable, which is not proved */
    LINPRED__MARGIN_STOPPED, /* the run was stopped; the answer is the best so far, if any */
    LINPRED__MARGIN_STALLED  /* rounding leaves a larger gap; the answer is the best so far */
} linpred__margin_end;

typedef struct linpred__largest_margin {
    linpred__margin_end end;
    double *w;
    double b;
    linpred__tails tails; /* what is meant beyond w and b (exact_margin.h) */
    double lowest;        /* with tails: min y(<w,x>+b) */
    double gap;           /* with tails: bound / margin - 1, also where these are below the range of doubles */
    double norm;          /* ||(w,b)|| or ||w||, by the form; the margin is about 1/norm */
    double margin;        /* of w, b on all rows; not positive if they do not separate them */
    double bound;         /* no margin of this form is above it, as `support` proves */
    double updates;       /* R^2 ||(w,b)||^2 / min(y(<w,x>+b))^2, which bounds the perceptron's updates */
    linpred__support support;
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__largest_margin;

/* The first working rows are those nearest to the halfspace w, b; with w NULL the first rows of the data. */
linpred_status linpred__ask_largest_margin(linpred__run *run, const linpred__problem *problem,
                                           linpred__margin_form form, const double *w, double b,
                                           linpred__largest_margin *answer, linpred_error *error);
void linpred__largest_margin_clear(linpred__largest_margin *answer);

/* Whether all rows are working rows from the start: there are not many, and a good part of them are support rows. */
bool linpred__margin_takes_all_rows(const linpred_data *data);

/* Weights of a halfspace that has about the largest margin, in doubles, for rows that are all working rows. w is
   columns + 1 long, with b last. *found: it probably separates the rows, which is not certain. */
linpred_status linpred__ask_rough_margin(linpred__run *run, const linpred__problem *problem, double *w, bool *found,
                                         linpred_error *error);

/* ---- both forms -------------------------------------------------------------------------------------------------- */

/* The largest margin in the form asked for, and in the other form:
 *
 *     homogeneous         min y(<w,x>+b) / ||(w,b)||
 *     without intercept   min y(<w,x>+b) / ||w||
 */

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
