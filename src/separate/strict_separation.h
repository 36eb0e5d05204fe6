/* A direction v has <v,z> >= 0 on all rows and = 0 on some, the rows T. Is there a u with <u,z> > 0 on all rows?
 *
 * There is one exactly if there is one for the rows T: if u is positive on T, then K v + u is positive on all rows for
 * K large enough. So the two-way question is asked for T alone.
 */
#ifndef LINPRED_SEPARATE_STRICT_SEPARATION_H
#define LINPRED_SEPARATE_STRICT_SEPARATION_H

#include "core/run.h"
#include "separate/answer.h"

/* `weak` is v. The answer is SEPARATED with another direction, or QUASI_SEPARATED or UNDECIDED with a copy of v. w, b
   (w NULL: 0) is a halfspace that is tried first. */
linpred_status linpred__ask_strict_separation(linpred__run *run, const linpred__problem *problem,
                                              const linpred__direction *weak, const double *w, double b,
                                              linpred__three_way *answer, linpred_error *error);

#endif
