/* A copy of data in other units, powers of two: where squares of its values would leave the range of double. Rare, so
 * kept simple. */
#include <float.h>
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/data.h"

static void release_copy(void *context)
{
    linpred__release(context);
}

linpred_status linpred__data_scaled(const linpred_data *data, const int *exponent, linpred_data **out, bool *exact,
                                    linpred_error *error)
{
    linpred_data *copy = linpred__calloc(1, sizeof *copy);
    double *values = linpred__alloc((size_t)data->entries, sizeof *values);
    linpred__block *blocks = linpred__alloc((size_t)data->blocks, sizeof *blocks);
    if (!copy || !values || !blocks) {
        linpred__release(copy);
        linpred__release(values);
        linpred__release(blocks);
        return linpred__no_memory(error);
    }
    *copy = *data;
    copy->block = blocks;
    copy->source_row = NULL;
    copy->recipe = NULL;
    copy->release = release_copy;
    copy->context = values;
    int64_t at = 0;
    bool lossless = true;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *from = &data->block[i];
        bool dense = from->layout == LINPRED__DENSE;
        blocks[i] = *from;
        int64_t first = dense ? 0 : from->start[0];
        blocks[i].values = values + at - first;
        blocks[i].stride = from->columns;
        int64_t count = dense ? (int64_t)from->rows * from->columns : from->start[from->rows] - first;
        for (int64_t k = 0; k < count; k++) {
            int32_t column = dense ? (int32_t)(k % from->columns) : from->indices[first + k];
            double x = dense ? from->values[k / from->columns * from->stride + column] : from->values[first + k];
            values[at + k] = ldexp(x, -exponent[column]);
            lossless = lossless && (x == 0.0 || fabs(values[at + k]) >= DBL_MIN);
        }
        at += count;
    }
    *out = copy;
    if (exact)
        *exact = lossless;
    return LINPRED_OK;
}
