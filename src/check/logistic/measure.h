/* What the checker measures of a logistic fit: its objective, the gap to the minimum, and its figures.
 *
 *   F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i s_i)) + (l2/2)||w||²,   s_i = <w,x_i> + b,   W = Σ c_i
 *
 * c_i is the weight of the row times the weight of its class. Vectors have an entry for each column, the intercept
 * last.
 */
#ifndef LINPRED_CHECK_LOGISTIC_MEASURE_H
#define LINPRED_CHECK_LOGISTIC_MEASURE_H

#include <math.h>

#include "check/dense/factor.h"
#include "check/null/vectors.h"
#include "check/rows/rows.h"
#include "num/dd.h"

typedef struct linpred__logistic_question {
    const linpred_model *model;
    double l2;
    double class_weight[2]; /* factors of the weights of rows labelled -1 and +1 */
    double tolerance; /* the relative gap that is claimed; NaN: none is claimed, and no Hessian is made to bound it */
    linpred__null_vectors null;   /* the dependencies that are claimed */
    const bool *null_exact;       /* for each null vector whether it is claimed to hold exactly */
    const double *standard_error; /* the standard errors that are claimed, columns + 1 long; NULL: none */
    linpred__rows_pass *beside;   /* another pass over the same rows, to be taken along; NULL: none */
} linpred__logistic_question;

typedef struct linpred__logistic_finding {
    double objective;       /* F */
    double objective_error; /* a bound of the rounding error of `objective` */
    double deviance;        /* 2 W F without the penalty; NaN with class weights */
    double deviance_step;   /* what the smallest double does to a deviance, 2 W 2^-1074; 0 where that does not matter */
    double null_deviance;   /* the deviance of the intercept alone; NaN with class weights */
    double proved;          /* a bound of the relative gap that includes all rounding; INFINITY: none is proved */
    double estimated;       /* the same bound without the rounding errors */
    double held;            /* the same bound if the coefficients of the columns left out are held fixed */
    double at_least;        /* the relative gap is certainly at least this */
    double by_intercept;    /* and this, if the intercept alone is changed; 0 without one */
    int32_t left_out;       /* number of columns that depend on others as far as rounding can tell, but not provably */
    int32_t rank_min;       /* a certain lower bound of the rank of the columns with the intercept */
    int32_t rank_max;       /* a certain upper bound of it */
    bool null_exact;        /* all null vectors hold exactly */
    bool null_as_claimed;   /* the null vectors that are claimed to hold exactly do, and no others */
    bool null_independent;  /* the null vectors are certainly independent of each other */
    double null_worst;      /* the largest |<n,(x,1)>| / Σ|n_j x_j| of any row */
    double norm_left;       /* the largest |n'w| / (||n|| ||w||) */
    double errors_off;      /* the largest relative difference of SE_j from sqrt((W H)^-1_jj); INFINITY: one cannot be
                               estimated */
    double errors_rounding; /* a bound of the rounding error of errors_off; INFINITY: not measured */
    int32_t error_missing;  /* a coefficient that could have a standard error and has none; -1: there is none */
} linpred__logistic_finding;

linpred_status linpred__measure_logistic(const linpred__logistic_question *question, const linpred_data *data,
                                         linpred__pool *pool, linpred__logistic_finding *finding, linpred_error *error);

/* ---- what the files of this folder share ---- */

/* F and its gradient g with bounds of their rounding errors.
   Column j is in units of 2^exponent_j. The exponent is 0 unless squares would leave the range of doubles. Column j is
   also taken about centre_j, which is 0 unless the column lies far from zero. gradient, gradient_error and extent
   belong to F(w, b - <centre,w>), which is the same objective in these coordinates. */
typedef struct linpred__careful {
    const linpred_data *data;
    double off; /* a cell is off the number that it means by at most off |x|: 0 for doubles, 2^-53 for decimals */
    linpred_data *copy; /* the data in other units, if that was needed; else NULL */
    int *exponent;
    double *w;    /* the coefficients in the units of the columns; the intercept is that without centres */
    double *tail; /* what the coefficients mean beyond w, in the same units: `tails` parts of each, `dimension` apart */
    int32_t tails;
    double *centre;
    bool centred;      /* some centres are not 0 */
    double *penalty;   /* F has the term (penalty_j/2) w_j² */
    int32_t dimension; /* columns, + 1 with an intercept */
    bool has_intercept;
    double objective;       /* F, with its penalty */
    double loss;            /* F without the penalty */
    double loss_error;      /* a bound of the rounding error of `objective` */
    double *gradient;       /* of F */
    double *gradient_error; /* |g_j - exact g_j| is at most this */
    double *low;            /* the smallest x_j; in sparse rows the same as `high` */
    double *high;           /* the largest x_j; in sparse rows the largest |x_j| */
    double *extent;         /* the largest |x_j - centre_j|; 1 for the intercept */
    double radius;          /* the largest ||(x - centre, 1)|| */
    double score_error;     /* the largest bound of the rounding error of a score */
    double weight;          /* W */
    double share[2];        /* Σ c_i of each class, divided by W */
    double mean_score[2];   /* weighted mean of the scores of each class */
    double mean_size[2];    /* weighted mean of |score| of each class */
    double curvature;       /* h: the weighted mean of the curvatures of the losses, with rounding */
    linpred__factor *whole; /* the factor of the Hessian of all rows; empty until it is made */
} linpred__careful;

/* A bound of how far the cells of a column are off the numbers that they mean; 0 for the intercept. */
static inline double linpred__cell_error(const linpred__careful *careful, int32_t column)
{
    bool intercept = careful->has_intercept && column == careful->dimension - 1;
    return intercept ? 0.0 : 1.01 * careful->off * fmax(fabs(careful->low[column]), fabs(careful->high[column]));
}

/* Columns that can be left out because of exact null vectors: the minimum over the other columns is the minimum over
   all. */
typedef struct linpred__spare {
    int32_t count;
    bool *column; /* for each column whether it can be left out; NULL: none can */
} linpred__spare;

/* spare_columns.c: finds these columns, and tests the null vectors on the rows. The caller releases spare->column. */
linpred_status linpred__find_spare(const linpred__logistic_question *question, const linpred_data *data,
                                   linpred__pool *pool, const linpred__careful *careful,
                                   linpred__logistic_finding *finding, linpred__spare *spare, linpred_error *error);

/* Bounds of F(w,b) - min F. The names are those of linpred__logistic_finding, where they are relative to F. */
typedef struct linpred__gap_bounds {
    double proved;
    double estimated;
    double held;
    double at_least;
    double by_intercept;
    int32_t left_out;
    int32_t independent; /* so many columns are certainly independent */
} linpred__gap_bounds;

/* gap.c: bounds the gap, by hessian.c if that is needed. */
linpred_status linpred__bound_gap(const linpred__logistic_question *question, linpred__pool *pool,
                                  const linpred__careful *careful, const linpred__spare *spare,
                                  linpred__gap_bounds *bounds, linpred_error *error);
/* hessian_sums.c: the Hessian of F over these rows, dimension x dimension. The second function is the largest number of
   additions that a term of an entry takes part in. */
linpred_status linpred__sum_hessian(const linpred__logistic_question *question, const linpred_data *data,
                                    linpred__pool *pool, const linpred__careful *careful, double *hessian,
                                    linpred_error *error);
double linpred__hessian_chain(const linpred_data *data);
/* hessian.c: bounds the gap by the Hessian. */
linpred_status linpred__gap_by_hessian(const linpred__logistic_question *question, linpred__pool *pool,
                                       const linpred__careful *careful, const linpred__spare *spare,
                                       linpred__gap_bounds *bounds, linpred_error *error);
/* Compares the standard errors with those of the Hessian of all rows: SE_j² = (W H)^-1_jj. */
linpred_status linpred__measure_standard_errors(const linpred__logistic_question *question, linpred__pool *pool,
                                                const linpred__careful *careful, const linpred__spare *spare,
                                                linpred__logistic_finding *finding, linpred_error *error);

typedef struct linpred__measured_score {
    double value;
    double off;    /* a bound of the rounding error of `value` */
    double square; /* Σ (x - c)², with ordinary rounding */
} linpred__measured_score;

/* score.c: the scores of rows from .. to - 1 of a block, at most LINPRED__ROWS_AT_A_TIME, at careful->w. Where terms
   are huge and cancel, they are added up in double-double. */
void linpred__careful_scores(const linpred__careful *careful, const linpred__block *block, int32_t from, int32_t to,
                             linpred__measured_score *out);

/* losses.c: the sums of one part of the rows, or of all. */
typedef struct linpred__losses {
    /* Three or four vectors in one array, each `dimension` long: the gradient; the bounds of its rounding errors; the
       largest x (sparse rows: the largest |x|); for dense rows the smallest x. */
    double *gradient;
    linpred__dd loss;
    double loss_error;
    double score_error;
    double radius_square;
    double curvature;
    linpred__dd weight[2];
    double score[2]; /* Σ weight score of each class */
    double size[2];  /* Σ weight |score| of each class */
} linpred__losses;

/* Adds all rows of careful->data up at careful->w. The caller releases total->gradient. */
linpred_status linpred__sum_losses(const linpred__logistic_question *question, const linpred__careful *careful,
                                   linpred__pool *pool, linpred__losses *total, linpred_error *error);

/* digits.c: measures a small fit again to many digits. If that proves the gap, the finding becomes the one by them. */
bool linpred__has_digits(const linpred_data *data, bool has_intercept);
linpred_status linpred__measure_digits(const linpred__logistic_question *question, const linpred_data *data,
                                       linpred__logistic_finding *finding, linpred_error *error);

/* Whether a column with these extremes lies on one side of 0, and its spread is smaller than its distance from it. */
static inline bool linpred__is_far(double low, double high)
{
    return low > fmax(0.0, 0.5 * high) || high < fmin(0.0, 0.5 * low);
}

/* far_columns.c: whether a column of sparse rows lies far from 0 and is not constant, and a dense copy of the rows is
   not too large. Sparse rows are not taken about centres, so the copy is measured instead. */
linpred_status linpred__has_far_columns(const linpred_data *data, bool has_intercept, bool *found,
                                        linpred_error *error);

/* The least mean loss of an intercept alone, by the odds of the labels: a log(1 + b/a) + b log(1 + a/b) for their
   shares a and b. */
static inline double linpred__loss_by_odds(double a, double b)
{
    return a > 0.0 && b > 0.0 ? a * log1p(b / a) + b * log1p(a / b) : 0.0;
}

#endif
