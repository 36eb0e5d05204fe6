/* What a learner gets (linpred__fit_context), and the list of learners. */
#ifndef LINPRED_FIT_FIT_H
#define LINPRED_FIT_FIT_H

#include "core/options.h"
#include "core/run.h"
#include "pass/problem.h"
#include "model/model.h"

typedef struct linpred__fit_context {
    linpred__run run;
    linpred__problem problem;
    const linpred_options *options;
    linpred_result *result;
} linpred__fit_context;

/* Sets outcome and reason from the cause for which the run was stopped. */
void linpred__fit_end_stopped(linpred__fit_context *fit);

/* Sets the outcome and the reason, a sentence. */
void linpred__fit_end(linpred__fit_context *fit, linpred_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The learners. Each asks questions and ends in one function that writes model, figures and claims of fit->result. */
linpred_status linpred__fit_auto(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_perceptron(linpred__fit_context *fit, linpred_error *error); /* and pocket */
linpred_status linpred__fit_lp(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_margin(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_fewest_errors(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_logistic(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_separation(linpred__fit_context *fit,
                                       linpred_error *error); /* the three-way answer by itself */

linpred_status linpred__fit_least_squares(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_least_absolute(linpred__fit_context *fit, linpred_error *error);
linpred_status linpred__fit_ball(linpred__fit_context *fit, linpred_error *error);

#endif
