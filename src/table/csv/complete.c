/* Completes the table of a CSV file once all its pieces are joined: types and levels of the columns, the last block.
 */
#include <string.h>

#include "core/error.h"
#include "table/csv/csv.h"

/* Makes markers levels of a text column; false if out of memory. */
static bool name_markers(linpred__csv *csv, int32_t c)
{
    linpred__csv_column *column = &csv->column[c];
    const linpred__table *table = csv->table;
    int32_t level[32] = {0};
    for (int32_t i = 0; i < 32; i++)
        if (column->markers >> i & 1u) {
            const char *text = linpred__marker_text(i);
            level[i] = linpred__dictionary_add(&column->levels, text, strlen(text));
            if (level[i] < 0)
                return false;
        }
    for (int64_t row = 0; row < table->rows; row++) {
        double *cell = linpred__table_cell(table, row, c);
        int32_t marker = linpred__marker_of(*cell);
        if (marker >= 0)
            *cell = level[marker];
    }
    return true;
}

/* Sets the type of a column; false if out of memory. */
static bool complete_column(linpred__csv *csv, int32_t c)
{
    linpred__csv_column *read = &csv->column[c];
    linpred__column *column = &csv->table->column[c];
    bool text = read->word_line > 0;
    if (text && read->marked > 0 && !name_markers(csv, c))
        return false;
    if (!text && read->marked > 0) {
        if (column->missing == 0 || read->marked_line < column->first_missing_line)
            column->first_missing_line = read->marked_line;
        column->missing += read->marked;
        column->marker = linpred__marker_text(read->first_marker);
    }
    column->type = text ? LINPRED_COLUMN_TEXT : read->numbers ? LINPRED_COLUMN_NUMBER : LINPRED_COLUMN_EMPTY;
    if (read->use == LINPRED__UNUSED)
        column->type = LINPRED_COLUMN_EMPTY;
    if (!text)
        return true;
    column->odd = csv->odd[c].text;
    column->odd_line = csv->odd[c].line;
    column->odd_why = column->odd ? linpred__csv_oddity(csv, column->odd) : NULL;
    csv->odd[c].text = NULL;
    if (!linpred__column_name_levels(column, &read->levels))
        return false;
    linpred__dictionary_free(&read->levels); /* so that only one column's levels are in memory twice */
    return true;
}

/* Takes the blank lines at the end of a file of one column for what they are: no rows. */
static void leave_last_blanks(linpred__csv *csv)
{
    linpred__table *table = csv->table;
    table->rows -= csv->last_blank_rows;
    csv->blank_rows -= csv->last_blank_rows;
    if (table->column[0].use != LINPRED__UNUSED)
        table->column[0].missing -= csv->last_blank_rows;
    for (; table->blocks > 0 && (table->blocks - 1) * table->block_rows >= table->rows; table->blocks--)
        linpred__table_release(table, table->block[table->blocks - 1].values);
}

linpred_status linpred__csv_complete(linpred__csv *csv, linpred_error *error)
{
    linpred__table *table = csv->table;
    if (csv->last_blank_rows > 0)
        leave_last_blanks(csv);
    if (table->rows == 0 && !csv->request->options->may_be_empty)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the file has column names, but no rows",
                             csv->source->name);
    for (int32_t c = 0; c < table->columns; c++)
        if (!complete_column(csv, c))
            return linpred__no_memory(error);
    linpred__csv_note(csv);
    table->entries = table->rows * table->columns;
    if (table->rows == 0)
        return LINPRED_OK;
    linpred__table_trim(table);
    return LINPRED_OK;
}
