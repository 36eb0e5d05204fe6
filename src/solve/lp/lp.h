/* The linear program that separates working rows, solved in floating point by CLP.
 *
 *   minimise  Σ_j |w_j|   subject to   <w,z_i> >= 1  for all working rows        (in scaled units)
 *
 * If it is feasible, w separates the rows up to rounding. If it is infeasible, CLP gives a ray lambda >= 0 with
 * Σ lambda_i z_i ≈ 0. Both are proposals; exact_lp.h proves or refutes them.
 *
 * The objective serves two purposes. It picks a w of large margin, so that few rows outside the working set violate it.
 * It also keeps every basis dual feasible, so that the dual simplex continues after rows are added.
 *
 * Rows and columns are scaled by powers of two: column j by 2^-exponent_j, and then each row so that its largest entry
 * is in [1/2, 1). The right side 1 is that of the scaled rows. Positive scaling does not change whether the rows can be
 * separated.
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
    LINPRED__LP_STOPPED, /* the caller's `stop` returned true */
    LINPRED__LP_FAILED   /* CLP came to no conclusion, because of rounding or too many iterations */
} linpred__lp_answer;

typedef enum linpred__lp_kind {
    LINPRED__LP_POSITIVE, /* <w,z_i> >= 1, the kind of every new row */
    LINPRED__LP_ZERO      /* <w,z_i> = 0 */
} linpred__lp_kind;

/* column_exponent has one entry for each column, with |z_ij| < 2^exponent_j roughly, over all data. It is not kept.
   NULL: the exponent of a column comes from the first rows that have an entry there. */
linpred_status linpred__lp_open(int32_t columns, const int32_t *column_exponent, linpred__lp **lp,
                                linpred_error *error);
void linpred__lp_close(linpred__lp *lp);
/* Copies rows first .. first+count-1 of the view into the program. */
linpred_status linpred__lp_add(linpred__lp *lp, const linpred__rows *rows, int32_t first, int32_t count,
                               linpred_error *error);
int32_t linpred__lp_rows(const linpred__lp *lp);
/* Changes what is asked of a row. */
linpred_status linpred__lp_set_kind(linpred__lp *lp, int32_t row, linpred__lp_kind kind, linpred_error *error);

/* Solves from the last basis. stop(context) is called every LINPRED__LP_SLICE iterations; `stop` may be NULL. */
linpred_status linpred__lp_solve(linpred__lp *lp, bool (*stop)(void *context), void *context,
                                 linpred__lp_answer *answer, linpred_error *error);
/* After FEASIBLE: fills w, one value for each column, in the units of the unscaled rows. If w would not fit in the
   range of doubles, it is multiplied by a power of two. */
void linpred__lp_point(const linpred__lp *lp, double *w);
/* After INFEASIBLE: fills lambda, one value for each row, for the unscaled rows and multiplied by a power of two so
   that the largest is in [1/2, 1). lambda is >= 0 on POSITIVE rows; very small values may underflow to 0. `support` may
   be NULL; otherwise it gets the numbers of the *supported rows whose weight is not 0, those of the largest weight in
   scaled units first. Returns false if CLP has no ray or memory ran out. */
bool linpred__lp_ray(linpred__lp *lp, double *lambda, int32_t *support, int32_t *supported);
/* Fills `rows` with the rows that the basis holds at a bound and returns their number. They are a start for exact work.
   `rows` must have a place for every row. */
int32_t linpred__lp_tight_rows(const linpred__lp *lp, int32_t *rows);

#endif
