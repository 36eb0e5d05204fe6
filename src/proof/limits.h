/* Limits of proofs on which the fit and the checker must agree. */
#ifndef LINPRED_PROOF_LIMITS_H
#define LINPRED_PROOF_LIMITS_H

/* Boxes of halfspaces are searched until so many signs of rows are found, half a minute on one core. */
#define LINPRED__MAX_BOX_SIGNS 3e10

/* The checker sweeps pencils of hyperplanes if they have at most so many vectors: seconds, or a minute if columns are
   many. What boxes have found is claimed only then. */
#define LINPRED__MAX_PENCIL_VECTORS 2e9

enum {
    /* Features of a logistic fit whose gap may be proved by the Hessian: a matrix of 200 megabytes, and some seconds
       for a factor. With the intercept there is one coefficient more. */
    LINPRED__MAX_MATRIX_FEATURES = 5000
};

/* The relative difference between bound and best cost that a finished search may leave. Linear programs in doubles are
   about that accurate. */
#define LINPRED__COST_TOLERANCE 0x1p-30

#endif
