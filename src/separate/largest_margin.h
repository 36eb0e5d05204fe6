/* The largest margin over all rows, by constraint generation: a least-distance problem on working rows, a pass for the
 * rows that its answer has nearer than the support, and so on until none is left.
 *
 * Every answer's bound ||Σ α z|| / Σ α holds for all rows, whatever the working rows; the search ends when the margin
 * on all rows meets it. */
#ifndef LINPRED_SEPARATE_LARGEST_MARGIN_H
#define LINPRED_SEPARATE_LARGEST_MARGIN_H

#include "fit/fit.h"
#include "solve/least_distance/least_distance.h"

typedef enum linpred__margin_kind {
    LINPRED__MARGIN_FOUND,
    LINPRED__MARGIN_NONE,    /* some working rows combine to about zero: probably inseparable, to be proved elsewhere */
    LINPRED__MARGIN_STOPPED, /* time was up or the caller said so: the best so far, if any; fit's outcome is set */
    LINPRED__MARGIN_STALLED  /* too ill-conditioned: the best so far, with its gap */
} linpred__margin_kind;

typedef struct linpred__largest_margin {
    linpred__margin_kind kind;
    double *w;
    double b;
    double norm;   /* of w in its form; 1/norm is the margin */
    double margin; /* on all rows, of these doubles; -inf if they do not separate */
    double bound;
    double updates; /* R^2 ||w||^2 / min(y(<w,x>+b))^2: bounds the perceptron's updates (not in the form without b) */
    linpred__certificate proof; /* the support */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__largest_margin;

/* w, b: a halfspace to look for the first working rows with; NULL: none. */
linpred_status linpred__find_largest_margin(linpred__fit *fit, linpred__margin_form form, const double *w, double b,
                                            linpred__largest_margin *answer, linpred_error *error);
void linpred__largest_margin_clear(linpred__largest_margin *answer);

#endif
