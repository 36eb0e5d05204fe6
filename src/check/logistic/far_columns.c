/* Columns of sparse rows that lie far from 0 beside their spread. Only such as have an entry in every row are looked
 * for: a 0 would be part of the spread. */
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "core/error.h"
#include "core/memory.h"

linpred_status linpred__has_far_columns(const linpred_data *data, bool has_intercept, bool *found, linpred_error *error)
{
    size_t columns = (size_t)data->columns;
    *found = false;
    if (data->layout != LINPRED__SPARSE || !has_intercept ||
        (double)data->rows * (double)columns > LINPRED__MAX_DENSE_COPY)
        return LINPRED_OK;
    double *low = linpred__calloc(3 * columns, sizeof *low), *high = low + columns, *count = high + columns;
    if (!low)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int64_t k = block->start[0]; k < block->start[block->rows]; k++) {
            double x = block->values[k];
            int32_t j = block->indices[k];
            low[j] = count[j] == 0.0 || x < low[j] ? x : low[j];
            high[j] = count[j] == 0.0 || x > high[j] ? x : high[j];
            count[j]++;
        }
    }
    for (size_t j = 0; j < columns; j++)
        *found = *found || (count[j] == (double)data->rows && low[j] < high[j] && linpred__is_far(low[j], high[j]));
    linpred__release(low);
    return LINPRED_OK;
}
