/* A fit by a learner, as the public calls of this room ask for it. */
#ifndef LINPRED_API_FIT_H
#define LINPRED_API_FIT_H

#include "fit/fit.h"

/* What is asked. The result records task and method. */
typedef struct linpred__fit_request {
    linpred_task task;
    linpred_method method;     /* a regression chooses its method itself */
    linpred__learner *learner; /* NULL: the task has no such method */
    bool needs_ranges;         /* the learner needs the range of each column in the row extents */
    bool one_class;            /* it is no error if all rows have the same label */
} linpred__fit_request;

/* The request for a task and one of its methods. The options give the loss of a regression and the penalty. */
linpred__fit_request linpred__request_fit(linpred_task task, linpred_method method, const linpred_options *options);

/* Runs the learner and completes the result. The options must have been checked by the caller. Task, method and
   one_class of the request count, not those of the options. */
linpred_status linpred__run_fit(const linpred_data *data, const linpred__fit_request *request,
                                const linpred_options *options, linpred_result **result, linpred_error *error);

#endif
