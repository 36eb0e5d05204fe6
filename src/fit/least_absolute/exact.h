/* The optimal vertex in rationals, where rows and columns are so few that this takes milliseconds. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_EXACT_H
#define LINPRED_FIT_LEAST_ABSOLUTE_EXACT_H

#include "fit/least_absolute/deviations.h"

/* Marks of rows whose side of the fit is known. A row on the fit has the side of its dual. */
enum { LINPRED__KNOWN_ABOVE = 4, LINPRED__KNOWN_BELOW = -4 };

/* Finds the basis of an optimal vertex of all rows, and marks the side of every row outside of it. *solved is false,
   and nothing changes, if the problem is too large, or if the columns have no such basis. */
linpred_status linpred__deviations_exactly(const linpred__deviations *question, const linpred__deviation_span *span,
                                           int64_t *basis, int8_t *side, bool *solved, linpred_error *error);

#endif
