/* Tables: notes, lines for messages, rows that stay in their file, and freeing. */
#include "table/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

void linpred__table_note(linpred__table *table, linpred__remark about, const char *format, ...)
{
    if (table->notes == LINPRED__TABLE_NOTES)
        return;
    linpred__warning *note = &table->note[table->notes++];
    note->about = about;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note->sentence, sizeof note->sentence, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(note->sentence);
}

/* The place of a 1-based row of several files. */
static void write_file_place(const linpred__table *table, int64_t row, char text[LINPRED__LINE_TEXT])
{
    int64_t i = 0;
    while (i + 1 < table->files && table->file[i + 1].first_row < row)
        i++;
    const linpred__table_file *file = &table->file[i];
    int64_t at = row - file->first_row;
    if (file->first_line > 0)
        snprintf(text, LINPRED__LINE_TEXT, ", %.200s:%lld", file->name,
                 (long long)file->first_line - 1 + at + linpred__extra_lines(&file->row_lines, at - 1));
    else
        snprintf(text, LINPRED__LINE_TEXT, ", %.200s: row %lld", file->name, (long long)at);
}

const char *linpred__table_place(const linpred__table *table, int64_t line, char text[LINPRED__LINE_TEXT])
{
    text[0] = '\0';
    if (line > 0 && table->file)
        write_file_place(table, line, text);
    else if (line > 0)
        snprintf(text, LINPRED__LINE_TEXT, table->lines_are_rows ? ": row %lld" : ":%lld", (long long)line);
    return text;
}

const char *linpred__table_line_text(const linpred__table *table, int64_t row, char text[LINPRED__LINE_TEXT])
{
    return linpred__table_place(table, linpred__table_line(table, row), text);
}

void linpred__table_clear(linpred__table *table)
{
    char *name = table->name;
    for (int32_t c = 0; table->column && c < table->columns; c++) {
        linpred__column *column = &table->column[c];
        for (int32_t i = 0; i < column->levels; i++)
            linpred__release(column->level[i]);
        linpred__release(column->level);
        linpred__release(column->name);
        linpred__release(column->odd);
        linpred__release(column->own_why);
        linpred__release(column->refusal);
    }
    linpred__spill *spill = table->spill;
    for (int64_t i = 0; i < table->blocks; i++) {
        linpred__table_release_values(table, &table->block[i]);
        linpred__table_release(table, table->block[i].start);
        linpred__table_release(table, table->block[i].indices);
        linpred__table_release(table, table->block[i].target);
    }
    linpred__table_release(table, table->in_a_row);
    linpred__arena_close(&table->arena);
    if (spill)
        linpred__spill_rewind(spill);
    if (table->mapping)
        munmap(table->mapping, table->mapping_bytes);
    if (table->rows_in > 0)
        close(table->rows_in);
    for (int64_t i = 0; i < table->files; i++) {
        linpred__release(table->file[i].name);
        linpred__row_lines_clear(&table->file[i].row_lines);
    }
    linpred__release(table->file);
    linpred__release(table->block);
    linpred__release(table->column);
    linpred__reading_clear(&table->reading);
    linpred__row_lines_clear(&table->row_lines);
    *table = (linpred__table){.name = name, .index_base = -1, .row_names = -1, .weights = -1, .spill = spill};
}

linpred_status linpred__table_block_get(const linpred__table *table, int64_t block, double *values,
                                        linpred_error *error)
{
    size_t row = (size_t)table->columns * sizeof *values, bytes = (size_t)table->block[block].rows * row, done = 0;
    uint64_t at = table->rows_at + (uint64_t)(block * table->block_rows) * row;
    while (done < bytes) {
        ssize_t got = pread(table->rows_in, (char *)values + done, bytes - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", table->name, strerror(errno));
        if (got == 0)
            return linpred__fail(error, LINPRED_ERROR_FILE,
                                 "%s: the file was cut while it was read; begin again when it is complete",
                                 table->name);
        done += (size_t)got;
    }
    return LINPRED_OK;
}

void *linpred__table_alloc(linpred__table *table, size_t count, size_t size)
{
    return table->spill ? linpred__spill_alloc(table->spill, count, size)
                        : linpred__arena_alloc(&table->arena, count, size);
}

void linpred__table_release(linpred__table *table, void *memory)
{
    if (!table->spill)
        linpred__arena_release(&table->arena, memory);
}

void linpred__table_release_values(linpred__table *table, linpred__table_block *block)
{
    if (!table->mapping && !table->in_a_row)
        linpred__table_release(table, block->values);
    block->values = NULL;
}

bool linpred__table_add_blocks(linpred__table *table, size_t *capacity, int64_t rows)
{
    int64_t blocks = (rows + table->block_rows - 1) / table->block_rows;
    if (!linpred__grow(&table->block, capacity, (size_t)blocks, sizeof *table->block))
        return false;
    for (; table->blocks < blocks; table->blocks++) {
        linpred__table_block *block = &table->block[table->blocks];
        *block = (linpred__table_block){.rows = table->block_rows};
        block->values =
            linpred__table_alloc(table, (size_t)table->block_rows, (size_t)table->columns * sizeof *block->values);
        if (!block->values)
            return false;
    }
    return true;
}

void linpred__table_trim(linpred__table *table)
{
    linpred__table_block *last = &table->block[table->blocks - 1];
    last->rows = (int32_t)(table->rows - (table->blocks - 1) * table->block_rows);
    if (!table->spill)
        last->values = linpred__arena_shorten(&table->arena, last->values, (size_t)last->rows,
                                              (size_t)table->columns * sizeof *last->values);
}

bool linpred__column_name_levels(linpred__column *column, const linpred__dictionary *levels)
{
    column->level = linpred__calloc((size_t)levels->count, sizeof *column->level);
    if (!column->level)
        return false;
    for (int32_t i = 0; i < levels->count; i++) {
        column->level[i] =
            linpred__copy_text(linpred__dictionary_text(levels, i), linpred__dictionary_bytes(levels, i));
        if (!column->level[i])
            return false;
        column->levels = i + 1;
    }
    return true;
}

void linpred__table_free(linpred__table *table)
{
    if (!table)
        return;
    linpred__table_clear(table);
    linpred__release(table->name);
    linpred__release(table);
}
