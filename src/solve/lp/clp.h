/* CLP behind functions that never throw: each answers false (or NULL) if the C++ underneath failed, almost always for
 * want of memory. Only lp.c, cover.c and alternative.c use them. */
#ifndef LINPRED_SOLVE_LP_CLP_H
#define LINPRED_SOLVE_LP_CLP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Columns x >= 0 with cost 1 each, no rows yet; silent, unscaled, tolerances as tight as CLP takes them. */
void *linpred__clp_open(int32_t columns);
void linpred__clp_close(void *model);
bool linpred__clp_add_rows(void *model, int32_t rows, const double *lower, const double *upper, const int32_t *start,
                           const int32_t *index, const double *value);
bool linpred__clp_set_bounds(void *model, int32_t row, double lower, double upper);
bool linpred__clp_set_columns(void *model, const double *lower, const double *upper);
bool linpred__clp_set_costs(void *model, const double *cost);
bool linpred__clp_delete_rows(void *model, int32_t count, const int32_t *row);
int32_t linpred__clp_rows(void *model);
/* At most `iterations` of the dual (or primal) simplex from the basis as it is. *status: 0 optimal, 1 infeasible,
   2 unbounded, 3 iterations used up, 4 trouble. */
bool linpred__clp_solve(void *model, bool primal, int32_t iterations, int *status);
bool linpred__clp_forget_basis(void *model); /* back to all slacks */
const double *linpred__clp_point(void *model);
const double *linpred__clp_duals(void *model); /* of the rows */
int32_t linpred__clp_iterations(void *model);  /* of the last solve */
/* The ray of an infeasible problem, rows long, copied; false if CLP has none. */
bool linpred__clp_ray(void *model, double *ray);
bool linpred__clp_row_is_basic(void *model, int32_t row);

#ifdef __cplusplus
}
#endif
#endif
