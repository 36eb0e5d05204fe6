/* Reads the header of an npy file, and converts its numbers to doubles.
 *
 * The header is "\x93NUMPY", two bytes of version, the length (2 bytes in version 1, else 4, little-endian), and a
 * Python dictionary with the keys descr, fortran_order and shape. Only the forms that NumPy writes are read.
 */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "table/npy/npy.h"
#include "table/limits.h"

typedef struct reader {
    const char *at;
    const char *end;
} reader;

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'))
        r->at++;
}

/* The functions take_… skip blanks and read one thing; false if it does not stand there. */
static bool take_character(reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(reader *r, const char *word)
{
    size_t bytes = strlen(word);
    skip_blanks(r);
    if ((size_t)(r->end - r->at) < bytes || memcmp(r->at, word, bytes) != 0)
        return false;
    r->at += bytes;
    return true;
}

static bool take_quoted(reader *r, const char **text, size_t *bytes)
{
    skip_blanks(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return false;
    const char *close = memchr(r->at + 1, *r->at, (size_t)(r->end - r->at - 1));
    if (!close)
        return false;
    *text = r->at + 1;
    *bytes = (size_t)(close - *text);
    r->at = close + 1;
    return true;
}

static bool take_whole(reader *r, int64_t *number)
{
    skip_blanks(r);
    const char *from = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return linpred__whole_read(from, (size_t)(r->at - from), number);
}

static linpred_status broken(const linpred__source *source, linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the header of the npy file cannot be read", source->name);
}

static linpred_status read_type(const linpred__source *source, reader *r, linpred__npy_header *header,
                                linpred_error *error)
{
    const char *text;
    size_t bytes;
    skip_blanks(r);
    if (r->at < r->end && *r->at == '[')
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array holds records; only plain numbers are read",
                             source->name);
    if (!take_quoted(r, &text, &bytes))
        return broken(source, error);
    char buffer[LINPRED__EXCERPT];
    int64_t size = 0;
    if (bytes >= 2 && text[1] == 'O')
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the array holds Python objects, which are never unpickled; save the array as float64",
                             source->name);
    bool sized = bytes >= 3 && strchr("<>|=", text[0]) && linpred__whole_read(text + 2, bytes - 2, &size);
    bool known = sized && ((text[1] == 'f' && (size == 4 || size == 8)) ||
                           ((text[1] == 'i' || text[1] == 'u') && (size == 1 || size == 2 || size == 4 || size == 8)) ||
                           (text[1] == 'b' && size == 1));
    if (!known)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: arrays of type '%s' are not read; save the array as float64", source->name,
                             linpred__excerpt(text, bytes, buffer));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    header->swap = text[0] == '<' && size > 1;
#else
    header->swap = text[0] == '>' && size > 1;
#endif
    header->kind = text[1];
    header->item_bytes = (int)size;
    header->native_doubles = text[1] == 'f' && size == 8 && !header->swap;
    snprintf(header->type, sizeof header->type, "%.*s", (int)bytes, text);
    return LINPRED_OK;
}

static linpred_status read_shape(const linpred__source *source, reader *r, linpred__npy_header *header,
                                 linpred_error *error)
{
    int64_t length[2] = {0, 0};
    int dimensions = 0;
    if (!take_character(r, '('))
        return broken(source, error);
    while (!take_character(r, ')')) {
        int64_t number;
        if (!take_whole(r, &number))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "%s: the shape in the header cannot be read or is too large", source->name);
        if (dimensions < 2)
            length[dimensions] = number;
        dimensions++;
        if (!take_character(r, ',')) {
            if (!take_character(r, ')'))
                return broken(source, error);
            break;
        }
    }
    if (dimensions == 1)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the array has one dimension; save it as a matrix, x.reshape(-1, 1) for one column",
                             source->name);
    if (dimensions != 2)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the array has %d dimensions; only a matrix, with 2, is read", source->name,
                             dimensions);
    header->rows = length[0];
    header->columns = length[1];
    return LINPRED_OK;
}

static linpred_status read_dictionary(const linpred__source *source, reader *r, linpred__npy_header *header,
                                      linpred_error *error)
{
    bool type = false;
    bool order = false;
    bool shape = false;
    if (!take_character(r, '{'))
        return broken(source, error);
    while (!take_character(r, '}')) {
        const char *key;
        size_t bytes;
        linpred_status status = LINPRED_OK;
        if (!take_quoted(r, &key, &bytes) || !take_character(r, ':'))
            return broken(source, error);
        if (bytes == 5 && memcmp(key, "descr", 5) == 0 && !type) {
            status = read_type(source, r, header, error);
            type = true;
        } else if (bytes == 13 && memcmp(key, "fortran_order", 13) == 0 && !order) {
            header->fortran = take_word(r, "True");
            order = header->fortran || take_word(r, "False");
            if (!order)
                return broken(source, error);
        } else if (bytes == 5 && memcmp(key, "shape", 5) == 0 && !shape) {
            status = read_shape(source, r, header, error);
            shape = true;
        } else {
            return broken(source, error);
        }
        if (status != LINPRED_OK)
            return status;
        if (!take_character(r, ',')) {
            if (!take_character(r, '}'))
                return broken(source, error);
            break;
        }
    }
    return type && order && shape ? LINPRED_OK : broken(source, error);
}

linpred_status linpred__npy_header_read(linpred__source *source, linpred__npy_header *header, linpred_error *error)
{
    const unsigned char *text = (const unsigned char *)source->held;
    if (source->held_bytes < 12 || memcmp(text, "\x93NUMPY", 6) != 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: this is not an npy file: it does not begin with \\x93NUMPY", source->name);
    if (text[6] < 1 || text[6] > 3)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: version %d of the npy format is unknown; versions 1 to 3 are read", source->name,
                             text[6]);
    size_t start = text[6] == 1 ? 10 : 12;
    size_t length = text[8] | (size_t)text[9] << 8;
    if (text[6] > 1)
        length |= (size_t)text[10] << 16 | (size_t)text[11] << 24;
    if (length > LINPRED__MAX_NPY_HEADER_BYTES)
        return broken(source, error);
    linpred_status status = linpred__source_hold(source, start + length, error);
    if (status != LINPRED_OK)
        return status;
    if (source->held_bytes < start + length)
        return broken(source, error);
    linpred__npy_header read = {.bytes = start + length};
    reader r = {source->held + start, source->held + start + length};
    status = read_dictionary(source, &r, &read, error);
    if (status == LINPRED_OK)
        *header = read;
    return status;
}

/* The bytes of one number as an unsigned integer. */
static uint64_t item(const char *at, int bytes, bool swap)
{
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        int place = swap ? i : bytes - 1 - i;
#else
        int place = swap ? bytes - 1 - i : i;
#endif
        bits |= (uint64_t)(unsigned char)at[i] << (8 * place);
    }
    return bits;
}

/* The lowest `bytes` bytes of `bits` as a signed integer in two's complement. */
static int64_t with_sign(uint64_t bits, int bytes)
{
    int shift = 64 - 8 * bytes;
    return (int64_t)(bits << shift) >> shift;
}

static double number(const linpred__npy_header *header, const char *at)
{
    uint64_t bits = item(at, header->item_bytes, header->swap);
    if (header->kind == 'f' && header->item_bytes == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (header->kind == 'f') {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return value;
    }
    if (header->kind == 'i')
        return (double)with_sign(bits, header->item_bytes);
    return header->kind == 'b' ? bits != 0 : (double)bits;
}

bool linpred__npy_altered(const linpred__npy_header *header, const char *data, int64_t row, int64_t column,
                          double value)
{
    if (header->item_bytes < 8 || header->kind == 'f' || !(fabs(value) >= 0x1p53))
        return false;
    int64_t cell = header->fortran ? column * header->rows + row : row * header->columns + column;
    uint64_t bits = item(data + cell * header->item_bytes, header->item_bytes, header->swap);
    if (header->kind == 'i')
        return value == 0x1p63 || (int64_t)value != with_sign(bits, header->item_bytes);
    return value == 0x1p64 || (uint64_t)value != bits;
}

void linpred__npy_convert(const linpred__npy_header *header, const char *data, int64_t first, int64_t rows,
                          double *values)
{
    int64_t columns = header->columns;
    int64_t row_step = header->fortran ? 1 : columns;
    int64_t column_step = header->fortran ? header->rows : 1;
    for (int64_t r = 0; r < rows; r++) {
        const char *at = data + (first + r) * row_step * header->item_bytes;
        for (int64_t c = 0; c < columns; c++, at += column_step * header->item_bytes)
            values[r * columns + c] = number(header, at);
    }
}
