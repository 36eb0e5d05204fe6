/* Tuning constants of least absolute deviations. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_LIMITS_H
#define LINPRED_FIT_LEAST_ABSOLUTE_LIMITS_H

/* The largest width. LAPACK counts the entries of a matrix of width² doubles in 32 bits. */
enum { LINPRED__DEVIATIONS_MAX_WIDTH = 46000 };

/* A proof is accepted if the relative gap and the relative fault of the duals are at most this. It is above the
   rounding of long sums in doubles and far below the 1e-9 that a verdict allows. */
#define LINPRED__DEVIATIONS_TOLERANCE 1e-12

/* A loss below this part of its terms is rounding, and the fit is perfect; the checker has the same number. */
#define LINPRED__DEVIATIONS_PERFECT 0x1p-44

/* While the relative gap is above this, a few ulp, another attempt with a smaller perturbation is made. */
#define LINPRED__DEVIATIONS_GAP_WANTED 1e-15

/* The number of attempts: with perturbations of 2^-28, 2^-36 and 2^-44 of the spread of y, then with none. */
enum { LINPRED__DEVIATIONS_MAX_ATTEMPTS = 4 };

/* With at least so many rows a sample is solved first. With fewer, solving all rows at once takes milliseconds. */
enum { LINPRED__DEVIATIONS_SAMPLED_ROWS = 5000 };

/* A column nearer than this to the span of others would make a basis singular at 32 digits. */
#define LINPRED__DEVIATIONS_SINGULAR 0x1p-90

/* What double-double leaves of the residuals of the basis, times their weights, may be this part of the loss. The
   checker puts a hundred times as much down to rounding. */
#define LINPRED__DEVIATIONS_OFF_BASIS 1e-8

/* Double-double leaves a residual with powers about 2^-102 of its terms. If that is more than 2^-30 of the loss, the
   digits of the loss are rounding, and so may be which vertex is the best. */
#define LINPRED__DEVIATIONS_NOISE 0x1p-72

/* Columns are independent without a closer look if what is left of each one's square, scaled to 1, after projection
   onto the others is above this. Rounding of the Gram matrix is far below. */
#define LINPRED__DEVIATIONS_INDEPENDENT 1e-8

/* Columns from which on that is asked first. With fewer the QR takes milliseconds. */
enum { LINPRED__DEVIATIONS_LOOK_COLUMNS = 24 };

/* Rows that are added to that Gram matrix at a time. */
enum { LINPRED__DEVIATIONS_CHUNK = 256 };

/* Multiplications after which the search for independent columns asks the run whether to stop: some milliseconds. */
#define LINPRED__DEVIATIONS_WORK_A_LOOK 1e6

/* Rationals look for the vertex if doubles could not, and rows · rank² and the columns are at most this: the search
   then takes some ten milliseconds. It ends after so many steps for each row and column; a few are usual. */
#define LINPRED__DEVIATIONS_EXACT_WORK 2000.0
enum { LINPRED__DEVIATIONS_EXACT_COLUMNS = 8, LINPRED__DEVIATIONS_EXACT_STEPS = 20 };

/* Turns between vertex and least norm. Each leaves 1e-9, to which dependencies hold, of what the one before left. */
enum { LINPRED__DEVIATIONS_RETURNS = 3 };

/* The coefficients as the model states them may be off the vertex by this part of the loss; the checker allows it. */
#define LINPRED__DEVIATIONS_MOVED 5e-13

#endif
