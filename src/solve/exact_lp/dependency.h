/* Are rows linearly independent? If not, the integers that combine some of them to zero.
 *
 * Rows join a basis one by one. That the basis is invertible modulo a prime proves that its rows are independent; the
 * first row that does not join is z_i = sum alpha_b z_b with alpha lifted to fractions. The basis is independent, so
 * these are the only weights on these rows: the rows that carry one are a minimal dependent set (dropping any one
 * leaves independent rows).
 */
#ifndef LINPRED_SOLVE_EXACT_LP_DEPENDENCY_H
#define LINPRED_SOLVE_EXACT_LP_DEPENDENCY_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__dependency {
    bool decided;  /* false: the effort ran out */
    int32_t rank;  /* rows proved to be independent: all of them, or those before the first that depends on them */
    int32_t count; /* 0: all rows are independent */
    int32_t *row;  /* ascending */
    linpred__integers weight; /* count long, none is zero, common divisor 1: sum weight_k z_row[k] = 0 */
} linpred__dependency;

/* LINPRED_ERROR_INPUT if there are too many rows and columns for exact work (LINPRED__BASIS_LARGEST of both). */
linpred_status linpred__find_dependency(const linpred__rows *rows, linpred__effort *effort,
                                        linpred__dependency *dependency, linpred_error *error);
void linpred__dependency_close(linpred__dependency *dependency);

#endif
