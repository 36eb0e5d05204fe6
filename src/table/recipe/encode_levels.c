/* Encodes a dense table as sparse rows.
 *
 * A text column with L levels gives L - 1 indicators, of which a row has at most one that is not 0. A dense row costs 8
 * bytes a feature, a sparse row 12 bytes an entry. If the text columns have many levels, the rows become sparse: the
 * numbers that are not 0, and one entry for each text column whose level is not the reference level.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "table/limits.h"
#include "table/recipe/encode_rows.h"

bool linpred__encode_many_levels(const linpred__encoding *work)
{
    const linpred__recipe *recipe = work->recipe;
    if (recipe->terms != recipe->features) /* powers are formed from dense rows */
        return false;
    return recipe->features > LINPRED__MAX_DENSE_FEATURES &&
           (double)recipe->features * sizeof(double) >
               LINPRED__SPARSE_SAVES * (double)recipe->sources * (sizeof(double) + sizeof(int32_t));
}

/* Writes the entries of a row to `values` and `indices`, and their number to *count. */
static linpred__lacks encode_entries(const linpred__encoding *work, const double *cell, double *values,
                                     int32_t *indices, int64_t *count)
{
    const linpred__recipe *recipe = work->recipe;
    linpred__lacks lacks = {0};
    int32_t first = 0; /* the first feature of source k */
    *count = 0;
    for (int32_t k = 0; k < recipe->sources; k++) {
        const linpred__recipe_column *source = &recipe->source[k];
        double value = cell[work->roles->source[k]];
        int32_t feature = first;
        first += linpred__recipe_column_features(source);
        if (source->type == LINPRED_COLUMN_NUMBER) {
            value = linpred__encode_number(work, source, value, &lacks);
        } else {
            int32_t level = linpred__encode_level(work, k, value, &lacks);
            feature += level - 1;
            value = level > 0 ? 1.0 : 0.0;
        }
        if (value != 0.0) {
            values[*count] = value;
            indices[(*count)++] = feature;
        }
    }
    return lacks;
}

static bool reserve_rows(linpred__table *table, linpred__table_block *block, int32_t rows, int64_t entries)
{
    block->values = linpred__table_alloc(table, (size_t)entries, sizeof *block->values);
    block->indices = linpred__table_alloc(table, (size_t)entries, sizeof *block->indices);
    block->start = linpred__table_alloc(table, (size_t)rows + 1, sizeof *block->start);
    if (block->start)
        memset(block->start, 0, ((size_t)rows + 1) * sizeof *block->start);
    return block->values && block->indices && block->start;
}

static void release_rows(linpred__table *table, linpred__table_block *block)
{
    linpred__table_release(table, block->values);
    linpred__table_release(table, block->indices);
    linpred__table_release(table, block->start);
    *block = (linpred__table_block){0};
}

void linpred__encode_levels_block(void *context, int64_t b)
{
    linpred__encoding *work = context;
    linpred__table_block *block = &work->table->block[b];
    linpred__table_block out = {0};
    if (!reserve_rows(work->table, &out, block->rows, (int64_t)block->rows * work->recipe->sources)) {
        release_rows(work->table, &out);
        work->found[b].out_of_memory = true;
        return;
    }
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = b * work->table->block_rows + r;
        const double *cell = block->values + (int64_t)r * work->table->columns;
        int64_t at = out.start[out.rows], count;
        linpred__cell_found bad = {0};
        linpred__fate fate = linpred__encode_label(work, cell, row, &bad);
        linpred__lacks lacks = encode_entries(work, cell, out.values + at, out.indices + at, &count);
        fate = linpred__encode_judge(work, b, row, fate, &bad, &lacks);
        if (fate == LINPRED__ROW_KEPT || !work->fate)
            out.start[++out.rows] = at + count;
    }
    linpred__table_release(work->table, block->values);
    *block = out;
}

/* Appends rows `from` … `from + rows - 1` of a block to `to`. */
static void append_rows(linpred__table_block *to, const linpred__table_block *block, int32_t from, int32_t rows)
{
    int64_t first = block->start[from], entries = block->start[from + rows] - first, at = to->start[to->rows];
    memcpy(to->values + at, block->values + first, (size_t)entries * sizeof *to->values);
    memcpy(to->indices + at, block->indices + first, (size_t)entries * sizeof *to->indices);
    for (int32_t r = 1; r <= rows; r++)
        to->start[to->rows + r] = at + block->start[from + r] - first;
    to->rows += rows;
}

bool linpred__encode_pack(linpred__table *table)
{
    int64_t from = 0;     /* the block whose rows come next */
    int32_t from_row = 0; /* the first of its rows that was not moved */
    int64_t packed = 0;   /* blocks that are finished. Those before `from` are empty, and there are at least as many. */
    while (from < table->blocks) {
        int64_t rows = -from_row, entries = -table->block[from].start[from_row];
        for (int64_t b = from; b < table->blocks && rows < table->block_rows; b++) {
            rows += table->block[b].rows;
            entries += table->block[b].start[table->block[b].rows];
        }
        linpred__table_block out = {0};
        if (!reserve_rows(table, &out, table->block_rows, entries)) {
            release_rows(table, &out);
            return false;
        }
        while (from < table->blocks && out.rows < table->block_rows) {
            linpred__table_block *block = &table->block[from];
            int32_t left = block->rows - from_row, room = table->block_rows - out.rows;
            append_rows(&out, block, from_row, left < room ? left : room);
            from_row += left < room ? left : room;
            if (from_row == block->rows) {
                release_rows(table, block);
                from++;
                from_row = 0;
            }
        }
        if (out.rows > 0)
            table->block[packed++] = out;
        else
            release_rows(table, &out);
    }
    table->blocks = packed;
    return true;
}
