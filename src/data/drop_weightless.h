/* Copies arrays without their rows of weight 0. Weight k counts as k copies, so that weight 0 is no row. */
#ifndef LINPRED_DATA_DROP_WEIGHTLESS_H
#define LINPRED_DATA_DROP_WEIGHTLESS_H

#include "linpred/linpred.h"

/* The number of rows of weight 0. */
int64_t linpred__weightless_rows(const linpred_arrays *arrays);
/* Copies the rows with a weight into `others`; others->release frees the copy. source_row[i] is the 0-based row that
   row i comes from; the caller frees it with linpred__release. The caller's arrays are not released. */
linpred_status linpred__leave_out_weightless(const linpred_arrays *arrays, linpred_arrays *others, int64_t **source_row,
                                             linpred_error *error);

#endif
