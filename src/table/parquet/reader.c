/* The Parquet reader.
 *
 * The page headers of all chunks are compared with the footer first, so that memory is only allocated for rows that
 * the pages say they have. Then any thread reads any few columns of any row group, and writes their cells. The cells of
 * a text column are levels of their chunk until the chunks are joined, row group after row group, so that the levels
 * of the table are in the order of their first appearance. The number of threads changes nothing.
 */
#include "table/parquet/parquet.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/parquet/chunk.h"
#include "table/bytes/parts.h"
#include "table/readers.h"
#include "table/cells/typed.h"
#include "table/bytes/whole.h"

typedef struct desk {
    linpred__parquet_desk *memory; /* NULL before its first use */
    _Atomic bool taken;
} desk;

typedef struct reading {
    linpred__parquet_file file;
    linpred__table *table;
    linpred__parquet_chunk *chunk; /* groups x columns, in the order of the file */
    bool *failed;                  /* for each column: memory ran out when its chunks were joined */
    desk *desk;                    /* one for each thread */
    int desks;
    linpred__parts parts; /* tasks of read_columns that are done */
} reading;

/* Says which columns are to be read. Those that are not used are not: their cells are 0, and nothing in them is judged.
   If none is used, all are read, since only pages vouch for the number of rows. */
static void choose_read(reading *r)
{
    const linpred__table *table = r->table;
    bool any = false;
    for (int32_t c = 0; c < table->columns; c++)
        any = any || (table->column[c].use != LINPRED__UNUSED && !table->column[c].refusal);
    for (int32_t c = 0; c < table->columns; c++)
        r->file.footer.column[c].wanted =
            !table->column[c].refusal && (!any || table->column[c].use != LINPRED__UNUSED);
}

static linpred_status name_columns(reading *r, const linpred__read_request *request, linpred_error *error)
{
    linpred__table *table = r->table;
    linpred__parquet_footer *footer = &r->file.footer;
    table->columns = footer->columns;
    linpred_status status = linpred__typed_columns(table, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++)
        status = linpred__typed_name(table, c, footer->column[c].name, footer->column[c].name_bytes, error);
    if (status == LINPRED_OK)
        status = linpred__typed_check_names(table, error);
    bool *as_text = NULL;
    if (status == LINPRED_OK)
        status = linpred__typed_as_text(table, request, &as_text, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++) {
        linpred__parquet_column *column = &footer->column[c];
        column->as_text = as_text[c];
        if (column->refusal && !linpred__typed_refuse(&table->column[c], 0, "%s", column->refusal))
            status = linpred__no_memory(error);
    }
    linpred__release(as_text);
    if (status == LINPRED_OK)
        choose_read(r);
    return status;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static void scan(void *context, int64_t task)
{
    reading *r = context;
    int32_t columns = r->table->columns, c = (int32_t)(task % columns);
    if (r->file.footer.column[c].wanted)
        linpred__parquet_chunk_scan(&r->file, task / columns, c, &r->chunk[task]);
}

/* How many tasks the columns of a row group make. */
static int64_t column_sets(const linpred__table *table)
{
    return (table->columns + LINPRED__PARQUET_COLUMNS - 1) / LINPRED__PARQUET_COLUMNS;
}

static void read_columns(void *context, int64_t task)
{
    reading *r = context;
    int64_t sets = column_sets(r->table), group = task / sets;
    linpred__parquet_chunk *chunks = &r->chunk[group * r->table->columns];
    int32_t first = (int32_t)(task % sets) * LINPRED__PARQUET_COLUMNS;
    int i = 0;
    while (atomic_exchange(&r->desk[i].taken, true)) /* no more tasks run at a time than there are desks */
        i = (i + 1) % r->desks;
    if (!r->desk[i].memory)
        r->desk[i].memory = linpred__parquet_desk_new();
    if (r->desk[i].memory)
        linpred__parquet_chunks_read(&r->file, group, first, r->table, chunks, r->desk[i].memory);
    else
        chunks[first].no_memory = true;
    atomic_store(&r->desk[i].taken, false);
    linpred__parts_done(&r->parts, 1);
}

/* Fails if a chunk is damaged; the first in the order of the file is told. */
static linpred_status check_chunks(const reading *r, linpred_error *error)
{
    int32_t columns = r->table->columns;
    for (int64_t i = 0; i < r->file.footer.groups * columns; i++) {
        const linpred__parquet_chunk *chunk = &r->chunk[i];
        int32_t c = (int32_t)(i % columns);
        if (chunk->no_memory)
            return linpred__no_memory(error);
        if (chunk->wrong)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, c + 1,
                                    "%s: the Parquet file is damaged: row group %lld, column %d (%.60s), byte %lld: %s",
                                    r->table->name, (long long)(i / columns) + 1, c + 1, r->table->column[c].name,
                                    (long long)chunk->wrong_at, chunk->wrong);
    }
    return LINPRED_OK;
}

static linpred_status refuse_encodings(reading *r, linpred_error *error)
{
    int32_t columns = r->table->columns;
    for (int64_t i = 0; i < r->file.footer.groups * columns; i++)
        if (r->chunk[i].unknown_encoding &&
            !linpred__typed_refuse(&r->table->column[i % columns], 0, "it has an encoding that linpred does not read"))
            return linpred__no_memory(error);
    return LINPRED_OK;
}

/* ---- joining the chunks of a column ------------------------------------------------------------------------------ */

/* Replaces the levels of a chunk by those of the column; `number` has room for the levels of the chunk. */
static bool renumber(reading *r, int64_t group, int32_t c, linpred__dictionary *levels, int32_t *number)
{
    linpred__table *table = r->table;
    const linpred__dictionary *own = &r->chunk[group * table->columns + c].levels;
    const linpred__parquet_group *rows = &r->file.footer.group[group];
    for (int32_t i = 0; i < own->count; i++)
        number[i] = -1;
    for (int64_t row = rows->first_row; row < rows->first_row + rows->rows; row++) {
        double *cell = linpred__table_cell(table, row, c);
        if (isnan(*cell))
            continue;
        int32_t level = (int32_t)*cell;
        if (number[level] < 0)
            number[level] = linpred__dictionary_add(levels, linpred__dictionary_text(own, level),
                                                    linpred__dictionary_bytes(own, level));
        if (number[level] < 0)
            return false;
        *cell = number[level];
    }
    return true;
}

static bool join_levels(reading *r, int32_t c)
{
    linpred__dictionary levels = {0};
    int32_t *number = NULL;
    size_t capacity = 0;
    bool memory = true;
    for (int64_t g = 0; memory && g < r->file.footer.groups; g++) {
        linpred__dictionary *own = &r->chunk[g * r->table->columns + c].levels;
        memory =
            linpred__grow(&number, &capacity, (size_t)own->count, sizeof *number) && renumber(r, g, c, &levels, number);
        linpred__dictionary_free(own);
    }
    if (memory && levels.count > 0)
        memory = linpred__column_name_levels(&r->table->column[c], &levels);
    linpred__release(number);
    linpred__dictionary_free(&levels);
    return memory;
}

static void clear_cells(linpred__table *table, int32_t c)
{
    for (int64_t b = 0; b < table->blocks; b++)
        for (int32_t row = 0; row < table->block[b].rows; row++)
            table->block[b].values[(int64_t)row * table->columns + c] = 0.0;
}

/* Adds up what was found in the chunks of a column. */
static void join_chunks(void *context, int64_t task)
{
    reading *r = context;
    int32_t c = (int32_t)task;
    linpred__column *column = &r->table->column[c];
    const linpred__parquet_column *about = &r->file.footer.column[c];
    bool memory = true;
    if (column->use == LINPRED__UNUSED) { /* its type is empty */
        clear_cells(r->table, c);
        return;
    }
    for (int64_t g = 0; memory && !column->refusal && g < r->file.footer.groups; g++) {
        const linpred__parquet_chunk *chunk = &r->chunk[g * r->table->columns + c];
        if (column->missing == 0)
            column->first_missing_line = chunk->first_missing;
        column->missing += chunk->missing;
        if (column->altered == 0)
            column->first_altered_line = chunk->first_altered;
        column->altered += chunk->altered;
        if (chunk->refused)
            memory = linpred__typed_refuse(column, chunk->refused, "row %" PRId64 " holds %s", chunk->refused,
                                           linpred__oddity_phrase(chunk->oddity));
    }
    bool text = linpred__parquet_is_text(about);
    if (memory && text && !column->refusal)
        memory = join_levels(r, c);
    column->type = column->missing == r->table->rows ? LINPRED_COLUMN_EMPTY
                   : text                            ? LINPRED_COLUMN_TEXT
                                                     : LINPRED_COLUMN_NUMBER;
    column->typed_text = column->type == LINPRED_COLUMN_TEXT && about->meaning == LINPRED__PARQUET_TEXT;
    r->failed[c] = !memory;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static linpred_status read_all(reading *r, const linpred_options *options, linpred__pool *pool, linpred_error *error)
{
    linpred__table *table = r->table;
    int64_t chunks = r->file.footer.groups * table->columns;
    size_t blocks_capacity = 0;
    r->chunk = linpred__calloc((size_t)chunks, sizeof *r->chunk);
    r->failed = linpred__calloc((size_t)table->columns, sizeof *r->failed);
    r->desks = linpred__pool_threads(pool);
    r->desk = linpred__calloc((size_t)r->desks, sizeof *r->desk);
    if (!r->chunk || !r->failed || !r->desk)
        return linpred__no_memory(error);
    linpred__pool_run(pool, chunks, scan, r);
    linpred_status status = check_chunks(r, error);
    if (status == LINPRED_OK)
        status = refuse_encodings(r, error);
    if (status != LINPRED_OK)
        return status;
    table->rows = r->file.footer.rows;
    if (!linpred__table_add_blocks(table, &blocks_capacity, table->rows))
        return linpred__no_memory(error);
    int64_t tasks = r->file.footer.groups * column_sets(table);
    linpred__parts_begin(&r->parts, options, tasks, r->file.bytes);
    linpred__pool_run(pool, tasks, read_columns, r);
    status = check_chunks(r, error);
    if (status != LINPRED_OK)
        return status;
    linpred__pool_run(pool, table->columns, join_chunks, r);
    for (int32_t c = 0; c < table->columns; c++)
        if (r->failed[c])
            return linpred__no_memory(error);
    linpred__typed_trim(table);
    return LINPRED_OK;
}

linpred_status linpred__parquet_read_bytes(const unsigned char *data, size_t bytes,
                                           const linpred__read_request *request, linpred__pool *pool,
                                           linpred__table *table, linpred_error *error)
{
    reading r = {.file = {.name = table->name, .data = data, .bytes = (int64_t)bytes}, .table = table};
    linpred_status status = linpred__parquet_footer_read(&r.file, error);
    if (status == LINPRED_OK && r.file.footer.rows == 0 && !request->options->may_be_empty)
        status = linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the Parquet file has no rows", table->name);
    if (status == LINPRED_OK)
        status = name_columns(&r, request, error);
    if (status == LINPRED_OK) {
        snprintf(table->format, sizeof table->format, "Parquet, %lld row group%s", (long long)r.file.footer.groups,
                 r.file.footer.groups == 1 ? "" : "s");
        status = read_all(&r, request->options, pool, error);
    }
    if (status == LINPRED_OK)
        status = linpred__typed_finish(table, request, error);
    for (int64_t i = 0; r.chunk && i < r.file.footer.groups * table->columns; i++)
        linpred__dictionary_free(&r.chunk[i].levels);
    for (int i = 0; r.desk && i < r.desks; i++)
        linpred__parquet_desk_free(r.desk[i].memory);
    linpred__release(r.desk);
    linpred__release(r.chunk);
    linpred__release(r.failed);
    linpred__parquet_footer_free(&r.file.footer);
    return status;
}

linpred_status linpred__parquet_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                     linpred__table *table, linpred_error *error)
{
    linpred__whole whole = {0};
    if (source->held_bytes < 4 || memcmp(source->held, "PAR1", 4) != 0) /* before a stream is read to its end */
        return linpred__parquet_read_bytes((const unsigned char *)source->held, source->held_bytes, request, pool,
                                           table, error);
    linpred_status status = linpred__whole_open(source, &whole, error);
    if (status == LINPRED_OK)
        status = linpred__parquet_read_bytes(whole.data, whole.bytes, request, pool, table, error);
    linpred__whole_close(&whole);
    return status;
}
