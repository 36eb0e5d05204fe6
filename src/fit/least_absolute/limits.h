/* Tuning constants of least absolute deviations. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_LIMITS_H
#define LINPRED_FIT_LEAST_ABSOLUTE_LIMITS_H

/* Width allowed: the simplex method keeps several matrices with a row and a column for each coefficient. */
enum { LINPRED__DEVIATIONS_MAX_WIDTH = 3000 };

/* A column depends on others if they leave less than this part of its length: 2^9 ulp, as in least squares. */
#define LINPRED__DEVIATIONS_RANK_THRESHOLD 0x1p-44

/* A proof may be off by this: relative gap, and relative fault of the duals. */
#define LINPRED__DEVIATIONS_TOLERANCE 1e-12

/* Another attempt with a smaller perturbation is made while the relative gap is above this: a few ulp. */
#define LINPRED__DEVIATIONS_GAP_WANTED 1e-15

/* Attempts with perturbations of 2^-28, 2^-36, 2^-44 of the spread of y, and a last one without. */
enum { LINPRED__DEVIATIONS_MAX_ATTEMPTS = 4 };

/* Rows from which a sample is solved before all of them: below, the vertex of all rows takes milliseconds. */
enum { LINPRED__DEVIATIONS_SAMPLED_ROWS = 5000 };

#endif
