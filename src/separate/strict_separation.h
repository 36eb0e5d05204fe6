/* Rows that a direction v has on one side, some of them on its hyperplane: does another direction have them all
 * strictly on theirs?
 *
 * Exactly if one has the rows T on the hyperplane so: if u does, then K v + u does for K large enough. So the question
 * is asked of T alone, of the exact oracle.
 */
#ifndef LINPRED_SEPARATE_STRICT_SEPARATION_H
#define LINPRED_SEPARATE_STRICT_SEPARATION_H

#include "separate/three_way.h"

/* Rows that are at least quasi-separated, by the direction in overlap->proof: QUASI_SEPARATED if nothing separates
   them, SEPARATED with another direction if something does, NOT_ASKED if that could not be decided. w, b (NULL: 0):
   where the search begins. */
linpred_status linpred__ask_strict_separation(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                              linpred_error *error);

#endif
