/* Long names: see names.h. */
#include "names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* The bytes of the first `count` characters. */
static size_t bytes_of(const char *text, int count)
{
    size_t bytes = 0;
    for (int i = 0; i < count && text[bytes]; i++)
        do
            bytes++;
        while (continues(text[bytes]));
    return bytes;
}

int names_length(const char *text)
{
    int length = 0;
    for (; *text; text += bytes_of(text, 1))
        length++;
    return length;
}

void names_flat(const char *name, char text[NAMES_BYTES])
{
    static const char marks[] = "\n\r\t", letters[] = "nrt";
    size_t used = 0;
    while (*name) {
        const char *mark = strchr(marks, *name);
        size_t length = mark ? 2 : bytes_of(name, 1);
        if (used + length >= NAMES_BYTES)
            break;
        if (mark) {
            text[used] = '\\';
            text[used + 1] = letters[mark - marks];
        } else {
            memcpy(text + used, name, length);
        }
        used += length;
        name += mark ? 1 : length;
    }
    text[used] = '\0';
}

size_t names_common(const linpred_model *model, int32_t column, const char *name)
{
    char other[NAMES_BYTES];
    size_t most = 0;
    for (int32_t j = column - 1; j <= column + 1; j += 2) {
        size_t bytes = 0;
        if (j < 0 || j >= linpred_model_columns(model))
            continue;
        names_flat(linpred_model_feature(model, j), other);
        while (name[bytes] && name[bytes] == other[bytes])
            bytes++;
        while (bytes > 0 && continues(name[bytes]))
            bytes--;
        most = bytes > most ? bytes : most;
    }
    return most;
}

void names_cut(const char *name, size_t common, int most, char text[NAMES_BYTES])
{
    int length = names_length(name), differs = 0;
    for (size_t i = 0; i < common && name[i]; i++)
        differs += !continues(name[i]);
    if (length <= most) {
        snprintf(text, NAMES_BYTES, "%s", name);
        return;
    }
    if (differs < most - 1 || most < 6) { /* the beginning tells it apart */
        snprintf(text, NAMES_BYTES, "%.*s…", (int)bytes_of(name, most - 1), name);
        return;
    }
    /* The beginning, then the place where names differ: with the end of the name if both fit. */
    int head = most / 3, rest = most - 1 - head;
    bool at_end = differs >= length - rest;
    int from = at_end ? length - rest : differs - (rest - 1) / 2;
    const char *tail = name + bytes_of(name, from);
    snprintf(text, NAMES_BYTES, "%.*s…%.*s%s", (int)bytes_of(name, head), name,
             (int)bytes_of(tail, at_end ? rest : rest - 1), tail, at_end ? "" : "…");
}
