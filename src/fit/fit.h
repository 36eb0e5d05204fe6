/* What the methods share: one struct for a fit under way. */
#ifndef LINPRED_FIT_FIT_H
#define LINPRED_FIT_FIT_H

#include <time.h>

#include "core/threads.h"
#include "model/model.h"

typedef struct linpred__fit {
    const linpred_data *data; /* what the method learns from: the file's rows, or a standardised copy */
    const linpred_options *options;
    linpred__pool *pool;
    linpred_result *result;
    struct timespec began;
    struct timespec reported;
} linpred__fit;

double linpred__fit_seconds(const linpred__fit *fit);

/* Whether to stop: the time is up, or the caller says so when told of the progress (a few times a second). If so the
   outcome and reason are set. */
bool linpred__fit_should_stop(linpred__fit *fit, const char *stage, int64_t updates, int64_t passes, double errors);

/* Sets the outcome and, as a sentence, why. */
void linpred__fit_end(linpred__fit *fit, linpred_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The perceptron and, with it, pocket: fills result->model.w and b (for fit->data), outcome, updates and passes. */
linpred_status linpred__fit_perceptron(linpred__fit *fit, const double *start_w, double start_b, linpred_error *error);

/* For w, b of result->model on `data`: errors, objective, margins, perceptron loss, each sign certain. */
linpred_status linpred__halfspace_report(linpred__fit *fit, const linpred_data *data, linpred_error *error);

#endif
