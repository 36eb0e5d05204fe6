/* Rows in the coordinates of some of them: z_i = sum_b alpha_ib z_b for basis rows b, computed exactly, then rounded
 * once.
 *
 * Separability does not depend on coordinates, but floating point does: rows that all lie within 2^-40 of a hyperplane
 * look dependent to a linear program in their own coordinates and are plain to see in these, where the basis rows are
 * unit vectors. Coordinates along anchors are left out: what is left is the question modulo their span.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_COORDINATES_H
#define LINPRED_SOLVE_EXACT_LP_COORDINATES_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__coordinates linpred__coordinates;

/* Rows use[0 .. used-1] (none an anchor) in the coordinates of a basis begun with anchors and `start`, completed from
   `use`. *coordinates is NULL if the effort does not suffice. */
linpred_status linpred__coordinates_open(const linpred__rows *rows, const int32_t *use, int32_t used,
                                         const int32_t *anchor, int32_t anchors, const int32_t *start, int32_t starts,
                                         linpred__effort *effort, linpred__coordinates **coordinates);
void linpred__coordinates_close(linpred__coordinates *coordinates);
/* The rows in their order in `use`, dense. */
linpred__rows linpred__coordinates_rows(const linpred__coordinates *coordinates);
/* Integers w with <w,z_i> a positive multiple of <u,alpha_i> for every row, and 0 on anchors; u is rounded to 30 bits
   of its largest first. *found false: the effort ran out. */
linpred_status linpred__coordinates_direction(const linpred__coordinates *coordinates, const double *u,
                                              linpred__effort *effort, linpred__integers *w, bool *found);

#endif
