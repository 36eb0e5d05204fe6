/* What the parts of the logistic check hand to each other. */
#ifndef LINPRED_CHECK_LOGISTIC_H
#define LINPRED_CHECK_LOGISTIC_H

#include "check/check.h"
#include "check/factor.h"

/* F, g and what bounds their rounding, the intercept last. Columns are those of `data`, in units of 2^exponent, which
   is 0 unless squares would leave the range of double; and about a center, which is 0 unless they lie far from zero:
   with c the centers, g, slop and extent are those of F(w, b - <c,w>), the same objective by other coordinates. */
typedef struct linpred__careful {
    const linpred_data *data;
    linpred_data *copy; /* NULL: the data is the caller's */
    int *exponent;
    double *w;
    double *center;
    bool centred;    /* some are not 0 */
    double *penalty; /* of each coefficient: the objective has (penalty_j/2) w_j² */
    int32_t dimension;
    bool has_intercept;
    double objective;   /* F, penalty and all */
    double loss;        /* F without the penalty */
    double loss_slop;   /* |F - exact F| is at most this */
    double *gradient;   /* of F */
    double *slop;       /* |g_j - exact g_j| is at most this */
    double *low, *high; /* the extremes of x_j; of sparse rows both the largest |x_j| */
    double *extent;     /* the largest |x_j - center_j|; 1 for the intercept */
    double radius;      /* the largest ||(x - center, 1)|| */
    double score_slop;  /* the largest error of a score */
    double weight;      /* W */
    double share[2];    /* of each class */
    double mean_score[2];
    double mean_size[2];    /* of |score| */
    double curvature;       /* h: the mean over the rows, as computed */
    linpred__factor *whole; /* of the Hessian of all rows, once it was made; else empty */
} linpred__careful;

/* Columns that exact dependencies of columns allow to be left out: what is so for the others is so for all. */
typedef struct linpred__spare {
    int32_t count;
    bool *column; /* of each: whether it is one of them; NULL: none are */
} linpred__spare;

/* logistic_spare.c: those columns (spare->column is to be released), and what the rows say of the dependencies stated.
 */
linpred_status linpred__find_spare(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                   const linpred__careful *careful, linpred__null_finding *null, linpred__spare *spare,
                                   linpred_error *error);

/* Bounds of F(w,b) - min F, absolute. */
typedef struct linpred__gap_bounds {
    double proved;    /* it is at most this, whatever the rounding; INFINITY: nothing proved */
    double estimated; /* the same with rounding left out of account */
    double held; /* the first, if columns are left out that are not known to depend on others: with their coefficients
                    held */
    double at_least;
    int32_t left_out;    /* those columns */
    int32_t independent; /* so many columns are, for sure */
} linpred__gap_bounds;

/* By the Hessian: νρ <= 1/2. */
linpred_status linpred__gap_by_hessian(const linpred_result *result, linpred__pool *pool,
                                       const linpred__careful *careful, const linpred__spare *spare,
                                       linpred__gap_bounds *bounds, linpred_error *error);

/* The model's standard errors against those of the Hessian of all rows: SE_j² = (W H)^-1_jj. */
linpred_status linpred__check_standard_errors(const linpred_result *result, linpred__pool *pool,
                                              const linpred__careful *careful, const linpred__spare *spare,
                                              linpred__logistic_finding *finding, linpred_error *error);

#endif
