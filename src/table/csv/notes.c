/* What was guessed or changed while a CSV file was read, in sentences for the user. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "table/column_notes.h"
#include "table/columns.h"
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
        if (csv->rules.decimal == ',')
            return "has points or commas where no number has them";
        return "has a comma (--decimal , reads decimal commas)";
    case LINPRED__CELL_UNIT:
        return "has a unit";
    default:
        break;
    }
    switch (linpred__cell_negative(text, strlen(text))) {
    case LINPRED__NEGATIVE_DASH:
        return "begins with a dash that is not '-'";
    case LINPRED__NEGATIVE_PARENTHESES:
        return "is in parentheses, which may mean a number below 0: write -5 for (5)";
    case LINPRED__NEGATIVE_NONE:
        break;
    }
    if (csv->rules.decimal == ',' && linpred__cell_decimal(text, strlen(text)) == LINPRED__DECIMAL_POINT)
        return "has a point, though the decimal mark of the file is the comma";
    return linpred__cell_wrong_groups(text, strlen(text))
               ? "is not a number, as its digits are not grouped as thousands"
               : "is not a number";
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
    char place[LINPRED__COLUMN_PLACE];
    const linpred__csv_column *column = &csv->column[first];
    linpred__table_note(
        csv->table,
        linpred__remark_of(LINPRED__NOTE_MISSING_MARKER, csv->table->column[first].name, count, column->marked_line),
        "%s:%lld: %.80s: '%s' counts as a missing value; there %s %lld such cell%s (--na lists other markers)",
        csv->source->name, (long long)column->marked_line, linpred__column_place(csv->table, first, place),
        linpred__marker_text(column->first_marker), count == 1 ? "is" : "are", (long long)count, count == 1 ? "" : "s");
}

/* "; so in 2 more columns"; "" if there are none. */
static const char *more_columns(int32_t count, char text[40])
{
    text[0] = '\0';
    if (count > 0)
        snprintf(text, 40, "; so in %d more column%s", (int)count, count == 1 ? "" : "s");
    return text;
}

/* The column whose first such cell comes first in the file, by the line in `line_of`; -1 if there is none. *others are
   the other columns that have such cells. */
static int32_t first_such(const linpred__csv *csv, int64_t (*line_of)(const linpred__csv_column *column),
                          int32_t *others)
{
    int32_t first = -1;
    *others = -1;
    for (int32_t c = 0; c < csv->table->columns; c++) {
        int64_t line = line_of(&csv->column[c]);
        if (line == 0 || csv->table->column[c].type == LINPRED_COLUMN_TEXT)
            continue;
        ++*others;
        if (first < 0 || line < line_of(&csv->column[first]))
            first = c;
    }
    return first;
}

static int64_t line_of_grouped(const linpred__csv_column *column)
{
    return column->grouped > 0 ? column->grouped_line : 0;
}

/* What separates thousands, as the subject of a sentence. */
static const char *name_groups(uint32_t groups)
{
    switch ((linpred__group)groups) {
    case LINPRED__GROUP_COMMA:
        return "commas";
    case LINPRED__GROUP_POINT:
        return "points";
    case LINPRED__GROUP_BLANK:
        return "blanks";
    case LINPRED__GROUP_APOSTROPHE:
        return "apostrophes";
    default:
        return "different marks";
    }
}

static void note_grouped(const linpred__csv *csv)
{
    int32_t others, first = first_such(csv, line_of_grouped, &others);
    if (first < 0)
        return;
    char place[LINPRED__COLUMN_PLACE], argument[LINPRED__EXCERPT], more[40], decimal[80] = "", text[80] = "";
    const linpred__csv_column *column = &csv->column[first];
    bool point = csv->rules.decimal == '.';
    if (column->grouped_only == 0)
        snprintf(decimal, sizeof decimal, "; --decimal %s reads them as decimal marks", point ? "," : ".");
    if (!csv->request->like)
        snprintf(text, sizeof text, "; --text %.40s reads the column as text",
                 linpred__column_argument(csv->table, first, argument));
    linpred__table_note(csv->table,
                        linpred__remark_of(LINPRED__NOTE_THOUSANDS, csv->table->column[first].name, column->grouped,
                                           column->grouped_line),
                        "%s:%lld: %.80s: %s separate thousands in %lld number%s%s%s%s", csv->source->name,
                        (long long)column->grouped_line, linpred__column_place(csv->table, first, place),
                        name_groups(column->groups), (long long)column->grouped, column->grouped == 1 ? "" : "s",
                        more_columns(others, more), decimal, text);
}

static int64_t line_of_code(const linpred__csv_column *column)
{
    return column->codes > 0 && column->use == LINPRED__USED ? column->code_line : 0;
}

/* Numbers such as 007 and 12e3 may be codes, whose digits count and whose value does not. */
static void note_codes(const linpred__csv *csv)
{
    int32_t others, first = first_such(csv, line_of_code, &others);
    if (first < 0)
        return;
    char place[LINPRED__COLUMN_PLACE], argument[LINPRED__EXCERPT], more[40];
    const linpred__csv_column *column = &csv->column[first];
    linpred__table_note(
        csv->table,
        linpred__remark_of(LINPRED__NOTE_CODES, csv->table->column[first].name, column->codes, column->code_line),
        "%s:%lld: %.80s: '%s' is read as a number, though it may be a code; there %s %lld such cell%s%s; --text %.40s "
        "reads the column as text",
        csv->source->name, (long long)column->code_line, linpred__column_place(csv->table, first, place), column->code,
        column->codes == 1 ? "is" : "are", (long long)column->codes, column->codes == 1 ? "" : "s",
        more_columns(others, more), linpred__column_argument(csv->table, first, argument));
}

/* Lines that are skipped or read in a way that a user may not expect. */
static void note_lines(const linpred__csv *csv)
{
    const char *name = csv->source->name;
    if (csv->hidden_rows > 0)
        linpred__table_note(
            csv->table, linpred__remark_of(LINPRED__NOTE_HIDDEN_ROWS, NULL, csv->hidden_rows, csv->hidden_line),
            "%s:%lld: the line is skipped, since it begins with '%.20s', but has the fields of a row; "
            "there %s %lld such line%s",
            name, (long long)csv->hidden_line, csv->dialect.comment, csv->hidden_rows == 1 ? "is" : "are",
            (long long)csv->hidden_rows, csv->hidden_rows == 1 ? "" : "s");
    if (csv->open_ends)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_OPEN_ENDS, NULL, -1, csv->table->names_line),
                            "%s: the rows end with a '%c' that the first line does not have; the empty field behind it "
                            "is left out",
                            name, csv->dialect.separator);
    if (csv->title > 0)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_TITLE, NULL, csv->title, 1),
                            "%s: the table seems to begin in line %lld: --skip %lld skips what stands before it", name,
                            (long long)csv->title + 1, (long long)csv->title);
    if (csv->blank_rows > 0)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_BLANK_ROWS, NULL, csv->blank_rows, 0),
                            "%s: the file has one column, so that a blank line before the last row is a missing value; "
                            "there %s %lld such line%s",
                            name, csv->blank_rows == 1 ? "is" : "are", (long long)csv->blank_rows,
                            csv->blank_rows == 1 ? "" : "s");
}

void linpred__csv_note(const linpred__csv *csv)
{
    const linpred__table *table = csv->table;
    const linpred_options *options = csv->request->options;
    if (table->row_names >= 0)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_ROW_NAMES, NULL, -1, table->names_line),
                            "%s:%lld: the first line has one name less than the rows have fields, so column 1 holds "
                            "row names and is no feature unless --features lists it",
                            csv->source->name, (long long)table->names_line);
    if (csv->source->skip > 0 && !options->given[LINPRED__OPTION_skip])
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_SKIPPED, NULL, csv->source->skip, 1),
                            "%s: as in the fit, the line%s before line %lld %s skipped; --skip 0 reads %s",
                            csv->source->name, csv->source->skip == 1 ? "" : "s", (long long)csv->source->skip + 1,
                            csv->source->skip == 1 ? "is" : "are", csv->source->skip == 1 ? "it" : "them");
    if (csv->skip_of_fit > 0)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_NOT_SKIPPED, NULL, csv->skip_of_fit, 1),
                            "%s: no line is skipped, unlike in the fit (--skip %lld), since the names that the model "
                            "needs stand in line %lld",
                            csv->source->name, (long long)csv->skip_of_fit, (long long)table->names_line);
    note_lines(csv);
    note_markers(csv);
    note_grouped(csv);
    note_codes(csv);
    linpred__note_columns(csv->table, csv->request);
    if (csv->broken_utf8)
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_NOT_UTF8, NULL, -1, 0),
                            "%s: some text is not valid UTF-8, and is shown with '?'; a fit needs the file in UTF-8",
                            csv->source->name);
}
