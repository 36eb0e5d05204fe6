/* Finds the separator and the names of a CSV file.
 *
 * The separator is the first of tab, semicolon, comma and blank that cuts each of the first LINPRED__HEAD_LINES lines
 * into the same number of fields, and into more than one. If there is none, it is the one that cuts the first line into
 * the most fields (blanks only if no other cuts it), so that the reader reports the line whose number of fields
 * differs.
 *
 * If no field of the first line is a number, the first line holds the names. If none is a word, it is data. If it has
 * both, the user must say --header yes or no.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/csv/csv.h"
#include "table/limits.h"

static const char candidates[] = {'\t', ';', ',', ' '};

/* The number of fields of the record at *at, and moves *at to the next record. 0: a blank line; -1: a field is wrong;
   -2: a quote is not closed. */
static int64_t count_fields(const linpred__dialect *dialect, const char **at, const char *end,
                            linpred__scratch *scratch)
{
    if (linpred__line_begin(dialect, at, end, false) == LINPRED__LINE_BLANK)
        return 0;
    for (int64_t fields = 1;; fields++) {
        linpred__field field = linpred__field_read(dialect, *at, end, scratch);
        if (field.end > LINPRED__ENDS_LINE)
            return field.end == LINPRED__QUOTE_OPEN ? -2 : -1;
        *at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            return fields;
    }
}

/* The number of fields of the first line. *same_count says whether all other lines have as many. A last line that is
   not held completely is not counted. */
static int64_t try_separator(const linpred__source *source, char separator, bool *same_count, linpred__scratch *scratch)
{
    linpred__dialect dialect;
    linpred__dialect_set(&dialect, separator);
    const char *at = source->held;
    const char *end = at + source->held_bytes;
    int64_t first = 0;
    *same_count = true;
    for (int line = 0; line < LINPRED__HEAD_LINES && at < end; line++) {
        int64_t fields = count_fields(&dialect, &at, end, scratch);
        if (first != 0 && !source->ended && (fields == -2 || (fields != 0 && at >= end)))
            break;
        if (fields < 0) {
            *same_count = false;
            return first;
        }
        if (first == 0)
            first = fields;
        else if (fields != 0 && fields != first)
            *same_count = false;
    }
    return first;
}

static char find_separator(const linpred__source *source, linpred__scratch *scratch)
{
    char best = '\0';
    int64_t max_fields = 1;
    for (size_t i = 0; i < sizeof candidates; i++) {
        bool same_count;
        int64_t fields = try_separator(source, candidates[i], &same_count, scratch);
        if (fields > 1 && same_count)
            return candidates[i];
        if (fields > max_fields && (candidates[i] != ' ' || best == '\0')) {
            best = candidates[i];
            max_fields = fields;
        }
    }
    return best;
}

/* The separator that the user's word means: comma, semicolon, tab, space, or a character itself. */
static linpred_status named_separator(const char *word, char *separator, linpred_error *error)
{
    static const struct {
        const char *word;
        char separator;
    } known[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(word, known[i].word) == 0) {
            *separator = known[i].separator;
            return LINPRED_OK;
        }
    bool one = strlen(word) == 1 && ((word[0] >= ' ' && word[0] < 0x7F) || word[0] == '\t');
    if (!one || strspn(word, "\"+-.#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") > 0) {
        char buffer[LINPRED__EXCERPT];
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "'%s' cannot separate fields: say comma, semicolon, tab, space, or one character that is "
                             "not part of a number or word",
                             linpred__excerpt(word, strlen(word), buffer));
    }
    *separator = word[0];
    return LINPRED_OK;
}

/* Skips blank lines; *bytes is the length of the first record that is not blank. */
static linpred_status first_record(linpred__csv *csv, size_t *bytes, linpred_error *error)
{
    linpred__source *source = csv->source;
    for (;;) {
        linpred_status status = linpred__source_record(source, bytes, error);
        if (status != LINPRED_OK)
            return status;
        if (*bytes == 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: there is nothing in the file but blank lines",
                                 source->name);
        const char *at = source->held;
        linpred__line_kind start = linpred__line_begin(&csv->dialect, &at, source->held + *bytes, source->ended);
        if (start == LINPRED__LINE_COMMENT)
            return linpred__csv_report_comment(source->name, csv->lines + 1, error);
        if (start != LINPRED__LINE_BLANK)
            return LINPRED_OK;
        linpred__source_skip(source, (size_t)(at - source->held));
        csv->lines++;
    }
}

typedef enum first_kind { MISSING, NUMBER, WORD } first_kind;

/* What a field of the first line is. A cell that only resembles a number, such as 1,5 or $3, counts as a number. */
static first_kind kind_of(const linpred__field *field)
{
    double value;
    switch (linpred__cell_read(field->text, field->bytes, false, &value)) {
    case LINPRED__CELL_MISSING:
        return MISSING;
    case LINPRED__CELL_WORD:
    case LINPRED__CELL_NOT_UTF8:
        return WORD;
    default:
        return NUMBER;
    }
}

typedef struct first_line {
    linpred__dictionary text; /* the fields. If none is repeated, the number of a text is its column. */
    int32_t columns;
    int32_t first_word;   /* 0-based column of the first word; -1 if there is none */
    int32_t first_number; /* 0-based column of the first number; -1 if there is none */
    int32_t empty;        /* 0-based column of the first empty field; -1 if there is none */
    int32_t repeated;     /* 0-based column of the first field that occurred before; -1 if there is none */
    int32_t original;     /* 0-based column in which the repeated field occurred first */
    int64_t lines;        /* lines of the file that the record takes: more than 1 if a quoted field has line ends */
} first_line;

/* Reads the fields of the first record. */
static linpred_status read_first(linpred__csv *csv, size_t bytes, first_line *line, linpred__scratch *scratch,
                                 linpred_error *error)
{
    const char *at = csv->source->held;
    const char *end = at + bytes;
    line->first_word = line->first_number = line->empty = line->repeated = -1;
    line->lines = 1;
    for (;;) {
        linpred__field field = linpred__field_read(&csv->dialect, at, end, scratch);
        if (scratch->no_memory || line->columns == INT32_MAX)
            return linpred__no_memory(error);
        if (field.end > LINPRED__ENDS_LINE)
            return linpred__csv_report_field(csv->source->name, csv->lines + line->lines, line->columns + 1, &field,
                                             error);
        first_kind kind = kind_of(&field);
        if (kind == NUMBER && line->first_number < 0)
            line->first_number = line->columns;
        if (kind == WORD && line->first_word < 0)
            line->first_word = line->columns;
        if (field.bytes == 0 && line->empty < 0)
            line->empty = line->columns;
        if (line->repeated < 0) {
            int32_t number = linpred__dictionary_add(&line->text, field.text, field.bytes);
            if (number < 0)
                return linpred__no_memory(error);
            if (number < line->columns) {
                line->repeated = line->columns;
                line->original = number;
            }
        }
        line->columns++;
        line->lines += field.lines;
        at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            return LINPRED_OK;
    }
}

/* Decides whether the first line holds names. */
static linpred_status has_header(const linpred__csv *csv, const linpred_options *options, const first_line *line,
                                 bool *header, linpred_error *error)
{
    if (options->header != LINPRED_HEADER_AUTO || line->first_word < 0 || line->first_number < 0) {
        *header =
            options->header == LINPRED_HEADER_AUTO ? line->first_number < 0 : options->header == LINPRED_HEADER_YES;
        return LINPRED_OK;
    }
    int32_t odd = line->first_word > line->first_number ? line->first_word : line->first_number;
    long long at = (long long)csv->lines + 1;
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, at, odd + 1,
        "%s:%lld: column %d: the first line holds words (column %d) and numbers (column %d), so it may "
        "be names or data; say --header yes or --header no",
        csv->source->name, at, (int)odd + 1, (int)line->first_word + 1, (int)line->first_number + 1);
}

/* Names must differ and be UTF-8. One empty name is allowed here: see linpred__check_usable. */
static linpred_status check_names(const linpred__csv *csv, const first_line *line, linpred_error *error)
{
    long long at = (long long)csv->lines + 1;
    const char *name = csv->source->name;
    char buffer[LINPRED__EXCERPT];
    if (line->repeated >= 0 && line->original == line->empty)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, at, line->repeated + 1,
                                "%s:%lld: columns %d and %d have no name; name all columns but one", name, at,
                                (int)line->original + 1, (int)line->repeated + 1);
    if (line->repeated >= 0)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, at, line->repeated + 1,
                                "%s:%lld: columns %d and %d have the same name '%s'; rename one of them", name, at,
                                (int)line->original + 1, (int)line->repeated + 1,
                                linpred__excerpt(linpred__dictionary_text(&line->text, line->original),
                                                 linpred__dictionary_bytes(&line->text, line->original), buffer));
    for (int32_t c = 0; c < line->columns; c++) {
        const char *text = linpred__dictionary_text(&line->text, c);
        size_t bytes = linpred__dictionary_bytes(&line->text, c);
        if (!linpred__is_utf8(text, bytes))
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, at, c + 1,
                                    "%s:%lld: column %d: the name '%s' is not valid UTF-8; convert the file to UTF-8",
                                    name, at, (int)c + 1, linpred__excerpt(text, bytes, buffer));
    }
    return LINPRED_OK;
}

static linpred_status make_columns(linpred__csv *csv, const first_line *line, bool header, linpred_error *error)
{
    linpred__table *table = csv->table;
    size_t columns = (size_t)line->columns;
    table->column = linpred__calloc(columns, sizeof *table->column);
    csv->column = linpred__calloc(columns, sizeof *csv->column);
    csv->number_run = linpred__alloc(columns, sizeof *csv->number_run);
    if (!table->column || !csv->column || !csv->number_run)
        return linpred__no_memory(error);
    table->columns = line->columns;
    table->has_names = header;
    table->names_line = header ? csv->lines + 1 : 0;
    for (int32_t c = 0; c < line->columns; c++) {
        char numbered[LINPRED__NUMBERED_BYTES];
        table->column[c].name = header ? linpred__copy_text(linpred__dictionary_text(&line->text, c),
                                                            linpred__dictionary_bytes(&line->text, c))
                                       : linpred__copy_text(numbered, linpred__numbered_name(c, numbered));
        if (!table->column[c].name)
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* Marks the columns of --text and those of --keep, which are passed through as they are, and fills number_run. */
static linpred_status force_text(linpred__csv *csv, const char *list, const char *keep, linpred_error *error)
{
    int32_t columns = csv->table->columns;
    bool *forced = linpred__calloc((size_t)columns, sizeof *forced);
    if (!forced)
        return linpred__no_memory(error);
    linpred_status status = list && *list ? linpred__find_columns(csv->table, list, "text", forced, error) : LINPRED_OK;
    if (status == LINPRED_OK && keep)
        status = linpred__find_columns(csv->table, keep, "keep", forced, error);
    int32_t run = columns;
    for (int32_t c = columns; c-- > 0;) {
        csv->column[c].as_text = forced[c];
        if (forced[c])
            run = c;
        csv->number_run[c] = run;
    }
    linpred__release(forced);
    return status;
}

/* Writes table->format. */
static void describe_format(const linpred__csv *csv, bool header)
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
    if (header)
        snprintf(names, sizeof names, "with names in line %lld", (long long)csv->lines + 1);
    snprintf(csv->table->format, sizeof csv->table->format, "CSV, %s, %s", separator, names);
}

/* Makes the columns from the first record, and skips the record if it holds the names. */
static linpred_status use_first(linpred__csv *csv, const linpred_options *options, size_t bytes, first_line *line,
                                linpred__scratch *scratch, linpred_error *error)
{
    bool header = false;
    linpred_status status = read_first(csv, bytes, line, scratch, error);
    if (status == LINPRED_OK)
        status = has_header(csv, options, line, &header, error);
    if (status == LINPRED_OK && header)
        status = check_names(csv, line, error);
    if (status == LINPRED_OK)
        status = make_columns(csv, line, header, error);
    if (status == LINPRED_OK)
        status = force_text(csv, options->as_text, options->keep, error);
    if (status != LINPRED_OK)
        return status;
    describe_format(csv, header);
    if (header) {
        linpred__source_skip(csv->source, bytes);
        csv->lines += line->lines;
    }
    return LINPRED_OK;
}

linpred_status linpred__csv_head(linpred__csv *csv, const linpred_options *options, linpred_error *error)
{
    linpred__scratch scratch = {0};
    first_line line = {0};
    char separator = '\0';
    size_t bytes = 0;
    linpred_status status = LINPRED_OK;
    linpred__dialect_set(&csv->dialect, '\0');
    if (options->separator)
        status = named_separator(options->separator, &separator, error);
    if (status == LINPRED_OK)
        status = first_record(csv, &bytes, error);
    if (status == LINPRED_OK) {
        linpred__dialect_set(&csv->dialect, options->separator ? separator : find_separator(csv->source, &scratch));
        status = use_first(csv, options, bytes, &line, &scratch, error);
    }
    linpred__dictionary_free(&line.text);
    linpred__release(scratch.text);
    return status;
}
