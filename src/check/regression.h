/* Verifying a regression: what its files share. Nothing of fit/ or solve/. */
#ifndef LINPRED_CHECK_REGRESSION_H
#define LINPRED_CHECK_REGRESSION_H

#include "core/threads.h"
#include "model/model.h"

/* All that linpred_verify does for a regression. */
linpred_status linpred__check_regression(const linpred_result *result, const linpred_data *data, int threads,
                                         linpred_check *check, linpred_error *error);

/* The claims. check->same_data is set before; claim, finding, verdict and gap are set here, and the error bounds of
   model.regression. */
linpred_status linpred__check_least_squares(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                            linpred_check *check, linpred_error *error);
linpred_status linpred__check_least_absolute(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                             linpred_check *check, linpred_error *error);

#endif
