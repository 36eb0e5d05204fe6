/* Names, refusals and counts of a table that is read from a typed file. */
#include "table/cells/typed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"

/* ---- columns ----------------------------------------------------------------------------------------------------- */

linpred_status linpred__typed_columns(linpred__table *table, linpred_error *error)
{
    table->layout = LINPRED__DENSE;
    table->has_names = true;
    table->lines_are_rows = true;
    table->first_row_line = 1;
    table->block_rows = linpred__block_rows(table->columns);
    table->column = linpred__calloc((size_t)table->columns, sizeof *table->column);
    return table->column ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__typed_name(linpred__table *table, int32_t column, const char *name, size_t bytes,
                                   linpred_error *error)
{
    for (; bytes > 0 && strchr(" \t\r\n", name[0]) && name[0]; bytes--)
        name++;
    while (bytes > 0 && strchr(" \t\r\n", name[bytes - 1]) && name[bytes - 1])
        bytes--;
    linpred__column *named = &table->column[column];
    bool right = !memchr(name, '\0', bytes) && linpred__is_utf8(name, bytes);
    named->name = linpred__copy_text(name, bytes);
    if (!named->name || (!right && !linpred__typed_refuse(named, 0, "its name is not UTF-8 text")))
        return linpred__no_memory(error);
    linpred__mend_utf8(named->name);
    return LINPRED_OK;
}

linpred_status linpred__typed_check_names(linpred__table *table, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    linpred__dictionary names = {0};
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++) {
        const char *name = table->column[c].name;
        int32_t number = linpred__dictionary_add(&names, name, strlen(name));
        if (number < 0)
            status = linpred__no_memory(error);
    }
    table->repeated_names = names.count < table->columns;
    linpred__dictionary_free(&names);
    return status;
}

linpred_status linpred__typed_as_text(linpred__table *table, const linpred__read_request *request, bool **out,
                                      linpred_error *error)
{
    bool *as_text = linpred__calloc((size_t)table->columns, sizeof *as_text);
    if (!as_text)
        return linpred__no_memory(error);
    linpred_status status = linpred__choose_columns(table, request, error);
    for (int32_t c = 0; c < table->columns; c++)
        as_text[c] = table->column[c].use == LINPRED__USED_AS_TEXT;
    if (status != LINPRED_OK)
        linpred__release(as_text);
    else
        *out = as_text;
    return status;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

bool linpred__typed_refuse(linpred__column *column, int64_t row, const char *format, ...)
{
    if (column->refusal)
        return true;
    char reason[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(reason);
    column->refusal = linpred__copy_text(reason, strlen(reason));
    column->refusal_line = row;
    return column->refusal != NULL;
}

const char *linpred__typed_bad_text(const char *text, size_t bytes)
{
    return !linpred__is_utf8(text, bytes) ? "text that is not UTF-8"
           : memchr(text, '\0', bytes)    ? "text with a NUL byte"
                                          : NULL;
}

void linpred__typed_missing(linpred__column *column, int64_t row)
{
    if (column->missing++ == 0)
        column->first_missing_line = row;
}

void linpred__typed_altered(linpred__column *column, int64_t row)
{
    if (column->altered++ == 0)
        column->first_altered_line = row;
}

bool linpred__typed_inexact(int64_t value)
{
    double nearest = (double)value;
    return nearest == 0x1p63 || (int64_t)nearest != value;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* A refused column has no values, levels or counts. */
static void empty_column(linpred__table *table, int32_t c)
{
    linpred__column *column = &table->column[c];
    for (int32_t i = 0; i < column->levels; i++)
        linpred__release(column->level[i]);
    linpred__release(column->level);
    column->level = NULL;
    column->levels = 0;
    column->type = LINPRED_COLUMN_EMPTY;
    column->missing = column->altered = 0;
    for (int64_t b = 0; b < table->blocks; b++)
        for (int32_t r = 0; r < table->block[b].rows; r++)
            table->block[b].values[(int64_t)r * table->columns + c] = NAN;
}

void linpred__typed_trim(linpred__table *table)
{
    if (table->rows == 0)
        return;
    linpred__table_trim(table);
    table->entries = table->rows * table->columns;
    for (int32_t c = 0; c < table->columns; c++)
        if (table->column[c].refusal)
            empty_column(table, c);
}
