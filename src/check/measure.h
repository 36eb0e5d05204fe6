/* Measuring all that the claims of a result need. */
#ifndef LINPRED_CHECK_MEASURE_H
#define LINPRED_CHECK_MEASURE_H

#include "check/check.h"

/* Fills what the claims need; result, data and pool are set. To be cleared, whatever is answered. */
linpred_status linpred__measure(linpred__measured *measured, linpred_error *error);
void linpred__measured_clear(linpred__measured *measured);

#endif
