/* What --na and --date, or the model of a fit, say about the cells of a table that is read from a typed file. The
 * reader has read each column by its own type: a date is a level of text, whose days take its place here. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/column_notes.h"
#include "table/cells/date.h"
#include "table/cells/typed.h"

/* The cells of a column that hold a level become the value of that level; NaN is a missing value. */
static void replace_levels(linpred__table *table, int32_t c, const double *value)
{
    for (int64_t row = 0; row < table->rows; row++) {
        double *cell = linpred__table_cell(table, row, c);
        if (isnan(*cell))
            continue;
        *cell = value[(int64_t)*cell];
        if (isnan(*cell))
            linpred__typed_missing(&table->column[c], row + 1);
    }
}

/* Numbers that --na lists are missing values. */
static void leave_numbers(linpred__table *table, int32_t c, const linpred__na *na)
{
    for (int64_t row = 0; row < table->rows; row++) {
        double *cell = linpred__table_cell(table, row, c);
        if (!isnan(*cell) && linpred__na_lists_number(na, *cell)) {
            *cell = NAN;
            linpred__typed_missing(&table->column[c], row + 1);
        }
    }
}

/* Levels that --na lists are missing values, and no levels. `value` has room for a number a level. */
static void leave_levels(linpred__table *table, int32_t c, const linpred__na *na, double *value)
{
    linpred__column *column = &table->column[c];
    int32_t kept = 0;
    for (int32_t k = 0; k < column->levels; k++) {
        bool missing = linpred__na_lists(na, column->level[k], strlen(column->level[k]));
        value[k] = missing ? (double)NAN : (double)kept;
        if (missing)
            linpred__release(column->level[k]);
        else
            column->level[kept++] = column->level[k];
    }
    if (kept == column->levels)
        return;
    replace_levels(table, c, value);
    column->levels = kept;
    if (kept == 0)
        column->type = LINPRED_COLUMN_EMPTY;
}

/* The 1-based row of the first cell with a level. */
static int64_t row_of_level(const linpred__table *table, int32_t c, int32_t level)
{
    int64_t row = 0;
    while (row < table->rows && *linpred__table_cell(table, row, c) != (double)level)
        row++;
    return row + 1;
}

/* Dates become days. `value` has room for a number a level. */
static linpred_status take_dates(linpred__table *table, int32_t c, bool lenient, double *value, linpred_error *error)
{
    linpred__column *column = &table->column[c];
    char excerpt[LINPRED__EXCERPT];
    if (column->type == LINPRED_COLUMN_NUMBER)
        return lenient ? LINPRED_OK
                       : linpred__fail_at(error, LINPRED_ERROR_INPUT, 1, c + 1,
                                          "%s: column %d (%.60s) holds numbers, not dates", table->name, (int)c + 1,
                                          column->name);
    for (int32_t k = 0; k < column->levels; k++) {
        if (linpred__date_read(column->level[k], strlen(column->level[k]), &value[k]))
            continue;
        int64_t row = row_of_level(table, c, k);
        return lenient ? LINPRED_OK
                       : linpred__fail_at(error, LINPRED_ERROR_INPUT, row, c + 1,
                                          "%s: row %" PRId64 ": column %d (%.60s): '%s' %s", table->name, row,
                                          (int)c + 1, column->name,
                                          linpred__excerpt(column->level[k], strlen(column->level[k]), excerpt),
                                          linpred__date_refusal(column->level[k], strlen(column->level[k])));
    }
    replace_levels(table, c, value);
    for (int32_t k = 0; k < column->levels; k++)
        linpred__release(column->level[k]);
    linpred__release(column->level);
    column->level = NULL;
    column->levels = 0;
    column->typed_text = false;
    if (column->type == LINPRED_COLUMN_TEXT)
        column->type = LINPRED_COLUMN_NUMBER;
    return LINPRED_OK;
}

static linpred_status finish_column(linpred__table *table, int32_t c, const linpred__na *na, bool lenient,
                                    linpred_error *error)
{
    linpred__column *column = &table->column[c];
    if (column->use == LINPRED__UNUSED || column->refusal)
        return LINPRED_OK;
    double *value = linpred__alloc((size_t)column->levels + 1, sizeof *value);
    if (!value)
        return linpred__no_memory(error);
    if (!na->usual && column->type == LINPRED_COLUMN_NUMBER && na->numeric)
        leave_numbers(table, c, na);
    if (!na->usual && column->type == LINPRED_COLUMN_TEXT)
        leave_levels(table, c, na, value);
    linpred_status status =
        column->use == LINPRED__USED_AS_DAYS ? take_dates(table, c, lenient, value, error) : LINPRED_OK;
    linpred__release(value);
    return status;
}

const char *linpred__typed_na(const linpred__read_request *request)
{
    return request->options->na ? request->options->na : request->like ? request->like->na : NULL;
}

linpred_status linpred__typed_finish(linpred__table *table, const linpred__read_request *request, linpred_error *error)
{
    linpred__na na;
    const char *list = linpred__typed_na(request);
    linpred_status status = linpred__na_set(&na, list) ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++)
        status = finish_column(table, c, &na, request->lenient, error);
    linpred__na_clear(&na);
    if (status != LINPRED_OK)
        return status;
    linpred__note_columns(table, request);
    if (!list)
        return LINPRED_OK;
    /* The markers are remembered as those of a CSV file are, so that a file in either format is read alike. */
    table->reading = (linpred__reading){.known = true, .separator = ',', .decimal = '.', .names = true};
    table->reading.na = linpred__copy_text(list, strlen(list));
    return table->reading.na ? LINPRED_OK : linpred__no_memory(error);
}
