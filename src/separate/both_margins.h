/* From a halfspace that separates the rows to the largest margin: in the form asked for, and in the other form beside
 * it.
 *
 *     homogeneous   min y(<w,x>+b) / ||(w,b)||
 *     usual         min y(<w,x>+b) / ||w||
 */
#ifndef LINPRED_SEPARATE_BOTH_MARGINS_H
#define LINPRED_SEPARATE_BOTH_MARGINS_H

#include "separate/largest_margin.h"

typedef struct linpred__both_margins {
    bool usual;                      /* `largest` is of the usual form; never through the origin */
    bool better;                     /* doubles hold `largest`, and it separates the rows */
    linpred__largest_margin largest; /* of the form asked for */
    bool other_found;                /* `other` has been asked and found */
    linpred__largest_margin other;   /* of the other form */
} linpred__both_margins;

/* w, b separate the rows. The other form is asked only if the first was found. */
linpred_status linpred__ask_both_margins(linpred__run *run, const linpred__problem *problem, bool usual,
                                         const double *w, double b, linpred__both_margins *answer,
                                         linpred_error *error);
void linpred__both_margins_clear(linpred__both_margins *answer);

#endif
