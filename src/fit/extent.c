#include "fit/extent.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"
#include "core/memory.h"
#include "data/pass.h"

static bool init(void *context, void *state)
{
    double **largest = state;
    *largest = linpred__calloc((size_t)((const linpred_data *)context)->columns, sizeof **largest);
    return *largest != NULL;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(*(double **)state);
}

LINPRED__FAST static void take_dense(const linpred__block *block, double *restrict largest)
{
    for (int32_t r = 0; r < block->rows; r++) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < block->columns; j++) {
            double size = fabs(x[j]);
            largest[j] = size > largest[j] ? size : largest[j];
        }
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    (void)context;
    double *largest = *(double **)state;
    if (block->layout == LINPRED__DENSE) {
        take_dense(block, largest);
        return;
    }
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++) {
        double size = fabs(block->values[k]);
        if (size > largest[block->indices[k]])
            largest[block->indices[k]] = size;
    }
}

static void merge(void *context, void *into, const void *from)
{
    double *a = *(double **)into;
    const double *b = *(double *const *)from;
    for (int32_t j = 0; j < ((const linpred_data *)context)->columns; j++)
        a[j] = b[j] > a[j] ? b[j] : a[j];
}

linpred_status linpred__find_extent(const linpred_data *data, linpred__pool *pool, double *largest,
                                    linpred_error *error)
{
    linpred__visitor visitor = {sizeof(double *), init, visit, merge, clear, (void *)data};
    double *total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    if (status != LINPRED_OK)
        return status;
    memcpy(largest, total, (size_t)data->columns * sizeof *largest);
    linpred__release(total);
    return LINPRED_OK;
}
