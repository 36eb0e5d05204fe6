/* Levels that are markers of missing values, dates that are text or numbers, and totals, in sentences for the user. */
#include "table/column_notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "table/columns.h"
#include "table/cells/date.h"
#include "table/limits.h"
#include "table/cells/markers.h"
#include "table/cells/units.h"

/* ---- markers among words ----------------------------------------------------------------------------------------- */

/* The first usual marker among the levels of a column; -1 if there is none. */
static int32_t marker_level(const linpred__column *column)
{
    if (column->type == LINPRED_COLUMN_TEXT)
        for (int32_t k = 0; k < column->levels; k++)
            if (linpred__usual_marker(column->level[k], strlen(column->level[k])) >= 0)
                return k;
    return -1;
}

/* Writes the argument of --na that makes these markers missing values, besides those that are so everywhere. */
static void write_list(const linpred__table *table, char *list, size_t bytes)
{
    bool seen[64] = {false};
    size_t used = (size_t)snprintf(list, bytes, "NA,?");
    for (int32_t c = 0; c < table->columns; c++) {
        const linpred__column *column = &table->column[c];
        for (int32_t k = -1; k < column->levels; k++) {
            const char *text = k < 0 ? column->marker : column->level[k];
            int32_t marker = text ? linpred__usual_marker(text, strlen(text)) : -1;
            if (marker < 0 || seen[marker] || used >= bytes)
                continue;
            seen[marker] = true;
            used += (size_t)snprintf(list + used, bytes - used, ",%s", text);
        }
    }
}

/* One note for all columns; it names the first and how often its marker occurs. */
static void note_markers(linpred__table *table)
{
    int32_t first = -1, columns = 0;
    for (int32_t c = 0; c < table->columns; c++)
        if (marker_level(&table->column[c]) >= 0) {
            first = first < 0 ? c : first;
            columns++;
        }
    if (first < 0)
        return;
    const linpred__column *column = &table->column[first];
    int32_t level = marker_level(column);
    int64_t count = 0, row = -1;
    for (int64_t r = 0; r < table->rows; r++)
        if (*linpred__table_cell(table, r, first) == (double)level && count++ == 0)
            row = r;
    char at[LINPRED__LINE_TEXT], place[LINPRED__COLUMN_PLACE], more[60] = "", list[200];
    if (columns > 1)
        snprintf(more, sizeof more, ", and %d more column%s such levels", (int)columns - 1,
                 columns == 2 ? " has" : "s have");
    write_list(table, list, sizeof list);
    linpred__table_note(
        table, linpred__remark_of(LINPRED__NOTE_MARKER_LEVEL, column->name, count, linpred__table_line(table, row)),
        "%s%s: %.80s: '%s' is a level of text like any other, in %lld cell%s%s; --na '%s' makes it a "
        "missing value",
        table->name, linpred__table_line_text(table, row, at), linpred__column_place(table, first, place),
        column->level[level], (long long)count, count == 1 ? "" : "s", more, list);
}

const char *linpred__na_advice(const linpred__table *table, const linpred__column *column,
                               char advice[LINPRED__NA_ADVICE])
{
    const char *odd = column->odd;
    const char *listed = table->reading.na ? table->reading.na : "NA,?";
    bool word = !strpbrk(odd, "0123456789,'\"\n\r") && strlen(odd) + strlen(listed) < LINPRED__NA_ADVICE - 60;
    advice[0] = '\0';
    if (word && column->odd_line > table->first_row_line)
        snprintf(advice, LINPRED__NA_ADVICE, "; if it means a missing value, say --na '%s,%s'", listed, odd);
    return advice;
}

/* ---- dates ------------------------------------------------------------------------------------------------------- */

/* Whether the first levels of a text column, found by its values, are dates. Markers of missing values do not count. */
static bool holds_dates(const linpred__column *column, int32_t *example)
{
    int32_t dates = 0;
    if (column->type != LINPRED_COLUMN_TEXT || column->use != LINPRED__USED)
        return false;
    for (int32_t k = 0; k < column->levels && dates < LINPRED__DATES_LOOKED_AT; k++) {
        size_t bytes = strlen(column->level[k]);
        if (linpred__usual_marker(column->level[k], bytes) >= 0)
            continue;
        if (!linpred__looks_like_date(column->level[k], bytes))
            return false;
        if (dates++ == 0)
            *example = k;
    }
    return dates > 0;
}

/* Whether the numbers of a column are days written as 20240131. One such number may be anything. */
static bool holds_day_numbers(const linpred__table *table, int32_t c, double *example)
{
    int32_t days = 0;
    if (table->column[c].type != LINPRED_COLUMN_NUMBER || table->column[c].use != LINPRED__USED)
        return false;
    for (int64_t row = 0; row < table->rows && days < LINPRED__DATES_LOOKED_AT; row++) {
        double value = *linpred__table_cell(table, row, c);
        if (value != value)
            continue;
        if (!linpred__looks_like_day_number(value))
            return false;
        if (days++ == 0)
            *example = value;
    }
    return days > 1;
}

static void note_dates_of(linpred__table *table, int32_t c)
{
    const linpred__column *column = &table->column[c];
    char place[LINPRED__COLUMN_PLACE], argument[LINPRED__EXCERPT];
    int32_t example = 0;
    double number = 0.0, days;
    linpred__column_argument(table, c, argument);
    linpred__column_place(table, c, place);
    if (holds_day_numbers(table, c, &number))
        linpred__table_note(table, linpred__remark_of(LINPRED__NOTE_DATES, column->name, -1, 0),
                            "%s: %.80s holds numbers such as %d, which look like dates; --date %.40s makes them a "
                            "number of days",
                            table->name, place, (int)number, argument);
    if (!holds_dates(column, &example))
        return;
    const char *text = column->level[example];
    bool readable = linpred__date_read(text, strlen(text), &days);
    linpred__table_note(table, linpred__remark_of(LINPRED__NOTE_DATES, column->name, column->levels, 0),
                        "%s: %.80s holds dates such as '%.30s', and each is a level of text; %s--date %.40s %s",
                        table->name, place, text,
                        readable ? ""
                                 : "write them as 2024-01-31, since their day, month or "
                                   "year cannot be told for certain; ",
                        argument, readable ? "makes them a number of days" : "then makes them a number of days");
}

/* ---- totals ------------------------------------------------------------------------------------------------------ */

/* Whether the last row holds the sum of all others in this column, and is beyond each of them. */
static bool ends_in_sum(const linpred__table *table, int32_t c)
{
    double last = *linpred__table_cell(table, table->rows - 1, c), sum = 0.0, size = 0.0;
    for (int64_t row = 0; row < table->rows - 1; row++) {
        double value = *linpred__table_cell(table, row, c);
        if (fabs(value) >= fabs(last))
            return false; /* nearly always after a few rows */
        sum += isnan(value) ? 0.0 : value;
        size += isnan(value) ? 0.0 : fabs(value);
    }
    return fabs(sum - last) <= 1e-9 * size;
}

/* A last row of totals is no row like the others. It is told if it holds the sum of the others in two columns, or in
   the only one in which it has a number. */
static void note_totals(linpred__table *table)
{
    int32_t sums = 0, others = 0;
    if (table->rows < LINPRED__MIN_ROWS_OF_TOTALS)
        return;
    for (int32_t c = 0; c < table->columns && others <= sums + 1; c++) {
        double last = *linpred__table_cell(table, table->rows - 1, c);
        if (table->column[c].type != LINPRED_COLUMN_NUMBER || last != last)
            continue;
        if (ends_in_sum(table, c))
            sums++;
        else
            others++;
    }
    char at[LINPRED__LINE_TEXT];
    if (sums >= 2 || (sums == 1 && others == 0))
        linpred__table_note(
            table, linpred__remark_of(LINPRED__NOTE_TOTALS, NULL, sums, linpred__table_line(table, table->rows - 1)),
            "%s%s: the last row seems to hold totals: in %d column%s it is the sum of all other rows; remove it if it "
            "is no row like the others",
            table->name, linpred__table_line_text(table, table->rows - 1, at), (int)sums, sums == 1 ? "" : "s");
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* Notes of a text column, found by its values, that its cells are numbers with units. */
static void note_units_of(linpred__table *table, int32_t c)
{
    linpred__column *column = &table->column[c];
    const char *why = NULL;
    if (column->type != LINPRED_COLUMN_TEXT || column->use != LINPRED__USED || column->odd)
        return;
    int32_t level = linpred__unit_level(column->level, column->levels, &why);
    if (level < 0)
        return;
    int64_t row = 0;
    while (row + 1 < table->rows && *linpred__table_cell(table, row, c) != (double)level)
        row++;
    column->odd = linpred__copy_text(column->level[level], strlen(column->level[level]));
    column->odd_line = linpred__table_line(table, row);
    column->odd_why = why;
}

/* ---- long numbers ------------------------------------------------------------------------------------------------ */

/* Numbers of more than 15 digits measure nothing: where all of a column are beyond 2^53, it holds identifiers. */
static void note_long_numbers_of(linpred__table *table, int32_t c)
{
    const linpred__column *column = &table->column[c];
    if (column->type != LINPRED_COLUMN_NUMBER || column->use != LINPRED__USED || column->missing == table->rows ||
        !column->long_numbers || table->rows < LINPRED__MIN_IDENTIFIERS)
        return;
    for (int64_t row = 0; row < table->rows; row++)
        if (fabs(*linpred__table_cell(table, row, c)) < 0x1p53)
            return;
    char argument[LINPRED__EXCERPT];
    linpred__table_note(table,
                        linpred__remark_of(LINPRED__NOTE_IDENTIFIER, column->name, table->rows - column->missing, 0),
                        "%s: column '%.60s' looks like an identifier: all its numbers are beyond 2^53, where doubles "
                        "do not hold every whole number; leave it out with --drop %.40s",
                        table->name, column->name, linpred__column_argument(table, c, argument));
}

void linpred__note_columns(linpred__table *table, const linpred__read_request *request)
{
    if (request->like)
        return;
    if (!request->options->na)
        note_markers(table);
    note_totals(table);
    for (int32_t c = 0; c < table->columns; c++) {
        note_dates_of(table, c);
        note_units_of(table, c);
        note_long_numbers_of(table, c);
    }
}
