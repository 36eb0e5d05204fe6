/* The ways of solving least squares. ask.c chooses one by the shape of the data, p being the width:
 *
 *   rows · p² <= 10^7   QR in double-double throughout
 *   p <= 1500           Cholesky of the Gram matrix if its condition allows, else QR in doubles; both then refined
 *   p >  1500           conjugate gradients
 *
 * Each way takes the objective and fills the solution. None calls another.
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_WAYS_H
#define LINPRED_FIT_LEAST_SQUARES_WAYS_H

#include "fit/least_squares/objective.h"

/* QR in double-double throughout. The design must be measured. */
linpred_status linpred__squares_by_double_double(const linpred__squares_objective *objective,
                                                 linpred__squares_solution *solution, linpred_error *error);

/* The Gram matrix of rows (1, terms, target) sqrt(weight): n x n with n = p + 1, the upper triangle by rows. */
typedef struct linpred__squares_gram {
    double *matrix;
    size_t n;
    size_t stride; /* of the rows of the matrix */
} linpred__squares_gram;

linpred_status linpred__squares_gram_sum(const linpred__design *design, linpred__squares_gram *gram,
                                         linpred_error *error);
void linpred__squares_gram_clear(linpred__squares_gram *gram);
/* Whether all entries are so far inside the range of doubles that no product overflowed or underflowed. If not, the
   design must be measured first, which scales the columns. */
bool linpred__squares_gram_in_range(const linpred__squares_gram *gram);
/* Sets total weight and mean target of the design. With an intercept they are entries of the Gram matrix. */
void linpred__squares_gram_totals(const linpred__squares_gram *gram, linpred__design *design);
/* Adds κT'T to the matrix and factors it. `contraction` says by how much one step of refinement shrinks the error.
   Above LINPRED__SQUARES_MAX_CONTRACTION the solution has no S and no w. */
linpred_status linpred__squares_by_gram(const linpred__squares_objective *objective, linpred__squares_gram *gram,
                                        linpred__squares_solution *solution, double *contraction, linpred_error *error);

/* QR of the rows in doubles; it also finds dependent columns. */
linpred_status linpred__squares_by_qr(const linpred__squares_objective *objective, linpred__squares_solution *solution,
                                      double *contraction, linpred_error *error);

/* Conjugate gradients. With a penalty there must be no polynomials, so that T is diagonal. */
linpred_status linpred__squares_by_gradients(const linpred__squares_objective *objective,
                                             linpred__squares_solution *solution, linpred_error *error);

#endif
