/* Cuts lines into fields.
 *
 * Quotes follow RFC 4180: a field that begins with a double quote ends at the next quote that is not doubled. Between
 * them "" stands for one quote, and separators and line ends are text. Blanks at the beginning and end of a field are
 * removed, also inside quotes. LF, CRLF and CR end a line. If blanks are the separator, a run of blanks is one
 * separator, and blanks at the beginning or end of a line are ignored. table/bytes/record_ends.c finds quotes by the
 * same rule.
 */
#include "table/csv/csv.h"

#include <string.h>

#include "core/memory.h"

enum { CONTROL_Z = 0x1A };

void linpred__dialect_set(linpred__dialect *dialect, char separator)
{
    dialect->separator = separator;
    dialect->blanks = separator == ' ';
    memset(dialect->plain, 1, sizeof dialect->plain);
    dialect->plain['\0'] = dialect->plain['\n'] = dialect->plain['\r'] = dialect->plain['"'] = 0;
    dialect->plain[(unsigned char)separator] = 0;
    if (dialect->blanks)
        dialect->plain['\t'] = 0;
}

static bool is_blank(const linpred__dialect *dialect, char c)
{
    return c == ' ' || (c == '\t' && dialect->separator != '\t');
}

static void trim(const linpred__dialect *dialect, linpred__field *field)
{
    while (field->bytes > 0 && is_blank(dialect, field->text[0])) {
        field->text++;
        field->bytes--;
    }
    while (field->bytes > 0 && is_blank(dialect, field->text[field->bytes - 1]))
        field->bytes--;
}

/* The first byte after the line end at `at`, which is LF, CR or CRLF. */
static const char *after_line_end(const char *at, const char *end)
{
    return at + 1 + (at[0] == '\r' && at + 1 < end && at[1] == '\n');
}

/* Sets `end` and `next` of a field whose text ends at `at`. Blanks may follow the text. */
static void close_field(const linpred__dialect *dialect, const char *at, const char *end, linpred__field *field)
{
    const char *from = at;
    while (is_blank(dialect, *at))
        at++;
    if (*at == '\n' || *at == '\r') {
        field->end = LINPRED__ENDS_LINE;
        field->next = after_line_end(at, end);
    } else if (dialect->blanks && at > from) {
        field->end = LINPRED__ENDS_FIELD;
        field->next = at;
    } else if (dialect->separator != '\0' && *at == dialect->separator) {
        field->end = LINPRED__ENDS_FIELD;
        field->next = at + 1;
    } else {
        field->end = *at == '\0' ? LINPRED__NUL_BYTE : LINPRED__QUOTE_BEFORE_TEXT;
        field->next = at;
    }
}

static int64_t count_lines(const char *text, size_t bytes)
{
    int64_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '\n' || (text[i] == '\r' && !(i + 1 < bytes && text[i + 1] == '\n'));
    return count;
}

/* Copies the text into the scratch memory with each "" as one quote. */
static void halve_quotes(linpred__field *field, linpred__scratch *scratch)
{
    if (!linpred__grow(&scratch->text, &scratch->capacity, field->bytes, 1)) {
        scratch->no_memory = true;
        return;
    }
    size_t out = 0;
    for (size_t i = 0; i < field->bytes; i++) {
        scratch->text[out++] = field->text[i];
        i += field->text[i] == '"';
    }
    field->text = scratch->text;
    field->bytes = out;
}

static linpred__field read_quoted(const linpred__dialect *dialect, const char *open, const char *end,
                                  linpred__scratch *scratch)
{
    linpred__field field = {.text = open + 1, .end = LINPRED__QUOTE_OPEN, .next = open};
    bool doubled = false;
    const char *at = open + 1;
    const char *mark;
    while ((mark = at < end ? memchr(at, '"', (size_t)(end - at)) : NULL) != NULL && mark[1] == '"' && mark + 1 < end) {
        doubled = true;
        at = mark + 2;
    }
    field.bytes = (size_t)((mark ? mark : end) - field.text);
    if (!mark)
        return field;
    field.lines = count_lines(field.text, field.bytes);
    if (memchr(field.text, '\0', field.bytes)) {
        field.end = LINPRED__NUL_BYTE;
        return field;
    }
    if (doubled)
        halve_quotes(&field, scratch);
    trim(dialect, &field);
    close_field(dialect, mark + 1, end, &field);
    return field;
}

linpred__field linpred__field_read(const linpred__dialect *dialect, const char *at, const char *end,
                                   linpred__scratch *scratch)
{
    while (is_blank(dialect, *at))
        at++;
    if (*at == '"')
        return read_quoted(dialect, at, end, scratch);
    linpred__field field = {.text = at};
    while (dialect->plain[(unsigned char)*at])
        at++;
    field.bytes = (size_t)(at - field.text);
    trim(dialect, &field);
    if (*at == '"') {
        field.end = LINPRED__QUOTE_INSIDE;
        while (at < end && *at != '\n' && *at != '\r' && *at != dialect->separator)
            at++;
        field.bytes = (size_t)(at - field.text);
        field.next = at;
        return field;
    }
    close_field(dialect, at, end, &field);
    return field;
}

linpred__field linpred__field_read_loosely(const linpred__dialect *dialect, const char *at, const char *end,
                                           linpred__scratch *scratch)
{
    linpred__field field = linpred__field_read(dialect, at, end, scratch);
    if (field.end != LINPRED__QUOTE_INSIDE && field.end != LINPRED__QUOTE_BEFORE_TEXT)
        return field;
    /* In both cases `next` is behind what may hold separators. */
    while (is_blank(dialect, *at))
        at++;
    const char *from = at;
    at = field.end == LINPRED__QUOTE_BEFORE_TEXT ? field.next : at;
    while (dialect->plain[(unsigned char)*at] || *at == '"')
        at++;
    field.text = from;
    field.bytes = (size_t)(at - from);
    trim(dialect, &field);
    close_field(dialect, at, end, &field);
    return field;
}

void linpred__field_close_line(const linpred__dialect *dialect, const char *end, linpred__field *field)
{
    const char *at = field->next;
    if (field->end != LINPRED__ENDS_FIELD)
        return;
    while (is_blank(dialect, *at))
        at++;
    if (*at != '\n' && *at != '\r')
        return;
    field->end = LINPRED__ENDS_LINE;
    field->next = after_line_end(at, end);
}

linpred__line_kind linpred__line_begin(const linpred__dialect *dialect, const char **at, const char *end, bool last)
{
    const char *c = *at;
    while (is_blank(dialect, *c))
        c++;
    if (*c == '\n' || *c == '\r') {
        *at = c < end ? after_line_end(c, end) : end; /* the last line may have no line end */
        return LINPRED__LINE_BLANK;
    }
    const char *comment = dialect->comment ? dialect->comment : "#";
    if (*c == *comment && linpred__is_comment(comment, dialect->values, dialect->separator, c, end)) {
        if (!dialect->comment)
            return LINPRED__LINE_COMMENT;
        while (c < end && *c != '\n' && *c != '\r')
            c++;
        *at = c < end ? after_line_end(c, end) : end;
        return LINPRED__LINE_SKIPPED;
    }
    if (*c == CONTROL_Z && last) {
        const char *rest = c + 1;
        while (rest < end && (*rest == '\n' || *rest == '\r' || *rest == CONTROL_Z))
            rest++;
        if (rest >= end) {
            *at = end;
            return LINPRED__LINE_END_OF_FILE;
        }
    }
    return LINPRED__LINE_ROW;
}
