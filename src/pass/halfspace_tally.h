/* How a halfspace does on all rows: mistakes with certain signs, margins, the perceptron's loss. One pass. */
#ifndef LINPRED_PASS_HALFSPACE_TALLY_H
#define LINPRED_PASS_HALFSPACE_TALLY_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__halfspace_tally {
    double weight;                   /* of all rows */
    double errors;                   /* weight of the rows with y(<w,x>+b) <= 0, each sign certain */
    double wrong[2];                 /* the same of the rows labelled -1, and of those labelled +1 */
    double loss;                     /* Σ weight max(0, -y(<w,x>+b)); NaN: beyond the range of doubles */
    double margin;                   /* min y(<w,x>+b) / ||(w,b)||; NaN: some row is wrong, or it leaves the range */
    double margin_without_intercept; /* min y(<w,x>+b) / ||w||; NaN likewise */
} linpred__halfspace_tally;

linpred_status linpred__ask_halfspace_tally(linpred__run *run, const linpred__problem *problem, const double *w,
                                            double b, linpred__halfspace_tally *answer, linpred_error *error);

#endif
