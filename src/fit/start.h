/* A model to start from, --start. */
#ifndef LINPRED_FIT_START_H
#define LINPRED_FIT_START_H

#include "model/model.h"

/* Whether options->start, if there is one, is a hyperplane and has the features of the data. */
linpred_status linpred__check_start(const linpred_data *data, const linpred_options *options, linpred_error *error);

#endif
