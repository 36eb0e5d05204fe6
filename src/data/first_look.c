/* The first look at rows of a file (stored.h). Blocks are looked at by whoever claims them first. The thread that
 * completes the last one compares the sums. */
#define _FILE_OFFSET_BITS 64
#include "data/stored.h"

#include <string.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"

enum { VALUES, INDICES, ARRAYS };

typedef struct linpred__first_look linpred__first_look;
struct linpred__first_look {
    const linpred_data *data; /* all rows of the file */
    linpred__array_sums stated[ARRAYS];
    uint32_t *sum[ARRAYS]; /* of each block */
    atomic_uchar *claimed; /* of each block: some thread looks at it, or has */
    linpred__need *needs;  /* what columns need, as the file states; NULL: it does not */
    linpred__need *found;  /* what they need */
    _Atomic int64_t left;  /* blocks that nobody has looked at */
};

void linpred__first_look_free(linpred__first_look *look)
{
    if (!look)
        return;
    linpred__release(look->sum[VALUES]);
    linpred__release(look->sum[INDICES]);
    linpred__release(look->claimed);
    linpred__release(look->needs);
    linpred__release(look->found);
    linpred__release(look);
}

linpred_status linpred__look_first(const linpred_data *data, linpred__array_sums values, linpred__array_sums indices,
                                   linpred__need *needs, linpred_error *error)
{
    size_t blocks = (size_t)data->blocks;
    linpred__first_look *look = linpred__calloc(1, sizeof *look);
    if (!look) {
        linpred__release(needs);
        return linpred__no_memory(error);
    }
    look->needs = needs;
    look->found = needs ? linpred__calloc((size_t)data->columns, sizeof *look->found) : NULL;
    look->sum[VALUES] = linpred__calloc(blocks, sizeof *look->sum[VALUES]);
    look->sum[INDICES] = linpred__calloc(blocks, sizeof *look->sum[INDICES]);
    look->claimed = linpred__calloc(blocks, sizeof *look->claimed);
    if (!look->sum[VALUES] || !look->sum[INDICES] || !look->claimed || (needs && !look->found)) {
        linpred__first_look_free(look);
        return linpred__no_memory(error);
    }
    look->data = data;
    look->stated[VALUES] = values;
    look->stated[INDICES] = indices;
    atomic_init(&look->left, data->blocks);
    data->stored->look = look;
    return LINPRED_OK;
}

const linpred__need *linpred__stated_needs(const linpred_data *data)
{
    return data->stored && data->stored->look ? data->stored->look->needs : NULL;
}

/* The entries of block i, dense or sparse. */
static int64_t entries_of_block(const linpred_data *data, int64_t i)
{
    const int64_t *start = data->stored->file.start;
    const linpred__block *block = &data->block[i];
    return start ? start[block->first_row + block->rows] - start[block->first_row]
                 : (int64_t)block->rows * data->columns;
}

/* Whether the checksums of all blocks together are that of an array. */
static bool is_undamaged(const linpred__first_look *look, int array, size_t item)
{
    const linpred_data *data = look->data;
    uLong whole = look->stated[array].before;
    for (int64_t i = 0; i < data->blocks; i++) {
        int64_t entries = entries_of_block(data, i);
        if (entries > 0)
            whole = crc32_combine(whole, look->sum[array][i], (z_off_t)((size_t)entries * item));
    }
    return (uint32_t)whole == look->stated[array].whole;
}

static void compare_sums(const linpred__first_look *look)
{
    linpred__stored *stored = look->data->stored;
    if (!is_undamaged(look, VALUES, sizeof(double)))
        linpred__stored_fail(stored, LINPRED__STORED_DAMAGED_VALUES);
    else if (stored->file.start && !is_undamaged(look, INDICES, sizeof(int32_t)))
        linpred__stored_fail(stored, LINPRED__STORED_DAMAGED_INDICES);
    for (int32_t j = 0; look->needs && j < look->data->columns; j++)
        if (look->needs[j].needed != look->found[j].needed || look->needs[j].largest != look->found[j].largest)
            linpred__stored_fail(stored, LINPRED__STORED_DAMAGED_DECIMALS);
}

/* What the columns need by some of the rows that were read, from row `before` of them on. */
static void note_needs_of(const linpred__first_look *look, const linpred__block *rows, int64_t before, int32_t count)
{
    linpred__block some = *rows;
    some.rows = count;
    if (rows->layout == LINPRED__SPARSE)
        some.start = rows->start + before;
    else
        some.values = rows->values + before * look->data->columns;
    if (!linpred__note_needs(&some, look->found))
        linpred__stored_fail(look->data->stored, LINPRED__STORED_NO_MEMORY);
}

/* Adds up the checksums of block i of the data: its entries are in memory. */
static void sum_entries(linpred__first_look *look, int64_t i, const double *values, const int32_t *indices)
{
    int64_t entries = entries_of_block(look->data, i);
    look->sum[VALUES][i] = linpred__checksum(0, values, (size_t)entries * sizeof *values);
    if (indices)
        look->sum[INDICES][i] = linpred__checksum(0, indices, (size_t)entries * sizeof *indices);
}

void linpred__look_at(const linpred__stored *stored, const linpred__block *rows)
{
    linpred__first_look *look = stored->look;
    bool broken = look && atomic_load(&stored->failure) == LINPRED__STORED_NOT_FINITE;
    if (!look || (atomic_load(&look->left) == 0 && !broken))
        return;
    const linpred_data *data = look->data;
    int64_t end = rows->first_row + rows->rows, i = (rows->first_row + data->block_rows - 1) / data->block_rows;
    bool sparse = rows->layout == LINPRED__SPARSE;
    /* The values are in a buffer of whoever read them, which is not constant. */
    double *values = (double *)rows->values;
    int64_t first = sparse ? rows->start[0] : 0,
            count = (sparse ? rows->start[rows->rows] : rows->rows * (int64_t)data->columns) - first;
    bool finite = linpred__all_finite(values + first, (size_t)count);
    if (!finite)
        linpred__stored_fail(look->data->stored, LINPRED__STORED_NOT_FINITE);
    for (; i < data->blocks && data->block[i].first_row + data->block[i].rows <= end; i++) {
        if (atomic_exchange(&look->claimed[i], 1))
            continue;
        int64_t before = data->block[i].first_row - rows->first_row;
        int64_t from = sparse ? rows->start[before] : before * data->columns;
        sum_entries(look, i, values + from, sparse ? rows->indices + from : NULL);
        if (look->needs && finite)
            note_needs_of(look, rows, before, data->block[i].rows);
        if (atomic_fetch_sub(&look->left, 1) == 1)
            compare_sums(look);
    }
    if (!finite) /* nobody computes with them */
        memset(values + first, 0, (size_t)count * sizeof *values);
}
