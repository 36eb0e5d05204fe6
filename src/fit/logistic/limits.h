/* The tuning constants of src/fit/logistic, each with its reason. */
#ifndef LINPRED_FIT_LOGISTIC_LIMITS_H
#define LINPRED_FIT_LOGISTIC_LIMITS_H

enum {
    /* -- method auto: up to how many features it takes Newton's method with the matrix -- */
    LINPRED__AUTO_MATRIX_UNPENALISED = 1500, /* without a penalty nothing is proved without the matrix */
    LINPRED__AUTO_MATRIX_PENALISED = 1000,   /* with one, conjugate gradients prove the gap too and are faster beyond */
    LINPRED__AUTO_MATRIX_ALWAYS = 200,       /* so small a matrix costs next to nothing */
    LINPRED__AUTO_ROWS_A_FEATURE = 50,  /* dense rows: with fewer, the factor costs more than the passes it saves */
    LINPRED__AUTO_HESSIAN_TRIPS = 10,   /* sparse rows: a Hessian may cost as much as 10 trips over them */
    LINPRED__AUTO_MERGED_MATRICES = 16, /* about how many matrices a pass over many rows clears and merges */

    LINPRED__NULL_VECTOR_FORMS = 3 /* as the Gram matrix gives it, corrected once, corrected twice */
};

/* Conjugate gradients that still change a score by this much where they end run away: on rows with a direction of
   recession scores grow by about 1 a step. */
static const double linpred__runaway_score_change = 0.25;

/* Multiplications that the exact leverage may cost, about a minute. Beyond that the question about separation usually
   costs less. */
static const double linpred__max_exact_leverage = 1e12;

/* A dependency that holds to this is taken for rounding of the file's numbers; as for least squares. */
static const double linpred__dependency_rounding = 0x1p-44;

#endif
