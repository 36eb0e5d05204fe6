/* Tuning constants of the simplex method for absolute regression. */
#ifndef LINPRED_SOLVE_ABSOLUTE_LIMITS_H
#define LINPRED_SOLVE_ABSOLUTE_LIMITS_H

/* Steps after which inverse and residuals are computed anew: few enough that updates lose at most a few digits. */
enum { LINPRED__ABSOLUTE_REFRESH = 40 };

/* Rows whose sums are made at a time: 512 doubles stay in the nearest cache. */
enum { LINPRED__ABSOLUTE_PIECE = 512 };

/* A dual must exceed its bounds by this multiple of DBL_EPSILON times its terms, or the excess may be rounding. */
#define LINPRED__ABSOLUTE_NOISE 64.0

/* A row enters the basis only if it moves along the edge by more than this part of the terms of its motion. */
#define LINPRED__ABSOLUTE_MIN_PIVOT 1e-11

/* Sign changes are looked for up to 8 times the length of the last move; if they do not suffice, 64 times as far. */
#define LINPRED__ABSOLUTE_FIRST_REACH 8.0
#define LINPRED__ABSOLUTE_NEXT_REACH 64.0

#endif
