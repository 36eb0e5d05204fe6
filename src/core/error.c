/* Errors: messages, text from files in them, structs of the caller that are read and filled, the nearest known word. */
#include "core/error.h"

#ifdef __clang_analyzer__
#undef linpred__fail
#undef linpred__fail_at
#undef linpred__no_memory
#endif

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 character at text, or 0. */
static size_t character(const unsigned char *text, size_t bytes)
{
    unsigned char c = text[0];
    if (c < 0x80)
        return 1;
    size_t length = c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xC2 && c < 0xE0 ? 2 : 0;
    if (length == 0 || length > bytes)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0u) != 0x80u)
            return 0;
    bool overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    bool surrogate = c == 0xED && text[1] >= 0xA0;
    bool beyond = c == 0xF4 && text[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

void linpred__mend_utf8(char *text)
{
    size_t bytes = strlen(text);
    for (size_t at = 0; at < bytes;) {
        size_t length = character((const unsigned char *)text + at, bytes - at);
        if (text[at] == '\n' || text[at] == '\r' || text[at] == '\t')
            text[at] = ' ';
        else if (length == 0 || (unsigned char)text[at] < 0x20 || text[at] == 0x7F)
            text[at] = '?';
        at += length ? length : 1;
    }
}

/* Cuts a message that fills its buffer after a whole character and appends "…". */
static void close_cut(char *message, size_t capacity)
{
    static const char mark[] = "…";
    size_t end = capacity - sizeof mark;
    while (end > 0 && ((unsigned char)message[end] & 0xC0u) == 0x80u)
        end--;
    memcpy(message + end, mark, sizeof mark);
}

static void set(linpred_error *error, linpred_status status, int64_t line, int64_t column, const char *format,
                va_list arguments)
{
    if (!error)
        return;
    error->status = status;
    error->line = line;
    error->column = column;
    memset(error->reserved, 0, sizeof error->reserved);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    if (length < 0)
        error->message[0] = '\0';
    else if ((size_t)length >= sizeof error->message)
        close_cut(error->message, sizeof error->message);
    linpred__mend_utf8(error->message); /* a format such as %.60s may have cut a name within a character */
}

linpred_status linpred__fail(linpred_error *error, linpred_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, status, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

linpred_status linpred__fail_at(linpred_error *error, linpred_status status, int64_t line, int64_t column,
                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, status, line, column, format, arguments);
    va_end(arguments);
    return status;
}

const char *linpred__excerpt(const char *text, size_t bytes, char buffer[LINPRED__EXCERPT])
{
    const unsigned char *in = (const unsigned char *)text;
    size_t at = 0;
    size_t out = 0;
    for (int shown = 0; at < bytes && shown < 40; shown++) {
        size_t length = character(in + at, bytes - at);
        const char *name = in[at] == '\n' ? "\\n" : in[at] == '\r' ? "\\r" : in[at] == '\t' ? "\\t" : NULL;
        if (name) {
            memcpy(buffer + out, name, 2);
            out += 2;
            at++;
        } else if (length == 0 || in[at] < 0x20 || in[at] == 0x7F) {
            buffer[out++] = '?';
            at++;
        } else {
            memcpy(buffer + out, in + at, length);
            out += length;
            at += length;
        }
    }
    strcpy(buffer + out, at < bytes ? "…" : "");
    return buffer;
}

bool linpred__is_utf8(const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        uint64_t eight;
        if (bytes - at >= sizeof eight) { /* most text is ASCII, which is skipped eight bytes at a time */
            memcpy(&eight, text + at, sizeof eight);
            if ((eight & 0x8080808080808080u) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        size_t length = character((const unsigned char *)text + at, bytes - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

/* ---- copies between structs of different versions ---------------------------------------------------------------- */

/* Every struct of the interface is smaller than this. A larger size means that struct_size was not set. */
enum { MAX_BYTES = 1 << 16 };

static size_t size_of(const void *given)
{
    size_t bytes;
    memcpy(&bytes, given, sizeof bytes);
    return bytes > sizeof bytes && bytes <= MAX_BYTES ? bytes : 0;
}

bool linpred__struct_fill(void *out, const void *made, size_t known)
{
    size_t bytes = out ? size_of(out) : 0;
    if (bytes == 0)
        return false;
    size_t common = bytes < known ? bytes : known;
    memcpy((char *)out + sizeof(size_t), (const char *)made + sizeof(size_t), common - sizeof(size_t));
    memset((char *)out + common, 0, bytes - common);
    return true;
}

linpred_status linpred__struct_check(const void *out, const char *name, linpred_error *error)
{
    return size_of(out) > 0
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_USAGE, "set struct_size of %s to sizeof(%s)", name, name);
}

linpred_status linpred__struct_read(void *into, size_t known, const void *from, const char *name, linpred_error *error)
{
    size_t bytes = size_of(from);
    linpred_status status = linpred__struct_check(from, name, error);
    if (status != LINPRED_OK)
        return status;
    for (size_t i = known; i < bytes; i++)
        if (((const char *)from)[i] != 0)
            return linpred__fail(error, LINPRED_ERROR_USAGE,
                                 "%s has a member that this version, %s, does not know, and it is not 0", name,
                                 linpred_version());
    memset(into, 0, known);
    memcpy(into, from, bytes < known ? bytes : known);
    return LINPRED_OK;
}

/* ---- the nearest word -------------------------------------------------------------------------------------------- */

/* The edit distance of Damerau and Levenshtein from a to b: insertions, deletions, replacements, and swaps of
   neighbours, which are swapped at most once. Upper and lower case are the same. Words of 32 letters or more are never
   near. */
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 32 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= MAX || m >= MAX)
        return MAX;
    size_t d[MAX + 1][MAX + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

linpred__suggestion linpred__nearest_to(const char *text)
{
    size_t length = strlen(text);
    return (linpred__suggestion){.best = NULL, .edits = length < 3 ? 1 : length / 3 + 1};
}

void linpred__nearest_try(linpred__suggestion *nearest, const char *text, const char *word)
{
    size_t length = strlen(text);
    size_t edits = distance(text, word);
    if (length >= 3 && edits > 1 && strncmp(word, text, length) == 0)
        edits = 1; /* the text is the beginning of the word */
    if (edits < nearest->edits) {
        nearest->edits = edits;
        nearest->best = word;
    }
}

const char *linpred_nearest(const char *text, const char *const *words, size_t count)
{
    if (!text || !words)
        return NULL;
    linpred__suggestion nearest = linpred__nearest_to(text);
    for (size_t i = 0; i < count; i++)
        linpred__nearest_try(&nearest, text, words[i]);
    return nearest.best;
}

const char *linpred__plural(double count)
{
    return count == 1 ? "" : "s";
}
