/* Reads the names of the columns of a CSV file, and asks what each is needed for.
 *
 * If no field of the first line is a number, the first line holds the names. If none is a word, it is data. If it has
 * both, the user must say --header yes or no, unless a model says which names to expect or that there are none.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/csv/csv.h"
#include "table/limits.h"

typedef enum first_kind { MISSING, NUMBER, WORD } first_kind;

static bool has_letter(const linpred__field *field)
{
    for (size_t i = 0; i < field->bytes; i++)
        if ((field->text[i] | 0x20) >= 'a' && (field->text[i] | 0x20) <= 'z')
            return true;
    return false;
}

/* What a field of the first line is. A cell that only resembles a number, such as 1,5 or $3, counts as a number; but
   100m is a good name. */
static first_kind kind_of(const linpred__csv *csv, const linpred__field *field)
{
    double value;
    switch (linpred__cell_read(&csv->rules, LINPRED__USED, field->text, field->bytes, &value)) {
    case LINPRED__CELL_MISSING:
    case LINPRED__CELL_MARKER:
        return MISSING;
    case LINPRED__CELL_WORD:
    case LINPRED__CELL_NOT_UTF8:
        return WORD;
    case LINPRED__CELL_UNIT:
        return has_letter(field) ? WORD : NUMBER;
    default:
        return NUMBER;
    }
}

typedef struct first_line {
    linpred__dictionary text; /* the different fields */
    int32_t *number;          /* number[c] is the number of the text of column c */
    size_t number_capacity;
    int32_t columns;
    int32_t first_word;   /* 0-based column of the first word; -1 if there is none */
    int32_t first_number; /* 0-based column of the first number; -1 if there is none */
    int64_t lines;        /* lines of the file that the record takes: more than 1 if a quoted field has line ends */
    bool row_names;       /* the column of row names comes before these */
} first_line;

/* Reads the fields of the first record. */
static linpred_status read_first(linpred__csv *csv, size_t bytes, first_line *line, linpred__scratch *scratch,
                                 linpred_error *error)
{
    const char *at = csv->source->held;
    const char *end = at + bytes;
    line->first_word = line->first_number = -1;
    line->lines = 1;
    for (;;) {
        linpred__field field = linpred__field_read_loosely(&csv->dialect, at, end, scratch);
        if (scratch->no_memory || line->columns == INT32_MAX - 1 ||
            !linpred__grow(&line->number, &line->number_capacity, (size_t)line->columns + 1, sizeof *line->number))
            return linpred__no_memory(error);
        if (field.end > LINPRED__ENDS_LINE)
            return linpred__csv_report_field(csv->source->name, csv->lines + line->lines, line->columns + 1, &field,
                                             error);
        first_kind kind = kind_of(csv, &field);
        if (kind == NUMBER && line->first_number < 0)
            line->first_number = line->columns;
        if (kind == WORD && line->first_word < 0)
            line->first_word = line->columns;
        int32_t number = linpred__dictionary_add(&line->text, field.text, field.bytes);
        if (number < 0)
            return linpred__no_memory(error);
        line->number[line->columns++] = number;
        line->lines += field.lines;
        at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            return LINPRED_OK;
    }
}

/* Decides whether the first line holds names. */
static linpred_status has_header(const linpred__csv *csv, const first_line *line, bool *header, linpred_error *error)
{
    const linpred__read_request *request = csv->request;
    linpred_header asked = request->options->header;
    bool mixed = line->first_word >= 0 && line->first_number >= 0;
    *header = asked == LINPRED_HEADER_AUTO ? line->first_number < 0 || line->row_names : asked == LINPRED_HEADER_YES;
    if (asked != LINPRED_HEADER_AUTO || line->row_names)
        return LINPRED_OK;
    if (mixed && request->like && request->like->known) {
        *header = request->like->names;
        return LINPRED_OK;
    }
    int32_t odd = line->first_word > line->first_number ? line->first_word : line->first_number;
    long long at = (long long)csv->lines + 1;
    if (mixed && request->lenient) {
        *header = true;
        linpred__table_note(csv->table, linpred__remark_of(LINPRED__NOTE_HEADER, NULL, -1, at),
                            "%s:%lld: the first line holds words (column %d) and numbers (column %d); it is taken for "
                            "names here, but a fit needs --header yes or --header no",
                            csv->source->name, at, (int)line->first_word + 1, (int)line->first_number + 1);
        return LINPRED_OK;
    }
    if (!mixed)
        return LINPRED_OK;
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, at, odd + 1,
        "%s:%lld: column %d: the first line holds words (column %d) and numbers (column %d), so it may "
        "be names or data; say --header yes or --header no",
        csv->source->name, at, (int)odd + 1, (int)line->first_word + 1, (int)line->first_number + 1);
}

/* The name of column c of the table, as a copy; NULL if out of memory. */
static char *name_of(const first_line *line, int32_t c, bool header)
{
    char numbered[LINPRED__NUMBERED_BYTES];
    if (line->row_names && c == 0)
        return linpred__copy_text("row.names", 9);
    int32_t field = c - line->row_names;
    if (!header)
        return linpred__copy_text(numbered, linpred__numbered_name(field, numbered));
    return linpred__copy_text(linpred__dictionary_text(&line->text, line->number[field]),
                              linpred__dictionary_bytes(&line->text, line->number[field]));
}

static linpred_status make_columns(linpred__csv *csv, const first_line *line, bool header, linpred_error *error)
{
    linpred__table *table = csv->table;
    int32_t count = line->columns + line->row_names;
    size_t columns = (size_t)count;
    table->column = linpred__calloc(columns, sizeof *table->column);
    csv->column = linpred__calloc(columns, sizeof *csv->column);
    csv->number_run = linpred__alloc(columns, sizeof *csv->number_run);
    if (!csv->odd) {
        csv->odd_columns = count;
        csv->odd = linpred__calloc(columns, sizeof *csv->odd);
        csv->must_be_text = linpred__calloc(columns, sizeof *csv->must_be_text);
    }
    if (!table->column || !csv->column || !csv->number_run || !csv->odd || !csv->must_be_text)
        return linpred__no_memory(error);
    if (csv->odd_columns != count)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the file changed while it was read", csv->source->name);
    table->columns = count;
    table->has_names = header;
    table->repeated_names = header && line->text.count < line->columns;
    table->names_line = header ? csv->lines + 1 : 0;
    table->row_names = line->row_names ? 0 : -1;
    for (int32_t c = 0; c < count; c++) {
        table->column[c].name = name_of(line, c, header);
        if (!table->column[c].name)
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* Sets the uses of the columns and number_run. */
static linpred_status choose_uses(linpred__csv *csv, linpred_error *error)
{
    linpred__table *table = csv->table;
    linpred_status status = linpred__choose_columns(table, csv->request, error);
    bool plain = csv->rules.decimal == '.' && !csv->rules.na.numeric;
    int32_t run = table->columns;
    for (int32_t c = table->columns; status == LINPRED_OK && c-- > 0;) {
        linpred__use *use = &table->column[c].use;
        if (csv->must_be_text[c])
            *use = LINPRED__USED_AS_TEXT;
        csv->column[c].use = *use;
        if (!plain || (*use != LINPRED__USED && *use != LINPRED__USED_AS_NUMBERS))
            run = c;
        csv->number_run[c] = run;
    }
    return status;
}

/* Names of columns that are used must be UTF-8. For inspect they are mended. */
static linpred_status check_names(const linpred__csv *csv, linpred_error *error)
{
    const linpred__table *table = csv->table;
    char buffer[LINPRED__EXCERPT];
    for (int32_t c = 0; c < table->columns; c++) {
        char *name = table->column[c].name;
        if (linpred__is_utf8(name, strlen(name)))
            continue;
        if (csv->request->lenient || table->column[c].use == LINPRED__UNUSED)
            linpred__mend_utf8(name);
        else
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, c + 1,
                                    "%s:%lld: column %d: the name '%s' is not valid UTF-8; convert the file, as by "
                                    "iconv -f windows-1252 -t utf-8",
                                    table->name, (long long)table->names_line, (int)c + 1,
                                    linpred__excerpt(name, strlen(name), buffer));
    }
    return LINPRED_OK;
}

/* Fails if the fit of the model skipped lines of a file without names, and the first line here looks like a row: then
   it must not be lost. */
static linpred_status check_skipped(const linpred__csv *csv, const first_line *line, linpred__scratch *scratch,
                                    linpred_error *error)
{
    const linpred__source *source = csv->source;
    bool remembered = csv->request->like && !csv->request->options->given[LINPRED__OPTION_skip];
    if (!remembered || !source->skipped || source->skip == 0)
        return LINPRED_OK;
    linpred__field field = {.next = source->skipped, .end = LINPRED__ENDS_FIELD};
    const char *end = source->skipped + strlen(source->skipped);
    int32_t fields = 0, words = 0;
    for (; field.end == LINPRED__ENDS_FIELD && field.next < end; fields++) {
        field = linpred__field_read_loosely(&csv->dialect, field.next, end, scratch);
        words += field.end > LINPRED__ENDS_LINE || kind_of(csv, &field) == WORD;
    }
    if (fields != line->columns || words > 0)
        return LINPRED_OK;
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 1, 0,
                            "%s:1: the fit skipped %lld line%s of its file, but here the first line looks like a row; "
                            "say --skip 0 or --skip %lld",
                            source->name, (long long)source->skip, source->skip == 1 ? "" : "s",
                            (long long)source->skip);
}

/* Makes the columns from the first record, and skips the record if it holds the names. */
static linpred_status use_first(linpred__csv *csv, size_t bytes, first_line *line, linpred__scratch *scratch,
                                linpred_error *error)
{
    bool header = false;
    linpred_status status = read_first(csv, bytes, line, scratch, error);
    if (status == LINPRED_OK)
        status = has_header(csv, line, &header, error);
    if (status == LINPRED_OK && !header)
        status = check_skipped(csv, line, scratch, error);
    if (status == LINPRED_OK)
        status = make_columns(csv, line, header, error);
    if (status == LINPRED_OK)
        status = choose_uses(csv, error);
    if (status == LINPRED_OK && header)
        status = check_names(csv, error);
    if (status != LINPRED_OK)
        return status;
    csv->table->reading.names = header;
    linpred__csv_describe(csv);
    if (header) {
        linpred__source_skip(csv->source, bytes);
        csv->lines += line->lines;
    } else if (csv->table->columns == 1 && csv->blanks_before > 0) {
        /* Blank lines before the first value are missing values too. */
        csv->lines -= csv->blanks_before;
        return linpred__source_put_back(csv->source, (size_t)csv->blanks_before, error);
    }
    return LINPRED_OK;
}

linpred_status linpred__csv_head(linpred__csv *csv, linpred_error *error)
{
    linpred__scratch scratch = {0};
    first_line line = {0};
    size_t bytes = 0;
    csv->table->reading.known = true;
    csv->table->reading.skip = csv->source->skip;
    csv->lines = csv->source->skip;
    linpred__extra_field extra = LINPRED__EXTRA_NONE;
    linpred_status status = linpred__csv_find_dialect(csv, &bytes, &extra, &scratch, error);
    if (status == LINPRED_OK && extra == LINPRED__EXTRA_EITHER)
        status = linpred__fail_at(error, LINPRED_ERROR_INPUT, csv->lines + 2, 0,
                                  "%s:%lld: the rows have one field more than the first line: their first fields may "
                                  "be row names, or the separators at their ends too many; write a name for each field "
                                  "into the first line, or remove the separators, as by sed 's/%c$//'",
                                  csv->source->name, (long long)csv->lines + 2, csv->dialect.separator);
    line.row_names = extra == LINPRED__EXTRA_ROW_NAME;
    csv->open_ends = extra == LINPRED__EXTRA_EMPTY;
    if (status == LINPRED_OK)
        status = use_first(csv, bytes, &line, &scratch, error);
    csv->table->reading.separator = csv->dialect.separator;
    linpred__dictionary_free(&line.text);
    linpred__release(line.number);
    linpred__release(scratch.text);
    return status;
}
