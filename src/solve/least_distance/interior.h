/* The least-distance problem roughly, by an interior point method in doubles. It is for rows that are more than the
 * columns, where block pivoting needs a start near the optimum.
 *
 *     minimise  <w, Pw>/2   subject to   Bw - s = 1,  s >= 0
 *
 * The rows of B are y(x, 1), and P = diag(1, …, 1, φ). Mehrotra's predictor and corrector solve
 *
 *     Pw = B'α,   Bw - s = 1,   α_i s_i = μ   with μ -> 0
 *
 * by Newton's method. Each step factors P + B'DB with D = diag(α/s): rows · columns² operations. 15 to 20 steps reach
 * a relative gap of 1e-7, whatever the data.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_INTERIOR_H
#define LINPRED_SOLVE_LEAST_DISTANCE_INTERIOR_H

#include "core/run.h"
#include "solve/least_distance/state.h"

/* Fills alpha with a multiplier for each row: that of the method where α_i ||z_i||² > s_i, else 0. Fills w, as wide as
   the rows, with b last. *found is false if the method did not converge or the run must stop. `phi` is the weight of b²
   for intercept entries of 1. False: out of memory. */
bool linpred__distance_interior(const linpred__least_distance *p, double phi, linpred__run *run, double *alpha,
                                double *w, bool *found);

#endif
