/* What the methods share: one struct for a fit under way. */
#ifndef LINPRED_FIT_FIT_H
#define LINPRED_FIT_FIT_H

#include "core/options.h"
#include "core/run.h"
#include "pass/problem.h"
#include "model/model.h"
#include "proof/witness.h"

typedef struct linpred__fit {
    linpred__run run;
    linpred__problem problem;
    const linpred_options *options;
    linpred_result *result;
    double loop_radius; /* R of the rows the perceptron ran on, where --bound asked for it; else 0 */
} linpred__fit;

/* Whether to stop: the time is up, or the caller says so when told of the progress (a few times a second). If so the
   outcome and reason are set. */
bool linpred__fit_should_stop(linpred__fit *fit, const char *stage, int64_t updates, int64_t passes, double errors);

/* Sets outcome and reason from the cause for which the run was stopped. */
void linpred__fit_end_stopped(linpred__fit *fit);

/* If the run was stopped, sets the outcome and reason that say so. Asked after each question. */
void linpred__fit_note_stop(linpred__fit *fit);

/* What a question proved, moved into the certificate, which has nothing else. */
void linpred__certify_direction(linpred__certificate *certificate, linpred__direction *direction);
void linpred__certify_combination(linpred__certificate *certificate, linpred__combination *combination);
void linpred__certify_support(linpred__certificate *certificate, linpred__support *support, double bound);

/* Sets the outcome and, as a sentence, why. */
void linpred__fit_end(linpred__fit *fit, linpred_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The methods. Each fills model, info and certificate (but the fingerprint) of fit->result. */
linpred_status linpred__fit_auto(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_perceptron(linpred__fit *fit, linpred_error *error); /* and pocket */
linpred_status linpred__fit_halfspace_lp(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_margin(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_fewest_errors(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_logistic(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_separation(linpred__fit *fit, linpred_error *error); /* the three-way answer by itself */

linpred_status linpred__fit_least_squares(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_least_absolute(linpred__fit *fit, linpred_error *error);
linpred_status linpred__fit_ball(linpred__fit *fit, linpred_error *error);

/* The perceptron's loop by itself: fills w and b of result->model for `data`, outcome, reason, updates and passes. */
typedef struct linpred__learning {
    const linpred_data *data; /* the file's rows, or a standardised copy */
    double radius;            /* R >= ||(x,1)|| of its rows */
    bool pocket;
    linpred_order order;
    int64_t patience;    /* pocket: passes without a better halfspace after which it ends; 0: no end but the limits */
    bool pass_ends_only; /* pocket: weights are scored at the ends of passes, however long their runs */
    const double *w;     /* where to start, for a loop at rate 1; NULL: 0 */
    double b;
    const struct linpred__update_bound *bound; /* for the trace; NULL: none */
} linpred__learning;

/* Whether options->start, if there is one, is a hyperplane and has the features of the data. */
linpred_status linpred__check_start(const linpred_data *data, const linpred_options *options, linpred_error *error);

linpred_status linpred__learn_perceptron(linpred__fit *fit, const linpred__learning *learning, linpred_error *error);

/* w, b of least squares on the labels, columns scaled to unit diagonal and a touch of ridge; false if it cannot be had.
   This is Fisher's discriminant but for its offset: a good start, no claim. */
bool linpred__least_squares_start(linpred__fit *fit, double *w, double *b);

/* A halfspace with fewer mistakes than that of result->model, if some local search finds one. */
linpred_status linpred__local_search(linpred__fit *fit, linpred_error *error);

/* For w, b of result->model on fit->problem.data: errors, objective, margins, perceptron loss, each sign certain. */
linpred_status linpred__halfspace_report(linpred__fit *fit, linpred_error *error);
/* The oracle's halfspace, proof, outcome and claim as the result, without the report; and the report for it. */
linpred_status linpred__decide_halfspace(linpred__fit *fit, linpred_error *error);
linpred_status linpred__report_decided(linpred__fit *fit, linpred_error *error);
/* After the report: the claim, separates or errors = k. It follows from the mistakes counted with certain signs, never
   from what the method believes. */
void linpred__claim_errors(linpred__fit *fit);

#endif
