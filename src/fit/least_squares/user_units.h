/* A solution of least squares in the user's units and in plain powers. */
#ifndef LINPRED_FIT_LEAST_SQUARES_USER_UNITS_H
#define LINPRED_FIT_LEAST_SQUARES_USER_UNITS_H

#include "fit/least_squares/least_squares.h"
#include "fit/least_squares/objective.h"

/* Fills coefficients, chosen as the objective says, and dependencies, S and error_per_sd of the answer. */
linpred_status linpred__squares_to_user(const linpred__squares_objective *objective,
                                        const linpred__squares_solution *solution, const linpred__problem *problem,
                                        const linpred__recipe *recipe, linpred__least_squares *answer,
                                        linpred_error *error);

/* Estimates the largest entry of the column of each coefficient, in plain powers. */
void linpred__squares_column_sizes(const linpred__design *design, double *size);

/* Whether the rounded coefficients of plain powers still minimise the objective. They do if g is small compared with
   the sums it is made of, or ||S'g||² small compared with the objective. Least norm and penalty are defined for
   plain powers, so the fit must hold there. One pass. */
linpred_status linpred__squares_hold_in_powers(const linpred__squares_objective *objective,
                                               const linpred__squares_solution *solution, const linpred__recipe *recipe,
                                               const linpred__dd *coefficient, bool *holds, linpred_error *error);

#endif
