/* Are rows linearly independent? If not, some of them are combined to zero with integer weights.
 *
 * Rows join a basis one by one. The basis is invertible modulo a prime, which proves that its rows are independent. The
 * first row that does not join is z_i = Σ alpha_b z_b, with exact fractions alpha. The basis is independent, so these
 * weights are the only ones on these rows. Therefore the rows with a weight that is not 0 are a minimal dependent set:
 * without any one of them the rest are independent.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_DEPENDENCY_H
#define LINPRED_SOLVE_EXACT_LP_DEPENDENCY_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__dependency {
    bool decided;  /* false if the effort ran out */
    int32_t rank;  /* the first `rank` rows are proved independent; if count > 0, the next row depends on them */
    int32_t count; /* size of the minimal dependent set; 0 if none was found */
    int32_t *row;  /* its rows, ascending */
    linpred__integers weight; /* its weights, none is 0, common divisor 1: Σ weight_k z_row[k] = 0 */
} linpred__dependency;

/* Returns LINPRED_ERROR_INPUT if both rows and columns are more than LINPRED__MAX_BASIS_ROWS. */
linpred_status linpred__find_dependency(const linpred__rows *rows, linpred__effort *effort,
                                        linpred__dependency *dependency, linpred_error *error);
void linpred__dependency_close(linpred__dependency *dependency);

#endif
