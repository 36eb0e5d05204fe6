/* What the parts of the verifier hand to each other. Nothing here knows how an answer was found. */
#ifndef LINPRED_CHECK_CHECK_H
#define LINPRED_CHECK_CHECK_H

#include "num/exact_sum.h"
#include "core/threads.h"
#include "model/model.h"

/* signs.c: all rows against w, b. */
typedef struct linpred__signs {
    double weight;
    double wrong[2];   /* of `errors`, those labelled -1 and +1 */
    double errors;     /* weight of rows with y(<w,x>+b) <= 0, each sign certain */
    double lowest;     /* the smallest y(<w,x>+b), rounded once */
    int64_t worst_row; /* 0-based data row */
    int64_t exactly;   /* signs that needed exact sums */
} linpred__signs;

/* A row's exact score. */
typedef void linpred__exact_sum(const linpred_model *model, const linpred__entries *row, linpred__exact *sum);
/* One row: its score `sum` was rounded by at most `bound`; where that leaves the sign open it is summed exactly. */
void linpred__signs_row(linpred__signs *signs, const linpred__block *block, int32_t r, double label, double sum,
                        double bound, linpred__exact_sum *exact_sum, const linpred_model *model);
/* All rows, by a visitor that calls that; and the data's fingerprint, in the same pass. */
linpred_status linpred__signs_pass(const linpred_data *data, linpred__pool *pool,
                                   void (*visit_block)(void *context, void *state, const linpred__block *block),
                                   void *context, linpred__signs *signs, uint64_t *fingerprint, linpred_error *error);
linpred_status linpred__check_signs(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                    linpred__signs *signs, uint64_t *fingerprint, linpred_error *error);

/* combination.c: whether these are positive integers λ with Σ λ z = 0 on rows of the data. */
linpred_status linpred__check_combination(int64_t count, const int64_t *row, char *const *weight,
                                          const linpred_data *data, bool has_intercept, bool *holds,
                                          linpred_error *error);
/* Whether the support proves that no margin is above *bound = ||Σ α z|| / Σ α, rounded up; `usual`: b is left out of
   the norm, which needs Σ α y = 0 exactly. */
linpred_status linpred__check_support(const linpred__certificate *certificate, const linpred_data *data,
                                      bool has_intercept, bool usual, bool *holds, double *bound, linpred_error *error);
/* The same where the multipliers are the derivatives of the logistic losses, α = 1/(1 + exp(y(<w,x>+b))), of all rows.
 */
linpred_status linpred__check_derivatives(const linpred_model *model, const linpred_data *data, bool *holds,
                                          double *bound, linpred_error *error);

/* fewest.c: what the search of a certificate proves. */
typedef struct linpred__fewest_errors_finding {
    int64_t broken; /* the first subset that is not what it should be, 1-based; 0: all are */
    int64_t stray;  /* a row that the tree branches on and the data do not have; 0: none */
    double proved;  /* no halfspace's mistakes cost less */
    bool by_planes; /* proved by going through all hyperplanes, not by the subsets */
} linpred__fewest_errors_finding;

linpred_status linpred__check_fewest_errors(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                            linpred__fewest_errors_finding *fewest, linpred_error *error);
/* ball.c: the same questions of a ball ρ - ||x-v||², each sign certain, ||x||² exact. */
linpred_status linpred__check_ball_signs(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                         linpred__signs *signs, uint64_t *fingerprint, linpred_error *error);
linpred_status linpred__check_ball_direction(const linpred_result *result, const linpred_data *data, bool *separates,
                                             linpred_error *error);
linpred_status linpred__check_ball_combination(int64_t rows, const int64_t *row, char *const *weight,
                                               const linpred_data *data, bool outside, bool *holds,
                                               linpred_error *error);

/* direction.c: an integer v (the intercept's last) against all rows, and the span of the witness's rows. */
typedef struct linpred__recession {
    int64_t positive; /* rows with y<v,(x,1)> > 0 */
    int64_t negative;
    int64_t exactly; /* signs that needed integers */
} linpred__recession;

linpred_status linpred__check_recession(const linpred__certificate *certificate, const linpred_data *data,
                                        linpred__pool *pool, bool has_intercept, linpred__recession *recession,
                                        linpred_error *error);
/* *rank: the witness's rows have at least this one. */
linpred_status linpred__check_span(const linpred__certificate *certificate, const linpred_data *data,
                                   bool has_intercept, int32_t *rank, linpred_error *error);

/* dependencies.c: what the rows say of vectors n that should have <n,(x,1)> = 0. */
typedef struct linpred__null_finding {
    int32_t count;
    bool exact;       /* all of them hold without any rounding */
    bool as_stated;   /* those that are said to, and no others */
    bool independent; /* of each other, for sure */
    double worst;     /* the largest |<n,(x,1)>| / Σ|n_j x_j| of any row */
    double norm_left; /* the largest |n'w| / (||n|| ||w||) */
} linpred__null_finding;

/* logistic.c: how far the model is from the minimum of the logistic objective, relative to its value; and its figures.
 */
typedef struct linpred__logistic_finding {
    double objective;
    double objective_off; /* by rounding, at most */
    double deviance, null_deviance;
    double proved;    /* at most this far, whatever the rounding; INFINITY: nothing is proved */
    double estimated; /* at most this far, rounding left out of account */
    double held;      /* at most this far with the coefficients of the columns left out held */
    double at_least;
    int32_t left_out;              /* columns that depend on others as far as rounding can tell, but not for sure */
    int32_t rank_least, rank_most; /* of the columns with the intercept, for sure */
    linpred__null_finding null;
    double errors_off;     /* standard errors beside (W H)^-1/2, relative; INFINITY: one is there that should not be */
    double errors_doubt;   /* what rounding may have made of that; INFINITY: not measured */
    int32_t error_missing; /* a coefficient that has none and should; -1: none */
} linpred__logistic_finding;

linpred_status linpred__check_logistic(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                       linpred__logistic_finding *finding, linpred_error *error);

/* logistic_judge.c: the verdict on an optimum; and on the figures of any logistic fit, which refutes or leaves it. */
void linpred__judge_logistic(const linpred_result *result, const linpred__logistic_finding *found,
                             const linpred__signs *signs, int64_t rows, linpred_check *check);
void linpred__judge_logistic_figures(const linpred_result *result, const linpred__logistic_finding *found, int64_t rows,
                                     linpred_check *check);

/* means.c: what stands for missing values, against the rows of the fit. */
void linpred__check_means(const linpred_model *model, const linpred_data *data, linpred_check *check);

/* figures.c: adds to the finding; or says it alone, and refutes (answering false). */
void linpred__check_append(linpred_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool linpred__check_refute(linpred_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A figure that the model states (NaN: it does not) and that the rows give otherwise refutes it; the first such one is
 * told. */
bool linpred__check_figure(linpred_check *check, const char *name, double stated, double found, double within);
/* Whether the fit came to its end: one that was stopped, or met a limit, does not claim a minimum, so none is refuted.
 */
bool linpred__check_finished(const linpred_result *result);
/* A fit that was to minimise something and was ended, or could not prove its minimum: the claim becomes that its
   figures are those of the rows, and the verdict at best PARTLY PROVED, for what was asked is not proved. */
void linpred__check_claim_less(const linpred_result *result, linpred_check *check);

#endif
