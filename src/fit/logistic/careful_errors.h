/* Standard errors of a small logistic fit in double-double. */
#ifndef LINPRED_FIT_LOGISTIC_CAREFUL_ERRORS_H
#define LINPRED_FIT_LOGISTIC_CAREFUL_ERRORS_H

#include "fit/logistic/logistic.h"

/* Sets the standard errors, in the units of the file, of the columns that Newton's method keeps. *known is false, and
   nothing is set, if the fit is too large, or if a column is lost in the rounding of double-double. */
linpred_status linpred__logistic_careful_errors(const linpred__logistic_problem *problem, const linpred__newton *newton,
                                                const linpred__logistic_values *values, double *each, bool *known,
                                                linpred_error *error);

#endif
