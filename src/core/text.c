/* Text that grows, and JSON values. */
#include "core/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"

/* Makes the buffer long enough for so many more bytes and a NUL. Returns where they go; NULL if memory ran out. */
static char *grow_buffer(linpred__text *text, size_t bytes)
{
    if (text->failed || !linpred__grow(&text->bytes, &text->capacity, text->length + bytes + 1, 1)) {
        text->failed = true;
        return NULL;
    }
    return text->bytes + text->length;
}

static void add_bytes(linpred__text *text, const char *more, size_t bytes)
{
    char *to = grow_buffer(text, bytes);
    if (!to)
        return;
    memcpy(to, more, bytes);
    text->length += bytes;
    text->bytes[text->length] = '\0';
}

void linpred__text_add(linpred__text *text, const char *more)
{
    add_bytes(text, more, strlen(more));
}

void linpred__text_format(linpred__text *text, const char *format, ...)
{
    char buffer[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    size_t bytes = length < 0 ? 0 : (size_t)length;
    char *longer = bytes < sizeof buffer ? NULL : linpred__alloc(bytes + 1, 1);
    if (length < 0 || (bytes >= sizeof buffer && !longer)) {
        text->failed = true;
        return;
    }
    if (longer) {
        va_start(arguments, format);
        vsnprintf(longer, bytes + 1, format, arguments);
        va_end(arguments);
    }
    add_bytes(text, longer ? longer : buffer, bytes);
    linpred__release(longer);
}

void linpred__text_string(linpred__text *text, const char *string)
{
    linpred__text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        const char *from = c;
        while ((unsigned char)*c >= 0x20 && *c != '"' && *c != '\\')
            c++;
        add_bytes(text, from, (size_t)(c - from));
        if (*c == '\0')
            break;
        if (*c == '"' || *c == '\\')
            linpred__text_format(text, "\\%c", *c);
        else
            linpred__text_format(text, "\\u%04x", (unsigned)*c);
    }
    linpred__text_add(text, "\"");
}

/* The number as JSON; returns its length. */
static size_t write_number(double value, char buffer[LINPRED__NUMBER_BYTES])
{
    if (isfinite(value) && value != 0.0)
        return linpred__number_write(value, buffer);
    const char *word = !isfinite(value) ? "null"
                       : signbit(value) ? "-0.0"
                                        : "0"; /* -0 would be read as the integer 0 */
    memcpy(buffer, word, strlen(word) + 1);
    return strlen(word);
}

void linpred__text_number(linpred__text *text, double value)
{
    linpred__text_numbers(text, "", &value, 1);
}

void linpred__text_numbers(linpred__text *text, const char *between, const double *value, size_t count)
{
    size_t before = strlen(between);
    for (size_t i = 0; i < count; i++) {
        char *to = grow_buffer(text, before + LINPRED__NUMBER_BYTES);
        if (!to)
            return;
        if (i > 0)
            memcpy(to, between, before + 1);
        text->length += i > 0 ? before : 0;
        text->length += write_number(value[i], text->bytes + text->length);
    }
}

void linpred__text_clear(linpred__text *text)
{
    linpred__release(text->bytes);
    *text = (linpred__text){0};
}
