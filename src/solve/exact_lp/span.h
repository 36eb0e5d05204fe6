/* Does a row lie in the span of some rows?
 *
 * The fast test uses one random vector u that is orthogonal to these rows modulo a prime. <u,z> ≠ 0 proves that z is
 * outside the span. If z is outside, <u,z> = 0 has a probability of 2^-59. A pass over all data uses this test to find
 * rows that must become working rows. An exact test then confirms that the working rows lie in the span.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_SPAN_H
#define LINPRED_SOLVE_EXACT_LP_SPAN_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "solve/rows.h"

typedef struct linpred__span linpred__span;

/* Prepares the fast test for the span of the rows member[0 .. members-1] of the view. */
linpred_status linpred__span_open(const linpred__rows *rows, const int32_t *member, int32_t members, uint64_t seed,
                                  linpred__span **span, linpred_error *error);
void linpred__span_close(linpred__span *span);
/* The fast test. False proves that the row is outside the span. The row has the columns of the view. */
bool linpred__span_may_hold(const linpred__span *span, const linpred__entries *row);
/* The exact test: *holds tells whether all rows of the view lie in the span of the rows member[0 .. members-1].
 *decided is false if the effort ran out or the rows are too many for exact work. */
linpred_status linpred__span_holds_all(const linpred__rows *rows, const int32_t *member, int32_t members,
                                       linpred__effort *effort, bool *holds, bool *decided, linpred_error *error);

#endif
