/* The coefficients that a regression found, in the user's units, on their way from an answer to the model.
 *
 * Vectors have one entry for each coefficient, the intercept last.
 */
#ifndef LINPRED_FIT_COEFFICIENTS_H
#define LINPRED_FIT_COEFFICIENTS_H

#include "fit/design.h"
#include "model/model.h"
#include "pass/problem.h"

typedef struct linpred__coefficients {
    int32_t width;
    linpred__polynomial_basis basis;    /* orthogonal over the rows; without polynomials the columns themselves */
    linpred__dd *plain;                 /* of plain powers */
    linpred__dd *in_basis;              /* the same function in the basis */
    linpred__dependencies dependencies; /* of the columns, in plain powers */
} linpred__coefficients;

/* Makes the vectors, all zero. False: out of memory. Clear it in any case. */
bool linpred__coefficients_open(linpred__coefficients *coefficients, int32_t width);
void linpred__coefficients_clear(linpred__coefficients *coefficients);

/* Tries the dependencies in exact arithmetic, unless there are powers. Then, unless dependent columns are dropped,
   which have the coefficient 0 already, it moves the coefficients to those of least norm (least_norm.h) along the
   dependencies that hold in every row. `pairs` holds 2 width numbers for each dependency:
   in plain powers, then in the basis of the design. They are overwritten. */
linpred_status linpred__coefficients_choose(const linpred__design *design, const linpred__problem *problem,
                                            const linpred__recipe *recipe, linpred__dd *pairs,
                                            linpred__coefficients *coefficients, linpred_error *error);

/* Fails if a coefficient is beyond the range of numbers, because those of its column are too small. */
linpred_status linpred__coefficients_check_range(const linpred__coefficients *coefficients,
                                                 const linpred__recipe *recipe, linpred_error *error);

/* Takes the basis of a design that is no longer needed. */
void linpred__coefficients_take_basis(linpred__coefficients *coefficients, linpred__design *design);

/* Writes the coefficients into the model of a regression, which takes basis and dependencies. */
linpred_status linpred__coefficients_assemble(linpred__coefficients *coefficients, linpred_model *model,
                                              linpred_error *error);

#endif
