/* The checker's own values of the polynomials of a model (model/basis.h), and their change to plain powers. */
#ifndef LINPRED_CHECK_REGRESSION_POLYNOMIALS_H
#define LINPRED_CHECK_REGRESSION_POLYNOMIALS_H

#include "model/basis.h"

/* Writes the coordinates of row r, leading and trailing parts: the polynomials, then 1 for the intercept. */
void linpred__row_in_basis(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r, double *hi,
                           double *lo);
/* Bounds the rounding errors of these. `hi` are the leading parts. */
void linpred__row_in_basis_error(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                 const double *hi, double *error);
/* Writes Σ c_j φ_j in plain powers. `plain` and `c` must not overlap. */
void linpred__plain_powers(const linpred__polynomial_basis *basis, const linpred__dd *c, linpred__dd *plain);

#endif
