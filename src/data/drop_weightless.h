/* Arrays without their rows of weight 0: weight k counts as k copies, so such a row is none. */
#ifndef LINPRED_DATA_DROP_WEIGHTLESS_H
#define LINPRED_DATA_DROP_WEIGHTLESS_H

#include "linpred/linpred.h"

int64_t linpred__weightless_rows(const linpred_arrays *arrays);
/* Copies the rows that have weight into `others`, which others->release frees. source_row[i], to be given to
   linpred__release, is the 0-based row that row i comes from. The caller's arrays are not released. */
linpred_status linpred__leave_out_weightless(const linpred_arrays *arrays, linpred_arrays *others, int64_t **source_row,
                                             linpred_error *error);

#endif
