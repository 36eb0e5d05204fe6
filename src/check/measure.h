/* Measuring all that the claims of a result need. */
#ifndef LINPRED_CHECK_MEASURE_H
#define LINPRED_CHECK_MEASURE_H

#include "check/check.h"

/* Makes the measurements that the claims need. The caller has set result, data and pool. The caller clears *measured,
   also after an error. */
linpred_status linpred__measure(linpred__measured *measured, linpred_error *error);
void linpred__measured_clear(linpred__measured *measured);

#endif
