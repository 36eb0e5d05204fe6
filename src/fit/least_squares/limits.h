/* Tuning constants of least squares. */
#ifndef LINPRED_FIT_LEAST_SQUARES_LIMITS_H
#define LINPRED_FIT_LEAST_SQUARES_LIMITS_H

/* QR runs in double-double throughout if rows · width² is at most this: it then takes less than a second on one
   core. */
#define LINPRED__SQUARES_SMALL_WORK 1e7

/* Gram and QR keep a matrix of width² doubles for each state of a pass, 18 MB at this width. Wider fits use conjugate
   gradients. */
enum { LINPRED__SQUARES_MAX_WIDTH = 1500 };

/* The Gram matrix is used if one step of refinement multiplies the error by at most this. Otherwise QR is. */
#define LINPRED__SQUARES_MAX_CONTRACTION 1e-3

/* Refinement ends if the next step would change w by less than this part of it, 2^-7 ulp of a double. */
#define LINPRED__SQUARES_REFINED 0x1p-60

/* The largest number of steps of refinement. With the contraction above 10 are enough; if 40 are not, rounding keeps
   the error from shrinking. */
enum { LINPRED__SQUARES_MAX_REFINEMENTS = 40 };

/* Conjugate gradients: the largest number of restarts from a residual in double-double. Each gains about 8 digits on a
   well-conditioned problem, so 30 are ample; the limit ends fits that gain nothing. */
enum { LINPRED__SQUARES_MAX_RESTARTS = 30 };

/* Conjugate gradients: a restart ends when the residual of its system has fallen by this factor. */
#define LINPRED__SQUARES_INNER_TOLERANCE 1e-8

/* Conjugate gradients: the fit ends when |gradient| / |residual| is at most this, with columns scaled to length 1. */
#define LINPRED__SQUARES_OUTER_TOLERANCE 1e-13

/* Conjugate gradients: the fit has not converged if |gradient| / |residual| is above this when it ends. */
#define LINPRED__SQUARES_CONVERGED 1e-9

/* A fit in plain powers is given up if |g_j| / (the sums that g_j is made of), or ||S'g||² / Σ v r², is above this: a
   quarter of what the checker allows. */
#define LINPRED__SQUARES_GRADIENT_MAX 0.25e-9
/* It is given up too if the rounding to plain powers changes sqrt(Σ v r²) by more than this part of
   sqrt(Σ v (y - mean)²). */
#define LINPRED__SQUARES_SUMS_APART_MAX 0x1p-42
/* Or if that rounding changes Σ v |r| by more than LINPRED__SQUARES_GRADIENT_MAX of it and this part of the terms of
   all rows together. The checker allows for as much rounding of the terms. */
#define LINPRED__SQUARES_TERMS_APART_MAX 0x1p-96
/* If the entries of a column of powers are beyond these sizes, S'GS cannot be bounded: products leave the range of
   doubles. */
#define LINPRED__SQUARES_SIZE_MIN 1e-100
#define LINPRED__SQUARES_SIZE_MAX 1e100

/* Diagonal entries of a Gram matrix between these bounds have products that stay in the range of doubles. */
#define LINPRED__SQUARES_DIAGONAL_MIN 1e-120
#define LINPRED__SQUARES_DIAGONAL_MAX 1e120

/* A penalty that is so many times the weight of all rows, in the unit of the column, decides a coefficient: what the
   rows add to its square is beyond the digits of a double. */
#define LINPRED__SQUARES_HELD 0x1p60

/* Steps to the minimum among coefficients that respect dependencies which hold to rounding only. Each shrinks the error
   by as much as the dependency holds, 2^44. */
enum { LINPRED__SQUARES_RESPECTING_STEPS = 3 };

/* Rationals find the minimiser if rows · width² and the columns with their dependencies are at most this, which takes
   milliseconds, and if double-double may not have found all digits: with a penalty, which may be tiny, with
   dependencies that hold to rounding only, or above this condition. */
#define LINPRED__SQUARES_EXACT_WORK 4000.0
enum { LINPRED__SQUARES_EXACT_COLUMNS = 12 };
#define LINPRED__SQUARES_EXACT_CONDITION 1e6

/* Its rounding may raise the objective by this part of it; a tenth of what the checker allows. An objective below 2 to
   minus this of the targets' squares is rounding. */
#define LINPRED__SQUARES_EXACT_GAP 1e-10
enum { LINPRED__SQUARES_EXACT_ROUNDING = 80 };

/* Above this condition κ, and without rationals, a fit is given up. Double-double loses κ 2^-104 of the coefficients,
   and the objective the square of that, here 2e-11. The checker would not allow more. */
#define LINPRED__SQUARES_MAX_CONDITION 1e26

#endif
