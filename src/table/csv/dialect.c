/* Finds how a CSV file is written: what begins a comment, what separates its fields, its decimal mark, and what is
 * written where a value is missing. An option decides, then the file, then the file of the model's fit.
 *
 * A line sep=; before the names, which Excel understands, gives the separator. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/csv/csv.h"

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
        if (start != LINPRED__LINE_BLANK && start != LINPRED__LINE_SKIPPED)
            return LINPRED_OK;
        /* A last line without a line end is closed by a byte that is not held: `at` stands behind that. */
        size_t past = (size_t)(at - source->held);
        linpred__source_skip(source, past < source->held_bytes ? past : source->held_bytes);
        csv->lines++;
        csv->blanks_before += start == LINPRED__LINE_BLANK;
    }
}

/* Sets what begins a comment. */
static linpred_status set_comment(linpred__csv *csv, linpred_error *error)
{
    const linpred__reading *like = csv->request->like;
    const char *asked = csv->request->options->comment;
    const char *comment = asked ? asked : like ? like->comment : NULL;
    csv->dialect.comment = NULL;
    csv->dialect.values = csv->source->rules.values = csv->rules.na.texts;
    if (!comment || !*comment)
        return LINPRED_OK;
    if (strpbrk(comment, "\"\n\r \t"))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--comment cannot hold quotes, blanks or line ends");
    csv->table->reading.comment = linpred__copy_text(comment, strlen(comment));
    if (!csv->table->reading.comment)
        return linpred__no_memory(error);
    csv->dialect.comment = csv->source->rules.comment = csv->table->reading.comment;
    return LINPRED_OK;
}

/* Skips a line "sep=;" and sets *separator to what it says. */
static void take_separator_line(linpred__csv *csv, size_t bytes, char *separator)
{
    const char *text = csv->source->held;
    size_t length = bytes;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    bool quoted = length > 1 && text[0] == '"' && text[length - 1] == '"';
    text += quoted;
    length -= quoted ? 2 : 0;
    if (length != 5 || strncasecmp(text, "sep=", 4) != 0)
        return;
    *separator = text[4];
    linpred__source_skip(csv->source, bytes);
    csv->lines++;
}

/* Sets the separator: that of the option, of the line sep=, or found by looking. */
static linpred_status set_separator(linpred__csv *csv, size_t *bytes, linpred__extra_field *extra,
                                    linpred__scratch *scratch, linpred_error *error)
{
    const char *asked = csv->request->options->separator;
    const linpred__reading *like = csv->request->like;
    char separator = '\0', line = '\0';
    linpred_status status = asked ? linpred__csv_named_separator(asked, &separator, error) : LINPRED_OK;
    if (status == LINPRED_OK)
        status = first_record(csv, bytes, error);
    if (status == LINPRED_OK) {
        take_separator_line(csv, *bytes, &line);
        if (line != '\0')
            status = first_record(csv, bytes, error);
    }
    if (status != LINPRED_OK)
        return status;
    char known = asked ? separator : line;
    char found = linpred__csv_find_separator(csv,
                                             known != '\0' ? known
                                             : like        ? like->separator
                                                           : '\0',
                                             scratch, extra);
    if (known != '\0' && found != known) {
        found = known;
        *extra = LINPRED__EXTRA_NONE;
    }
    csv->title = linpred__csv_find_title(csv, found, scratch);
    csv->preamble = csv->title;
    if (csv->title == 0 && !asked && *extra == LINPRED__EXTRA_NONE)
        csv->preamble = linpred__csv_find_preamble(csv, found, scratch);
    linpred__dialect_set(&csv->dialect, found);
    csv->source->rules.separator = found;
    /* Where quotes open depends on the separator. */
    return linpred__source_record(csv->source, bytes, error);
}

/* Sets the markers of missing values. */
static linpred_status set_markers(linpred__csv *csv, linpred_error *error)
{
    const linpred__reading *like = csv->request->like;
    const char *asked = csv->request->options->na, *na = asked ? asked : like ? like->na : NULL;
    csv->table->reading.na = na ? linpred__copy_text(na, strlen(na)) : NULL;
    return linpred__na_set(&csv->rules.na, na) && (!na || csv->table->reading.na) ? LINPRED_OK
                                                                                  : linpred__no_memory(error);
}

/* Says which decimal mark was found, where another reading is near. */
static void note_decimal(linpred__csv *csv, const linpred__csv_place *found)
{
    const linpred__reading *like = csv->request->like;
    bool comma = csv->rules.decimal == ',', unlike = like && like->known && like->decimal != csv->rules.decimal;
    linpred__decimal_hint hint = linpred__cell_decimal(found->text, strlen(found->text));
    bool thousands = hint == LINPRED__DECIMAL_EITHER || hint == LINPRED__DECIMAL_GROUPS;
    char other[100];
    if (csv->dialect.separator == ',' && !comma) /* --decimal , is refused there */
        snprintf(other, sizeof other, thousands ? "; write them without the point if it separates thousands" : "");
    else
        snprintf(other, sizeof other,
                 thousands ? "; --decimal %s reads the %s as a separator of thousands"
                           : "; --decimal %s takes them for text, as they have a %s",
                 comma ? "." : ",", comma ? "comma" : "point");
    linpred__table_note(
        csv->table,
        linpred__remark_of(comma ? LINPRED__NOTE_DECIMAL_COMMA : LINPRED__NOTE_DECIMAL_POINT, NULL, -1, found->line),
        "%s:%lld: numbers such as '%.40s' are read with a decimal %s%s%s", csv->source->name, (long long)found->line,
        found->text, comma ? "comma" : "point", unlike ? ", unlike those of the fit" : "", other);
}

/* Sets the decimal mark. */
static linpred_status set_decimal(linpred__csv *csv, linpred_error *error)
{
    const char *asked = csv->request->options->decimal;
    linpred__csv_place found = {NULL, 0};
    char *decimal = &csv->rules.decimal;
    *decimal = '.';
    linpred_status status = asked ? linpred__csv_named_decimal(asked, decimal, error)
                                  : linpred__csv_find_decimal(csv, decimal, &found, error);
    if (status == LINPRED_OK && *decimal == csv->dialect.separator && asked)
        status = linpred__fail(error, LINPRED_ERROR_USAGE,
                               "%s: '%c' separates the fields, so it cannot be the decimal mark too; say --separator",
                               csv->source->name, *decimal);
    if (status == LINPRED_OK && found.text)
        note_decimal(csv, &found);
    linpred__release(found.text);
    csv->table->reading.decimal = *decimal;
    return status;
}

linpred_status linpred__csv_find_dialect(linpred__csv *csv, size_t *bytes, linpred__extra_field *extra,
                                         linpred__scratch *scratch, linpred_error *error)
{
    csv->blanks_before = 0;
    linpred__dialect_set(&csv->dialect, '\0');
    csv->source->rules.separator = '\0';
    linpred_status status = set_markers(csv, error);
    if (status == LINPRED_OK)
        status = set_comment(csv, error);
    if (status == LINPRED_OK)
        status = set_separator(csv, bytes, extra, scratch, error);
    return status == LINPRED_OK ? set_decimal(csv, error) : status;
}
