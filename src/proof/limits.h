/* Limits of proofs on which the fit and the checker must agree. */
#ifndef LINPRED_PROOF_LIMITS_H
#define LINPRED_PROOF_LIMITS_H

/* All hyperplanes through rows are tried if that takes at most so many signs of rows, some ten seconds on one core. The
   checker tries them again, so a larger limit would make verification slow too. */
#define LINPRED__MAX_HYPERPLANE_SIGNS 3e10

enum {
    /* Features of a logistic fit whose gap may be proved by the Hessian: a matrix of 200 megabytes, and some seconds
       for a factor. With the intercept there is one coefficient more. */
    LINPRED__MAX_MATRIX_FEATURES = 5000
};

/* The relative difference between bound and best cost that a finished search may leave. Linear programs in doubles are
   about that accurate. */
#define LINPRED__COST_TOLERANCE 0x1p-30

#endif
