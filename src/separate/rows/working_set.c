/* Working rows: adding rows of the data to the solvers, and the margin bound of multipliers. */
#include "separate/rows/working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/certified_sign.h"
#include "separate/rows/solver_rows.h"

linpred_status linpred__working_set_open(const linpred__problem *problem, linpred__working_set *working,
                                         linpred_error *error)
{
    *working = (linpred__working_set){.data = problem->data, .has_intercept = problem->has_intercept};
    const double *extent = problem->extents.extent;
    int32_t columns = problem->data->columns;
    int32_t *exponent = linpred__calloc((size_t)columns + 1, sizeof *exponent); /* the intercept's last */
    if (!exponent)
        return linpred__no_memory(error);
    const linpred__decimals *decimals = problem->data->decimals;
    double unit = decimals ? decimals->unit : 1.0;
    for (int32_t j = 0; j < columns; j++)
        exponent[j] = extent[j] > 0 ? ilogb(extent[j] * unit) + 1 : 0;
    exponent[columns] = unit > 1.0 ? ilogb(unit) : 0;
    linpred_status status =
        linpred__working_rows_open(columns + working->has_intercept, exponent, &working->solver, error);
    linpred__release(exponent);
    return status;
}

void linpred__working_set_close(linpred__working_set *working)
{
    linpred__working_rows_close(working->solver);
    linpred__release(working->row);
    *working = (linpred__working_set){0};
}

linpred_status linpred__working_set_add(linpred__working_set *working, const int64_t *row, int64_t count,
                                        int64_t *added, linpred_error *error)
{
    int64_t known = working->rows;
    int64_t *sorted = linpred__alloc((size_t)known, sizeof *sorted);
    if (!sorted || !linpred__grow(&working->row, &working->capacity, (size_t)(known + count), sizeof *working->row)) {
        linpred__release(sorted);
        return linpred__no_memory(error);
    }
    if (known > 0) {
        memcpy(sorted, working->row, (size_t)known * sizeof *sorted);
        qsort(sorted, (size_t)known, sizeof *sorted, linpred__ascending);
    }
    int64_t fresh = 0;
    for (int64_t i = 0; i < count; i++)
        if (!bsearch(&row[i], sorted, (size_t)known, sizeof *sorted, linpred__ascending))
            working->row[known + fresh++] = row[i];
    linpred__release(sorted);
    *added = 0;
    if (fresh == 0)
        return LINPRED_OK;
    linpred__gathered gathered;
    linpred_status status =
        linpred__gather(working->data, working->has_intercept, working->row + known, fresh, &gathered, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__working_rows_add(working->solver, &gathered.rows, 0, (int32_t)fresh, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    working->rows += fresh;
    *added = fresh;
    return LINPRED_OK;
}

/* The sums are in double-double; the factor 1 + 2^-40 covers their rounding. */
linpred_status linpred__bound_margin(const linpred_data *data, bool has_intercept, const int64_t *row,
                                     const double *multiplier, int64_t count, double *bound, linpred_error *error)
{
    linpred__gathered gathered;
    linpred_status status = linpred__gather(data, has_intercept, row, count, &gathered, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd *sum = linpred__calloc((size_t)gathered.rows.columns, sizeof *sum);
    double *column = linpred__alloc((size_t)gathered.rows.columns, sizeof *column);
    linpred__dd total = {0, 0};
    for (int32_t i = 0; sum && column && i < gathered.rows.rows; i++) {
        linpred__entries z = linpred__row_of(&gathered.rows, i);
        total = linpred__dd_add_double(total, multiplier[i]);
        for (int32_t k = 0; k < z.count; k++) {
            linpred__dd *at = &sum[linpred__entry_column(&z, k)];
            *at = linpred__dd_add(*at, linpred__two_product(multiplier[i], z.values[k]));
        }
    }
    if (sum && column) {
        for (int32_t j = 0; j < gathered.rows.columns; j++)
            column[j] = sum[j].hi;
        double unit = data->decimals ? data->decimals->unit : 1.0;
        *bound = linpred__norm_above(column, gathered.rows.columns, 0.0) / total.hi / unit * (1.0 + 0x1p-40);
    } else {
        status = linpred__no_memory(error);
    }
    linpred__release(sum);
    linpred__release(column);
    linpred__gathered_clear(&gathered);
    return status;
}
