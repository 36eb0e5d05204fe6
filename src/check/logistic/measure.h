/* What the checker measures of a logistic fit: its objective, how far that is from the minimum, and its figures.
 *
 *   F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i s_i)) + (l2/2)||w||²,   s_i = <w,x_i> + b
 */
#ifndef LINPRED_CHECK_LOGISTIC_MEASURE_H
#define LINPRED_CHECK_LOGISTIC_MEASURE_H

#include "check/logistic/factor.h"
#include "check/null/vectors.h"

typedef struct linpred__logistic_question {
    const linpred_model *model;
    double l2;
    double class_weight[2]; /* multiply the weights of rows labelled -1 and +1 */
    double tolerance;       /* the relative gap that is claimed; NaN: none is, and no Hessian is made for one */
    linpred__null_vectors null;
    const bool *null_exact;       /* of each null vector, whether it is claimed to hold without rounding */
    const double *standard_error; /* columns + 1 long; NULL: none are claimed */
} linpred__logistic_question;

typedef struct linpred__logistic_finding {
    double objective;
    double objective_error;         /* the rounding of that is at most this */
    double deviance, null_deviance; /* NaN with class weights, which have none */
    double proved;              /* the relative gap is at most this with all rounding; INFINITY: nothing is proved */
    double estimated;           /* the same with rounding left out of account */
    double held;                /* the same with the coefficients of `left_out` columns held */
    double at_least;            /* the relative gap is at least this */
    int32_t left_out;           /* columns that depend on others as far as rounding can tell, but not for sure */
    int32_t rank_min, rank_max; /* bounds of the rank of the columns with the intercept, for sure */
    bool null_exact;            /* all null vectors hold without any rounding */
    bool null_as_claimed;       /* those that are claimed to, and no others */
    bool null_independent;      /* they are independent of each other, for sure */
    double null_worst;          /* the largest |<n,(x,1)>| / Σ|n_j x_j| of any row */
    double norm_left;           /* the largest |n'w| / (||n|| ||w||) */
    double errors_off;          /* standard errors beside (W H)^-1/2, relative; INFINITY: one is not estimable */
    double errors_rounding;     /* what rounding may have made of that; INFINITY: not measured */
    int32_t error_missing;      /* a coefficient that has no standard error and should; -1: none */
} linpred__logistic_finding;

linpred_status linpred__measure_logistic(const linpred__logistic_question *question, const linpred_data *data,
                                         linpred__pool *pool, linpred__logistic_finding *finding, linpred_error *error);

/* ---- what the files of this measurement share ---- */

/* F, its gradient g and what bounds their rounding, the intercept last. Columns are those of `data`, in units of
   2^exponent, which is 0 unless squares would leave the range of double. They are taken about a center, which is 0
   unless they lie far from zero: with c the centers, gradient, gradient_error and extent are those of F(w, b - <c,w>),
   the same objective in other coordinates. */
typedef struct linpred__careful {
    const linpred_data *data;
    linpred_data *copy; /* NULL: the data is the caller's */
    int *exponent;
    double *w;
    double *center;
    bool centred;    /* some centers are not 0 */
    double *penalty; /* the objective has (penalty_j/2) w_j² */
    int32_t dimension;
    bool has_intercept;
    double objective; /* F, with its penalty */
    double loss;      /* F without the penalty */
    double loss_error;
    double *gradient;       /* of F */
    double *gradient_error; /* |g_j - exact g_j| is at most this */
    double *low, *high;     /* the extremes of x_j; of sparse rows both are the largest |x_j| */
    double *extent;         /* the largest |x_j - center_j|; 1 for the intercept */
    double radius;          /* the largest ||(x - center, 1)|| */
    double score_error;     /* the largest error of a score */
    double weight;          /* W */
    double share[2];        /* of each class in W */
    double mean_score[2];   /* of each class */
    double mean_size[2];    /* mean |score| of each class */
    double curvature;       /* h: the mean over the rows, as computed */
    linpred__factor *whole; /* of the Hessian of all rows, once it was made; else empty */
} linpred__careful;

/* Columns that exact null vectors allow to be left out: what holds for the other columns holds for all. */
typedef struct linpred__spare {
    int32_t count;
    bool *column; /* of each column, whether it is one of them; NULL: none are */
} linpred__spare;

/* spare_columns.c: those columns (spare->column is to be released), and what the rows say of null vectors. */
linpred_status linpred__find_spare(const linpred__logistic_question *question, const linpred_data *data,
                                   linpred__pool *pool, const linpred__careful *careful,
                                   linpred__logistic_finding *finding, linpred__spare *spare, linpred_error *error);

/* Bounds of F(w,b) - min F, absolute. */
typedef struct linpred__gap_bounds {
    double proved;
    double estimated;
    double held;
    double at_least;
    int32_t left_out;
    int32_t independent; /* so many columns are independent, for sure */
} linpred__gap_bounds;

/* gap.c. */
linpred_status linpred__bound_gap(const linpred__logistic_question *question, linpred__pool *pool,
                                  const linpred__careful *careful, const linpred__spare *spare,
                                  linpred__gap_bounds *bounds, linpred_error *error);
/* hessian.c: by νρ <= 1/2. */
linpred_status linpred__gap_by_hessian(const linpred__logistic_question *question, linpred__pool *pool,
                                       const linpred__careful *careful, const linpred__spare *spare,
                                       linpred__gap_bounds *bounds, linpred_error *error);
/* The standard errors against those of the Hessian of all rows: SE_j² = (W H)^-1_jj. */
linpred_status linpred__measure_standard_errors(const linpred__logistic_question *question, linpred__pool *pool,
                                                const linpred__careful *careful, const linpred__spare *spare,
                                                linpred__logistic_finding *finding, linpred_error *error);

#endif
