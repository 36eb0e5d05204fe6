/* What a learner gets (linpred__fit_context), and the list of learners. */
#ifndef LINPRED_FIT_FIT_H
#define LINPRED_FIT_FIT_H

#include "core/options.h"
#include "core/run.h"
#include "fit/ending.h"
#include "pass/problem.h"
#include "model/model.h"

typedef struct linpred__fit_context {
    linpred__run run;
    linpred__problem problem;
    linpred_method method;          /* the method that was asked for; a regression chooses its own */
    const linpred_options *options; /* what else was asked for */
    linpred_result *result;
} linpred__fit_context;

/* A learner asks questions and ends in one function that writes model, figures and claims of fit->result. */
typedef linpred_status linpred__learner(linpred__fit_context *fit, linpred_error *error);

/* The learners of method.def, linpred__fit_auto and so on. Some serve several methods. */
#define LINPRED_TASK_METHOD(task, name, word, learner, traits, help) linpred__learner linpred__fit_##learner;
#include "core/method.def"

linpred__learner linpred__fit_separation; /* separated, quasi-separated or overlapping */
linpred__learner linpred__fit_least_squares;
linpred__learner linpred__fit_least_absolute;

#endif
