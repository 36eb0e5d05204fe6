/* The predictor: its parts, its predictions, its file. Part of linpred.h. */
#ifndef LINPRED_MODEL_H
#define LINPRED_MODEL_H

#include "linpred/base.h"
#include "linpred/data.h"
#include "linpred/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model --------------------------------------------------------------------------------------------------- */

/* A model is part of a result, and lives as long as it: linpred_result_model. */
LINPRED_API linpred_task linpred_model_task(const linpred_model *model);
/* "halfspace"; "unknown" for what is no task. */
LINPRED_API const char *linpred_task_name(linpred_task task);
/* The number of features, powers included, and a coefficient for each of them. The intercept is not among them; it is 0
   if the model has none. */
LINPRED_API int32_t linpred_model_columns(const linpred_model *model);
LINPRED_API const double *linpred_model_coefficients(const linpred_model *model);
LINPRED_API bool linpred_model_has_intercept(const linpred_model *model);
LINPRED_API double linpred_model_intercept(const linpred_model *model);
/* A ball: its centre, in the units of the file (NULL for other models), radius² (0 or less: the empty ball; NaN for
   other models), and the label that is inside: +1, -1, 0 for other models. Its coefficients are the centre, its
   intercept is radius². */
LINPRED_API const double *linpred_model_centre(const linpred_model *model);
LINPRED_API double linpred_model_radius_squared(const linpred_model *model);
LINPRED_API int linpred_model_inside(const linpred_model *model);
/* A regression: what was minimised, and the highest power of a column. Of other models squared, NaN and 1. */
LINPRED_API linpred_loss linpred_model_loss(const linpred_model *model);
/* 0.5: the absolute loss itself; NaN: squared loss. */
LINPRED_API double linpred_model_quantile(const linpred_model *model);
LINPRED_API int32_t linpred_model_degree(const linpred_model *model);
/* The name of a feature, 0-based; NULL past the last. */
LINPRED_API const char *linpred_model_feature(const linpred_model *model, int32_t column);
/* The power of its column that a feature is: 1 for a column itself, 0 for an indicator, -1 past the last. */
LINPRED_API int32_t linpred_model_feature_power(const linpred_model *model, int32_t column);
/* The decimals of the column that a feature is made from: its values mean what the text of the file said, with so many
   digits after the point. 0: they mean their doubles. The target of a regression comes behind the features. */
LINPRED_API int32_t linpred_model_decimals(const linpred_model *model, int32_t column);
/* Level `index` of a text column, in the order of their bytes; the first gives no feature. NULL past the last, or if
   there is no such text column. */
LINPRED_API const char *linpred_model_level(const linpred_model *model, const char *column, int32_t index);
/* The labels and the name of their column, as of data. */
LINPRED_API const char *linpred_model_label(const linpred_model *model, int sign);
LINPRED_API const char *linpred_model_target(const linpred_model *model);
/* The column of row weights; NULL: the fit had none. */
LINPRED_API const char *linpred_model_weights(const linpred_model *model);
LINPRED_API bool linpred_model_note(const linpred_model *model, size_t index, linpred_note *note); /* as of data */

/* ---- predictions ------------------------------------------------------------------------------------------------- */

/* The score of each row: <w,x>+b; of a ball radius² - ||x-centre||², negated if the label +1 is outside. `scores` has
   linpred_data_rows_in_file(data) entries, in the order of the file, NaN for a row that was dropped. Here and below,
   `threads` 0 means one for each processor. */
LINPRED_API linpred_status linpred_score(const linpred_model *model, const linpred_data *data, int threads,
                                         double *scores, linpred_error *error);

/* What the signs of the scores mean: +1 for a score of 0 or more, -1 below, 0 for a row that was dropped. `labels` has
   linpred_data_rows_in_file(data) entries; linpred_model_label names them. A regression is LINPRED_ERROR_USAGE: its
   scores are its predictions. */
LINPRED_API linpred_status linpred_predict_labels(const linpred_model *model, const linpred_data *data, int threads,
                                                  signed char *labels, linpred_error *error);

/* The label of a score: +1 if it reaches the threshold, else -1; 0 if the score is NaN. The threshold of a logistic
   model is a probability, of another model a score. NaN: the model's own, which is the score 0, or the probability 0.5.
 */
LINPRED_API int linpred_decide(const linpred_model *model, double score, double threshold);

/* Regression by least squares: bounds between which a new row's target lies with probability `confidence`, if errors
   are normal with one variance. Both have linpred_data_rows_in_file(data) entries, NaN for a row that was dropped; -inf
   and inf for a row whose prediction the training data do not determine, since it breaks a dependency of their columns.
   A model that cannot give intervals (another loss or task, a penalty, no degrees of freedom, too many coefficients) is
   LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_predict_interval(const linpred_model *model, const linpred_data *data, int threads,
                                                    double confidence, double *low, double *high, linpred_error *error);

/* Regression by least squares without a penalty: how much each row pulls the fit towards itself, x'(X'VX)^-1 x with the
   training rows X and their weights V; over the training rows the weighted sum is the rank. `leverage` has
   linpred_data_rows_in_file(data) entries, NaN for a row that was dropped, inf for one whose prediction the training
   data do not determine. Other models, and one with too many coefficients, are LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_leverage(const linpred_model *model, const linpred_data *data, int threads,
                                            double *leverage, linpred_error *error);

/* 1/(1+exp(-score)): the probability of the label +1 by a logistic model. */
LINPRED_API double linpred_probability(double score);

/* ---- evaluation: how good predictions are on rows with labels ---------------------------------------------------- */

typedef struct linpred_evaluation {
    size_t struct_size;
    int64_t rows;
    double weight;
    double true_positive; /* all by weight */
    double false_positive;
    double true_negative;
    double false_negative;
    double error;       /* fraction whose predicted label is wrong; sign(0) = +1 */
    double on_boundary; /* weight of rows exactly at the threshold: score 0 unless another is given */
    double auc; /* how often a row labelled +1 scores above one labelled -1, ties half; NaN: only one label occurs */
    /* Logistic models only; else NaN. */
    double log_loss; /* mean of -log(probability of the actual label) */
    double brier;    /* mean of (probability of +1, less 1 or 0)² */
    /* Regressions only; else NaN. What stands above is then 0 or NaN. */
    double mean_squared_error;
    double mean_absolute_error;
    double r_squared; /* 1 - Σ(y-score)²/Σ(y-mean y)²; without intercept 1 - Σ(y-score)²/Σy²; NaN: the divisor is 0 */
    double
        mean_loss; /* the loss of the fit: squared, absolute, or of its quantile τ (2τ above the fit, 2(1-τ) below) */
    double share_below; /* the share of the weight with y < score */
    double share_on;    /* the share with y = score, to rounding (2^-40 of |y| + |score|) */
    /* Not for regressions. NaN: the divisor is 0. */
    double precision; /* true_positive / (true_positive + false_positive) */
    double recall;    /* true_positive / (true_positive + false_negative) */
    double f1;        /* 2 true_positive / (2 true_positive + false_positive + false_negative) */
    double threshold; /* from where on a row was labelled +1, as of linpred_decide */
} linpred_evaluation;

/* Predicts the rows and compares with their labels or targets. Rows without them are LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_evaluate(const linpred_model *model, const linpred_data *data, int threads,
                                            linpred_evaluation *evaluation, linpred_error *error);

/* The same with labels by a threshold: see linpred_decide. A threshold for a regression, or one of a logistic model
   that is not between 0 and 1, is LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_evaluate_at(const linpred_model *model, const linpred_data *data, int threads,
                                               double threshold, linpred_evaluation *evaluation, linpred_error *error);

/* The ROC curve: the shares of both labels that are labelled +1, as the threshold goes down. */
typedef struct linpred_roc linpred_roc;

typedef struct linpred_roc_corner {
    size_t struct_size;
    double threshold;           /* as of linpred_decide; inf at the first corner, where no row is labelled +1 */
    double true_positive_rate;  /* the share of the weight of the label +1 that is labelled +1 */
    double false_positive_rate; /* the share of the weight of the label -1 that is labelled +1 */
} linpred_roc_corner;

/* Predicts the rows and draws the curve: its corners in order, from (0,0) to (1,1), joined by straight lines. Rows of
   equal score are one step. A regression, or rows of one label only, is LINPRED_ERROR_USAGE. *roc is freed by
   linpred_roc_free. */
LINPRED_API linpred_status linpred_roc_draw(const linpred_model *model, const linpred_data *data, int threads,
                                            linpred_roc **roc, linpred_error *error);
LINPRED_API bool linpred_roc_point(const linpred_roc *roc, size_t index,
                                   linpred_roc_corner *corner); /* false past the last */
LINPRED_API void linpred_roc_free(linpred_roc *roc);

/* Whether what a logistic model calls probable happens as often: [0,1] is cut into bins of one width. */
typedef struct linpred_calibration linpred_calibration;

/* The rows whose probability of the label +1 lies in one bin. */
typedef struct linpred_bin {
    size_t struct_size;
    double from; /* the bin holds from <= probability < to; the last bin holds 1 too */
    double to;
    double weight;    /* of the rows */
    double predicted; /* their mean probability; NaN if there is no row */
    double observed;  /* the fraction labelled +1; NaN if there is no row */
} linpred_bin;

/* Predicts the rows and counts them by bins, 1 or more. *calibration is freed by linpred_calibration_free. Another
   model than a logistic one, or rows without labels, is LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_calibrate(const linpred_model *model, const linpred_data *data, int threads,
                                             size_t bins, linpred_calibration **calibration, linpred_error *error);
LINPRED_API bool linpred_calibration_bin(const linpred_calibration *calibration, size_t index,
                                         linpred_bin *bin); /* false past the last */
LINPRED_API void linpred_calibration_free(linpred_calibration *calibration);

/* ---- the model file: a result with all that it claims ------------------------------------------------------------ */

/* Written to a temporary name in the same folder, synced, renamed: the file is whole or not there. */
LINPRED_API linpred_status linpred_result_save(const linpred_result *result, const char *path, linpred_error *error);
/* `accept_edited`: do not insist on the checksum (people may edit a model by hand). */
LINPRED_API linpred_status linpred_result_load(const char *path, bool accept_edited, linpred_result **result,
                                               linpred_error *error);
/* The same in memory: the text of the model file, which ends with a NUL that `bytes` (may be NULL) does not count. It
   is freed by linpred_text_free. */
LINPRED_API linpred_status linpred_result_to_text(const linpred_result *result, char **text, size_t *bytes,
                                                  linpred_error *error);
LINPRED_API void linpred_text_free(char *text);
LINPRED_API linpred_status linpred_result_from_text(const char *text, size_t bytes, bool accept_edited,
                                                    linpred_result **result, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
