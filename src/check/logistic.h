/* What the parts of the logistic check hand to each other. */
#ifndef LINPRED_CHECK_LOGISTIC_H
#define LINPRED_CHECK_LOGISTIC_H

#include "check/check.h"

/* F, g and what bounds their rounding; coefficients in the file's units, the intercept last. */
typedef struct linpred__careful {
    int32_t dimension;
    double objective;  /* F, penalty and all */
    double loss_slop;  /* |F - exact F| is at most this */
    double *gradient;  /* of F */
    double *slop;      /* |g_j - exact g_j| is at most this */
    double *extent;    /* the largest |x_j|; 1 for the intercept */
    double radius;     /* the largest ||(x,1)|| */
    double score_slop; /* the largest error of a score */
    double weight;     /* W */
    double share[2];   /* of each class */
    double mean_score[2];
    double curvature; /* h: the mean over the rows, as computed */
} linpred__careful;

/* Bounds of F(w,b) - min F, absolute. */
typedef struct linpred__gap_bounds {
    double proved;    /* it is at most this, whatever the rounding; INFINITY: nothing proved */
    double estimated; /* the same with rounding left out of account */
    double at_least;  /* it is at least about this */
    int32_t left_out; /* columns taken as dependent on others, nearly if not exactly */
} linpred__gap_bounds;

/* By the Hessian: νρ <= 1/2. */
linpred_status linpred__gap_by_hessian(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                       const linpred__careful *careful, linpred__gap_bounds *bounds,
                                       linpred_error *error);

/* The model's standard errors against those of the Hessian of all rows: SE_j² = (W H)^-1_jj. */
linpred_status linpred__check_standard_errors(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                              const linpred__careful *careful, linpred__logistic_finding *finding,
                                              linpred_error *error);

#endif
