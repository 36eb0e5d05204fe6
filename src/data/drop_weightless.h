/* Rows of weight 0 of the caller's arrays are no rows. */
#ifndef LINPRED_DATA_DROP_WEIGHTLESS_H
#define LINPRED_DATA_DROP_WEIGHTLESS_H

#include "linpred/linpred.h"

int64_t linpred__weightless_rows(const linpred_arrays *arrays);
/* The others as arrays of their own, which `release` frees, and the 0-based row that each comes from, to be given to
   linpred__release. The caller's are not released. */
linpred_status linpred__leave_out_weightless(const linpred_arrays *arrays, linpred_arrays *others, int64_t **source_row,
                                             linpred_error *error);

#endif
