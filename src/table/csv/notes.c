/* What was guessed or changed while a CSV file was read, in sentences for the user. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "table/csv/csv.h"
#include "table/limits.h"

void linpred__csv_describe(const linpred__csv *csv)
{
    char separator[32] = "one column";
    switch (csv->dialect.separator) {
    case '\0':
        break;
    case '\t':
        strcpy(separator, "separated by tabs");
        break;
    case ' ':
        strcpy(separator, "separated by blanks");
        break;
    default:
        snprintf(separator, sizeof separator, "separated by '%c'", csv->dialect.separator);
    }
    char names[48] = "without names";
    if (csv->table->has_names)
        snprintf(names, sizeof names, "with names in line %lld", (long long)csv->lines + 1);
    snprintf(csv->table->format, sizeof csv->table->format, "CSV, %s%s%s, %s", csv->source->was_utf16 ? "UTF-16, " : "",
             separator, csv->rules.decimal == ',' ? ", with decimal commas" : "", names);
}

const char *linpred__csv_oddity(const linpred__csv *csv, const char *text)
{
    double value;
    switch (linpred__cell_read(&csv->rules, LINPRED__USED, text, strlen(text), &value)) {
    case LINPRED__CELL_NOT_FINITE:
        return "is not a finite number";
    case LINPRED__CELL_TOO_LARGE:
        return "is beyond the range of double";
    case LINPRED__CELL_COMMA:
        return csv->rules.decimal == '.' ? "has a comma (--decimal , reads decimal commas)" : "has commas";
    case LINPRED__CELL_UNIT:
        return "has a unit";
    default:
        return "is not a number";
    }
}

/* Markers such as NULL that count as missing values: one note for all columns of numbers. */
static void note_markers(const linpred__csv *csv)
{
    int64_t count = 0;
    int32_t first = -1;
    for (int32_t c = 0; c < csv->table->columns; c++) {
        const linpred__csv_column *column = &csv->column[c];
        if (column->marked == 0 || csv->table->column[c].type == LINPRED_COLUMN_TEXT)
            continue;
        count += column->marked;
        if (first < 0 || column->marked_line < csv->column[first].marked_line)
            first = c;
    }
    if (count == 0)
        return;
    char place[LINPRED__COLUMN_TEXT];
    const linpred__csv_column *column = &csv->column[first];
    linpred__table_note(
        csv->table, linpred__remark_of("missing_marker", csv->table->column[first].name, count, column->marked_line),
        "%s:%lld: %.80s: '%s' counts as a missing value; there %s %lld such cell%s (--na lists other markers)",
        csv->source->name, (long long)column->marked_line, linpred__csv_column_text(csv->table, first, place),
        linpred__marker_text(column->first_marker), count == 1 ? "is" : "are", (long long)count, count == 1 ? "" : "s");
}

static void note_grouped(const linpred__csv *csv)
{
    int64_t count = 0;
    int32_t first = -1;
    for (int32_t c = 0; c < csv->table->columns; c++) {
        const linpred__csv_column *column = &csv->column[c];
        if (column->grouped == 0 || csv->table->column[c].type == LINPRED_COLUMN_TEXT)
            continue;
        count += column->grouped;
        if (first < 0 || column->grouped_line < csv->column[first].grouped_line)
            first = c;
    }
    if (count == 0)
        return;
    char place[LINPRED__COLUMN_TEXT];
    char argument[LINPRED__EXCERPT];
    int64_t line = csv->column[first].grouped_line;
    linpred__table_note(
        csv->table, linpred__remark_of("thousands", csv->table->column[first].name, count, line),
        "%s:%lld: %.80s: %s separate thousands in %lld number%s; --decimal %s reads them as decimal marks, --text "
        "%.40s the column as text",
        csv->source->name, (long long)line, linpred__csv_column_text(csv->table, first, place),
        csv->rules.decimal == '.' ? "commas" : "points", (long long)count, count == 1 ? "" : "s",
        csv->rules.decimal == '.' ? "," : ".", linpred__csv_column_argument(csv->table, first, argument));
}

/* Whether the first levels of a text column, found by its values, are dates. */
static bool holds_dates(const linpred__column *column)
{
    if (column->type != LINPRED_COLUMN_TEXT || column->use != LINPRED__USED)
        return false;
    for (int32_t k = 0; k < column->levels && k < LINPRED__DATES_LOOKED_AT; k++)
        if (!linpred__looks_like_date(column->level[k], strlen(column->level[k])))
            return false;
    return column->levels > 0;
}

static void note_dates(const linpred__csv *csv)
{
    for (int32_t c = 0; c < csv->table->columns; c++) {
        const linpred__column *column = &csv->table->column[c];
        double days;
        if (!holds_dates(column))
            continue;
        char place[LINPRED__COLUMN_TEXT];
        char argument[LINPRED__EXCERPT];
        linpred__csv_column_argument(csv->table, c, argument);
        bool readable = linpred__date_read(column->level[0], strlen(column->level[0]), &days);
        linpred__table_note(csv->table, linpred__remark_of("dates", column->name, column->levels, 0),
                            "%s: %.80s holds dates such as '%.30s', and each is a level of text; %s--date %.40s %s",
                            csv->source->name, linpred__csv_column_text(csv->table, c, place), column->level[0],
                            readable ? "" : "write them as 2024-01-31, since day and month cannot be told apart; ",
                            argument, readable ? "makes them a number of days" : "then makes them a number of days");
    }
}

void linpred__csv_note(const linpred__csv *csv)
{
    const linpred__table *table = csv->table;
    const linpred_options *options = csv->request->options;
    if (table->row_names >= 0)
        linpred__table_note(csv->table, linpred__remark_of("row_names", NULL, -1, table->names_line),
                            "%s:%lld: the first line has one name less than the rows have fields, so column 1 holds "
                            "row names and is no feature unless --features lists it",
                            csv->source->name, (long long)table->names_line);
    if (csv->source->skip > 0 && !options->given[LINPRED__OPTION_skip])
        linpred__table_note(csv->table, linpred__remark_of("skipped", NULL, csv->source->skip, 1),
                            "%s: the first %lld line%s skipped, as in the fit; --skip 0 reads them", csv->source->name,
                            (long long)csv->source->skip, csv->source->skip == 1 ? " is" : "s are");
    note_markers(csv);
    note_grouped(csv);
    note_dates(csv);
    if (csv->broken_utf8)
        linpred__table_note(csv->table, linpred__remark_of("not_utf8", NULL, -1, 0),
                            "%s: some text is not valid UTF-8, and is shown with '?'; a fit needs the file in UTF-8",
                            csv->source->name);
}
