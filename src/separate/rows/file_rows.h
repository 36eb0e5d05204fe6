/* Turns what a solver found on working rows into a proof that names rows of the file, 1-based and ascending. */
#ifndef LINPRED_SEPARATE_ROWS_FILE_ROWS_H
#define LINPRED_SEPARATE_ROWS_FILE_ROWS_H

#include "data/data.h"
#include "num/integers.h"
#include "proof/witness.h"

/* Takes working rows chosen[0 .. count-1] and their integers, a combination that is zero. row[i] is the data row of
   working row i. */
linpred_status linpred__take_combination(linpred__combination *out, const linpred_data *data, const int64_t *row,
                                         const int32_t *chosen, int32_t count, const linpred__integers *weight,
                                         linpred_error *error);

/* Multipliers that bound the margin. */
typedef struct linpred__multipliers {
    int64_t count;
    const int64_t *chosen;    /* the working rows; NULL: the first `count` */
    const double *multiplier; /* of each of them */
    const double *tail;       /* trailing parts of the multipliers in double-double; NULL: 0 */
} linpred__multipliers;

/* Takes the multipliers as a support; row[i] is the data row of working row i. */
linpred_status linpred__take_support(linpred__support *out, const linpred_data *data, const int64_t *row,
                                     const linpred__multipliers *found, linpred_error *error);

/* Takes integers w, the intercept last. */
linpred_status linpred__take_direction(linpred__direction *out, const linpred__integers *w, linpred_error *error);

#endif
