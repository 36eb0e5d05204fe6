/* What the option --start allows, for the learners that walk over the rows. */
#ifndef LINPRED_FIT_START_H
#define LINPRED_FIT_START_H

#include "model/model.h"

/* Fails unless options->start is NULL or a hyperplane with the features of the data. */
linpred_status linpred__check_start(const linpred_data *data, const linpred_options *options, linpred_error *error);

#endif
