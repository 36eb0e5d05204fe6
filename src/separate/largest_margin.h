/* The largest margin over all rows, by constraint generation.
 *
 * A least-distance problem is solved on working rows. A pass finds the rows that its answer has nearer than the
 * support; they join, and so on until none is left. The bound ||Σ α z|| / Σ α of every answer holds for all rows,
 * whatever the working rows; the search ends when the margin on all rows meets it.
 */
#ifndef LINPRED_SEPARATE_LARGEST_MARGIN_H
#define LINPRED_SEPARATE_LARGEST_MARGIN_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/witness.h"
#include "solve/least_distance/least_distance.h"

typedef enum linpred__margin_end {
    LINPRED__MARGIN_FOUND,
    LINPRED__MARGIN_NONE,    /* some working rows combine to about zero: probably inseparable, to be proved elsewhere */
    LINPRED__MARGIN_STOPPED, /* the run was stopped: the best so far, if any */
    LINPRED__MARGIN_STALLED  /* too ill-conditioned: the best so far, with its gap */
} linpred__margin_end;

typedef struct linpred__largest_margin {
    linpred__margin_end end;
    double *w;
    double b;
    double norm;    /* of w in its form; 1/norm is the margin */
    double margin;  /* on all rows, of these doubles; -inf if they do not separate */
    double bound;   /* no margin of this form is above, by the support */
    double updates; /* R^2 ||w||^2 / min(y(<w,x>+b))^2 bounds the perceptron's updates; not in the form without b */
    linpred__support support;
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__largest_margin;

/* w, b: a halfspace whose nearest rows are the first working rows; NULL: the first rows of the data are. */
linpred_status linpred__ask_largest_margin(linpred__run *run, const linpred__problem *problem,
                                           linpred__margin_form form, const double *w, double b,
                                           linpred__largest_margin *answer, linpred_error *error);
void linpred__largest_margin_clear(linpred__largest_margin *answer);

#endif
