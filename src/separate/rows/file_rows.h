/* What a solver found on working rows, as a proof: rows of the file, 1-based and ascending. */
#ifndef LINPRED_SEPARATE_ROWS_FILE_ROWS_H
#define LINPRED_SEPARATE_ROWS_FILE_ROWS_H

#include "data/data.h"
#include "num/integers.h"
#include "proof/witness.h"

/* Working rows chosen[0 .. count-1] with their integers combine to zero. `row` holds the data row of each working row.
 */
linpred_status linpred__take_combination(linpred__combination *out, const linpred_data *data, const int64_t *row,
                                         const int32_t *chosen, int32_t count, const linpred__integers *weight,
                                         linpred_error *error);

/* Multipliers that bound the margin. */
typedef struct linpred__multipliers {
    int64_t count;
    const int64_t *chosen;    /* the working rows; NULL: the first `count` */
    const double *multiplier; /* of each of them */
    const double *tail;       /* what is added to each multiplier; NULL: 0 */
} linpred__multipliers;

linpred_status linpred__take_support(linpred__support *out, const linpred_data *data, const int64_t *row,
                                     const linpred__multipliers *found, linpred_error *error);

/* Integers w, the intercept's last. */
linpred_status linpred__take_direction(linpred__direction *out, const linpred__integers *w, linpred_error *error);

#endif
