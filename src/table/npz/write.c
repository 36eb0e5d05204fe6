/* Writes the rows of a table as an npz archive (npz.h), or as an npy matrix. Threads write blocks of rows to their
 * places; the checksums of the blocks are combined. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/clock.h"
#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/limits.h"
#include "data/decimals.h"
#include "table/npz/beyond.h"
#include "table/npz/npz.h"

typedef struct npz_writing {
    const linpred__table *table;
    linpred__npz_columns columns;
    const linpred_options *options;
    linpred__pool *pool;
    linpred__zip zip;
    struct timespec began, reported;
    /* of the array that is being written: */
    int32_t from, to;      /* the range of columns.column whose cells it holds; sparse rows: not used */
    int part;              /* sparse rows: which part */
    size_t item;           /* bytes of an item */
    int64_t *items_before; /* sparse rows: entries before each block */
    uint32_t *checksum;    /* of each block */
    int64_t first;         /* the block of task 0 */
    _Atomic int64_t gaps;  /* cells that are not finite numbers */
    linpred__need *needs;  /* what the features need; NULL: they are no decimals */
    pthread_mutex_t mutex; /* guards `status` and `error` */
    linpred_status status;
    linpred_error error;
} npz_writing;

enum { SPARSE_VALUES, SPARSE_INDICES, SPARSE_TARGET, DENSE_CELLS };

/* Copies the cells of the range for so many rows of the table. */
static void gather_cells(const npz_writing *work, const double *values, int32_t rows, double *cells)
{
    const int32_t *column = work->columns.column;
    for (int32_t r = 0; r < rows; r++) {
        const double *row = values + (int64_t)r * work->table->columns;
        for (int32_t i = work->from; i < work->to; i++)
            *cells++ = row[column[i]];
    }
}

/* What a block gives to an array. */
struct block_bytes {
    const void *from;
    size_t bytes;
    int64_t items_before; /* of the array, in the blocks before */
    void *own;            /* is released when they are written */
};

/* The cells of a dense block. */
static linpred_status dense_cells(const npz_writing *work, int64_t b, double **out, linpred_error *error)
{
    const linpred__table *table = work->table;
    const linpred__table_block *block = &table->block[b];
    size_t rows = (size_t)block->rows;
    bool stays = block->values == NULL;
    double *cells = linpred__alloc(rows, (size_t)(work->to - work->from) * sizeof *cells);
    double *read = stays ? linpred__alloc(rows, (size_t)table->columns * sizeof *read) : NULL;
    linpred_status status = cells && (read || !stays) ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && stays)
        status = linpred__table_block_get(table, b, read, error);
    if (status == LINPRED_OK)
        gather_cells(work, stays ? read : block->values, block->rows, cells);
    linpred__release(read);
    *out = cells;
    return status;
}

/* The bytes of block b in the array that is being written: in memory that the caller releases, or in the table. */
static linpred_status block_bytes(const npz_writing *work, int64_t b, struct block_bytes *out, linpred_error *error)
{
    const linpred__table_block *block = &work->table->block[b];
    int64_t first = b * work->table->block_rows, width = work->to - work->from;
    linpred_status status = LINPRED_OK;
    if (work->part == SPARSE_VALUES || work->part == SPARSE_INDICES) {
        const void *from = work->part == SPARSE_VALUES ? (const void *)block->values : block->indices;
        *out = (struct block_bytes){from, (size_t)block->start[block->rows] * work->item, work->items_before[b], NULL};
    } else if (work->part == SPARSE_TARGET) {
        *out = (struct block_bytes){block->target, (size_t)block->rows * sizeof(double), first, NULL};
    } else {
        double *cells;
        status = dense_cells(work, b, &cells, error);
        *out = (struct block_bytes){cells, (size_t)block->rows * (size_t)width * sizeof(double), first * width, cells};
    }
    return status;
}

/* A missing value is NaN. */
static void count_gaps(npz_writing *work, const double *cells, size_t count)
{
    int64_t gaps = 0;
    for (size_t i = 0; i < count; i++)
        gaps += !isfinite(cells[i]);
    if (gaps > 0)
        atomic_fetch_add(&work->gaps, gaps);
}

/* What the features need, by block b of the table. */
static bool note_features(const npz_writing *work, int64_t b, const void *cells)
{
    const linpred__table_block *from = &work->table->block[b];
    linpred__block block = {.layout = work->table->layout, .rows = from->rows, .values = cells};
    block.columns = work->columns.features;
    block.stride = work->columns.features;
    block.start = from->start;
    block.indices = from->indices;
    return linpred__note_needs(&block, work->needs);
}

static void write_block(void *context, int64_t task)
{
    npz_writing *work = context;
    int64_t b = work->first + task;
    struct block_bytes block = {0};
    linpred_error error = {0};
    const linpred__zip_member *member = &work->zip.member[work->zip.members - 1];
    linpred_status status = block_bytes(work, b, &block, &error);
    if (status == LINPRED_OK)
        status = linpred__zip_put(&work->zip, member->numbers + (uint64_t)block.items_before * work->item, block.from,
                                  block.bytes, &error);
    if (status == LINPRED_OK) {
        work->checksum[b] = block.bytes > 0 ? linpred__checksum(0, block.from, block.bytes) : 0;
        if (work->part == SPARSE_VALUES || work->part == DENSE_CELLS)
            count_gaps(work, block.from, block.bytes / sizeof(double));
        bool features = work->part == SPARSE_VALUES || (work->part == DENSE_CELLS && work->from == 0);
        if (features && work->needs && !note_features(work, b, block.from))
            status = linpred__no_memory(&error);
    }
    linpred__release(block.own);
    if (status == LINPRED_OK)
        return;
    pthread_mutex_lock(&work->mutex);
    work->status = status;
    work->error = error;
    pthread_mutex_unlock(&work->mutex);
}

static void report_writing(npz_writing *work, uint64_t written)
{
    const linpred_options *options = work->options;
    if (!options->on_progress || linpred__seconds_since(&work->reported) < LINPRED__PROGRESS_SECONDS)
        return;
    work->reported = linpred__now();
    const linpred__zip_member *member = &work->zip.member[work->zip.members - 1];
    linpred_progress progress = {
        .stage = "writing",
        .errors = (double)NAN,
        .seconds = linpred__seconds_since(&work->began),
        .lower_bound = (double)NAN,
        .gap = (double)NAN,
        .working_rows = -1,
        .bytes = (int64_t)(member->numbers + written),
        .total_bytes = (int64_t)(member->begins + member->bytes),
    };
    options->on_progress(options->context, &progress);
}

/* Writes the numbers of the last member from all blocks. *checksum is theirs. */
static linpred_status write_blocks(npz_writing *work, int part, size_t item, uint32_t *checksum, linpred_error *error)
{
    enum { BLOCKS_AT_A_TIME = 256 }; /* about 64 MB: progress is shown between them */
    const linpred__table *table = work->table;
    uint64_t written = 0;
    uLong whole = 0;
    work->part = part;
    work->item = item;
    for (work->first = 0; work->first < table->blocks; work->first += BLOCKS_AT_A_TIME) {
        int64_t left = table->blocks - work->first, count = left < BLOCKS_AT_A_TIME ? left : BLOCKS_AT_A_TIME;
        linpred__pool_run(work->pool, count, write_block, work);
        if (work->status != LINPRED_OK) {
            if (error)
                *error = work->error;
            return work->status;
        }
        for (int64_t b = work->first; b < work->first + count; b++) {
            size_t items = (size_t)table->block[b].rows;
            if (part == SPARSE_VALUES || part == SPARSE_INDICES)
                items = (size_t)table->block[b].start[table->block[b].rows];
            else if (part == DENSE_CELLS)
                items *= (size_t)(work->to - work->from);
            if (items > 0)
                whole = crc32_combine(whole, work->checksum[b], (z_off_t)(items * item));
            written += items * item;
        }
        report_writing(work, written);
    }
    *checksum = (uint32_t)whole;
    return LINPRED_OK;
}

/* Adds a member of this many bytes and writes its numbers from all blocks. */
static linpred_status write_array(npz_writing *work, const char *name, int part, const char *type, const char *shape,
                                  uint64_t bytes, linpred_error *error)
{
    uint32_t checksum;
    linpred_status status = linpred__zip_add(&work->zip, name, type, shape, bytes, error);
    if (status == LINPRED_OK)
        status = write_blocks(work, part, (size_t)(type[2] - '0'), &checksum, error);
    return status == LINPRED_OK ? linpred__zip_seal(&work->zip, checksum, error) : status;
}

/* Writes a small array at once. */
static linpred_status write_small(npz_writing *work, const char *name, const char *type, const char *shape,
                                  const void *bytes, size_t count, linpred_error *error)
{
    linpred_status status = linpred__zip_add(&work->zip, name, type, shape, count, error);
    if (status == LINPRED_OK)
        status = linpred__zip_put(&work->zip, work->zip.member[work->zip.members - 1].numbers, bytes, count, error);
    return status == LINPRED_OK ? linpred__zip_seal(&work->zip, (uint32_t)crc32_z(0, bytes, count), error) : status;
}

/* One column, or the features, of a dense table. */
static linpred_status write_cells(npz_writing *work, const char *name, int32_t from, int32_t to, linpred_error *error)
{
    char shape[64];
    long long rows = work->table->rows;
    uint64_t bytes = (uint64_t)rows * (uint64_t)(to - from) * sizeof(double);
    if (strcmp(name, "features") == 0)
        snprintf(shape, sizeof shape, "(%lld, %d)", rows, to - from);
    else
        snprintf(shape, sizeof shape, "(%lld,)", rows);
    work->from = from;
    work->to = to;
    return write_array(work, name, DENSE_CELLS, "<f8", shape, bytes, error);
}

static linpred_status write_dense(npz_writing *work, linpred_error *error)
{
    int32_t at = work->columns.features;
    linpred_status status = write_cells(work, "features", 0, at, error);
    work->columns.missing = atomic_load(&work->gaps);
    if (status == LINPRED_OK && work->columns.weights) {
        status = write_cells(work, "weights", at, at + 1, error);
        at++;
    }
    if (status == LINPRED_OK && work->columns.target)
        status = write_cells(work, "target", at, at + 1, error);
    return status;
}

/* Where each row begins among the entries of all rows. */
static linpred_status write_starts(npz_writing *work, linpred_error *error)
{
    const linpred__table *table = work->table;
    char shape[64];
    snprintf(shape, sizeof shape, "(%lld,)", (long long)table->rows + 1);
    int64_t *start = linpred__alloc((size_t)table->block_rows, sizeof *start), zero = 0;
    if (!start)
        return linpred__no_memory(error);
    linpred_status status =
        linpred__zip_add(&work->zip, "indptr", "<i8", shape, ((uint64_t)table->rows + 1) * sizeof *start, error);
    uint64_t at = work->zip.member[work->zip.members - 1].numbers;
    uLong whole = crc32_z(0, (const unsigned char *)&zero, sizeof zero);
    if (status == LINPRED_OK)
        status = linpred__zip_put(&work->zip, at, &zero, sizeof zero, error);
    at += sizeof zero;
    for (int64_t b = 0; b < table->blocks && status == LINPRED_OK; b++) {
        size_t bytes = (size_t)table->block[b].rows * sizeof *start;
        for (int32_t r = 0; r < table->block[b].rows; r++)
            start[r] = work->items_before[b] + table->block[b].start[r + 1];
        whole = crc32_z(whole, (const unsigned char *)start, bytes);
        status = linpred__zip_put(&work->zip, at, start, bytes, error);
        at += bytes;
    }
    linpred__release(start);
    return status == LINPRED_OK ? linpred__zip_seal(&work->zip, (uint32_t)whole, error) : status;
}

static linpred_status write_sparse(npz_writing *work, linpred_error *error)
{
    const linpred__table *table = work->table;
    const int64_t shape[2] = {table->rows, table->columns};
    char entries[32], rows[32];
    snprintf(entries, sizeof entries, "(%lld,)", (long long)table->entries);
    snprintf(rows, sizeof rows, "(%lld,)", (long long)table->rows);
    uint64_t count = (uint64_t)table->entries;
    linpred_status status = write_array(work, "data", SPARSE_VALUES, "<f8", entries, count * 8, error);
    work->columns.missing = atomic_load(&work->gaps);
    if (status == LINPRED_OK)
        status = write_array(work, "indices", SPARSE_INDICES, "<i4", entries, count * 4, error);
    if (status == LINPRED_OK)
        status = write_starts(work, error);
    if (status == LINPRED_OK)
        status = write_small(work, "shape", "<i8", "(2,)", shape, sizeof shape, error);
    if (status == LINPRED_OK)
        status = write_small(work, "format", "|S3", "()", "csr", 3, error);
    if (status == LINPRED_OK)
        status = write_array(work, "target", SPARSE_TARGET, "<f8", rows, (uint64_t)table->rows * 8, error);
    return status;
}

/* The names of the features, as NumPy's texts of equal length. */
static linpred_status write_names(npz_writing *work, linpred_error *error)
{
    const linpred__table *table = work->table;
    size_t longest = 1, count = (size_t)work->columns.features;
    char type[32], shape[32];
    for (size_t i = 0; i < count; i++) {
        size_t length = linpred__npz_code_points(table->column[work->columns.column[i]].name, NULL);
        longest = length > longest ? length : longest;
    }
    uint32_t *text = linpred__calloc(count, longest * sizeof *text);
    if (!text)
        return linpred__no_memory(error);
    for (size_t i = 0; i < count; i++)
        linpred__npz_code_points(table->column[work->columns.column[i]].name, text + i * longest);
    snprintf(type, sizeof type, "<U%zu", longest);
    snprintf(shape, sizeof shape, "(%zu,)", count);
    linpred_status status = write_small(work, "names", type, shape, text, count * longest * sizeof *text, error);
    linpred__release(text);
    return status;
}

static linpred_status write_recipe(npz_writing *work, linpred_error *error)
{
    linpred__text text = {0};
    char type[32];
    linpred__npz_describe(work->table, &work->columns, &text);
    snprintf(type, sizeof type, "|S%zu", text.length);
    linpred_status status = text.failed ? linpred__no_memory(error)
                                        : write_small(work, "recipe", type, "()", text.bytes, text.length, error);
    linpred__text_clear(&text);
    return status;
}

static linpred_status write_archive(npz_writing *work, linpred_error *error)
{
    bool sparse = work->table->layout == LINPRED__SPARSE;
    linpred_status status = sparse ? write_sparse(work, error) : write_dense(work, error);
    if (status == LINPRED_OK && !sparse)
        status = write_names(work, error);
    if (status == LINPRED_OK && work->needs && work->columns.missing == 0)
        status = linpred__npz_write_needs(&work->zip, work->needs, work->columns.features, error);
    if (status == LINPRED_OK)
        status = write_recipe(work, error);
    return status == LINPRED_OK ? linpred__zip_finish(&work->zip, error) : status;
}

/* One matrix: the features, then weights and target, if there are some. */
static linpred_status write_matrix(npz_writing *work, linpred_error *error)
{
    const linpred__table *table = work->table;
    linpred__zip_member *member = &work->zip.member[0];
    unsigned char header[LINPRED__NPY_HEADER];
    char shape[64];
    uint32_t checksum;
    work->to = work->columns.features + work->columns.weights + work->columns.target;
    snprintf(shape, sizeof shape, "(%lld, %d)", (long long)table->rows, work->to);
    size_t bytes = linpred__npy_header_make("<f8", shape, header);
    work->zip.members = 1;
    member->numbers = bytes;
    member->bytes = bytes + (uint64_t)table->rows * (uint64_t)work->to * sizeof(double);
    linpred_status status = linpred__zip_put(&work->zip, 0, header, bytes, error);
    return status == LINPRED_OK ? write_blocks(work, DENSE_CELLS, sizeof(double), &checksum, error) : status;
}

linpred_status linpred__npz_write(const linpred__table *table, const linpred__npz_target *to, linpred__pool *pool,
                                  linpred_error *error)
{
    bool sparse = table->layout == LINPRED__SPARSE;
    npz_writing work = {.table = table, .columns = to->columns, .options = to->options, .pool = pool};
    work.zip = (linpred__zip){.descriptor = to->descriptor, .name = to->name};
    work.began = work.reported = linpred__now();
    work.items_before = linpred__calloc((size_t)table->blocks + 1, sizeof *work.items_before);
    work.checksum = linpred__alloc((size_t)table->blocks, sizeof *work.checksum);
    bool decimal = table->decimal && !to->matrix;
    work.needs = decimal ? linpred__calloc((size_t)to->columns.features, sizeof *work.needs) : NULL;
    pthread_mutex_init(&work.mutex, NULL);
    bool ready = work.items_before && work.checksum && (work.needs || !decimal);
    linpred_status status = ready ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t b = 0; status == LINPRED_OK && sparse && b < table->blocks; b++)
        work.items_before[b + 1] = work.items_before[b] + table->block[b].start[table->block[b].rows];
    if (status == LINPRED_OK)
        status = to->matrix ? write_matrix(&work, error) : write_archive(&work, error);
    pthread_mutex_destroy(&work.mutex);
    linpred__release(work.items_before);
    linpred__release(work.checksum);
    linpred__release(work.needs);
    return status;
}
