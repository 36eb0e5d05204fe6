/* Words the first error of a CSV piece, in a sentence that begins with FILE:LINE.
 *
 * The piece is read again in the order of the file. In each line quotes and the number of fields are checked before the
 * cells: in a line with a field too many, cells stand in the wrong columns. If a column holds numbers and words, the
 * error is its first word, whether the numbers come before or after it.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/csv/csv.h"

enum { COLUMN_TEXT = 200 };

/* Writes "column 2 (x1)", or "column 2" if the file has no names. */
static const char *column_text(const linpred__table *table, int32_t column, char buffer[COLUMN_TEXT])
{
    const char *name = table->column[column].name;
    char excerpt[LINPRED__EXCERPT];
    if (table->has_names)
        snprintf(buffer, COLUMN_TEXT, "column %d (%s)", (int)column + 1, linpred__excerpt(name, strlen(name), excerpt));
    else
        snprintf(buffer, COLUMN_TEXT, "column %d", (int)column + 1);
    return buffer;
}

/* The argument of --text that names the column: its name, or its number if the name is long or would need quoting in a
   shell. */
static const char *text_argument(const linpred__table *table, int32_t column, char buffer[LINPRED__EXCERPT])
{
    const char *name = table->column[column].name;
    if (strlen(name) <= 40 && strcspn(name, ",\"'\n\r\t $\\") == strlen(name))
        strcpy(buffer, name);
    else
        snprintf(buffer, LINPRED__EXCERPT, "%d", (int)column + 1);
    return buffer;
}

linpred_status linpred__csv_report_field(const char *name, int64_t line, int64_t column, const linpred__field *field,
                                         linpred_error *error)
{
    const char *what = "";
    switch (field->end) {
    case LINPRED__NUL_BYTE:
        what = "there is a NUL byte in the field: is this a text file?";
        break;
    case LINPRED__QUOTE_INSIDE:
        what = "a quote stands inside a field that does not begin with one; enclose the field in quotes, and write "
               "each quote inside it twice";
        break;
    case LINPRED__QUOTE_BEFORE_TEXT:
        what = "text follows the closing quote of the field; a quote inside a quoted field is written twice";
        break;
    case LINPRED__QUOTE_OPEN:
        what = "the quote that opens here is not closed";
        break;
    case LINPRED__ENDS_FIELD:
    case LINPRED__ENDS_LINE:
        break;
    }
    char buffer[LINPRED__EXCERPT];
    if (field->end == LINPRED__NUL_BYTE)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, column, "%s:%lld: column %lld: %s", name,
                                (long long)line, (long long)column, what);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, column, "%s:%lld: column %lld: %s ('%s')", name,
                            (long long)line, (long long)column, what,
                            linpred__excerpt(field->text, field->bytes, buffer));
}

linpred_status linpred__csv_report_comment(const char *name, int64_t line, linpred_error *error)
{
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, line, 0,
        "%s:%lld: the line begins with '#', but CSV has no comments; remove the line, or put the field in quotes if "
        "it is data",
        name, (long long)line);
}

static linpred_status report_count(const linpred__csv *csv, int64_t line, int64_t fields, linpred_error *error)
{
    const linpred__table *table = csv->table;
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, 0,
                            "%s:%lld: the line has %lld field%s, but the %s has %d", csv->source->name, (long long)line,
                            (long long)fields, linpred__plural((double)fields),
                            table->has_names ? "header" : "first line", (int)table->columns);
}

/* The part of the message between the cell and the advice to read the column as text. */
static const char *what_is_wrong(linpred__cell cell)
{
    switch (cell) {
    case LINPRED__CELL_NOT_FINITE:
        return "is not a finite number; leave the cell empty if the value is missing, or";
    case LINPRED__CELL_TOO_LARGE:
        return "is beyond the range of double; correct the cell, or";
    case LINPRED__CELL_COMMA:
        return "looks like a number with a comma in it, and decimal commas and thousands separators are not read; "
               "write it as a plain number with a decimal point, or";
    case LINPRED__CELL_UNIT:
        return "looks like a number with a unit; write it as a plain number, or";
    default:
        return "cannot be read; correct the cell, or";
    }
}

static linpred_status report_cell(const linpred__csv *csv, linpred__cell cell, int64_t line, int32_t column,
                                  const linpred__field *field, linpred_error *error)
{
    char place[COLUMN_TEXT];
    char excerpt[LINPRED__EXCERPT];
    char argument[LINPRED__EXCERPT];
    column_text(csv->table, column, place);
    linpred__excerpt(field->text, field->bytes, excerpt);
    if (cell == LINPRED__CELL_NOT_UTF8)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, column + 1,
                                "%s:%lld: %s: '%s' is not valid UTF-8; convert the file to UTF-8", csv->source->name,
                                (long long)line, place, excerpt);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, column + 1,
                            "%s:%lld: %s: '%s' %s read the column as text with --text %s", csv->source->name,
                            (long long)line, place, excerpt, what_is_wrong(cell),
                            text_argument(csv->table, column, argument));
}

/* Reports a word in a column of numbers. number_line is 0 if a number came before the word, else the line of the first
   number after it. */
static linpred_status report_word(const linpred__csv *csv, int64_t line, int32_t column, const char *word, size_t bytes,
                                  int64_t number_line, linpred_error *error)
{
    char place[COLUMN_TEXT];
    char excerpt[LINPRED__EXCERPT];
    char argument[LINPRED__EXCERPT];
    char where[48] = "before it";
    if (number_line > 0)
        snprintf(where, sizeof where, "after it, the first in line %lld", (long long)number_line);
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, line, column + 1,
        "%s:%lld: %s: '%s' is not a number, but the column has numbers %s; correct the cell or read "
        "the column as text with --text %s",
        csv->source->name, (long long)line, column_text(csv->table, column, place),
        linpred__excerpt(word, bytes, excerpt), where, text_argument(csv->table, column, argument));
}

/* What this piece holds of a column before the current cell. */
typedef struct column_seen {
    bool number;
    bool word;
} column_seen;

typedef struct walk {
    const linpred__csv *csv;
    const linpred__csv_piece *piece;
    const char *end;   /* of the piece's text */
    int64_t line;      /* 1-based line of the file */
    column_seen *seen; /* one for each column */
    linpred__scratch scratch;
} walk;

/* Fails if the cell is wrong, or if it is a number in a column of words or a word in a column of numbers. */
static linpred_status walk_cell(walk *w, int32_t column, const linpred__field *field, linpred_error *error)
{
    const linpred__csv_column *before = &w->csv->column[column];
    column_seen *seen = &w->seen[column];
    double value;
    linpred__cell cell = linpred__cell_read(field->text, field->bytes, before->as_text, &value);
    if (cell == LINPRED__CELL_MISSING)
        return LINPRED_OK;
    if (cell == LINPRED__CELL_WORD) {
        seen->word = true;
        if (before->numbers || seen->number)
            return report_word(w->csv, w->line, column, field->text, field->bytes, 0, error);
        return LINPRED_OK;
    }
    if (cell != LINPRED__CELL_NUMBER)
        return report_cell(w->csv, cell, w->line, column, field, error);
    seen->number = true;
    if (before->word_line > 0)
        return report_word(w->csv, before->word_line, column, linpred__dictionary_text(&before->levels, 0),
                           linpred__dictionary_bytes(&before->levels, 0), w->line, error);
    if (seen->word) {
        const linpred__csv_tally *tally = &w->piece->tally[column];
        return report_word(w->csv, w->csv->lines + 1 + tally->word_line, column,
                           linpred__dictionary_text(tally->levels, 0), linpred__dictionary_bytes(tally->levels, 0),
                           w->line, error);
    }
    return LINPRED_OK;
}

/* Fails if a field of the record is wrong, or if the record has not one field for each column. */
static linpred_status walk_fields(walk *w, const char *at, linpred_error *error)
{
    int64_t line = w->line;
    int64_t fields = 0;
    for (;;) {
        linpred__field field = linpred__field_read(&w->csv->dialect, at, w->end, &w->scratch);
        fields++;
        if (w->scratch.no_memory)
            return linpred__no_memory(error);
        if (field.end > LINPRED__ENDS_LINE)
            return linpred__csv_report_field(w->csv->source->name, line, fields, &field, error);
        line += field.lines;
        at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            break;
    }
    return fields == w->csv->table->columns ? LINPRED_OK : report_count(w->csv, w->line, fields, error);
}

static linpred_status walk_row(walk *w, const char **at, linpred_error *error)
{
    linpred_status status = walk_fields(w, *at, error);
    for (int32_t column = 0; status == LINPRED_OK; column++) {
        linpred__field field = linpred__field_read(&w->csv->dialect, *at, w->end, &w->scratch);
        status = walk_cell(w, column, &field, error);
        w->line += field.lines;
        *at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            break;
    }
    w->line++;
    return status;
}

linpred_status linpred__csv_diagnose(const linpred__csv *csv, const linpred__piece_text *text,
                                     const linpred__csv_piece *piece, linpred_error *error)
{
    walk w = {.csv = csv, .piece = piece, .end = text->text + text->bytes, .line = csv->lines + 1};
    w.seen = linpred__calloc((size_t)csv->table->columns, sizeof *w.seen);
    if (!w.seen)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    for (const char *at = text->text; at < w.end && status == LINPRED_OK;) {
        switch (linpred__line_begin(&csv->dialect, &at, w.end, text->last)) {
        case LINPRED__LINE_BLANK:
            w.line++;
            break;
        case LINPRED__LINE_COMMENT:
            status = linpred__csv_report_comment(csv->source->name, w.line, error);
            break;
        case LINPRED__LINE_END_OF_FILE:
            at = w.end;
            break;
        case LINPRED__LINE_ROW:
            status = walk_row(&w, &at, error);
        }
    }
    linpred__release(w.seen);
    linpred__release(w.scratch.text);
    if (status == LINPRED_OK)
        status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "%s: a piece was refused, but nothing is wrong with it",
                               csv->source->name);
    return status;
}
