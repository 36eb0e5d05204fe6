/* The reader of LIBSVM (SVMlight) files: joins the pieces into a table.
 *
 * Unless the user gives the index base, it is known only at the end of the file: it is 0 if some index is 0, else 1.
 * Indices are stored as index - 1; if the base turns out to be 0, 1 is added to all of them at the end.
 *
 * If all rows of a block lie in one piece, the thread that stores the piece fills the block. The rows of a block that
 * several pieces share are gathered while the pieces are merged.
 */
#include "table/libsvm/libsvm.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/readers.h"
#include "table/limits.h"

typedef struct libsvm {
    linpred__source *source;
    linpred__table *table;
    linpred_index_base base;
    int64_t lines;          /* lines of the file before the next piece to be merged */
    int32_t largest;        /* the largest index as written in the file; -1 if there are no entries */
    bool zero;              /* some index is 0 */
    int64_t pieces;         /* merged so far */
    size_t blocks_capacity; /* of table->block */

    /* The block that is being gathered: fewer than block_rows rows, laid out as in linpred__table_block. */
    int32_t rows;
    int64_t entries;
    double *label;
    int64_t *start;
    double *values;
    int32_t *indices;
    size_t values_capacity;
    size_t indices_capacity;
} libsvm;

static void release_piece(void *parsed)
{
    linpred__libsvm_piece *piece = parsed;
    linpred__release(piece->label);
    linpred__release(piece->start);
    linpred__release(piece->values);
    linpred__release(piece->indices);
    linpred__release(piece->target);
    linpred__row_lines_clear(&piece->row_lines);
    linpred__release(piece);
}

static void parse_libsvm_piece(void *context, linpred__piece *piece)
{
    const libsvm *svm = context;
    if (!piece->parsed)
        piece->parsed = linpred__calloc(1, sizeof(linpred__libsvm_piece));
    if (piece->parsed)
        linpred__libsvm_parse(&piece->text, svm->base, piece->parsed);
}

static bool make_block(linpred__table *table, linpred__table_block *block, int32_t rows, int64_t entries)
{
    *block = (linpred__table_block){.rows = rows};
    block->values = linpred__table_alloc(table, (size_t)entries, sizeof *block->values);
    block->indices = linpred__table_alloc(table, (size_t)entries, sizeof *block->indices);
    block->start = linpred__table_alloc(table, (size_t)rows + 1, sizeof *block->start);
    block->target = linpred__table_alloc(table, (size_t)rows, sizeof *block->target);
    return block->values && block->indices && block->start && block->target;
}

/* Adds a block to the table, which owns its memory from now on. NULL if out of memory; the table then frees what was
   allocated. */
static linpred__table_block *add_block(libsvm *svm, int32_t rows, int64_t entries)
{
    linpred__table *table = svm->table;
    if (!linpred__grow(&table->block, &svm->blocks_capacity, (size_t)table->blocks + 1, sizeof *table->block))
        return NULL;
    linpred__table_block *block = &table->block[table->blocks++];
    return make_block(table, block, rows, entries) ? block : NULL;
}

/* Copies the gathered rows into a new block of the table. */
static bool close_gathered(libsvm *svm)
{
    linpred__table_block *block = add_block(svm, svm->rows, svm->entries);
    if (!block)
        return false;
    size_t rows = (size_t)svm->rows;
    size_t entries = (size_t)svm->entries;
    memcpy(block->target, svm->label, rows * sizeof *block->target);
    memcpy(block->start, svm->start, (rows + 1) * sizeof *block->start);
    if (entries > 0) {
        memcpy(block->values, svm->values, entries * sizeof *block->values);
        memcpy(block->indices, svm->indices, entries * sizeof *block->indices);
    }
    svm->rows = 0;
    svm->entries = 0;
    return true;
}

/* Adds rows of the piece to the gathered block, and closes the block if it is full. */
static bool gather_rows_of_piece(libsvm *svm, const linpred__libsvm_piece *piece, int64_t first, int64_t rows)
{
    int64_t from = piece->start[first];
    size_t entries = (size_t)(piece->start[first + rows] - from);
    size_t have = (size_t)svm->entries;
    if (!linpred__grow(&svm->values, &svm->values_capacity, have + entries, sizeof *svm->values) ||
        !linpred__grow(&svm->indices, &svm->indices_capacity, have + entries, sizeof *svm->indices))
        return false;
    if (entries > 0) {
        memcpy(svm->values + have, piece->values + from, entries * sizeof *svm->values);
        memcpy(svm->indices + have, piece->indices + from, entries * sizeof *svm->indices);
    }
    for (int64_t r = 0; r < rows; r++) {
        svm->label[svm->rows + r] = piece->label[first + r];
        svm->start[svm->rows + r + 1] = svm->entries + piece->start[first + r + 1] - from;
    }
    svm->rows += (int32_t)rows;
    svm->entries += (int64_t)entries;
    return svm->rows < svm->table->block_rows || close_gathered(svm);
}

/* Distributes the rows of a piece: the first complete the gathered block, then come whole blocks, and the rest begins a
   new gathered block. */
static bool add_libsvm_rows(libsvm *svm, linpred__libsvm_piece *piece)
{
    int64_t block_rows = svm->table->block_rows;
    int64_t head = svm->rows > 0 ? block_rows - svm->rows : 0;
    if (head > piece->rows)
        head = piece->rows;
    if (head > 0 && !gather_rows_of_piece(svm, piece, 0, head))
        return false;
    piece->first_whole = head;
    piece->whole = (piece->rows - head) / block_rows;
    if (!linpred__grow(&piece->target, &piece->targets_capacity, (size_t)piece->whole, sizeof *piece->target))
        return false;
    for (int64_t i = 0; i < piece->whole; i++) {
        const int64_t *start = &piece->start[head + i * block_rows];
        linpred__table_block *block = add_block(svm, (int32_t)block_rows, start[block_rows] - start[0]);
        if (!block)
            return false;
        piece->target[i] = *block;
    }
    int64_t done = head + piece->whole * block_rows;
    return done == piece->rows || gather_rows_of_piece(svm, piece, done, piece->rows - done);
}

/* Chooses the rows of a block from the mean number of entries per row of the first piece. */
static bool begin(libsvm *svm, const linpred__libsvm_piece *piece)
{
    svm->table->block_rows = linpred__block_rows((double)piece->entries / (double)piece->rows);
    svm->label = linpred__alloc((size_t)svm->table->block_rows, sizeof *svm->label);
    svm->start = linpred__calloc((size_t)svm->table->block_rows + 1, sizeof *svm->start);
    return svm->label && svm->start;
}

static linpred_status merge_libsvm_piece(void *context, linpred__piece *piece, linpred_error *error)
{
    libsvm *svm = context;
    linpred__libsvm_piece *parsed = piece->parsed;
    if (!parsed || parsed->no_memory)
        return linpred__no_memory(error);
    if (parsed->has_error)
        return linpred__libsvm_diagnose(svm->source->name, &piece->text, svm->base, svm->lines, error);
    parsed->whole = 0;
    svm->pieces++;
    if (parsed->rows > 0) {
        linpred__table *table = svm->table;
        if (!linpred__append_row_lines(&table->row_lines, &parsed->row_lines, table->rows, svm->lines))
            return linpred__no_memory(error);
        if ((svm->table->block_rows == 0 && !begin(svm, parsed)) || !add_libsvm_rows(svm, parsed))
            return linpred__no_memory(error);
        svm->table->rows += parsed->rows;
        svm->table->entries += parsed->entries;
    }
    if (parsed->altered > 0 && svm->table->altered == 0)
        svm->table->first_altered_line = svm->lines + 1 + parsed->altered_line;
    svm->table->altered += parsed->altered;
    svm->table->decimal = svm->table->decimal && !parsed->long_numbers;
    svm->lines += parsed->lines;
    svm->zero = svm->zero || parsed->zero;
    if (parsed->largest > svm->largest)
        svm->largest = parsed->largest;
    return LINPRED_OK;
}

static void store_libsvm_piece(void *context, linpred__piece *piece)
{
    const libsvm *svm = context;
    const linpred__libsvm_piece *parsed = piece->parsed;
    for (int64_t i = 0; i < parsed->whole; i++) {
        const linpred__table_block *block = &parsed->target[i];
        int64_t first = parsed->first_whole + i * svm->table->block_rows;
        const int64_t *start = &parsed->start[first];
        size_t entries = (size_t)(start[block->rows] - start[0]);
        memcpy(block->target, parsed->label + first, (size_t)block->rows * sizeof *block->target);
        memcpy(block->values, parsed->values + start[0], entries * sizeof *block->values);
        memcpy(block->indices, parsed->indices + start[0], entries * sizeof *block->indices);
        for (int32_t r = 0; r <= block->rows; r++)
            block->start[r] = start[r] - start[0];
    }
}

/* Adds 1 to all indices of a block. */
static void move_up(void *context, int64_t task)
{
    linpred__table *table = context;
    const linpred__table_block *block = &table->block[task];
    for (int64_t i = 0; i < block->start[block->rows]; i++)
        block->indices[i]++;
}

static linpred_status complete_libsvm(libsvm *svm, linpred__pool *pool, linpred_error *error)
{
    linpred__table *table = svm->table;
    if (table->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: there are no rows in the file", svm->source->name);
    if (svm->rows > 0 && !close_gathered(svm))
        return linpred__no_memory(error);
    bool zero = svm->base == LINPRED_INDEX_ZERO || (svm->base == LINPRED_INDEX_AUTO && svm->zero);
    if (zero && svm->largest == INT32_MAX)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: indices begin with 0, so the index %d is too large by one", svm->source->name,
                             (int)svm->largest);
    table->index_base = zero ? 0 : 1;
    table->one_piece = svm->pieces == 1;
    table->columns = svm->largest < 0 ? 0 : svm->largest + zero;
    if (zero)
        linpred__pool_run(pool, table->blocks, move_up, table);
    snprintf(table->format, sizeof table->format, "LIBSVM, indices begin with %d", (int)table->index_base);
    return LINPRED_OK;
}

linpred_status linpred__libsvm_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                    linpred__table *table, linpred_error *error)
{
    libsvm svm = {.source = source, .table = table, .base = request->options->index_base, .largest = -1};
    table->layout = LINPRED__SPARSE;
    table->first_row_line = 1;
    table->decimal = true;
    if (source->piece_bytes == 0)
        source->piece_bytes = LINPRED__PIECE_BYTES;
    linpred__piece_work work = {&svm, parse_libsvm_piece, merge_libsvm_piece, store_libsvm_piece, release_piece};
    linpred_status status = linpred__pieces_run(source, pool, &work, error);
    if (status == LINPRED_OK)
        status = complete_libsvm(&svm, pool, error);
    linpred__release(svm.label);
    linpred__release(svm.start);
    linpred__release(svm.values);
    linpred__release(svm.indices);
    return status;
}
