/* Copies rows of the data as signed homogeneous rows. */
#include "separate/rows/gather.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"

void linpred__gathered_clear(linpred__gathered *gathered)
{
    linpred__release(gathered->values);
    linpred__release(gathered->start);
    linpred__release(gathered->indices);
    *gathered = (linpred__gathered){0};
}

static void copy_signed_row(const linpred_data *data, bool has_intercept, int64_t row, linpred__gathered *out,
                            int64_t at)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    double y = block->target[r];
    for (int64_t k = 0; k < entries.count; k++)
        out->values[at + k] = y * entries.values[k];
    if (has_intercept)
        out->values[at + entries.count] = y;
    if (!out->indices)
        return;
    memcpy(out->indices + at, entries.indices, (size_t)entries.count * sizeof *out->indices);
    if (has_intercept)
        out->indices[at + entries.count] = data->columns;
}

linpred_status linpred__gather(const linpred_data *data, bool has_intercept, const int64_t *row, int64_t count,
                               linpred__gathered *out, linpred_error *error)
{
    linpred__gathered made = {0};
    bool sparse = data->layout == LINPRED__SPARSE;
    made.start = linpred__alloc((size_t)count + 1, sizeof *made.start);
    if (!made.start)
        return linpred__no_memory(error);
    made.start[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, row[i], &r);
        made.start[i + 1] = made.start[i] + linpred__entries_of(block, r).count + has_intercept;
    }
    made.values = linpred__alloc((size_t)made.start[count], sizeof *made.values);
    if (sparse)
        made.indices = linpred__alloc((size_t)made.start[count], sizeof *made.indices);
    if (!made.values || (sparse && !made.indices)) {
        linpred__gathered_clear(&made);
        return linpred__no_memory(error);
    }
    for (int64_t i = 0; i < count; i++)
        copy_signed_row(data, has_intercept, row[i], &made, made.start[i]);
    made.rows = (linpred__rows){.rows = (int32_t)count,
                                .columns = data->columns + has_intercept,
                                .values = made.values,
                                .start = sparse ? made.start : NULL,
                                .indices = made.indices};
    *out = made;
    return LINPRED_OK;
}
