/* Rows in the coordinates of a basis: z_i = Σ_b alpha_ib z_b. The alpha are computed exactly and rounded to doubles.
 *
 * Separability does not depend on coordinates, but rounding does. If all rows lie within 2^-40 of a hyperplane, a
 * linear program in floating point takes them as dependent. In the coordinates of the basis the basis rows are unit
 * vectors, and the program can tell the rows apart.
 *
 * Anchors belong to the basis, but their coordinates are left out. What is left is the question modulo their span.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_COORDINATES_H
#define LINPRED_SOLVE_EXACT_LP_COORDINATES_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/exact_lp/exact_lp.h"
#include "solve/rows.h"

typedef struct linpred__coordinates linpred__coordinates;

/* Expresses the rows of the question by a basis. The basis begins with the anchors, goes on with the rows `start`, and
   is completed from `use`, which must not be NULL and must have no anchor. The question's max_pivots and round are not
   used. *coordinates is NULL if the effort ran out, if the basis could have more than LINPRED__MAX_BASIS_ROWS rows, or
   if the anchors are dependent modulo the prime of the basis. */
linpred_status linpred__coordinates_open(const linpred__exact_question *question, linpred__effort *effort,
                                         linpred__coordinates **coordinates);
void linpred__coordinates_close(linpred__coordinates *coordinates);
/* The coordinates as dense rows, in the order of `use`. */
linpred__rows linpred__coordinates_rows(const linpred__coordinates *coordinates);
/* Converts u, a direction in these coordinates, to integers w. <w,z_i> is a positive multiple of <u,alpha_i> for every
   row, and 0 on anchors. u is first rounded to multiples of 2^-30 times its largest entry. *found is false if the
   effort ran out. */
linpred_status linpred__coordinates_direction(const linpred__coordinates *coordinates, const double *u,
                                              linpred__effort *effort, linpred__integers *w, bool *found);

#endif
