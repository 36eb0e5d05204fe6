/* Limits of the checker: how much work it does, and how near is near enough. */
#ifndef LINPRED_CHECK_LIMITS_H
#define LINPRED_CHECK_LIMITS_H

#include "proof/limits.h"

/* A relative gap up to this is still called the largest margin or the fewest mistakes: the last digits of doubles. */
#define LINPRED__GAP_ALLOWED 1e-9

/* A figure may differ from the checker's own by this part of it, beside the rounding that the checker bounds. */
#define LINPRED__FIGURE_TOLERANCE 1e-9

/* Signs that going through all hyperplanes may take: some ten seconds on one core. */
#define LINPRED__MAX_HYPERPLANE_SIGNS 3e10

/* A column nearer than this to the span of others (relative) depends on them: the threshold of the fits. */
#define LINPRED__RANK_THRESHOLD 0x1p-44

/* Least squares: columns for which every part of a pass keeps a matrix; 1500 are 18 MB a part. */
enum { LINPRED__MAX_GRAM_COLUMNS = 1500 };

/* Least squares: rows x columns² up to which the Gram matrix is summed in double-double, a fraction of a second. */
#define LINPRED__MAX_CAREFUL_PRODUCTS 2e7

/* Standard errors: S may be off by this where columns nearly depend on each other; the finding tells by how much. */
#define LINPRED__USABLE_FACTOR 2e-3

/* Logistic: coefficients for which the Hessian is made and factored. The fit's limit on features, and the intercept. */
enum { LINPRED__MAX_HESSIAN_COLUMNS = LINPRED__MAX_MATRIX_FEATURES + 1 };

/* Logistic: multiplications that the Hessian of all rows may take for the standard errors alone: some ten seconds. */
#define LINPRED__MAX_STANDARD_ERROR_WORK 2e10

#endif
