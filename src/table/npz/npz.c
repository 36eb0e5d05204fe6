/* The reader of npz archives that linpred convert wrote (npz.h). All threads read blocks of rows with pread, so that a
 * file that is cut meanwhile is an error. The checksums of the blocks are combined and compared with the archive's.
 * Numbers that are not finite are refused, NaN is a missing value, and the numbers of levels must be some.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/npz/npz.h"
#include "table/readers.h"

enum { FEATURES, TARGET, WEIGHTS, ENTRIES, STARTS, ARRAYS };
static const char *const array_name[ARRAYS] = {"features", "target", "weights", "indices", "indptr"};
static const char *const array_type[ARRAYS] = {"<f8", "<f8", "<f8", "<i4", "<i8"};

typedef struct npz_reading {
    linpred__zip *zip;
    linpred__table *table;
    const linpred__npz_columns *columns;
    linpred__npz_array array[ARRAYS]; /* those with a member */
    uint32_t *checksum[ARRAYS];       /* of each block */
    int64_t *start;                   /* sparse: where each row begins */
    int64_t first;                    /* the block of the next task 0 */
    pthread_mutex_t mutex;            /* guards what follows */
    linpred_status status;            /* the error of the first block that has one */
    int64_t failed;                   /* that block */
    linpred_error error;
} npz_reading;

static void note_failure(npz_reading *work, int64_t block, const linpred_error *error)
{
    pthread_mutex_lock(&work->mutex);
    if (work->status == LINPRED_OK || block < work->failed) {
        work->failed = block;
        work->status = error->status;
        work->error = *error;
    }
    pthread_mutex_unlock(&work->mutex);
}

/* Reads items `from` … `from + count - 1` of an array, and notes their checksum. */
static linpred_status read_items(npz_reading *work, int array, int64_t block, int64_t from, int64_t count, void *items,
                                 linpred_error *error)
{
    size_t item = (size_t)(array_type[array][2] - '0'), bytes = (size_t)count * item;
    linpred_status status =
        linpred__zip_get(work->zip, work->array[array].numbers + (uint64_t)from * item, items, bytes, error);
    if (status == LINPRED_OK && bytes > 0)
        work->checksum[array][block] = linpred__checksum(0, items, bytes);
    return status;
}

static linpred_status bad_cell(const npz_reading *work, int64_t row, const char *column, linpred_error *error)
{
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, 0,
                            "%s: row %lld: the value of '%.60s' is infinite, or no level of the column; convert the "
                            "source again",
                            work->table->name, (long long)row + 1, column);
}

/* Looks for numbers that are no cells of their columns, and counts missing values. */
static linpred_status judge_dense_block(npz_reading *work, int64_t first_row, const linpred__table_block *block,
                                        linpred_error *error)
{
    linpred__table *table = work->table;
    bool texts = false;
    for (int32_t c = 0; c < table->columns; c++)
        texts = texts || table->column[c].type == LINPRED_COLUMN_TEXT;
    if (!texts && linpred__all_finite(block->values, (size_t)block->rows * (size_t)table->columns))
        return LINPRED_OK;
    linpred_status status = LINPRED_OK;
    pthread_mutex_lock(&work->mutex);
    for (int32_t r = 0; r < block->rows && status == LINPRED_OK; r++)
        for (int32_t c = 0; c < table->columns && status == LINPRED_OK; c++) {
            linpred__column *column = &table->column[c];
            double x = block->values[(int64_t)r * table->columns + c];
            bool text = column->type == LINPRED_COLUMN_TEXT;
            if (isnan(x) && (column->missing++ == 0 || first_row + r + 1 < column->first_missing_line))
                column->first_missing_line = first_row + r + 1;
            if (isinf(x) || (text && !isnan(x) && !(x >= 0.0 && x < column->levels && x == floor(x))))
                status = bad_cell(work, first_row + r, column->name, error);
        }
    pthread_mutex_unlock(&work->mutex);
    return status;
}

static linpred_status read_dense_block(npz_reading *work, int64_t b, linpred_error *error)
{
    linpred__table *table = work->table;
    linpred__table_block *block = &table->block[b];
    int64_t first = b * table->block_rows, width = table->columns, features = work->columns->features;
    bool beside = work->columns->weights || work->columns->target;
    size_t rows = (size_t)block->rows;
    block->values = linpred__table_alloc(table, rows, (size_t)width * sizeof *block->values);
    double *read = beside ? linpred__alloc(rows, (size_t)(features + 2) * sizeof *read) : NULL;
    double *target = read ? read + (int64_t)block->rows * features : NULL, *weights = target ? target + rows : NULL;
    linpred_status status = block->values && (read || !beside) ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = read_items(work, FEATURES, b, first * features, block->rows * features, beside ? read : block->values,
                            error);
    if (status == LINPRED_OK && work->columns->weights)
        status = read_items(work, WEIGHTS, b, first, block->rows, weights, error);
    if (status == LINPRED_OK && work->columns->target)
        status = read_items(work, TARGET, b, first, block->rows, target, error);
    for (int32_t r = 0; r < block->rows && beside && status == LINPRED_OK; r++) {
        double *row = block->values + r * width;
        memcpy(row, read + r * features, (size_t)features * sizeof *row);
        row += features;
        if (work->columns->weights)
            *row++ = weights[r];
        if (work->columns->target)
            *row = target[r];
    }
    linpred__release(read);
    return status == LINPRED_OK ? judge_dense_block(work, first, block, error) : status;
}

/* Whether the entries of a sparse block are finite and ascend within each row. */
static bool sparse_block_is_right(const linpred__table_block *block, int32_t columns)
{
    bool right = true;
    for (int32_t r = 0; r < block->rows && right; r++) {
        right = isfinite(block->target[r]);
        for (int64_t k = block->start[r]; k < block->start[r + 1] && right; k++)
            right = isfinite(block->values[k]) && block->indices[k] >= 0 && block->indices[k] < columns &&
                    (k == block->start[r] || block->indices[k] > block->indices[k - 1]);
    }
    return right;
}

static linpred_status read_sparse_block(npz_reading *work, int64_t b, linpred_error *error)
{
    linpred__table *table = work->table;
    linpred__table_block *block = &table->block[b];
    int64_t first = b * table->block_rows, from = work->start[first];
    int64_t entries = work->start[first + block->rows] - from;
    block->values = linpred__table_alloc(table, (size_t)entries, sizeof *block->values);
    block->indices = linpred__table_alloc(table, (size_t)entries, sizeof *block->indices);
    block->start = linpred__table_alloc(table, (size_t)block->rows + 1, sizeof *block->start);
    block->target = linpred__table_alloc(table, (size_t)block->rows, sizeof *block->target);
    if (!block->values || !block->indices || !block->start || !block->target)
        return linpred__no_memory(error);
    for (int32_t r = 0; r <= block->rows; r++)
        block->start[r] = work->start[first + r] - from;
    linpred_status status = read_items(work, FEATURES, b, from, entries, block->values, error);
    if (status == LINPRED_OK)
        status = read_items(work, ENTRIES, b, from, entries, block->indices, error);
    if (status == LINPRED_OK)
        status = read_items(work, TARGET, b, first, block->rows, block->target, error);
    if (status == LINPRED_OK && !sparse_block_is_right(block, table->columns))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: between rows %lld and %lld an entry is not finite or its column does not ascend",
                             table->name, (long long)first + 1, (long long)first + block->rows);
    return status;
}

static void read_block(void *context, int64_t task)
{
    npz_reading *work = context;
    linpred_error error = {0};
    int64_t b = work->first + task;
    linpred_status status =
        work->table->layout == LINPRED__SPARSE ? read_sparse_block(work, b, &error) : read_dense_block(work, b, &error);
    if (status != LINPRED_OK) {
        error.status = status;
        note_failure(work, b, &error);
    }
}

/* Compares the checksum of an array, combined from those of its blocks, with the archive's. */
static linpred_status compare_checksum(const npz_reading *work, int array, linpred_error *error)
{
    const linpred__table *table = work->table;
    uLong whole = work->array[array].header_checksum;
    size_t item = (size_t)(array_type[array][2] - '0');
    for (int64_t b = 0; b < table->blocks; b++) {
        int64_t first = b * table->block_rows, rows = table->block[b].rows, items = rows;
        if (work->start && array != TARGET)
            items = work->start[first + rows] - work->start[first];
        else if (array == FEATURES)
            items = rows * work->columns->features;
        if (items > 0)
            whole = crc32_combine(whole, work->checksum[array][b], (z_off_t)((size_t)items * item));
    }
    if ((uint32_t)whole == work->array[array].member->checksum)
        return LINPRED_OK;
    return linpred__npz_damaged(work->zip, work->array[array].member->name, error);
}

/* Reads where sparse rows begin. */
static linpred_status read_starts(npz_reading *work, linpred_error *error)
{
    const linpred__table *table = work->table;
    size_t count = (size_t)table->rows + 1;
    work->start = linpred__alloc(count, sizeof *work->start);
    if (!work->start)
        return linpred__no_memory(error);
    linpred_status status = read_items(work, STARTS, 0, 0, (int64_t)count, work->start, error);
    if (status != LINPRED_OK)
        return status;
    bool right = work->start[0] == 0 && work->start[table->rows] == table->entries;
    for (int64_t r = 0; r < table->rows; r++)
        right = right && work->start[r] <= work->start[r + 1];
    uLong whole = crc32_combine(work->array[STARTS].header_checksum, work->checksum[STARTS][0],
                                (z_off_t)(count * sizeof *work->start));
    if (right && (uint32_t)whole == work->array[STARTS].member->checksum)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array 'indptr' was damaged or changed", table->name);
}

static linpred_status open_arrays(npz_reading *work, linpred_error *error)
{
    linpred__table *table = work->table;
    bool sparse = table->layout == LINPRED__SPARSE;
    const bool held[ARRAYS] = {true, work->columns->target, work->columns->weights, sparse, sparse};
    uint64_t rows = (uint64_t)table->rows, entries = (uint64_t)table->entries;
    const uint64_t count[ARRAYS] = {entries, rows, rows, entries, rows + 1};
    if (!sparse && (__builtin_mul_overflow(table->rows, (int64_t)work->columns->features, &table->entries) ||
                    (uint64_t)table->entries != entries))
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: rows times features is not the number of entries",
                             table->name);
    table->blocks = (table->rows - 1) / table->block_rows + 1;
    linpred_status status = LINPRED_OK;
    for (int i = 0; i < ARRAYS && status == LINPRED_OK; i++)
        if (held[i])
            status = linpred__npz_find(work->zip, i == FEATURES && sparse ? "data" : array_name[i], array_type[i],
                                       count[i], &work->array[i], error);
    for (int i = 0; i < ARRAYS && status == LINPRED_OK; i++) {
        work->checksum[i] = held[i] ? linpred__calloc((size_t)table->blocks, sizeof *work->checksum[i]) : NULL;
        if (held[i] && !work->checksum[i])
            status = linpred__no_memory(error);
    }
    table->block = status == LINPRED_OK ? linpred__calloc((size_t)table->blocks, sizeof *table->block) : NULL;
    if (!table->block) {
        table->blocks = 0;
        return status == LINPRED_OK ? linpred__no_memory(error) : status;
    }
    for (int64_t i = 0; i < table->blocks; i++) {
        int64_t left = table->rows - i * table->block_rows;
        table->block[i].rows = left < table->block_rows ? (int32_t)left : table->block_rows;
    }
    return sparse ? read_starts(work, error) : LINPRED_OK;
}

static linpred_status read_all_blocks(npz_reading *work, linpred__source *source, linpred__pool *pool,
                                      linpred_error *error)
{
    enum { BLOCKS_AT_A_TIME = 256 }; /* about 64 MB: progress is shown between them */
    linpred__table *table = work->table;
    linpred_status status = open_arrays(work, error);
    if (status != LINPRED_OK)
        return status;
    for (work->first = 0; work->first < table->blocks && work->status == LINPRED_OK; work->first += BLOCKS_AT_A_TIME) {
        int64_t left = table->blocks - work->first;
        linpred__pool_run(pool, left < BLOCKS_AT_A_TIME ? left : BLOCKS_AT_A_TIME, read_block, work);
        source->read_bytes = (int64_t)((double)linpred__input_size(source->input) *
                                       fmin(1.0, (double)(work->first + BLOCKS_AT_A_TIME) / (double)table->blocks));
        linpred__source_report(source);
    }
    if (work->status != LINPRED_OK) {
        if (error)
            *error = work->error;
        return work->status;
    }
    for (int i = 0; i < STARTS && status == LINPRED_OK; i++)
        if (work->array[i].member)
            status = compare_checksum(work, i, error);
    if (table->column)
        table->entries = table->rows * table->columns;
    for (int32_t c = 0; table->column && c < table->columns; c++)
        if (table->column[c].missing == table->rows)
            table->column[c].type = LINPRED_COLUMN_EMPTY;
    return status;
}

linpred_status linpred__npz_choose(linpred__table *table, const linpred__read_request *request, linpred_error *error)
{
    if (table->layout == LINPRED__SPARSE)
        return LINPRED_OK;
    bool *days = linpred__alloc((size_t)table->columns, sizeof *days);
    if (!days)
        return linpred__no_memory(error);
    for (int32_t c = 0; c < table->columns; c++)
        days[c] = table->column[c].use == LINPRED__USED_AS_DAYS;
    linpred_status status = linpred__choose_columns(table, request, error);
    for (int32_t c = 0; c < table->columns; c++)
        if (days[c] && table->column[c].use != LINPRED__UNUSED)
            table->column[c].use = LINPRED__USED_AS_DAYS;
    linpred__release(days);
    return status;
}

linpred_status linpred__npz_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error)
{
    linpred__zip zip;
    linpred__npz_columns columns = {0};
    int descriptor = linpred__input_descriptor(source->input);
    if (descriptor < 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: an npz archive is read from a file, not from a pipe or a packed file", source->name);
    linpred_status status =
        linpred__npz_open(descriptor, (uint64_t)linpred__input_size(source->input), &zip, table, &columns, error);
    if (status != LINPRED_OK)
        return status;
    bool sparse = table->layout == LINPRED__SPARSE;
    table->lines_are_rows = true;
    table->first_row_line = 1;
    table->weights = columns.weights ? columns.features : -1;
    snprintf(table->format, sizeof table->format, "npz of linpred convert, %s", sparse ? "sparse" : "dense");
    status = linpred__npz_choose(table, request, error);
    npz_reading work = {.zip = &zip, .table = table, .columns = &columns, .status = LINPRED_OK};
    pthread_mutex_init(&work.mutex, NULL);
    if (status == LINPRED_OK)
        status = read_all_blocks(&work, source, pool, error);
    pthread_mutex_destroy(&work.mutex);
    for (int i = 0; i < ARRAYS; i++)
        linpred__release(work.checksum[i]);
    linpred__release(work.start);
    return status;
}
