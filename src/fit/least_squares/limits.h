/* Tuning constants of least squares. */
#ifndef LINPRED_FIT_LEAST_SQUARES_LIMITS_H
#define LINPRED_FIT_LEAST_SQUARES_LIMITS_H

/* rows · width² up to which QR runs in double-double throughout: below a second on one core */
#define LINPRED__SQUARES_SMALL_WORK 1e7

/* width up to which a square matrix is kept for each state of a pass: 1500² doubles are 18 MB */
enum { LINPRED__SQUARES_MAX_WIDTH = 1500 };

/* A column depends on those before it if they leave less than this part of its length: 2^9 ulp. */
#define LINPRED__SQUARES_RANK_THRESHOLD 0x1p-44

/* The Gram matrix is used if one step of refinement shrinks the error by at least this factor. */
#define LINPRED__SQUARES_MAX_CONTRACTION 1e-3

/* Refinement ends if the next step would change w by less than this part. It is 2^-7 ulp of a double. */
#define LINPRED__SQUARES_REFINED 0x1p-60

/* Steps of refinement; with the contraction above 10 are enough, so more means that rounding has the last word. */
enum { LINPRED__SQUARES_MAX_REFINEMENTS = 40 };

/* Conjugate gradients: restarts from a residual in double-double. Each gains about 8 digits. */
enum { LINPRED__SQUARES_MAX_RESTARTS = 30 };

/* Conjugate gradients: a restart ends when the residual of its system has fallen by this factor. */
#define LINPRED__SQUARES_INNER_TOLERANCE 1e-8

/* Conjugate gradients: the fit ends when the gradient is this part of the residual, in columns of length 1. */
#define LINPRED__SQUARES_OUTER_TOLERANCE 1e-13

/* Conjugate gradients: a gradient above this part of the residual is no minimum. */
#define LINPRED__SQUARES_CONVERGED 1e-9

#endif
