/* Copies the rows of arrays that have a weight. */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/drop_weightless.h"

/* The memory of the copy. */
struct kept {
    double *values, *labels, *weights;
    int64_t *start;
    int32_t *indices;
};

static void release_kept(void *context)
{
    struct kept *kept = context;
    linpred__release(kept->values);
    linpred__release(kept->labels);
    linpred__release(kept->weights);
    linpred__release(kept->start);
    linpred__release(kept->indices);
    linpred__release(kept);
}

static struct kept *new_kept(const linpred_arrays *a, int64_t rows, int64_t entries)
{
    struct kept *kept = linpred__calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->values = linpred__alloc((size_t)entries, sizeof(double));
    kept->labels = linpred__alloc((size_t)rows, sizeof(double));
    kept->weights = linpred__alloc((size_t)rows, sizeof(double));
    kept->start = a->start ? linpred__alloc((size_t)rows + 1, sizeof(int64_t)) : NULL;
    kept->indices = a->start ? linpred__alloc((size_t)entries, sizeof(int32_t)) : NULL;
    if (kept->values && kept->labels && kept->weights && (!a->start || (kept->start && kept->indices)))
        return kept;
    release_kept(kept);
    return NULL;
}

int64_t linpred__weightless_rows(const linpred_arrays *a)
{
    int64_t count = 0;
    for (int64_t row = 0; a->weights && row < a->rows; row++)
        count += a->weights[row] == 0.0;
    return count;
}

linpred_status linpred__leave_out_weightless(const linpred_arrays *a, linpred_arrays *out, int64_t **source_row,
                                             linpred_error *error)
{
    int64_t rows = a->rows - linpred__weightless_rows(a), entries = 0, to = 0, at = 0;
    int64_t stride = a->stride ? a->stride : a->columns;
    if (rows == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "no row is left: all have weight 0");
    for (int64_t row = 0; row < a->rows; row++)
        if (a->weights[row] != 0.0)
            entries += a->start ? a->start[row + 1] - a->start[row] : a->columns;
    struct kept *kept = new_kept(a, rows, entries);
    int64_t *source = linpred__alloc((size_t)rows, sizeof *source);
    if (!kept || !source) {
        if (kept)
            release_kept(kept);
        linpred__release(source);
        return linpred__no_memory(error);
    }
    for (int64_t row = 0; row < a->rows; row++) {
        if (a->weights[row] == 0.0)
            continue;
        int64_t from = a->start ? a->start[row] : row * stride,
                count = a->start ? a->start[row + 1] - from : a->columns;
        if (count > 0)
            memcpy(kept->values + at, a->values + from, (size_t)count * sizeof(double));
        if (a->start && count > 0)
            memcpy(kept->indices + at, a->indices + from, (size_t)count * sizeof(int32_t));
        if (a->start)
            kept->start[to] = at;
        kept->labels[to] = a->labels[row];
        kept->weights[to] = a->weights[row];
        source[to++] = row;
        at += count;
    }
    if (a->start)
        kept->start[rows] = at;
    *out = *a;
    out->rows = rows;
    out->values = kept->values;
    out->stride = 0;
    out->start = kept->start;
    out->indices = kept->indices;
    out->labels = kept->labels;
    out->weights = kept->weights;
    out->release = release_kept;
    out->context = kept;
    *source_row = source;
    return LINPRED_OK;
}
