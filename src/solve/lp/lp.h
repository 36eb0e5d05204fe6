/* The linear program behind "separable or not", on working rows, in floating point (CLP).
 *
 *   minimise  sum_j |w_j|   subject to   <w,z_i> >= 1  for all working rows        (in scaled units)
 *
 * Feasible: w separates, as far as floating point can tell. Infeasible: a ray lambda >= 0 with sum lambda_i z_i about
 * 0. Both are proposals; exact_lp.h settles them. The objective picks a w of large margin, so that few rows outside the
 * working set violate it, and keeps every basis dual feasible: rows are added and the dual simplex goes on.
 *
 * Columns and rows are scaled by powers of two: columns by 2^-exponent_j, rows to a largest entry in [1/2, 1). "1" on
 * the right is meant for scaled rows, which decides the same question.
 */
#ifndef LINPRED_SOLVE_LP_LP_H
#define LINPRED_SOLVE_LP_LP_H

#include "linpred/linpred.h"
#include "solve/rows.h"
#include "solve/limits.h"

typedef struct linpred__lp linpred__lp;

typedef enum linpred__lp_answer {
    LINPRED__LP_FEASIBLE,
    LINPRED__LP_INFEASIBLE,
    LINPRED__LP_STOPPED, /* by the caller */
    LINPRED__LP_FAILED   /* CLP came to no conclusion: numbers too bad for it */
} linpred__lp_answer;

typedef enum linpred__lp_kind {
    LINPRED__LP_POSITIVE, /* <w,z_i> >= 1: as rows are added */
    LINPRED__LP_ZERO      /* <w,z_i> = 0 */
} linpred__lp_kind;

/* column_exponent (columns long, borrowed for the call): |z_ij| < 2^exponent_j roughly, over all data; NULL: taken from
   the first rows that touch the column. */
linpred_status linpred__lp_open(int32_t columns, const int32_t *column_exponent, linpred__lp **lp,
                                linpred_error *error);
void linpred__lp_close(linpred__lp *lp);
/* Adds rows first .. first+count-1 of the view; they are copied. */
linpred_status linpred__lp_add(linpred__lp *lp, const linpred__rows *rows, int32_t first, int32_t count,
                               linpred_error *error);
/* How many rows the solver holds. */
int32_t linpred__lp_rows(const linpred__lp *lp);
linpred_status linpred__lp_bind(linpred__lp *lp, int32_t row, linpred__lp_kind kind, linpred_error *error);

/* Goes on from the last basis. stop(context) (NULL: never) is asked between slices of iterations. */
linpred_status linpred__lp_solve(linpred__lp *lp, bool (*stop)(void *context), void *context,
                                 linpred__lp_answer *answer, linpred_error *error);
/* After FEASIBLE: w, columns long, in the units of the rows, times a power of two where it would not fit in doubles. */
void linpred__lp_point(const linpred__lp *lp, double *w);
/* After INFEASIBLE: lambda, rows long, times a power of two, largest about 1; >= 0 on POSITIVE rows. False: CLP has
   none. Rows far below the largest in size may come out as 0 or infinite; `support` (rows long, may be NULL) lists the
   rows of non-zero scaled weight, heaviest first, *supported of them. */
bool linpred__lp_ray(linpred__lp *lp, double *lambda, int32_t *support, int32_t *supported);
/* The rows that the basis holds at their bound: a start for exact work. Answers how many; `rows` as long as all rows.
 */
int32_t linpred__lp_tight(const linpred__lp *lp, int32_t *rows);

#endif
