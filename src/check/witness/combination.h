/* Combinations of rows, and directions, that prove something: all in exact arithmetic.
 *
 * z_i = y_i (x_i, 1) is the signed homogeneous row; through the origin z_i = y_i x_i. Witnesses name rows by their
 * numbers in the file. A witness that names a row the data do not have, or that is no number, does not hold.
 */
#ifndef LINPRED_CHECK_WITNESS_COMBINATION_H
#define LINPRED_CHECK_WITNESS_COMBINATION_H

#include "core/threads.h"
#include "model/model.h"
#include "proof/witness.h"

/* Whether the witness proves that no halfspace (of a model that is a ball: no ball) separates its rows. */
linpred_status linpred__check_combination(const linpred__combination *witness, const linpred_model *model,
                                          const linpred_data *data, bool *holds, linpred_error *error);
/* ball/combination.c: the same of a ball. */
linpred_status linpred__check_ball_combination(const linpred__combination *witness, const linpred_model *model,
                                               const linpred_data *data, bool *holds, linpred_error *error);

/* margin_support.c: whether the support proves that no margin is above *bound = ||Σ α z|| / Σ α, rounded up. `usual`:
   b is left out of the norm, which needs Σ α y = 0 exactly. */
linpred_status linpred__check_support(const linpred__support *support, const linpred_model *model,
                                      const linpred_data *data, bool usual, bool *holds, double *bound,
                                      linpred_error *error);
/* The same where the multipliers are the derivatives of all rows' logistic losses, α = 1/(1 + exp(y(<w,x>+b))). */
linpred_status linpred__check_derivatives(const linpred_model *model, const linpred_data *data, double *bound,
                                          linpred_error *error);

/* An integer direction v (the intercept's entry last) against all rows. */
typedef struct linpred__direction_signs {
    int64_t positive;    /* rows with y<v,(x,1)> > 0 */
    int64_t negative;    /* rows with y<v,(x,1)> < 0 */
    int64_t exact_signs; /* signs that needed integers */
} linpred__direction_signs;

/* direction.c. All are 0 if the direction has not an entry for each coefficient, or an entry is no integer. */
linpred_status linpred__check_direction(const linpred__direction *direction, const linpred_model *model,
                                        const linpred_data *data, linpred__pool *pool, linpred__direction_signs *signs,
                                        linpred_error *error);
/* ball/combination.c: whether integers of (x, ||x||², 1) have every row on its right side, and are those of a ball. */
linpred_status linpred__check_ball_direction(const linpred__direction *direction, const linpred_model *model,
                                             const linpred_data *data, bool *separates, linpred_error *error);

/* span.c: the rows of the witness have at least this rank. */
linpred_status linpred__check_span(const linpred__combination *witness, const linpred_data *data, bool has_intercept,
                                   int32_t *rank, linpred_error *error);

#endif
