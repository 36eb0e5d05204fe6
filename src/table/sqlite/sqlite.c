/* The SQLite reader: one thread steps through the rows of a table, or of a query, in the order in which SQLite gives
 * them. A table without an order of its own is given in the order of its rowid.
 *
 * A value says itself what it is. Numbers are numbers; text is text, also "12"; NULL and empty text are missing values.
 * A column with numbers and text, a blob, infinity, or text that is not UTF-8 is refused, but only if it is used.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/limits.h"
#include "table/bytes/parts.h"
#include "table/readers.h"
#include "table/sqlite/sqlite.h"
#include "table/cells/typed.h"

/* A column while it is read. */
typedef struct growing {
    linpred__dictionary levels;
    int64_t first_number; /* 1-based row of the first number; 0: none yet */
    int64_t first_text;   /* 1-based row of the first text; 0: none yet */
} growing;

typedef struct reading {
    linpred__sqlite sqlite;
    linpred__table *table;
    size_t blocks_capacity;
    linpred__na na;       /* of --na: such a text among numbers is no text */
    bool *as_text;        /* for each column: --text names it */
    growing *column;      /* one for each column */
    linpred__parts parts; /* rows */
} reading;

static linpred_status name_columns(reading *r, const linpred__read_request *request, linpred_error *error)
{
    linpred__table *table = r->table;
    sqlite3_stmt *statement = r->sqlite.statement;
    table->columns = sqlite3_column_count(statement);
    linpred_status status = linpred__typed_columns(table, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++) {
        const char *name = sqlite3_column_name(statement, c);
        status = name ? linpred__typed_name(table, c, name, strlen(name), error) : linpred__no_memory(error);
    }
    if (status == LINPRED_OK)
        status = linpred__typed_check_names(table, error);
    if (status == LINPRED_OK)
        status = linpred__typed_as_text(table, request, &r->as_text, error);
    if (status != LINPRED_OK)
        return status;
    r->column = linpred__calloc((size_t)table->columns, sizeof *r->column);
    return r->column ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- one cell: each function returns false if out of memory ------------------------------------------------------ */

static bool take_text(reading *r, int32_t c, const char *text, size_t bytes, double *value)
{
    linpred__column *column = &r->table->column[c];
    int64_t row = r->table->rows + 1;
    *value = NAN;
    if (bytes == 0 || (!r->na.usual && linpred__na_lists(&r->na, text, bytes))) {
        linpred__typed_missing(column, row);
        return true;
    }
    const char *bad = linpred__typed_bad_text(text, bytes);
    if (bad)
        return linpred__typed_refuse(column, row, "row %" PRId64 " holds %s", row, bad);
    if (r->column[c].first_text == 0)
        r->column[c].first_text = row;
    int32_t level = linpred__dictionary_add(&r->column[c].levels, text, bytes);
    *value = level;
    return level >= 0;
}

static bool take_number(reading *r, int32_t c, double number, double *value)
{
    linpred__column *column = &r->table->column[c];
    int64_t row = r->table->rows + 1;
    *value = number;
    if (r->column[c].first_number == 0)
        r->column[c].first_number = row;
    return isfinite(number) || linpred__typed_refuse(column, row, "row %" PRId64 " holds infinity", row);
}

static bool take_whole(reading *r, int32_t c, int64_t number, double *value)
{
    if (linpred__typed_inexact(number))
        linpred__typed_altered(&r->table->column[c], r->table->rows + 1);
    return take_number(r, c, (double)number, value);
}

static bool take_cell(reading *r, int32_t c, double *value)
{
    sqlite3_stmt *statement = r->sqlite.statement;
    linpred__column *column = &r->table->column[c];
    int64_t row = r->table->rows + 1;
    *value = 0.0;
    if (column->use == LINPRED__UNUSED)
        return true;
    int type = sqlite3_column_type(statement, c);
    *value = NAN;
    switch (type) {
    case SQLITE_NULL:
        linpred__typed_missing(column, row);
        return true;
    case SQLITE_BLOB:
        return linpred__typed_refuse(column, row, "row %" PRId64 " holds a blob", row);
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        if (!r->as_text[c])
            return type == SQLITE_INTEGER ? take_whole(r, c, sqlite3_column_int64(statement, c), value)
                                          : take_number(r, c, sqlite3_column_double(statement, c), value);
        break;
    default:
        break;
    }
    if (type == SQLITE_FLOAT) { /* SQLite writes 15 digits, which may be another number */
        char digits[LINPRED__NUMBER_BYTES];
        return take_text(r, c, digits, linpred__number_write(sqlite3_column_double(statement, c), digits), value);
    }
    const char *text = (const char *)sqlite3_column_text(statement, c);
    return text && take_text(r, c, text, (size_t)sqlite3_column_bytes(statement, c), value);
}

/* ---- all rows ---------------------------------------------------------------------------------------------------- */

static linpred_status read_rows(reading *r, bool may_be_empty, linpred_error *error)
{
    linpred__table *table = r->table;
    int answer;
    while ((answer = sqlite3_step(r->sqlite.statement)) == SQLITE_ROW) {
        if (!linpred__table_add_blocks(table, &r->blocks_capacity, table->rows + 1))
            return linpred__no_memory(error);
        double *row =
            table->block[table->blocks - 1].values + table->rows % table->block_rows * (int64_t)table->columns;
        for (int32_t c = 0; c < table->columns; c++)
            if (!take_cell(r, c, &row[c]))
                return linpred__no_memory(error);
        table->rows++;
        if (table->rows % LINPRED__SQLITE_ROWS == 0)
            linpred__parts_done(&r->parts, LINPRED__SQLITE_ROWS);
    }
    if (answer != SQLITE_DONE)
        return linpred__sqlite_failed(&r->sqlite, table->rows ? "read the next row" : "read the rows", error);
    return table->rows > 0 || may_be_empty
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_INPUT, "%s: %s has no rows", table->name, r->sqlite.what);
}

/* Decides what each column is, once all rows are read. */
static bool complete(reading *r)
{
    linpred__table *table = r->table;
    bool memory = true;
    for (int32_t c = 0; memory && c < table->columns; c++) {
        const growing *grown = &r->column[c];
        linpred__column *column = &table->column[c];
        column->type = grown->first_text     ? LINPRED_COLUMN_TEXT
                       : grown->first_number ? LINPRED_COLUMN_NUMBER
                                             : LINPRED_COLUMN_EMPTY;
        column->typed_text = column->type == LINPRED_COLUMN_TEXT && !r->as_text[c];
        if (grown->first_text && grown->first_number) {
            const char *text = linpred__dictionary_text(&grown->levels, 0);
            char shown[LINPRED__EXCERPT];
            int64_t later = grown->first_text > grown->first_number ? grown->first_text : grown->first_number;
            memory = linpred__typed_refuse(column, later,
                                           "row %" PRId64 " holds the text '%s' and row %" PRId64
                                           " a number (--text %d reads it as text, a --query can CAST it, and --na "
                                           "lists texts that are missing values)",
                                           grown->first_text, linpred__excerpt(text, strlen(text), shown),
                                           grown->first_number, c + 1);
        } else if (column->type == LINPRED_COLUMN_TEXT) {
            memory = linpred__column_name_levels(column, &grown->levels);
        }
    }
    if (memory)
        linpred__typed_trim(table);
    return memory;
}

linpred_status linpred__sqlite_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                    linpred__table *table, linpred_error *error)
{
    (void)pool; /* a statement is one thread's */
    reading r = {.table = table};
    linpred_status status = linpred__sqlite_open(source, request->options, &r.sqlite, error);
    if (!linpred__na_set(&r.na, linpred__typed_na(request)))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = name_columns(&r, request, error);
    if (status == LINPRED_OK) {
        snprintf(table->format, sizeof table->format, "SQLite, %s", r.sqlite.what);
        linpred__parts_begin(&r.parts, request->options, 0, 0);
        status = read_rows(&r, request->options->may_be_empty, error);
    }
    if (status == LINPRED_OK && !complete(&r))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__typed_finish(table, request, error);
    for (int32_t c = 0; r.column && c < table->columns; c++)
        linpred__dictionary_free(&r.column[c].levels);
    linpred__release(r.column);
    linpred__release(r.as_text);
    linpred__na_clear(&r.na);
    linpred__sqlite_close(&r.sqlite);
    return status;
}
