/* A direction v has <v,z> >= 0 on all rows and = 0 on some, the rows T. Is there a u with <u,z> > 0 on all rows?
 *
 * There is one exactly if there is one for the rows T: if u is positive on T, then K v + u is positive on all rows for
 * K large enough. So the two-way question is asked for T alone.
 */
#ifndef LINPRED_SEPARATE_STRICT_SEPARATION_H
#define LINPRED_SEPARATE_STRICT_SEPARATION_H

#include "core/run.h"
#include "num/integers.h"
#include "separate/answer.h"

/* `weak` is v. The answer is SEPARATED with another direction, or QUASI_SEPARATED or UNDECIDED with a copy of v. w, b
   (w NULL: 0) is a halfspace that is tried first. */
linpred_status linpred__ask_strict_separation(linpred__run *run, const linpred__problem *problem,
                                              const linpred__direction *weak, const double *w, double b,
                                              linpred__three_way *answer, linpred_error *error);

/* ---- what settle_all.c shares ---- */

/* The rows on a hyperplane. */
typedef struct linpred__rest {
    const linpred_data *data;
    bool *on;              /* for each row: it lies on the hyperplane */
    linpred_arrays arrays; /* what the copy below is made of */
} linpred__rest;

/* Makes data of the marked rows, which must be freed before the rest is cleared. */
linpred_status linpred__rest_copy(linpred__rest *rest, linpred_data **out, linpred_error *error);
void linpred__rest_clear(linpred__rest *rest);
/* Reads a direction; false if memory runs out. */
bool linpred__direction_integers(const linpred__direction *direction, linpred__integers *v);

#endif
