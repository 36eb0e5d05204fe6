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

/* Logistic: the largest relative difference of standard errors that is put down to the choice of a column to leave out,
   if columns depend on each other to rounding only. */
#define LINPRED__ROUNDED_ERRORS 1e-6

/* Logistic: the most coefficients for which the Hessian is made and factored: the limit of the fit on features, and one
   for the intercept. */
enum { LINPRED__MAX_HESSIAN_COLUMNS = LINPRED__MAX_MATRIX_FEATURES + 1 };

/* Logistic: the most entries of a dense copy of sparse rows, which is made if columns lie far from 0. It has 160 MB. */
#define LINPRED__MAX_DENSE_COPY 2e7

/* Logistic: the most multiplications for a Hessian of all rows that only the standard errors need: some ten seconds. */
#define LINPRED__MAX_STANDARD_ERROR_WORK 2e10

/* Least absolute deviations: the largest relative gap, imbalance and excess of duals that are accepted. It is so small
   since the model stores duals in double-double. */
#define LINPRED__DUAL_TOLERANCE 1e-12
/* The same for the gap if columns depend on each other to rounding only: taking the least norm along such a dependency
   moves the rows on the fit by that rounding, times the size of the coefficients. The claim is then partly proved. */
#define LINPRED__ROUNDED_DUAL_TOLERANCE 1e-6

/* Null vectors: if doubles do not show them to be independent, integers do where count² x width is at most this: some
   milliseconds, whatever the sizes of the entries. */
#define LINPRED__MAX_INTEGER_VECTORS 1e4

/* Least squares: the largest factor by which a null vector is multiplied in search of whole numbers. */
enum { LINPRED__LARGEST_MULTIPLE = 1 << 14 };

/* Logistic: if F is smaller, squares of the gradient may underflow to 0, and the gap is not bounded. */
#define LINPRED__SMALLEST_OBJECTIVE 0x1p-480

/* Logistic: a column gets another unit if its largest entry is above 2^400 or below 2^-400, so that squares stay in the
   range of doubles. With a penalty the unit is at least 2^-450. */
enum { LINPRED__MAX_COLUMN_EXPONENT = 400, LINPRED__MIN_PENALISED_EXPONENT = -450 };

/* Logistic: a score that may be off by more than this is computed again in double-double. */
#define LINPRED__SCORE_ROUNDING 1e-10

/* Logistic: a gap that doubles do not prove is measured to many digits if rows and rows x columns² are at most these:
   a fraction of a second. */
#define LINPRED__MAX_DIGITS_ROWS 2000
#define LINPRED__MAX_DIGITS_WORK 5e4

/* Logistic: a column is left out of the factor if less than this part of its squared length remains. */
#define LINPRED__SMALLEST_REST 1e-11

/* Logistic: a column is also left out if its diagonal entry is smaller than this: it may have underflowed. */
#define LINPRED__SMALLEST_DIAGONAL 0x1p-900

/* Fewest mistakes: hyperplanes through rows are swept at once if the pencils have so few vectors, some hundredths of a
   second. */
#define LINPRED__FEW_PENCIL_VECTORS 2e5

/* Fewest mistakes: a vector of a pencil is as much work as so many signs on a box. */
#define LINPRED__SIGNS_OF_A_VECTOR 30.0

/* Fewest mistakes: the signs that may be found for rows that halving a box does not decide, and for those of a box that
   is not divided further. */
#define LINPRED__ASKED_SIGNS 2e5
#define LINPRED__LAST_ASKED_SIGNS 1e8

/* Fewest mistakes: boxes of this half width are not divided further. Rounding is far below. */
#define LINPRED__SMALLEST_BOX 0x1p-28

/* Fewest mistakes: the largest rounding of a score with which boxes are tried. */
#define LINPRED__MAX_BOX_ROUNDING 0x1p-34

enum {
    /* Fewest mistakes: the most rows for boxes. Their big integers are within some megabytes. */
    LINPRED__MAX_BOX_ROWS = 4000,
    /* Fewest mistakes: each face of the cube is halved so often, and each part is a task: enough for all threads. */
    LINPRED__BOX_TASKS = 5,
    /* Fewest mistakes: a task adds to the common count after so many signs, a millisecond. */
    LINPRED__BOX_SIGNS_AT_A_TIME = 1000000,
    /* Logistic: one block of rows in so many is sampled for a first Hessian. */
    LINPRED__HESSIAN_SAMPLE = 8,
    /* Logistic: a sample is tried only if it has so many rows for each column. */
    LINPRED__HESSIAN_SAMPLE_ROWS = 20,
    /* Logistic: from so many columns on the threads share one Hessian of sparse rows: it has more than 2 MB. */
    LINPRED__MANY_COLUMNS = 512
};

/* Bounds of margins by integers: the bits of a root and a quotient, whose rounding is then far below that of a double.
 */
#define LINPRED__BOUND_BITS 256

#endif
