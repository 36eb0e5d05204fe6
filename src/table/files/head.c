/* The head of a table as bytes. All processes run the same program, so structs are sent as they are; their texts
 * follow, and pointers are set anew. */
#include <string.h>

#include "core/memory.h"
#include "table/files/files.h"
#include "table/cells/markers.h"

void linpred__bytes_put(linpred__bytes *bytes, const void *from, size_t count)
{
    if (bytes->no_memory || count == 0)
        return;
    if (!linpred__grow(&bytes->at, &bytes->capacity, bytes->count + count, 1)) {
        bytes->no_memory = true;
        return;
    }
    memcpy(bytes->at + bytes->count, from, count);
    bytes->count += count;
}

void linpred__bytes_take(linpred__bytes *bytes, void *to, size_t count)
{
    if (count == 0)
        return;
    memcpy(to, bytes->at + bytes->read, count);
    bytes->read += count;
}

/* NULL has the length -1. */
static void put_text(linpred__bytes *bytes, const char *text)
{
    int64_t length = text ? (int64_t)strlen(text) : -1;
    linpred__bytes_put(bytes, &length, sizeof length);
    if (length > 0)
        linpred__bytes_put(bytes, text, (size_t)length);
}

static char *take_text(linpred__bytes *bytes)
{
    int64_t length;
    linpred__bytes_take(bytes, &length, sizeof length);
    if (length < 0)
        return NULL;
    char *text = linpred__copy_text(bytes->at + bytes->read, (size_t)length);
    bytes->read += (size_t)length;
    bytes->no_memory = bytes->no_memory || !text;
    return text;
}

void linpred__head_put(linpred__bytes *bytes, const linpred__table *table)
{
    linpred__bytes_put(bytes, table, sizeof *table);
    put_text(bytes, table->name);
    put_text(bytes, table->reading.comment);
    put_text(bytes, table->reading.na);
    linpred__bytes_put(bytes, table->row_lines.jump, table->row_lines.jumps * sizeof *table->row_lines.jump);
    for (int32_t c = 0; table->column && c < table->columns; c++) {
        const linpred__column *column = &table->column[c];
        linpred__bytes_put(bytes, column, sizeof *column);
        put_text(bytes, column->name);
        put_text(bytes, column->odd);
        put_text(bytes, column->odd_why);
        put_text(bytes, column->refusal);
        put_text(bytes, column->marker);
        for (int32_t i = 0; i < column->levels; i++)
            put_text(bytes, column->level[i]);
    }
}

static void take_head_column(linpred__bytes *bytes, linpred__column *column)
{
    linpred__bytes_take(bytes, column, sizeof *column);
    int32_t levels = column->levels;
    column->levels = 0;
    column->name = take_text(bytes);
    column->odd = take_text(bytes);
    column->own_why = take_text(bytes);
    column->odd_why = column->own_why;
    column->refusal = take_text(bytes);
    char *marker = take_text(bytes);
    column->marker = NULL;
    for (int32_t i = 0; marker && linpred__marker_text(i); i++)
        if (strcmp(marker, linpred__marker_text(i)) == 0)
            column->marker = linpred__marker_text(i);
    linpred__release(marker);
    column->level = levels > 0 ? linpred__calloc((size_t)levels, sizeof *column->level) : NULL;
    bytes->no_memory = bytes->no_memory || (levels > 0 && !column->level);
    for (int32_t i = 0; i < levels && !bytes->no_memory; i++) {
        column->level[i] = take_text(bytes);
        column->levels = i + 1;
    }
}

static void take_row_lines(linpred__bytes *bytes, linpred__row_lines *lines)
{
    lines->capacity = lines->jumps;
    lines->jump = lines->jumps > 0 ? linpred__alloc(lines->jumps, sizeof *lines->jump) : NULL;
    if (lines->jump)
        linpred__bytes_take(bytes, lines->jump, lines->jumps * sizeof *lines->jump);
    bytes->no_memory = bytes->no_memory || (lines->jumps > 0 && !lines->jump);
}

linpred__table *linpred__head_take(linpred__bytes *bytes)
{
    linpred__table *table = linpred__alloc(1, sizeof *table);
    if (!table) {
        bytes->no_memory = true;
        return NULL;
    }
    linpred__bytes_take(bytes, table, sizeof *table);
    bool columns = table->column != NULL;
    table->blocks = 0;
    table->block = NULL;
    table->mapping = NULL;
    table->arena = (linpred__arena){0};
    table->file = NULL;
    table->files = 0;
    table->spill = NULL;
    table->name = take_text(bytes);
    table->reading.comment = take_text(bytes);
    table->reading.na = take_text(bytes);
    take_row_lines(bytes, &table->row_lines);
    table->column = columns ? linpred__calloc((size_t)table->columns, sizeof *table->column) : NULL;
    bytes->no_memory = bytes->no_memory || (columns && !table->column);
    for (int32_t c = 0; columns && c < table->columns && !bytes->no_memory; c++)
        take_head_column(bytes, &table->column[c]);
    if (!bytes->no_memory)
        return table;
    linpred__table_free(table);
    return NULL;
}
