/* CLP behind C functions that never throw.
 *
 * A function returns false (or NULL) if CLP threw an exception, which almost always means that memory ran out. Only
 * lp.c and alternative.c use these functions.
 */
#ifndef LINPRED_SOLVE_LP_CLP_H
#define LINPRED_SOLVE_LP_CLP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the program  minimise Σ x_j subject to x >= 0  without rows. CLP prints nothing, does not scale, and its
   tolerances are 1e-9, against 1e-7 by default. */
void *linpred__clp_open(int32_t columns);
void linpred__clp_close(void *model);
/* Adds the rows  lower_i <= Σ_j a_ij x_j <= upper_i. Row i has the entries start[i] .. start[i+1]-1 of `index` and
   `value`. CLP takes a bound of 1e300 as infinite. */
bool linpred__clp_add_rows(void *model, int32_t rows, const double *lower, const double *upper, const int32_t *start,
                           const int32_t *index, const double *value);
bool linpred__clp_set_bounds(void *model, int32_t row, double lower, double upper);
bool linpred__clp_set_costs(void *model, const double *cost);
int32_t linpred__clp_rows(void *model);
/* Does at most `iterations` steps of the dual (or primal) simplex from the current basis. *status: 0 optimal,
   1 infeasible, 2 unbounded, 3 iterations used up, 4 numerical difficulties. */
bool linpred__clp_solve(void *model, bool primal, int32_t iterations, int *status);
/* Returns to the first basis: the slack variable of every row is basic, every column is at its lower bound. */
bool linpred__clp_forget_basis(void *model);
const double *linpred__clp_point(void *model); /* the solution x, one value for each column */
const double *linpred__clp_duals(void *model); /* the dual values, one for each row */
/* Copies the ray that proves infeasibility, one value for each row. False: CLP has none. */
bool linpred__clp_ray(void *model, double *ray);
/* Whether the row's slack variable is basic. If it is not, the row is held at one of its bounds. */
bool linpred__clp_row_is_basic(void *model, int32_t row);

#ifdef __cplusplus
}
#endif
#endif
