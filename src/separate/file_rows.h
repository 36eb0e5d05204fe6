/* What a solver found on working rows, put into a certificate: rows of the file, in its order. */
#ifndef LINPRED_SEPARATE_FILE_ROWS_H
#define LINPRED_SEPARATE_FILE_ROWS_H

#include "model/model.h"
#include "num/integers.h"

/* `row` holds the data row of each working row. Working rows chosen[0 .. count-1] with their integers combine to zero.
 */
linpred_status linpred__take_witness(linpred__certificate *proof, const linpred_data *data, const int64_t *row,
                                     const int32_t *chosen, int32_t count, const linpred__integers *weight,
                                     linpred_error *error);
/* Multipliers (and tails; NULL: 0) of working rows chosen[0 .. count-1] (NULL: the first `count`) that bound the
 * margin. */
linpred_status linpred__take_support(linpred__certificate *proof, const linpred_data *data, const int64_t *row,
                                     const int64_t *chosen, int64_t count, const double *multiplier, const double *tail,
                                     linpred_error *error);
/* Integers w, the intercept's last. */
linpred_status linpred__take_direction(linpred__certificate *proof, const linpred__integers *w, linpred_error *error);

#endif
