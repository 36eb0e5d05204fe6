/* Rows on their way to the solvers of solve/ and back: they are copied as signed homogeneous rows z_i = y_i (x_i, 1);
 * rows with decimals as 10^K z_i (data/decimals.h), which are the same to every question that is not about lengths.
 * What a solver found on them becomes a proof that names rows of the file, 1-based and ascending. */
#ifndef LINPRED_SEPARATE_ROWS_SOLVER_ROWS_H
#define LINPRED_SEPARATE_ROWS_SOLVER_ROWS_H

#include "data/data.h"
#include "num/integers.h"
#include "proof/witness.h"
#include "solve/rows.h"

typedef struct linpred__gathered {
    linpred__rows rows; /* a view of the arrays below; dense if the data is and no cell needs two doubles, else sparse;
                           the coordinate 1 comes last */
    double *values;
    int64_t *start;
    int32_t *indices;
    int16_t *exponents; /* NULL: all are 0 */
} linpred__gathered;

linpred_status linpred__gather(const linpred_data *data, bool has_intercept, const int64_t *row, int64_t count,
                               linpred__gathered *gathered, linpred_error *error);
void linpred__gathered_clear(linpred__gathered *gathered);

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
