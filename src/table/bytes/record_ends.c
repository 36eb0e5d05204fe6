/* Finds where records end. A line end between quotes does not end a record. */
#define _GNU_SOURCE
#include "table/bytes/record_ends.h"

#include <string.h>

#include "table/limits.h"

/* Where the quotes of a text open and close. A quote opens a field if a separator or the beginning of a line stands
   before it, blanks aside. It is closed by the next quote that is not doubled. Any other quote is text, and so are the
   quotes of a comment. csv/field.c cuts fields by the same rule. */
typedef struct quotes {
    const linpred__record_rules *rules;
    const char *text; /* of whole records, but for its end */
    const char *end;
    const char *at; /* outside of quotes: the next quote is looked for from here on */
    bool open;      /* the text ends inside quotes */
} quotes;

/* Whether a field ends at `at`, blanks aside. */
static bool field_ends(char separator, const char *at, const char *end)
{
    if (separator == ' ' && at < end && *at == ' ')
        return true;
    while (at < end && *at == ' ')
        at++;
    return at == end || *at == '\n' || *at == '\r' || *at == '\t' ||
           (separator == '\0' ? strchr(",;|", *at) != NULL : *at == separator);
}

bool linpred__is_comment(const char *comment, const char *const *values, char separator, const char *at,
                         const char *end)
{
    size_t bytes = strlen(comment), left = (size_t)(end - at);
    if (left < bytes || memcmp(at, comment, bytes) != 0)
        return false;
    for (; values && *values; values++) {
        size_t length = strlen(*values);
        if (length >= bytes && length <= left && memcmp(at, *values, length) == 0 &&
            field_ends(separator, at + length, end))
            return false;
    }
    return true;
}

/* Whether the line in which `mark` stands is a comment. *line_end is then its end. */
static bool in_comment(const quotes *q, const char *mark, const char **line_end)
{
    if (!q->rules->comment)
        return false;
    const char *line = mark;
    while (line > q->text && line[-1] != '\n' && line[-1] != '\r')
        line--;
    while (line < mark && (*line == ' ' || *line == '\t'))
        line++;
    if (line == mark || !linpred__is_comment(q->rules->comment, q->rules->values, q->rules->separator, line, q->end))
        return false;
    while (mark < q->end && *mark != '\n' && *mark != '\r')
        mark++;
    *line_end = mark;
    return true;
}

/* Whether the quote at `mark` opens a field. */
static bool opens(const quotes *q, const char *mark)
{
    char separator = q->rules->separator;
    if (mark > q->text && separator == ' ' && (mark[-1] == ' ' || mark[-1] == '\t'))
        return true;
    while (mark > q->text && (mark[-1] == ' ' || (mark[-1] == '\t' && separator != '\t')))
        mark--;
    return mark == q->text || mark[-1] == '\n' || mark[-1] == '\r' || (separator != '\0' && mark[-1] == separator);
}

/* The end of the run outside of quotes that begins at q->at. q->at is moved behind the quotes that follow it; if they
   are not closed, q->open is set and q->at is the end of the text. */
static const char *next_outside(quotes *q)
{
    const char *from = q->at;
    const char *mark;
    while ((mark = from < q->end ? memchr(from, '"', (size_t)(q->end - from)) : NULL) != NULL) {
        if (in_comment(q, mark, &from))
            continue;
        if (opens(q, mark))
            break;
        from = mark + 1;
    }
    if (!mark) {
        q->at = q->end;
        return q->end;
    }
    const char *close = mark + 1;
    while ((close = close < q->end ? memchr(close, '"', (size_t)(q->end - close)) : NULL) != NULL &&
           close + 1 < q->end && close[1] == '"')
        close += 2;
    q->open = !close;
    q->at = close ? close + 1 : q->end;
    return mark;
}

/* Where the last line end of the run ends; 0 if there is none. A carriage return that is the last byte of the text does
   not count: the line feed of the same line end may follow. */
static const char *last_line_end(const char *from, const char *to, const char *end)
{
    const char *feed = memrchr(from, '\n', (size_t)(to - from));
    if (feed)
        return feed + 1;
    const char *stop = to == end && to > from ? to - 1 : to;
    const char *carriage = memrchr(from, '\r', (size_t)(stop - from));
    return carriage ? carriage + 1 : NULL;
}

size_t linpred__last_record_end(const linpred__record_rules *rules, const char *text, size_t bytes, bool *open)
{
    const char *found = NULL;
    *open = false;
    if (!rules->quotes || !memchr(text, '"', bytes)) {
        found = last_line_end(text, text + bytes, text + bytes);
        return found ? (size_t)(found - text) : 0;
    }
    quotes q = {.rules = rules, .text = text, .end = text + bytes, .at = text};
    while (q.at < q.end) {
        const char *from = q.at;
        const char *end = last_line_end(from, next_outside(&q), q.end);
        found = end ? end : found;
    }
    *open = q.open;
    return found ? (size_t)(found - text) : 0;
}

size_t linpred__first_record_end(const linpred__record_rules *rules, const char *text, size_t bytes, bool ended)
{
    quotes q = {.rules = rules, .text = text, .end = text + bytes, .at = text};
    while (q.at < q.end) {
        const char *from = q.at;
        const char *to = rules->quotes ? next_outside(&q) : (q.at = q.end);
        for (; from < to; from++) {
            if (*from == '\n')
                return (size_t)(from - text) + 1;
            if (*from == '\r' && (from + 1 < q.end || ended))
                return (size_t)(from - text) + 1 + (from + 1 < q.end && from[1] == '\n');
        }
    }
    return ended ? bytes : 0;
}

bool linpred__quote_too_long(const char *text, size_t bytes)
{
    const char *mark = memrchr(text, '"', bytes);
    return mark && text + bytes - mark > LINPRED__MAX_QUOTED_BYTES;
}
