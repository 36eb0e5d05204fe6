/* Cuts lines into fields, and classifies cells.
 *
 * Quotes follow RFC 4180: a field that begins with a double quote ends at the next quote that is not doubled. Between
 * them "" stands for one quote, and separators and line ends are text. Blanks at the beginning and end of a field are
 * removed, also inside quotes. LF, CRLF and CR end a line. If blanks are the separator, a run of blanks is one
 * separator, and blanks at the beginning or end of a line are ignored.
 */
#include "table/csv/csv.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"

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

linpred__line_kind linpred__line_begin(const linpred__dialect *dialect, const char **at, const char *end, bool last)
{
    const char *c = *at;
    while (is_blank(dialect, *c))
        c++;
    if (*c == '\n' || *c == '\r') {
        *at = after_line_end(c, end);
        return LINPRED__LINE_BLANK;
    }
    if (*c == '#')
        return LINPRED__LINE_COMMENT;
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of the unit at the beginning of the text: $ % £ ¥ or €; 0 if there is none. */
static size_t unit(const char *text, size_t bytes)
{
    static const char *const units[] = {"$", "%", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xAC"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t length = strlen(units[i]);
        if (bytes >= length && memcmp(text, units[i], length) == 0)
            return length;
    }
    return 0;
}

/* Whether text that is not a number resembles one: it is digits, points and commas, with a sign or a unit before it or
   a unit after it. A person would take such a cell for a number, so that it must not silently become a level. Returns
   CELL_COMMA, CELL_UNIT, or CELL_WORD if it does not resemble a number. */
static linpred__cell resembles_number(const char *text, size_t bytes)
{
    size_t at = bytes > 0 && (text[0] == '-' || text[0] == '+');
    size_t before = unit(text + at, bytes - at);
    at += before;
    if (before > 0 && at < bytes && (text[at] == '-' || text[at] == ' '))
        at++;
    size_t digits = 0;
    size_t commas = 0;
    for (; at < bytes && (is_digit(text[at]) || text[at] == '.' || text[at] == ','); at++) {
        digits += is_digit(text[at]);
        commas += text[at] == ',';
    }
    if (digits == 0)
        return LINPRED__CELL_WORD;
    if (at < bytes && text[at] == ' ')
        at++;
    size_t after = unit(text + at, bytes - at);
    if (at + after != bytes)
        return LINPRED__CELL_WORD;
    if (before + after > 0)
        return LINPRED__CELL_UNIT;
    return commas > 0 ? LINPRED__CELL_COMMA : LINPRED__CELL_WORD;
}

linpred__cell linpred__cell_read(const char *text, size_t bytes, bool as_text, double *value)
{
    if (bytes == 0 || (bytes == 1 && text[0] == '?') || (bytes == 2 && text[0] == 'N' && text[1] == 'A'))
        return LINPRED__CELL_MISSING;
    linpred__cell word = LINPRED__CELL_WORD;
    if (!as_text) {
        switch (linpred__number_read(text, bytes, value)) {
        case LINPRED__NUMBER:
            return LINPRED__CELL_NUMBER;
        case LINPRED__TOO_LARGE:
            return LINPRED__CELL_TOO_LARGE;
        case LINPRED__NOT_FINITE:
            return LINPRED__CELL_NOT_FINITE;
        case LINPRED__NOT_NUMBER:
            word = resembles_number(text, bytes);
        }
    }
    return word == LINPRED__CELL_WORD && !linpred__is_utf8(text, bytes) ? LINPRED__CELL_NOT_UTF8 : word;
}
