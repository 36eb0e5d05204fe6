/* Limits of proofs on which the fit and the checker must agree. */
#ifndef LINPRED_PROOF_LIMITS_H
#define LINPRED_PROOF_LIMITS_H

enum {
    /* Features of a logistic fit whose gap may be proved by the Hessian: a matrix of 200 megabytes, and some seconds
       for a factor. With the intercept there is one coefficient more. */
    LINPRED__MAX_MATRIX_FEATURES = 5000
};

#endif
