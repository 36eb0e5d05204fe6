/* Classifies cells: numbers, missing values, dates, words.
 *
 * A number is what linpred__number_read reads, with the decimal mark of the file. Thousands may be grouped by the other
 * mark: 1,234,567.8 with a decimal point, 1.234.567,8 with a decimal comma.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/csv/csv.h"
#include "table/date.h"
#include "table/limits.h"

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
   a unit after it. A person would take such a cell for a number, so that it must not become a level without a word.
   Returns CELL_COMMA, CELL_UNIT, or CELL_WORD if it does not resemble a number. */
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

/* ---- missing values ---------------------------------------------------------------------------------------------- */

static double value_of_marker(int32_t marker)
{
    uint64_t bits = 0x7FF8000000000000u | (uint64_t)(marker + 1);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int32_t linpred__marker_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7FF8000000000000u) == 0x7FF8000000000000u ? (int32_t)(bits & 0xFF) - 1 : -1;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Copies a number so that it has a decimal point and no thousands separators, and returns its length. 0 if it is not of
   that form. *grouped says whether it had thousands separators: each group but the first has three digits. */
static size_t copy_number(const char *text, size_t bytes, char decimal, char *copy, bool *grouped)
{
    char group = decimal == '.' ? ',' : '.';
    size_t at = bytes > 0 && (text[0] == '-' || text[0] == '+');
    size_t length = at, digits = 0;
    *grouped = false;
    if (bytes == 0 || bytes > LINPRED__MAX_COPIED_NUMBER)
        return 0;
    copy[0] = text[0];
    for (; at < bytes; at++) {
        if (is_digit(text[at])) {
            copy[length++] = text[at];
            digits++;
        } else if (text[at] == group) {
            if (*grouped ? digits != 3 : digits < 1 || digits > 3)
                return 0;
            *grouped = true;
            digits = 0;
        } else {
            break;
        }
    }
    if (*grouped && digits != 3)
        return 0;
    for (bool point = false; at < bytes; at++) {
        if (text[at] == decimal && !point) {
            copy[length++] = '.';
            point = true;
        } else if (text[at] == group || text[at] == decimal) {
            return 0;
        } else {
            copy[length++] = text[at];
        }
    }
    return length;
}

/* Reads a number by the rules of the file. *grouped says whether it has thousands separators. */
static linpred__number read_number(const linpred__cell_rules *rules, const char *text, size_t bytes, double *value,
                                   bool *grouped)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    *grouped = false;
    if (rules->decimal == '.') {
        linpred__number plain = linpred__number_read(text, bytes, value);
        if (plain != LINPRED__NOT_NUMBER || !memchr(text, ',', bytes))
            return plain;
    } else if (!memchr(text, ',', bytes) && !memchr(text, '.', bytes)) {
        return linpred__number_read(text, bytes, value);
    }
    size_t length = copy_number(text, bytes, rules->decimal, copy, grouped);
    return length > 0 ? linpred__number_read(copy, length, value) : LINPRED__NOT_NUMBER;
}

linpred__decimal_hint linpred__cell_decimal(const char *text, size_t bytes)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    double value;
    bool grouped[2], number[2];
    if (!memchr(text, ',', bytes) && !memchr(text, '.', bytes))
        return LINPRED__DECIMAL_ANY;
    for (int comma = 0; comma < 2; comma++) {
        size_t length = copy_number(text, bytes, comma ? ',' : '.', copy, &grouped[comma]);
        number[comma] = length > 0 && linpred__number_read(copy, length, &value) == LINPRED__NUMBER;
    }
    /* 0,123 begins with a group of 0, which nobody writes. */
    size_t sign = bytes > 0 && (text[0] == '-' || text[0] == '+');
    bool zero = bytes > sign + 1 && text[sign] == '0';
    for (int comma = 0; comma < 2; comma++)
        number[comma] = number[comma] && !(grouped[comma] && zero);
    if (number[0] && number[1])
        return memchr(text, ',', bytes) ? LINPRED__DECIMAL_EITHER : LINPRED__DECIMAL_GROUPS;
    return number[0] ? LINPRED__DECIMAL_POINT : number[1] ? LINPRED__DECIMAL_COMMA : LINPRED__DECIMAL_ANY;
}

bool linpred__cell_altered(const linpred__cell_rules *rules, const char *text, size_t bytes, double value)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    bool grouped;
    if (!memchr(text, ',', bytes))
        return linpred__number_altered(text, bytes, value);
    size_t length = copy_number(text, bytes, rules->decimal, copy, &grouped);
    return length > 0 && linpred__number_altered(copy, length, value);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* A value that is neither missing nor text by order. */
static linpred__cell read_value(const linpred__cell_rules *rules, const char *text, size_t bytes, double *value)
{
    bool grouped;
    switch (read_number(rules, text, bytes, value, &grouped)) {
    case LINPRED__NUMBER:
        return grouped ? LINPRED__CELL_GROUPED : LINPRED__CELL_NUMBER;
    case LINPRED__TOO_LARGE:
        return LINPRED__CELL_TOO_LARGE;
    case LINPRED__NOT_FINITE:
        return LINPRED__CELL_NOT_FINITE;
    case LINPRED__NOT_NUMBER:
        break;
    }
    linpred__cell word = resembles_number(text, bytes);
    return word == LINPRED__CELL_WORD && !linpred__is_utf8(text, bytes) ? LINPRED__CELL_NOT_UTF8 : word;
}

linpred__cell linpred__cell_read(const linpred__cell_rules *rules, linpred__use use, const char *text, size_t bytes,
                                 double *value)
{
    if (bytes == 0)
        return LINPRED__CELL_MISSING;
    if (rules->na.usual) {
        if (linpred__always_missing(text, bytes))
            return LINPRED__CELL_MISSING;
        int32_t marker = use == LINPRED__USED_AS_TEXT ? -1 : linpred__usual_marker(text, bytes);
        if (marker >= 0) {
            *value = value_of_marker(marker);
            return LINPRED__CELL_MARKER;
        }
    } else if (linpred__na_lists(&rules->na, text, bytes)) {
        return LINPRED__CELL_MISSING;
    }
    if (use == LINPRED__USED_AS_TEXT)
        return linpred__is_utf8(text, bytes) ? LINPRED__CELL_WORD : LINPRED__CELL_NOT_UTF8;
    if (use == LINPRED__USED_AS_DAYS)
        return linpred__date_read(text, bytes, value) ? LINPRED__CELL_NUMBER : LINPRED__CELL_NOT_DATE;
    return read_value(rules, text, bytes, value);
}
