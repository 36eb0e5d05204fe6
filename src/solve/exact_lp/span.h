/* Does a row lie in the span of some rows?
 *
 * One random vector u orthogonal to the rows modulo a prime answers fast: <u,z> not 0 proves that z is outside, and 0
 * is wrong once in 2^59 times. Working rows are confirmed exactly; a pass over all data can use the fast test to find
 * rows that must become working rows.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_SPAN_H
#define LINPRED_SOLVE_EXACT_LP_SPAN_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "solve/rows.h"

typedef struct linpred__span linpred__span;

/* The span of rows member[0 .. members-1] of the view. */
linpred_status linpred__span_open(const linpred__rows *rows, const int32_t *member, int32_t members, uint64_t seed,
                                  linpred__span **span, linpred_error *error);
void linpred__span_close(linpred__span *span);
/* False: certainly outside. True: inside, but for a chance of 2^-59. `row` has the columns of the view. */
bool linpred__span_may_hold(const linpred__span *span, const linpred__row *row);
/* Whether all rows of the view lie in the span, proved. *decided false: the effort ran out. */
linpred_status linpred__span_holds_all(const linpred__rows *rows, const int32_t *member, int32_t members,
                                       linpred__effort *effort, bool *holds, bool *decided, linpred_error *error);

#endif
