/* Words the first error of a CSV piece, in a sentence that begins with FILE:LINE.
 *
 * The piece is read again in the order of the file. In each line quotes and the number of fields are checked before the
 * cells: in a line with a field too many, cells stand in the wrong columns.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/cells/date.h"
#include "table/columns.h"
#include "table/csv/csv.h"

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
        "%s:%lld: the line begins with '#'; say --comment '#' if such lines are comments, or put the field in quotes "
        "if it is data",
        name, (long long)line);
}

static linpred_status report_cell(const linpred__csv *csv, linpred__cell cell, int64_t line, int32_t column,
                                  const linpred__field *field, linpred_error *error)
{
    char place[LINPRED__COLUMN_PLACE];
    char excerpt[LINPRED__EXCERPT];
    linpred__column_place(csv->table, column, place);
    linpred__excerpt(field->text, field->bytes, excerpt);
    if (cell == LINPRED__CELL_NOT_UTF8)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, line, column + 1,
            "%s:%lld: %s: '%s' is not valid UTF-8; convert the file, as by iconv -f windows-1252 -t utf-8",
            csv->source->name, (long long)line, place, excerpt);
    if (cell == LINPRED__CELL_NOT_DATE)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, column + 1,
                                "%s:%lld: %s: '%s' %s, or leave the cell empty if the value is missing",
                                csv->source->name, (long long)line, place, excerpt,
                                linpred__date_refusal(field->text, field->bytes));
    char *text = linpred__copy_text(field->text, field->bytes);
    if (!text)
        return linpred__no_memory(error);
    const char *oddity = linpred__csv_oddity(csv, text);
    /* A word in the first row, where only the target must be numbers: the column may well hold labels. */
    const linpred_options *options = csv->request->options;
    bool labels = cell == LINPRED__CELL_WORD && !csv->request->like && options->task == LINPRED_TASK_REGRESSION &&
                  !options->weights && line == csv->table->names_line + 1 && !strpbrk(text, "0123456789");
    linpred__release(text);
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, line, column + 1,
        "%s:%lld: %s: '%s' %s, but %s; correct the cell, or leave it empty if the value is missing%s",
        csv->source->name, (long long)line, place, excerpt, oddity,
        csv->request->like ? "the model was fitted to numbers"
                           : "a target of regression and row weights must be numbers",
        labels ? "; if the column holds labels, linpred fit logistic learns them" : "");
}

typedef struct walk {
    const linpred__csv *csv;
    const char *end; /* of the piece's text */
    bool last;       /* the piece ends the file */
    int64_t line;    /* 1-based line of the file */
    linpred__scratch scratch;
} walk;

/* What may have gone wrong with the number of fields. */
typedef enum odd_count {
    COUNT_PLAIN,
    COUNT_OPEN,  /* the last field is empty */
    COUNT_BELOW, /* the line is the last of the file, and has one field */
} odd_count;

/* `text` is the line. */
static linpred_status report_count(const walk *w, const char *text, size_t bytes, int64_t fields, odd_count odd,
                                   linpred_error *error)
{
    const linpred__csv *csv = w->csv;
    const linpred__table *table = csv->table;
    int64_t line = w->line;
    char excerpt[LINPRED__EXCERPT];
    linpred__excerpt(text, bytes, excerpt);
    if (table->row_names >= 0)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, line, 0,
            "%s:%lld: the line '%s' has %lld field%s, but the lines before it have %d: a row name and one "
            "for each of the %d names of the header",
            csv->source->name, (long long)line, excerpt, (long long)fields, fields == 1 ? "" : "s", (int)table->columns,
            (int)table->columns - 1);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, 0,
                            "%s:%lld: the line '%s' has %lld field%s, but the %s has %d%s", csv->source->name,
                            (long long)line, excerpt, (long long)fields, linpred__plural((double)fields),
                            table->has_names ? "header" : "first line", (int)table->columns,
                            odd == COUNT_OPEN    ? "; it ends with a separator, so that its last is empty"
                            : odd == COUNT_BELOW ? "; if this last line is a note below the table, remove it"
                                                 : "");
}

/* Reads the next field as parse.c does. */
static linpred__field walk_field(walk *w, int64_t column, const char *at)
{
    bool loosely =
        w->csv->request->lenient || column >= w->csv->table->columns || w->csv->column[column].use == LINPRED__UNUSED;
    linpred__field field = loosely ? linpred__field_read_loosely(&w->csv->dialect, at, w->end, &w->scratch)
                                   : linpred__field_read(&w->csv->dialect, at, w->end, &w->scratch);
    if (w->csv->open_ends && column == w->csv->table->columns - 1)
        linpred__field_close_line(&w->csv->dialect, w->end, &field);
    return field;
}

/* Fails if the cell is wrong in its column. */
static linpred_status walk_cell(walk *w, int32_t column, const linpred__field *field, linpred_error *error)
{
    linpred__use use = w->csv->column[column].use;
    double value;
    if (use == LINPRED__UNUSED)
        return LINPRED_OK;
    linpred__cell cell = linpred__cell_read(&w->csv->rules, use, field->text, field->bytes, &value);
    bool must_be_number = use == LINPRED__USED_AS_NUMBERS || use == LINPRED__USED_AS_DAYS;
    if (cell <= LINPRED__CELL_MARKER || w->csv->request->lenient || (!must_be_number && cell != LINPRED__CELL_NOT_UTF8))
        return LINPRED_OK;
    return report_cell(w->csv, cell, w->line, column, field, error);
}

/* Fails if a field of the record is wrong, or if the record has not one field for each column. */
static linpred_status walk_fields(walk *w, const char *at, linpred_error *error)
{
    const char *from = at;
    int64_t line = w->line;
    int64_t fields = 0;
    bool open = false;
    for (;;) {
        linpred__field field = walk_field(w, fields, at);
        fields++;
        if (w->scratch.no_memory)
            return linpred__no_memory(error);
        if (field.end > LINPRED__ENDS_LINE)
            return linpred__csv_report_field(w->csv->source->name, line, fields, &field, error);
        line += field.lines;
        at = field.next;
        open = field.bytes == 0;
        if (field.end == LINPRED__ENDS_LINE)
            break;
    }
    if (fields == w->csv->table->columns)
        return LINPRED_OK;
    odd_count odd = open && fields > w->csv->table->columns      ? COUNT_OPEN
                    : fields == 1 && w->last && at + 1 >= w->end ? COUNT_BELOW
                                                                 : COUNT_PLAIN;
    size_t bytes = (size_t)(at - from);
    while (bytes > 0 && (from[bytes - 1] == '\n' || from[bytes - 1] == '\r'))
        bytes--;
    return report_count(w, from, bytes, fields, odd, error);
}

static linpred_status walk_row(walk *w, const char **at, linpred_error *error)
{
    linpred_status status = walk_fields(w, *at, error);
    for (int32_t column = 0; status == LINPRED_OK; column++) {
        linpred__field field = walk_field(w, column, *at);
        status = walk_cell(w, column, &field, error);
        w->line += field.lines;
        *at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            break;
    }
    w->line++;
    return status;
}

linpred_status linpred__csv_diagnose(const linpred__csv *csv, const linpred__piece_text *text, linpred_error *error)
{
    walk w = {.csv = csv, .end = text->text + text->bytes, .last = text->last, .line = csv->lines + 1};
    linpred_status status = LINPRED_OK;
    for (const char *at = text->text; at < w.end && status == LINPRED_OK;) {
        switch (linpred__line_begin(&csv->dialect, &at, w.end, text->last)) {
        case LINPRED__LINE_BLANK:
        case LINPRED__LINE_SKIPPED:
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
    linpred__release(w.scratch.text);
    if (status == LINPRED_OK)
        status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "%s: a piece was refused, but nothing is wrong with it",
                               csv->source->name);
    return status;
}
