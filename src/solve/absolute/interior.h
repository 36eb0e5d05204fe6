/* A first basis for absolute regression with many columns, by an interior point method in doubles.
 *
 * The simplex method takes a few steps for each column, and each step reads all rows. Here the dual problem
 *
 *     maximise  Σ y_i a_i   subject to   Σ a_i x_i + c = 0,   -down_i <= a_i <= up_i
 *
 * is solved roughly by Mehrotra's predictor and corrector (Frisch and Newton in Portnoy and Koenker's words). Each
 * step factors X'QX: rows · columns² operations. About 10 steps suffice. With l_i = a_i + down_i and u_i = up_i - a_i,
 * and multipliers z, v >= 0 of the two bounds, it solves
 *
 *     y - Xw = v - z,   l_i z_i = μ,   u_i v_i = μ   with μ -> 0
 *
 * At the end the rows of the optimal basis have duals well inside their bounds and residuals near 0. So Q, with Q_i =
 * 1 / (z_i/l_i + v_i/u_i), is large on them, and elimination with the largest pivots of Q^1/2 X chooses them.
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_INTERIOR_H
#define LINPRED_SOLVE_ABSOLUTE_INTERIOR_H

#include "solve/absolute/vertex.h"

/* Fills `basis`, columns long. *found is false if the method did not converge or was stopped. False: out of memory. */
bool linpred__absolute_interior(const linpred__absolute *problem, int64_t *basis, bool *found);

#endif
