/* Values as numbers or text. Dates and times are text in the form of ISO 8601, since no number of theirs is meant
 * without being asked for. A decimal is the double nearest to it, as if it were read from text. */
#include "table/parquet/meaning.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "table/limits.h"
#include "table/cells/typed.h"

enum { TEXT_BYTES = 160 }; /* of a number, a date or a time as text, at most */

const char *linpred__oddity_phrase(linpred__oddity oddity)
{
    switch (oddity) {
    case LINPRED__ODD_INFINITE:
        return "infinity";
    case LINPRED__ODD_NUL_TEXT:
        return "text with a NUL byte";
    case LINPRED__ODD_LONG_DECIMAL:
        return "a decimal number of more than 32 bytes";
    default:
        return "text that is not UTF-8";
    }
}

bool linpred__parquet_is_text(const linpred__parquet_column *column)
{
    return column->as_text ||
           (column->meaning >= LINPRED__PARQUET_TEXT && column->meaning <= LINPRED__PARQUET_TIMESTAMP);
}

/* ---- as text ----------------------------------------------------------------------------------------------------- */

/* The date that is `days` after 1970-01-01. Years are counted from 1 March, so that a leap day ends its year; 400 years
   have 146097 days. */
static size_t write_date(int64_t days, char *text)
{
    int64_t from = days + 719468; /* from 0000-03-01 */
    int64_t era = (from >= 0 ? from : from - 146096) / 146097;
    int64_t day = from - era * 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153; /* 0: March */
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    year += era * 400 + (month <= 2);
    return (size_t)snprintf(text, TEXT_BYTES, "%04" PRId64 "-%02d-%02d", year, (int)month, (int)day + 1);
}

/* hh:mm:ss, and what is left of a second without zeros at its end. */
static size_t write_time(int64_t seconds, int64_t fraction, int32_t digits, char *text)
{
    int bytes =
        snprintf(text, 64, "%02" PRId64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (fraction == 0)
        return (size_t)bytes;
    bytes += snprintf(text + bytes, 32, ".%0*" PRId64, (int)digits, fraction);
    while (text[bytes - 1] == '0')
        bytes--;
    return (size_t)bytes;
}

static size_t write_moment(const linpred__parquet_column *column, int64_t value, char *text)
{
    if (column->meaning == LINPRED__PARQUET_DATE)
        return write_date(value, text);
    int64_t unit = column->scale == 3 ? 1000 : column->scale == 6 ? 1000000 : 1000000000;
    int64_t seconds = value / unit, fraction = value % unit;
    if (fraction < 0) {
        fraction += unit;
        seconds--;
    }
    if (column->meaning == LINPRED__PARQUET_TIME)
        return write_time(seconds, fraction, column->scale, text);
    int64_t days = seconds / 86400, rest = seconds % 86400;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    size_t bytes = write_date(days, text);
    text[bytes++] = ' ';
    bytes += write_time(rest, fraction, column->scale, text + bytes);
    if (column->utc)
        text[bytes++] = 'Z';
    return bytes;
}

/* Writes the decimal number of `bytes` big-endian bytes in two's complement, with `scale` digits after the point.
   False if it is too long. */
static bool write_decimal(const unsigned char *at, size_t bytes, int32_t scale, char *text, size_t *length)
{
    unsigned char number[LINPRED__PARQUET_DECIMAL_BYTES];
    char digits[TEXT_BYTES];
    int count = 0;
    if (bytes > LINPRED__PARQUET_DECIMAL_BYTES || scale > 60)
        return false;
    bool negative = bytes > 0 && at[0] >= 0x80;
    unsigned carry = negative;
    for (size_t i = bytes; i-- > 0;) {
        unsigned byte = (negative ? 0xFFu ^ at[i] : at[i]) + carry;
        number[i] = (unsigned char)byte;
        carry = byte >> 8;
    }
    bool more = bytes > 0;
    while (more || count <= scale) { /* divide by ten: the remainder is the next digit from the right */
        unsigned rest = 0;
        more = false;
        for (size_t i = 0; i < bytes; i++) {
            unsigned part = rest << 8 | number[i];
            number[i] = (unsigned char)(part / 10);
            rest = part % 10;
            more = more || number[i] != 0;
        }
        digits[count++] = (char)('0' + rest);
    }
    size_t at_text = 0;
    if (negative)
        text[at_text++] = '-';
    while (count > 0) {
        text[at_text++] = digits[--count];
        if (count == scale && scale > 0)
            text[at_text++] = '.';
    }
    *length = at_text;
    return true;
}

static void big_endian_bytes(int64_t value, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> (56 - 8 * i));
}

/* ---- as numbers -------------------------------------------------------------------------------------------------- */

static double half_to_double(const unsigned char *at)
{
    unsigned bits = (unsigned)at[0] | (unsigned)at[1] << 8, exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024.0 + fraction, (int)exponent - 25);
    return bits >> 15 ? -size : size;
}

static linpred__oddity take_real(double value, double *cell)
{
    *cell = value;
    return isnan(value) ? LINPRED__ODD_ABSENT : isinf(value) ? LINPRED__ODD_INFINITE : LINPRED__ODD_NONE;
}

/* A decimal below 2^53 with at most 22 digits after the point is one division of two exact doubles. */
static linpred__oddity take_decimal(const linpred__parquet_column *column, const unsigned char *at, size_t bytes,
                                    double *cell)
{
    char text[TEXT_BYTES];
    size_t length;
    if (!write_decimal(at, bytes, column->scale, text, &length))
        return LINPRED__ODD_LONG_DECIMAL;
    linpred__number_read(text, length, cell);
    return linpred__number_altered(text, length, *cell) ? LINPRED__ODD_ALTERED : LINPRED__ODD_NONE;
}

static linpred__oddity take_integer(const linpred__parquet_column *column, int64_t value, double *cell)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    bool small = value > -(INT64_C(1) << 53) && value < INT64_C(1) << 53;
    if (column->meaning == LINPRED__PARQUET_DECIMAL) {
        unsigned char bytes[8];
        big_endian_bytes(value, bytes);
        if (!small || column->scale > 18)
            return take_decimal(column, bytes, sizeof bytes, cell);
        *cell = (double)value / power[column->scale];
        return LINPRED__ODD_NONE;
    }
    if (column->meaning == LINPRED__PARQUET_UNSIGNED && value < 0) { /* the highest bit is no sign */
        uint64_t large = column->type == LINPRED__PARQUET_INT32 ? (uint32_t)value : (uint64_t)value;
        *cell = (double)large;
        return *cell >= 0x1p64 || (uint64_t)*cell != large ? LINPRED__ODD_ALTERED : LINPRED__ODD_NONE;
    }
    *cell = (double)value;
    return !small && linpred__typed_inexact(value) ? LINPRED__ODD_ALTERED : LINPRED__ODD_NONE;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

/* The text of value i. *bad is set if it is not to be had. */
static linpred__slice text_of(const linpred__parquet_column *column, const linpred__parquet_batch *batch, int64_t i,
                              char *text, linpred__oddity *bad)
{
    size_t bytes = 0;
    unsigned char whole[8];
    double half;
    switch (column->meaning) {
    case LINPRED__PARQUET_TEXT:
        return batch->slice[i];
    case LINPRED__PARQUET_HALF:
        half = half_to_double(batch->slice[i].at);
        *bad = take_real(half, &half);
        bytes = linpred__number_write(half, text);
        break;
    case LINPRED__PARQUET_REAL:
        *bad = take_real(batch->real[i], &half);
        bytes = linpred__number_write(batch->real[i], text);
        break;
    case LINPRED__PARQUET_WHOLE:
        bytes = (size_t)snprintf(text, TEXT_BYTES, "%" PRId64, batch->whole[i]);
        break;
    case LINPRED__PARQUET_UNSIGNED:
        bytes = (size_t)snprintf(text, TEXT_BYTES, "%" PRIu64,
                                 column->type == LINPRED__PARQUET_INT32 ? (uint32_t)batch->whole[i]
                                                                        : (uint64_t)batch->whole[i]);
        break;
    case LINPRED__PARQUET_DECIMAL:
        if (column->type == LINPRED__PARQUET_INT32 || column->type == LINPRED__PARQUET_INT64) {
            big_endian_bytes(batch->whole[i], whole);
            *bad = write_decimal(whole, 8, column->scale, text, &bytes) ? *bad : LINPRED__ODD_LONG_DECIMAL;
        } else if (!write_decimal(batch->slice[i].at, batch->slice[i].bytes, column->scale, text, &bytes)) {
            *bad = LINPRED__ODD_LONG_DECIMAL;
        }
        break;
    default:
        bytes = write_moment(column, batch->whole[i], text);
    }
    return (linpred__slice){(const unsigned char *)text, bytes};
}

static bool take_texts(const linpred__parquet_column *column, const linpred__parquet_batch *batch, int64_t count,
                       linpred__dictionary *levels, double *cells, unsigned char *oddity)
{
    char buffer[TEXT_BYTES];
    for (int64_t i = 0; i < count; i++) {
        linpred__oddity bad = LINPRED__ODD_NONE;
        bool stored = column->meaning == LINPRED__PARQUET_TEXT;
        bool again = stored && i > 0 && batch->slice[i].at == batch->slice[i - 1].at &&
                     batch->slice[i].bytes == batch->slice[i - 1].bytes;
        if (again) {
            cells[i] = cells[i - 1];
            oddity[i] = oddity[i - 1];
            continue;
        }
        linpred__slice text = text_of(column, batch, i, buffer, &bad);
        if (stored && text.bytes == 0)
            bad = LINPRED__ODD_ABSENT;
        else if (stored && linpred__typed_bad_text((const char *)text.at, text.bytes))
            bad = memchr(text.at, '\0', text.bytes) && linpred__is_utf8((const char *)text.at, text.bytes)
                      ? LINPRED__ODD_NUL_TEXT
                      : LINPRED__ODD_BROKEN_TEXT;
        oddity[i] = (unsigned char)bad;
        cells[i] = NAN;
        if (bad != LINPRED__ODD_NONE)
            continue;
        int32_t level = linpred__dictionary_add(levels, (const char *)text.at, text.bytes);
        if (level < 0)
            return false;
        cells[i] = level;
    }
    return true;
}

/* The common case: doubles that are all finite, or whole numbers that doubles hold. False: the values must be looked at
   one by one. */
static bool take_plain_numbers(const linpred__parquet_column *column, const linpred__parquet_batch *batch,
                               int64_t count, double *cells)
{
    if (column->meaning == LINPRED__PARQUET_REAL) {
        double sum = 0.0; /* 0 x is 0 for finite x and NaN otherwise */
        for (int64_t i = 0; i < count; i++)
            sum += 0.0 * batch->real[i];
        if (sum == 0.0 && cells != batch->real)
            memcpy(cells, batch->real, (size_t)count * sizeof *cells);
        return sum == 0.0;
    }
    if (column->meaning != LINPRED__PARQUET_WHOLE)
        return false;
    uint64_t large = 0;
    for (int64_t i = 0; i < count; i++) {
        large |= (uint64_t)batch->whole[i] + (UINT64_C(1) << 53);
        cells[i] = (double)batch->whole[i];
    }
    return large >> 54 == 0;
}

bool linpred__parquet_cells(const linpred__parquet_column *column, const linpred__parquet_batch *batch, int64_t count,
                            linpred__dictionary *levels, double *cells, unsigned char *oddity, bool *odd)
{
    bool text = linpred__parquet_is_text(column);
    if (!text && take_plain_numbers(column, batch, count, cells))
        return true;
    if (text) {
        if (!take_texts(column, batch, count, levels, cells, oddity))
            return false;
    } else if (column->meaning == LINPRED__PARQUET_REAL) {
        for (int64_t i = 0; i < count; i++)
            oddity[i] = (unsigned char)take_real(batch->real[i], &cells[i]);
    } else if (column->type == LINPRED__PARQUET_BYTES || column->type == LINPRED__PARQUET_FIXED) {
        for (int64_t i = 0; i < count; i++) {
            linpred__slice slice = batch->slice[i];
            cells[i] = NAN;
            oddity[i] = (unsigned char)(column->meaning == LINPRED__PARQUET_HALF
                                            ? take_real(half_to_double(slice.at), &cells[i])
                                            : take_decimal(column, slice.at, slice.bytes, &cells[i]));
        }
    } else {
        for (int64_t i = 0; i < count; i++)
            oddity[i] = (unsigned char)take_integer(column, batch->whole[i], &cells[i]);
    }
    for (int64_t i = 0; i < count; i++)
        *odd = *odd || oddity[i] != LINPRED__ODD_NONE;
    return true;
}
