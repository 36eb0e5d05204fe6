/* Makes a copy of data in which column j is multiplied by 2^-exponent[j]. Logistic regression needs it if squares of
 * the values would overflow or underflow. That is rare, so the code is simple rather than fast. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/data.h"

struct copied {
    double *values; /* values of all blocks, one block after the other */
    int64_t *start; /* sparse: starts of all blocks, one block after the other; those of each block begin with 0 */
};

static void release_copied(void *context)
{
    struct copied *copied = context;
    linpred__release(copied->values);
    linpred__release(copied->start);
    linpred__release(copied);
}

static struct copied *new_copied(const linpred_data *data)
{
    struct copied *copied = linpred__calloc(1, sizeof *copied);
    if (!copied)
        return NULL;
    copied->values = linpred__alloc((size_t)data->entries, sizeof(double));
    if (data->layout == LINPRED__SPARSE)
        copied->start = linpred__alloc((size_t)(data->rows + data->blocks), sizeof(int64_t));
    if (copied->values && (copied->start || data->layout == LINPRED__DENSE))
        return copied;
    release_copied(copied);
    return NULL;
}

/* Scales the entries of a block into `values`. False if a value became subnormal or 0 and may have lost bits. */
static bool scale_block(const linpred__block *block, const int *exponent, double *values)
{
    bool lossless = true;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++, values++) {
            *values = ldexp(row.values[k], -exponent[linpred__entry_column(&row, k)]);
            lossless = lossless && (row.values[k] == 0.0 || fabs(*values) >= DBL_MIN);
        }
    }
    return lossless;
}

static void make_scaled(const void *context, const linpred__block *from, double *values)
{
    scale_block(from, context, values);
}

/* The same for rows that lie in a file: they are scaled whenever they are read. */
static linpred_status scale_stored(const linpred_data *data, const int *exponent, linpred_data **out, bool *exact,
                                   linpred_error *error)
{
    size_t columns = (size_t)data->columns;
    int *kept = linpred__alloc(columns, sizeof *kept);
    if (!kept)
        return linpred__no_memory(error);
    memcpy(kept, exponent, columns * sizeof *kept);
    double *values = NULL;
    size_t capacity = 0;
    bool lossless = true, room = true;
    for (int64_t i = 0; exact && room && i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        size_t entries = block->layout == LINPRED__SPARSE ? (size_t)(block->start[block->rows] - block->start[0])
                                                          : (size_t)block->rows * columns;
        room = linpred__grow(&values, &capacity, entries, sizeof *values);
        lossless = room && scale_block(block, kept, values) && lossless;
    }
    linpred__release(values);
    if (!room) {
        linpred__release(kept);
        return linpred__no_memory(error);
    }
    if (exact)
        *exact = lossless;
    return linpred__data_derive(&(linpred__stored_view){data, data->layout, data->columns, make_scaled, kept, NULL},
                                out, error);
}

linpred_status linpred__data_scaled(const linpred_data *data, const int *exponent, linpred_data **out, bool *exact,
                                    linpred_error *error)
{
    if (data->stored)
        return scale_stored(data, exponent, out, exact, error);
    linpred_data *copy = linpred__calloc(1, sizeof *copy);
    struct copied *copied = new_copied(data);
    linpred__block *blocks = linpred__alloc((size_t)data->blocks, sizeof *blocks);
    if (!copy || !copied || !blocks) {
        linpred__release(copy);
        if (copied)
            release_copied(copied);
        linpred__release(blocks);
        return linpred__no_memory(error);
    }
    *copy = *data;
    copy->block = blocks;
    copy->source_row = NULL;
    copy->recipe = NULL;
    copy->decimals = NULL;
    copy->release = release_copied;
    copy->context = copied;
    double *values = copied->values;
    int64_t *start = copied->start;
    bool lossless = true;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *from = &data->block[i];
        lossless = scale_block(from, exponent, values) && lossless;
        blocks[i] = *from;
        blocks[i].values = values;
        blocks[i].decimals = NULL;
        blocks[i].stride = from->columns;
        if (start) {
            blocks[i].indices = from->indices + from->start[0];
            blocks[i].start = start;
            start = linpred__copy_starts(from, start);
        }
        values += start ? from->start[from->rows] - from->start[0] : (int64_t)from->rows * from->columns;
    }
    *out = copy;
    if (exact)
        *exact = lossless;
    return LINPRED_OK;
}
