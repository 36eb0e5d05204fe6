/* The rows of all files in one table. Blocks of the table are filled file by file; a file's reader sends each stretch
 * of rows that lies in one block to all. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/cells/dictionary.h"
#include "table/files/files.h"

/* Rows `row` … `row + rows - 1` of a file, which lie in one block of all rows from `at` on. */
typedef struct stretch {
    int64_t file;
    int64_t row;
    int64_t rows;
    linpred__table_block *block;
    int64_t at;
} stretch;

static void give_to_all(const linpred__files *files, int64_t file, void *bytes, size_t count)
{
    if (files->comm && count > 0)
        files->comm->broadcast(linpred__file_reader(files, file), bytes, count);
}

/* Calls `take` for each stretch of a file. */
static void walk_file(linpred__table *all, int64_t file, int64_t rows, void (*take)(void *context, const stretch *part),
                      void *context)
{
    int64_t first = all->file[file].first_row;
    for (int64_t row = 0, left; row < rows; row += left) {
        int64_t at = (first + row) % all->block_rows;
        left = all->block_rows - at < rows - row ? all->block_rows - at : rows - row;
        take(context, &(stretch){file, row, left, &all->block[(first + row) / all->block_rows], at});
    }
}

/* ---- dense rows -------------------------------------------------------------------------------------------------- */

/* What a file's rows are copied by: number[c][level] is the level of all files; NULL if column c holds no text. */
typedef struct copying {
    const linpred__files *files;
    linpred__table *all;
    int32_t **number;
} copying;

static void take_dense(void *context, const stretch *part)
{
    const copying *work = context;
    const linpred__table *from = work->files->table[part->file];
    int32_t columns = work->all->columns;
    double *to = part->block->values + part->at * columns;
    for (int64_t r = 0; from->block && r < part->rows; r++) {
        int64_t row = part->row + r;
        const double *cells = from->block[row / from->block_rows].values + row % from->block_rows * columns;
        memcpy(to + r * columns, cells, (size_t)columns * sizeof *to);
        for (int32_t c = 0; work->number && c < columns; c++)
            if (work->number[c] && !isnan(cells[c]))
                to[r * columns + c] = work->number[c][(int64_t)cells[c]];
    }
    give_to_all(work->files, part->file, to, (size_t)(part->rows * columns) * sizeof *to);
}

static void free_numbers(int32_t **number, int32_t columns)
{
    for (int32_t c = 0; number && c < columns; c++)
        linpred__release(number[c]);
    linpred__release(number);
}

/* Finds the levels of a file among those of all; NULL if out of memory. */
static int32_t **number_levels(const linpred__table *all, const linpred__table *table, linpred__dictionary *levels)
{
    int32_t **number = linpred__calloc((size_t)all->columns, sizeof *number);
    bool whole = number != NULL;
    for (int32_t c = 0; c < all->columns && whole; c++) {
        const linpred__column *column = &table->column[c];
        if (column->type != LINPRED_COLUMN_TEXT)
            continue;
        number[c] = linpred__alloc((size_t)column->levels + 1, sizeof **number);
        whole = number[c] && linpred__list_levels(column, &levels[c], number[c]);
    }
    if (whole)
        return number;
    free_numbers(number, all->columns);
    return NULL;
}

/* The levels of all files by their texts; NULL if out of memory. */
static linpred__dictionary *find_levels(const linpred__table *all)
{
    linpred__dictionary *levels = linpred__calloc((size_t)all->columns, sizeof *levels);
    bool whole = levels != NULL;
    for (int32_t c = 0; c < all->columns && whole; c++)
        whole = linpred__list_levels(&all->column[c], &levels[c], NULL);
    for (int32_t c = 0; c < all->columns && levels && !whole; c++)
        linpred__dictionary_free(&levels[c]);
    if (!whole) {
        linpred__release(levels);
        return NULL;
    }
    return levels;
}

static bool join_dense(linpred__files *files, linpred__table *all)
{
    linpred__dictionary *levels = find_levels(all);
    bool whole = levels != NULL;
    for (int64_t b = 0; b < all->blocks && whole; b++) {
        all->block[b].values =
            linpred__table_alloc(all, (size_t)all->block[b].rows, (size_t)all->columns * sizeof(double));
        whole = all->block[b].values != NULL;
    }
    for (int64_t i = 0; i < files->count && whole; i++) {
        linpred__table *table = files->table[i];
        if (!table)
            continue;
        copying work = {files, all, table->block ? number_levels(all, table, levels) : NULL};
        whole = !table->block || work.number;
        if (whole)
            walk_file(all, i, table->rows, take_dense, &work);
        free_numbers(work.number, all->columns);
        linpred__table_free(table);
        files->table[i] = NULL;
    }
    for (int32_t c = 0; levels && c < all->columns; c++)
        linpred__dictionary_free(&levels[c]);
    linpred__release(levels);
    return whole;
}

/* ---- sparse rows ------------------------------------------------------------------------------------------------- */

/* Row `row` of a sparse table, its place in a block. */
static const linpred__table_block *block_of_row(const linpred__table *table, int64_t row, int64_t *r)
{
    *r = row % table->block_rows;
    return &table->block[row / table->block_rows];
}

/* Where each row of a block ends, from the number of its entries: start[r + 1] - start[r]. */
static void take_starts(void *context, const stretch *part)
{
    const copying *work = context;
    const linpred__table *from = work->files->table[part->file];
    int64_t *to = part->block->start + part->at + 1, r;
    for (int64_t i = 0; from->block && i < part->rows; i++) {
        const linpred__table_block *block = block_of_row(from, part->row + i, &r);
        to[i] = block->start[r + 1] - block->start[r];
        part->block->target[part->at + i] = block->target[r];
    }
    give_to_all(work->files, part->file, to, (size_t)part->rows * sizeof *to);
    give_to_all(work->files, part->file, part->block->target + part->at,
                (size_t)part->rows * sizeof *part->block->target);
}

static void take_entries(void *context, const stretch *part)
{
    const copying *work = context;
    const linpred__table *from = work->files->table[part->file];
    int64_t at = part->block->start[part->at], end = part->block->start[part->at + part->rows], r;
    double *values = part->block->values + at;
    int32_t *indices = part->block->indices + at;
    for (int64_t i = 0; from->block && i < part->rows; i++) {
        const linpred__table_block *block = block_of_row(from, part->row + i, &r);
        size_t entries = (size_t)(block->start[r + 1] - block->start[r]);
        if (entries == 0)
            continue;
        memcpy(values, block->values + block->start[r], entries * sizeof *values);
        memcpy(indices, block->indices + block->start[r], entries * sizeof *indices);
        values += entries;
        indices += entries;
    }
    give_to_all(work->files, part->file, part->block->values + at, (size_t)(end - at) * sizeof *values);
    give_to_all(work->files, part->file, part->block->indices + at, (size_t)(end - at) * sizeof *indices);
}

static bool join_sparse(linpred__files *files, linpred__table *all)
{
    copying work = {files, all, NULL};
    for (int64_t b = 0; b < all->blocks; b++) {
        linpred__table_block *block = &all->block[b];
        block->start = linpred__table_alloc(all, (size_t)block->rows + 1, sizeof *block->start);
        block->target = linpred__table_alloc(all, (size_t)block->rows, sizeof *block->target);
        if (!block->start || !block->target)
            return false;
    }
    for (int64_t i = 0; i < files->count; i++)
        if (files->table[i])
            walk_file(all, i, files->table[i]->rows, take_starts, &work);
    for (int64_t b = 0; b < all->blocks; b++) {
        linpred__table_block *block = &all->block[b];
        block->start[0] = 0;
        for (int32_t r = 0; r < block->rows; r++)
            block->start[r + 1] += block->start[r];
        size_t entries = (size_t)block->start[block->rows];
        block->values = linpred__table_alloc(all, entries, sizeof *block->values);
        block->indices = linpred__table_alloc(all, entries, sizeof *block->indices);
        if (!block->values || !block->indices)
            return false;
    }
    for (int64_t i = 0; i < files->count; i++) {
        if (files->table[i])
            walk_file(all, i, files->table[i]->rows, take_entries, &work);
        linpred__table_free(files->table[i]);
        files->table[i] = NULL;
    }
    return true;
}

linpred_status linpred__files_join(linpred__files *files, linpred__table *all, linpred_error *error)
{
    if (all->rows == 0)
        return LINPRED_OK;
    int64_t blocks = (all->rows - 1) / all->block_rows + 1;
    all->block = linpred__calloc((size_t)blocks, sizeof *all->block);
    if (!all->block)
        return linpred__files_no_memory(files, error);
    all->blocks = blocks;
    for (int64_t b = 0; b < blocks; b++) {
        int64_t left = all->rows - b * all->block_rows;
        all->block[b].rows = left < all->block_rows ? (int32_t)left : all->block_rows;
    }
    bool whole = all->layout == LINPRED__SPARSE ? join_sparse(files, all) : join_dense(files, all);
    return whole ? LINPRED_OK : linpred__files_no_memory(files, error);
}

linpred_status linpred__files_join_own(const linpred__files *files, const linpred__table *all, linpred__spill *spill,
                                       linpred__table *own, linpred_error *error)
{
    linpred__share share = {0, files->count};
    if (files->comm)
        share = linpred__share_of(files->count, files->comm->processes, files->comm->process);
    linpred__files mine = {.count = share.to - share.from, .table = files->table + share.from};
    *own = *all;
    own->rows = own->entries = 0;
    own->spill = spill;
    own->row_lines = (linpred__row_lines){0};
    own->files = 0;
    own->file = linpred__calloc((size_t)mine.count + 1, sizeof *own->file);
    if (!own->file)
        return linpred__no_memory(error);
    for (; own->files < mine.count; own->files++) {
        const linpred__table *table = mine.table[own->files];
        own->file[own->files].first_row = own->rows;
        own->rows += table ? table->rows : 0;
        own->entries += table ? table->entries : 0;
    }
    return linpred__files_join(&mine, own, error);
}

void linpred__files_free_own(linpred__table *own)
{
    own->column = NULL;
    own->reading = (linpred__reading){0};
    linpred__table_clear(own);
}
