/* Rows that a direction v has on one side, some of them on its hyperplane: does another direction have them all strictly on theirs?
 *
 * Exactly if one has the rows T on the hyperplane so: if u does, then K v + u does for K large enough. So the question is
 * asked of T alone, by a logistic fit: if that has a minimum, nothing separates T, nor all rows.
 */
#ifndef LINPRED_FIT_STRICT_H
#define LINPRED_FIT_STRICT_H

#include "fit/overlap.h"

/* For the direction in overlap->proof: sets overlap->kind, and for SEPARATED another direction. NOT_ASKED: not decided. */
linpred_status linpred__ask_rest(linpred__fit *fit, linpred__overlap *overlap, linpred_error *error);

#endif
