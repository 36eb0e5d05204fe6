/* Rows of the data as signed homogeneous rows z_i = y_i (x_i, 1), copied for the solvers of solve/. */
#ifndef LINPRED_SEPARATE_ROWS_GATHER_H
#define LINPRED_SEPARATE_ROWS_GATHER_H

#include "data/data.h"
#include "solve/rows.h"

typedef struct linpred__gathered {
    linpred__rows rows; /* a view of the arrays below; dense or sparse as the data is; the coordinate 1 comes last */
    double *values;
    int64_t *start;
    int32_t *indices;
} linpred__gathered;

linpred_status linpred__gather(const linpred_data *data, bool has_intercept, const int64_t *row, int64_t count,
                               linpred__gathered *gathered, linpred_error *error);
void linpred__gathered_clear(linpred__gathered *gathered);

#endif
