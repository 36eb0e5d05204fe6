/* The reader of NumPy's npy files, versions 1 to 3: a header with type, order and shape, then the numbers.
 *
 * A matrix of native doubles, stored row by row, is not copied: the blocks of the table point into the mapped file. The
 * mapping is private, so that writing to the blocks does not change the file. Any other array is converted block by
 * block. Where rows may stay in the file, such a matrix is read block by block, and not held. The length of the file
 * must be exactly the one that its shape needs. From a stream the bytes are read before memory for the table is
 * allocated, so that a false shape cannot ask for memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/limits.h"
#include "table/npy/npy.h"
#include "table/bytes/parts.h"
#include "table/readers.h"

typedef struct bytes {
    char *mapping; /* the mapped file, or anonymous memory that a stream was read into */
    size_t mapping_bytes;
    const char *data; /* the first number, inside the mapping */
} bytes;

/* Sets *total to the bytes of all numbers; fails if the array is empty or too large. */
static linpred_status shape_bytes(const char *name, const linpred__npy_header *header, size_t *total,
                                  linpred_error *error)
{
    size_t cells;
    if (header->rows < 1 || header->columns < 1)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array is empty: its shape is (%lld, %lld)", name,
                             (long long)header->rows, (long long)header->columns);
    if (header->columns > INT32_MAX || __builtin_mul_overflow((size_t)header->rows, (size_t)header->columns, &cells) ||
        __builtin_mul_overflow(cells, (size_t)header->item_bytes, total) || *total > PTRDIFF_MAX / 16)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the shape (%lld, %lld) is too large", name,
                             (long long)header->rows, (long long)header->columns);
    return LINPRED_OK;
}

static linpred_status wrong_size(const char *name, const linpred__npy_header *header, const char *what,
                                 linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the file has %s data than its shape (%lld, %lld) says", name,
                         what, (long long)header->rows, (long long)header->columns);
}

static linpred_status map_file(const linpred__source *source, const linpred__npy_header *header, size_t total,
                               bytes *out, linpred_error *error)
{
    size_t size = (size_t)linpred__input_size(source->input);
    if (size - header->bytes != total)
        return wrong_size(source->name, header, size - header->bytes < total ? "less" : "more", error);
    out->mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, linpred__input_descriptor(source->input), 0);
    if (out->mapping == MAP_FAILED) {
        out->mapping = NULL;
        return linpred__no_memory(error);
    }
    out->mapping_bytes = size;
    out->data = out->mapping + header->bytes;
    return LINPRED_OK;
}

/* The rows stay in the file, which the table opens for itself. */
static linpred_status leave_rows(const linpred__source *source, const linpred__npy_header *header, size_t total,
                                 linpred__table *table, linpred_error *error)
{
    size_t size = (size_t)linpred__input_size(source->input);
    if (size - header->bytes != total)
        return wrong_size(source->name, header, size - header->bytes < total ? "less" : "more", error);
    int own = fcntl(linpred__input_descriptor(source->input), F_DUPFD_CLOEXEC, 3);
    if (own < 0)
        return linpred__fail(error, LINPRED_ERROR_FILE, "cannot open '%s': %s", source->name, strerror(errno));
    table->rows_in = own;
    table->rows_at = header->bytes;
    return LINPRED_OK;
}

/* Makes the anonymous memory `wanted` bytes long; false if out of memory. */
static bool widen_mapping(bytes *out, size_t wanted)
{
    void *grown = out->mapping ? mremap(out->mapping, out->mapping_bytes, wanted, MREMAP_MAYMOVE)
                               : mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED)
        return false;
    out->mapping = grown;
    out->mapping_bytes = wanted;
    out->data = out->mapping;
    return true;
}

static linpred_status read_stream(linpred__source *source, const linpred__npy_header *header, size_t total, bytes *out,
                                  linpred_error *error)
{
    linpred__source_skip(source, header->bytes);
    size_t have = 0;
    /* One byte more than needed is asked for: if it comes, the stream is too long. */
    while (have < total + 1) {
        size_t wanted = have < LINPRED__NPY_FIRST_BYTES ? (size_t)LINPRED__NPY_FIRST_BYTES : 2 * have;
        if (wanted > total + 1)
            wanted = total + 1;
        if (!widen_mapping(out, wanted))
            return linpred__no_memory(error);
        size_t held = source->held_bytes < wanted - have ? source->held_bytes : wanted - have;
        memcpy(out->mapping + have, source->held, held);
        linpred__source_skip(source, held);
        have += held;
        size_t got = 0;
        if (have < wanted && !source->ended) {
            linpred_status status = linpred__input_read(source->input, out->mapping + have, wanted - have, &got, error);
            if (status != LINPRED_OK)
                return status;
        }
        have += got;
        if (have < wanted)
            break;
    }
    return have == total ? LINPRED_OK : wrong_size(source->name, header, have < total ? "less" : "more", error);
}

typedef struct conversion {
    const linpred__npy_header *header;
    const char *data;
    linpred__table *table;
    bool adopt;                 /* the blocks point into the mapping; nothing is converted */
    bool stays;                 /* the rows stay in the file; they are read here and forgotten */
    _Atomic int64_t not_finite; /* row * columns + column of the first NaN or infinity; INT64_MAX if there is none */
    _Atomic bool no_memory;
    _Atomic bool large;    /* some converted number is 2^53 or more, so that it may be rounded */
    bool lenient;          /* numbers that are not finite are missing values */
    _Atomic bool missing;  /* there are such */
    linpred__parts parts;  /* blocks that are done */
    pthread_mutex_t mutex; /* guards the next two */
    linpred_status status; /* of rows that stay in the file */
    linpred_error error;
} conversion;

static void note_not_finite(conversion *c, int64_t cell)
{
    int64_t known = atomic_load(&c->not_finite);
    while (cell < known && !atomic_compare_exchange_weak(&c->not_finite, &known, cell))
        ;
}

/* Reads a block whose rows stay in the file; NULL if that fails, which is noted. */
static double *read_block(conversion *c, int64_t task)
{
    linpred_error error = {0};
    size_t rows = (size_t)c->table->block[task].rows;
    double *values = linpred__alloc(rows, (size_t)c->table->columns * sizeof *values);
    linpred_status status =
        values ? linpred__table_block_get(c->table, task, values, &error) : linpred__no_memory(&error);
    if (status == LINPRED_OK)
        return values;
    linpred__release(values);
    pthread_mutex_lock(&c->mutex);
    c->status = status;
    c->error = error;
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

/* Looks for numbers that are not finite in the rows of a block. */
static void look_for_gaps(conversion *c, int64_t task, double *values)
{
    int64_t columns = c->table->columns, cells = c->table->block[task].rows * columns;
    /* 0 x is 0 for finite x and NaN otherwise, so the sum is 0 exactly if all numbers are finite. */
    double sum = 0.0;
    for (int64_t i = 0; i < cells; i++)
        sum += 0.0 * values[i];
    for (int64_t i = 0; sum != 0.0 && i < cells; i++)
        if (!isfinite(values[i])) {
            if (c->table->column[i % columns].use == LINPRED__UNUSED) {
                values[i] = 0.0;
            } else if (c->lenient) {
                values[i] = NAN;
                atomic_store(&c->missing, true);
            } else {
                note_not_finite(c, task * c->table->block_rows * columns + i);
                return;
            }
        }
}

/* Converts one block, if its numbers are not used in place, and looks for numbers that are not finite. */
static void convert_rows(void *context, int64_t task)
{
    conversion *c = context;
    linpred__table_block *block = &c->table->block[task];
    int64_t columns = c->table->columns, cells = block->rows * columns;
    if (c->stays) {
        double *values = read_block(c, task);
        if (values)
            look_for_gaps(c, task, values);
        linpred__release(values);
        return;
    }
    if (!c->adopt) {
        block->values = linpred__table_alloc(c->table, (size_t)block->rows, (size_t)columns * sizeof *block->values);
        if (!block->values) {
            atomic_store(&c->no_memory, true);
            return;
        }
        linpred__npy_convert(c->header, c->data, task * c->table->block_rows, block->rows, block->values);
    }
    double largest = 0.0;
    for (int64_t i = 0; !c->adopt && i < cells; i++)
        largest = fmax(largest, fabs(block->values[i]));
    if (largest >= 0x1p53) /* 2^53 + 1 is rounded to 2^53, so 2^53 must count */
        atomic_store(&c->large, true);
    look_for_gaps(c, task, block->values);
}

static void convert_block(void *context, int64_t task)
{
    conversion *c = context;
    convert_rows(c, task);
    linpred__parts_done(&c->parts, 1);
}

/* For inspect: counts the missing values of each column. */
static void count_missing(linpred__table *table)
{
    for (int64_t row = 0; row < table->rows; row++) {
        const double *values = table->block[row / table->block_rows].values + row % table->block_rows * table->columns;
        for (int32_t k = 0; k < table->columns; k++)
            if (isnan(values[k]) && table->column[k].missing++ == 0)
                table->column[k].first_missing_line = row + 1;
    }
    for (int32_t k = 0; k < table->columns; k++)
        if (table->column[k].missing == table->rows)
            table->column[k].type = LINPRED_COLUMN_EMPTY;
}

/* Counts the integers that were rounded, for each column. */
static void count_altered(const conversion *c)
{
    linpred__table *table = c->table;
    for (int64_t row = 0; row < table->rows; row++) {
        const double *values = table->block[row / table->block_rows].values + row % table->block_rows * table->columns;
        for (int32_t k = 0; k < table->columns; k++) {
            linpred__column *column = &table->column[k];
            if (linpred__npy_altered(c->header, c->data, row, k, values[k]) && column->altered++ == 0)
                column->first_altered_line = row + 1;
        }
    }
}

static linpred_status make_columns(linpred__table *table, const linpred__read_request *request, linpred_error *error)
{
    table->column = linpred__calloc((size_t)table->columns, sizeof *table->column);
    if (!table->column)
        return linpred__no_memory(error);
    for (int32_t c = 0; c < table->columns; c++) {
        char name[LINPRED__NUMBERED_BYTES];
        table->column[c].name = linpred__copy_text(name, linpred__numbered_name(c, name));
        table->column[c].type = LINPRED_COLUMN_NUMBER;
        if (!table->column[c].name)
            return linpred__no_memory(error);
    }
    return linpred__choose_columns(table, request, error);
}

static linpred_status make_blocks(linpred__table *table, conversion *c, const linpred_options *options, int64_t size,
                                  linpred__pool *pool, linpred_error *error)
{
    table->block_rows = linpred__block_rows(table->columns);
    int64_t blocks = (table->rows + table->block_rows - 1) / table->block_rows;
    table->block = linpred__calloc((size_t)blocks, sizeof *table->block);
    if (!table->block)
        return linpred__no_memory(error);
    table->blocks = blocks;
    for (int64_t i = 0; i < blocks; i++) {
        int64_t left = table->rows - i * table->block_rows;
        table->block[i].rows = left < table->block_rows ? (int32_t)left : table->block_rows;
        if (c->adopt)
            table->block[i].values = (double *)(uintptr_t)c->data + i * table->block_rows * table->columns;
    }
    linpred__parts_begin(&c->parts, options, blocks, size);
    pthread_mutex_init(&c->mutex, NULL);
    linpred__pool_run(pool, blocks, convert_block, c);
    pthread_mutex_destroy(&c->mutex);
    if (atomic_load(&c->no_memory))
        return linpred__no_memory(error);
    if (c->status != LINPRED_OK) {
        if (error)
            *error = c->error;
        return c->status;
    }
    if (atomic_load(&c->large))
        count_altered(c);
    if (atomic_load(&c->missing))
        count_missing(table);
    int64_t cell = atomic_load(&c->not_finite);
    if (cell == INT64_MAX)
        return LINPRED_OK;
    int64_t row = cell / table->columns + 1;
    int64_t column = cell % table->columns + 1;
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, row, column,
                            "%s: row %lld, column %lld: the value is not a finite number; an array of an npy file "
                            "cannot have missing values",
                            table->name, (long long)row, (long long)column);
}

linpred_status linpred__npy_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error)
{
    linpred__npy_header header = {0};
    size_t total = 0;
    bytes raw = {0};
    table->layout = LINPRED__DENSE;
    linpred_status status = linpred__npy_header_read(source, &header, error);
    if (status == LINPRED_OK)
        status = shape_bytes(source->name, &header, &total, error);
    bool file = linpred__input_descriptor(source->input) >= 0, doubles = header.native_doubles && !header.fortran;
    bool stays = file && doubles && request->may_stay;
    if (status == LINPRED_OK && stays)
        status = leave_rows(source, &header, total, table, error);
    else if (status == LINPRED_OK)
        status =
            file ? map_file(source, &header, total, &raw, error) : read_stream(source, &header, total, &raw, error);
    if (status == LINPRED_OK) {
        table->rows = header.rows;
        table->columns = (int32_t)header.columns;
        table->entries = header.rows * header.columns;
        snprintf(table->format, sizeof table->format, "npy, %s, %s order", header.type,
                 header.fortran ? "Fortran" : "C");
        status = make_columns(table, request, error);
    }
    if (status == LINPRED_OK) {
        bool aligned = (uintptr_t)raw.data % _Alignof(double) == 0;
        conversion c = {.header = &header,
                        .data = raw.data,
                        .table = table,
                        .adopt = doubles && aligned && !stays,
                        .stays = stays,
                        .not_finite = INT64_MAX,
                        .lenient = request->lenient};
        if (c.adopt) {
            table->mapping = raw.mapping;
            table->mapping_bytes = raw.mapping_bytes;
            raw.mapping = NULL;
        }
        status = make_blocks(table, &c, request->options, (int64_t)total, pool, error);
    }
    if (raw.mapping)
        munmap(raw.mapping, raw.mapping_bytes);
    return status;
}
