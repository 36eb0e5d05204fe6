/* Error messages, and text from files in them. */
#include "core/error.h"

#ifdef __clang_analyzer__
#undef linpred__fail
#undef linpred__fail_at
#undef linpred__no_memory
#endif

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
        if (length == 0 || (unsigned char)text[at] < 0x20 || text[at] == 0x7F)
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

linpred_status linpred__no_memory(linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_MEMORY, "out of memory");
}

const char *linpred__excerpt(const char *text, size_t bytes, char buffer[LINPRED__EXCERPT])
{
    const unsigned char *in = (const unsigned char *)text;
    size_t at = 0;
    size_t out = 0;
    for (int shown = 0; at < bytes && shown < 40; shown++) {
        size_t length = character(in + at, bytes - at);
        if (length == 0 || in[at] < 0x20 || in[at] == 0x7F) {
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
