/* Limits of the checker: tolerances, and the most work that it does. */
#ifndef LINPRED_CHECK_LIMITS_H
#define LINPRED_CHECK_LIMITS_H

#include "proof/limits.h"

/* A margin or a cost within this relative gap of its bound is accepted as the largest or the smallest. The verdict is
   then within_tolerance, and the finding states the gap. */
#define LINPRED__GAP_ALLOWED 1e-9

/* Relative gaps up to this are rounding: the objective itself is only known to 2^-53 of its value. */
#define LINPRED__GAP_ROUNDING 0x1p-50

/* A stated figure may differ from that of the checker by this part of it, in addition to the checker's own rounding. */
#define LINPRED__FIGURE_TOLERANCE 1e-9

/* Least squares: the most columns for which the Gram matrix is summed. Each part of the pass keeps a matrix, 18 MB at
   this limit. */
enum { LINPRED__MAX_GRAM_COLUMNS = 1500 };

/* Least squares: the Gram matrix is summed in double-double if rows x columns² is at most this, a fraction of a second.
 */
#define LINPRED__MAX_CAREFUL_PRODUCTS 2e7

/* Standard errors: the largest ||I - S'GS|| that is accepted if columns nearly depend on each other. It changes
   standard errors by a tenth of a percent; the finding states it. */
#define LINPRED__USABLE_FACTOR 2e-3

/* Logistic: the most coefficients for which the Hessian is made and factored: the limit of the fit on features, and one
   for the intercept. */
enum { LINPRED__MAX_HESSIAN_COLUMNS = LINPRED__MAX_MATRIX_FEATURES + 1 };

/* Logistic: the most multiplications for a Hessian of all rows that only the standard errors need: some ten seconds. */
#define LINPRED__MAX_STANDARD_ERROR_WORK 2e10

#endif
