/* A direction v has all rows on its right side, some of them on its hyperplane. Does another direction have them all
 * strictly on its right side?
 *
 * Exactly if one does so for the rows T on the hyperplane: if u does, then K v + u does for K large enough. So the
 * question is asked of T alone.
 */
#ifndef LINPRED_SEPARATE_STRICT_SEPARATION_H
#define LINPRED_SEPARATE_STRICT_SEPARATION_H

#include "core/run.h"
#include "separate/answer.h"

/* `weak` is v. SEPARATED with another direction; QUASI_SEPARATED or UNDECIDED with a copy of v. w, b (NULL: 0): where
   the search begins. */
linpred_status linpred__ask_strict_separation(linpred__run *run, const linpred__problem *problem,
                                              const linpred__direction *weak, const double *w, double b,
                                              linpred__three_way *answer, linpred_error *error);

#endif
