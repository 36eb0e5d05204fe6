/* Makes a copy of data in which shift[j] is subtracted from column j. Logistic regression needs it for columns that lie
 * far from 0 beside their spread, such as times in seconds: over the numbers as they are, a Gram matrix and the scores
 * would lose the spread to rounding. Nearly every row of sparse data has an entry in such a column, so the copy is
 * hardly larger: an entry that is missing becomes -shift[j]. Decimals are shifted, not the doubles next to them. */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/stored.h"

/* The rows of all blocks, one block after the other. */
struct shifted {
    double *values;
    int32_t *indices; /* of sparse rows; else NULL */
    int64_t *start;   /* of sparse rows: those of each block begin with 0; else NULL */
};

static void release_shifted(void *context)
{
    struct shifted *shifted = context;
    linpred__release(shifted->values);
    linpred__release(shifted->indices);
    linpred__release(shifted->start);
    linpred__release(shifted);
}

/* Writes a row and answers its number of entries. `moved` lists the columns with a shift in ascending order. */
static int64_t shift_row(const linpred__block *block, int32_t r, const double *shift, const int32_t *moved,
                         int32_t count, double *values, int32_t *indices)
{
    linpred__entries entries = linpred__entries_of(block, r), *row = &entries;
    int64_t written = 0;
    int32_t next = 0;
    for (int64_t k = 0; k <= row->count; k++) {
        bool end = k == row->count;
        for (; next < count && (end || moved[next] < linpred__entry_column(row, k)); next++) {
            values[written] = -shift[moved[next]];
            indices[written++] = moved[next];
        }
        if (end)
            break;
        int32_t j = linpred__entry_column(row, k);
        values[written] = row->values[k] - shift[j] + linpred__cell_lost(block, j, row->values[k]);
        indices[written++] = j;
        next += next < count && moved[next] == j;
    }
    return written;
}

/* The number of entries of the copy. */
static int64_t count_entries(const linpred_data *data, const double *shift, int32_t moved)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++) {
            linpred__entries row = linpred__entries_of(&data->block[i], r);
            entries += row.count + moved;
            for (int64_t k = 0; k < row.count; k++)
                entries -= shift[linpred__entry_column(&row, k)] != 0.0;
        }
    return entries;
}

/* Fills the blocks of the copy of sparse rows. */
static void write_sparse_blocks(const linpred_data *data, const double *shift, const int32_t *moved, int32_t count,
                                const struct shifted *shifted, linpred__block *blocks)
{
    double *values = shifted->values;
    int32_t *indices = shifted->indices;
    int64_t *start = shifted->start;
    for (int64_t i = 0; i < data->blocks; i++) {
        blocks[i] = data->block[i];
        blocks[i].decimals = NULL;
        blocks[i].values = values;
        blocks[i].indices = indices;
        blocks[i].start = start;
        int64_t at = 0;
        *start++ = 0;
        for (int32_t r = 0; r < blocks[i].rows; r++) {
            at += shift_row(&data->block[i], r, shift, moved, count, values + at, indices + at);
            *start++ = at;
        }
        values += at;
        indices += at;
    }
}

static void shift_dense_block(const void *context, const linpred__block *from, double *values)
{
    const double *shift = context;
    for (int32_t r = 0; r < from->rows; r++) {
        linpred__entries row = linpred__entries_of(from, r);
        for (int64_t k = 0; k < row.count; k++)
            *values++ = row.values[k] - shift[k] + linpred__cell_lost(from, (int32_t)k, row.values[k]);
    }
}

/* Fills the blocks of the copy of dense rows. */
static void write_dense_blocks(const linpred_data *data, const double *shift, double *values, linpred__block *blocks)
{
    for (int64_t i = 0; i < data->blocks; i++) {
        blocks[i] = data->block[i];
        blocks[i].decimals = NULL;
        blocks[i].values = values;
        blocks[i].stride = data->columns;
        shift_dense_block(shift, &data->block[i], values);
        values += (int64_t)blocks[i].rows * data->columns;
    }
}

/* Dense rows that lie in a file are shifted whenever they are read. */
static linpred_status shift_stored(const linpred_data *data, const double *shift, linpred_data **out,
                                   linpred_error *error)
{
    if (data->layout == LINPRED__SPARSE)
        return linpred__stored_refuse(data, "a copy of sparse rows about the means of columns", error);
    double *kept = linpred__alloc((size_t)data->columns, sizeof *kept);
    if (!kept)
        return linpred__no_memory(error);
    memcpy(kept, shift, (size_t)data->columns * sizeof *kept);
    return linpred__data_derive(
        &(linpred__stored_view){data, LINPRED__DENSE, data->columns, shift_dense_block, kept, NULL}, out, error);
}

linpred_status linpred__data_shifted(const linpred_data *data, const double *shift, linpred_data **out,
                                     linpred_error *error)
{
    if (data->stored)
        return shift_stored(data, shift, out, error);
    bool sparse = data->layout == LINPRED__SPARSE;
    int32_t *moved = linpred__alloc((size_t)data->columns, sizeof *moved), count = 0;
    for (int32_t j = 0; moved && j < data->columns; j++)
        if (shift[j] != 0.0)
            moved[count++] = j;
    linpred_data *copy = linpred__calloc(1, sizeof *copy);
    struct shifted *shifted = linpred__calloc(1, sizeof *shifted);
    linpred__block *blocks = linpred__alloc((size_t)data->blocks, sizeof *blocks);
    int64_t entries = sparse ? count_entries(data, shift, count) : data->entries;
    if (shifted)
        shifted->values = linpred__alloc((size_t)entries, sizeof(double));
    if (shifted && sparse) {
        shifted->indices = linpred__alloc((size_t)entries, sizeof(int32_t));
        shifted->start = linpred__alloc((size_t)(data->rows + data->blocks), sizeof(int64_t));
    }
    if (!moved || !copy || !blocks || !shifted || !shifted->values ||
        (sparse && !(shifted->indices && shifted->start))) {
        if (shifted)
            release_shifted(shifted);
        linpred__release(moved);
        linpred__release(copy);
        linpred__release(blocks);
        return linpred__no_memory(error);
    }
    if (sparse)
        write_sparse_blocks(data, shift, moved, count, shifted, blocks);
    else
        write_dense_blocks(data, shift, shifted->values, blocks);
    *copy = *data;
    copy->entries = entries;
    copy->block = blocks;
    copy->source_row = NULL;
    copy->recipe = NULL;
    copy->decimals = NULL;
    copy->release = release_shifted;
    copy->context = shifted;
    linpred__release(moved);
    *out = copy;
    return LINPRED_OK;
}
