/* Witnesses in exact arithmetic: combinations of rows, multipliers, and directions.
 *
 * z_i = y_i (x_i, 1) is the signed homogeneous row; through the origin z_i = y_i x_i. Witnesses name rows by their
 * numbers in the file. A witness does not hold if it names a row that the data do not have, or if an entry is no
 * integer.
 */
#ifndef LINPRED_CHECK_WITNESS_COMBINATION_H
#define LINPRED_CHECK_WITNESS_COMBINATION_H

#include "core/threads.h"
#include "model/model.h"
#include "num/dd.h"
#include "proof/witness.h"

/* Sets *holds to whether the witness proves that no halfspace separates its rows; if the model is a ball, that no ball
   does. */
linpred_status linpred__check_combination(const linpred__combination *witness, const linpred_model *model,
                                          const linpred_data *data, bool *holds, linpred_error *error);
/* witness/ball.c: the same for balls. */
linpred_status linpred__check_ball_combination(const linpred__combination *witness, const linpred_model *model,
                                               const linpred_data *data, bool *holds, linpred_error *error);

/* A bound on margins, which may be below the smallest double or above the largest. */
typedef struct linpred__margin_bound {
    double above;    /* rounded up to a double */
    double fraction; /* fraction 2^exponent is the bound rounded up, without a limit to its exponent */
    long exponent;
} linpred__margin_bound;

/* margin_support.c: sets *bound to ||Σ α z|| / Σ α, rounded up, and *holds to whether the support proves that no margin
   is above it. `without_intercept`: the intercept is left out of the norm; this needs Σ α y = 0 exactly. */
linpred_status linpred__check_support(const linpred__support *support, const linpred_model *model,
                                      const linpred_data *data, bool without_intercept, bool *holds,
                                      linpred__margin_bound *bound, linpred_error *error);
/* The same bound with the derivatives of the logistic losses of all rows as multipliers, α = 1/(1 + exp(y(<w,x>+b))).
 */
linpred_status linpred__check_derivatives(const linpred_model *model, const linpred_data *data,
                                          linpred__margin_bound *bound, linpred_error *error);
/* integer_support.c: the same for a support of integers. */
linpred_status linpred__check_integer_support(const linpred__support *support, const linpred_model *model,
                                              const linpred_data *data, bool without_intercept, bool *holds,
                                              linpred__margin_bound *bound, linpred_error *error);

/* The signs of <v,z> over all rows, for an integer direction v with the entry of the intercept last. */
typedef struct linpred__direction_signs {
    int64_t positive;     /* rows with y<v,(x,1)> > 0 */
    int64_t negative;     /* rows with y<v,(x,1)> < 0 */
    int64_t exact_signs;  /* signs that needed integers */
    linpred__dd wrong[2]; /* the weight of the rows labelled -1, and +1, with y<v,(x,1)> <= 0 */
    bool read;            /* the direction has one integer for each coefficient */
} linpred__direction_signs;

/* direction.c: all counts are 0 if the direction is not read. Else zero[i], unless it is NULL, says whether <v,z> = 0
 * on row i. */
linpred_status linpred__check_direction(const linpred__direction *direction, const linpred_model *model,
                                        const linpred_data *data, linpred__pool *pool, bool *zero,
                                        linpred__direction_signs *signs, linpred_error *error);
/* witness/ball.c: sets *separates to whether the integers v describe a ball, and <v, (x, ||x||², 1)> has the sign
   of y on every row. */
linpred_status linpred__check_ball_direction(const linpred__direction *direction, const linpred_model *model,
                                             const linpred_data *data, bool *separates, linpred_error *error);

/* The same, and the weight of the rows labelled -1 and +1 on which <v, (x, ||x||², 1)> has not the sign of y. Weights
   are positive. */
linpred_status linpred__check_ball_mistakes(const linpred__direction *direction, const linpred_model *model,
                                            const linpred_data *data, bool *ball, double wrong[2],
                                            linpred_error *error);

/* Sets *rank to a lower bound of the rank of the rows of the witness. */
linpred_status linpred__check_span(const linpred__combination *witness, const linpred_data *data, bool has_intercept,
                                   int32_t *rank, linpred_error *error);

#endif
