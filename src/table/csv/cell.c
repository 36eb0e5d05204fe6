/* Classifies cells: numbers, missing values, dates, words.
 *
 * A number is what linpred__number_read reads, with the decimal mark of the file. Thousands may be grouped by the other
 * mark: 1,234,567.8 with a decimal point, 1.234.567,8 with a decimal comma. With either decimal mark they may be
 * grouped by a blank or an apostrophe: 1 234 567,8 and 1'234'567.8. One number has one kind of mark, its first group
 * one to three digits and no 0 at the beginning, and each other group three.
 */
#include <float.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/csv/csv.h"
#include "table/cells/date.h"
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

/* Whether the text is a unit that is written behind a number. Letters that codes end with, as in 12A, are none. */
static bool is_unit(const char *text, size_t bytes)
{
    static const char *const units[] = {
        "kg",  "g",   "mg", "µg", "km", "m",   "cm",   "mm",     "l",    "ml",    "h",   "min", "s",     "ms",  "km/h",
        "m/s", "m²",  "m³", "°",  "°C", "°F",  "kW",   "kWh",    "MWh",  "Hz",    "kHz", "MHz", "GHz",   "Pa",  "kPa",
        "hPa", "bar", "KB", "MB", "GB", "TB",  "lb",   "lbs",    "oz",   "ft",    "mi",  "mph", "EUR",   "USD", "GBP",
        "CHF", "JPY", "kr", "zł", "‰",  "Fr.", "mmHg", "mmol/l", "mg/l", "mg/dl", "µm",  "px",  "years", "days"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i]) == bytes && memcmp(units[i], text, bytes) == 0)
            return true;
    return false;
}

/* The length of the mark at the beginning of the text that may group thousands beside the point and the comma: a blank,
   also one of U+00A0, U+2009 and U+202F, or an apostrophe, also U+2019. 0 if there is none. *kind is its kind. */
static size_t group_mark(const char *text, size_t bytes, linpred__group *kind)
{
    static const struct {
        const char *text;
        linpred__group kind;
    } marks[] = {{" ", LINPRED__GROUP_BLANK},
                 {"\xC2\xA0", LINPRED__GROUP_BLANK},
                 {"\xE2\x80\x89", LINPRED__GROUP_BLANK},
                 {"\xE2\x80\xAF", LINPRED__GROUP_BLANK},
                 {"'", LINPRED__GROUP_APOSTROPHE},
                 {"\xE2\x80\x99", LINPRED__GROUP_APOSTROPHE}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t length = strlen(marks[i].text);
        if (bytes >= length && memcmp(text, marks[i].text, length) == 0) {
            *kind = marks[i].kind;
            return length;
        }
    }
    return 0;
}

/* The length of the blank that ends the text; 0 if there is none. */
static size_t blank_at_end(const char *text, size_t bytes)
{
    linpred__group kind = LINPRED__GROUP_NONE;
    for (size_t length = 1; length <= 3 && length <= bytes; length++)
        if (group_mark(text + bytes - length, length, &kind) == length && kind == LINPRED__GROUP_BLANK)
            return length;
    return 0;
}

/* The length of the blank at the beginning of the text; 0 if there is none. */
static size_t any_blank(const char *text, size_t bytes)
{
    linpred__group kind = LINPRED__GROUP_NONE;
    size_t length = group_mark(text, bytes, &kind);
    return kind == LINPRED__GROUP_BLANK ? length : 0;
}

/* Digits with points, commas and marks of thousands, as at the beginning of a text. */
typedef struct digit_run {
    size_t bytes;
    size_t digits;
    size_t commas;
    size_t marks; /* blanks and apostrophes between digits */
} digit_run;

static digit_run find_digits(const char *text, size_t bytes)
{
    digit_run run = {0};
    while (run.bytes < bytes) {
        const char *at = text + run.bytes;
        linpred__group kind;
        size_t mark = group_mark(at, bytes - run.bytes, &kind);
        if (mark > 0 && run.digits > 0 && run.bytes + mark < bytes && is_digit(at[mark])) {
            run.marks++;
            run.bytes += mark;
            continue;
        }
        if (!is_digit(*at) && *at != '.' && *at != ',')
            break;
        run.digits += is_digit(*at);
        run.commas += *at == ',';
        run.bytes++;
    }
    return run;
}

/* Whether text that is not a number resembles one: it is digits, points and commas, with a sign or a unit before it or
   a unit after it. A person would take such a cell for a number, so that it must not become a level without a word.
   Returns CELL_COMMA, CELL_UNIT, or CELL_WORD if it does not resemble a number. */
static linpred__cell resembles_number(const char *text, size_t bytes)
{
    size_t at = bytes > 0 && (text[0] == '-' || text[0] == '+');
    size_t before = unit(text + at, bytes - at);
    at += before;
    if (before > 0 && at < bytes)
        at += text[at] == '-' ? 1 : any_blank(text + at, bytes - at);
    digit_run run = find_digits(text + at, bytes - at);
    at += run.bytes;
    if (run.digits == 0)
        return LINPRED__CELL_WORD;
    at += any_blank(text + at, bytes - at);
    size_t after = is_unit(text + at, bytes - at) ? bytes - at : unit(text + at, bytes - at);
    if (at + after != bytes)
        return LINPRED__CELL_WORD;
    if (before + after > 0)
        return LINPRED__CELL_UNIT;
    return run.commas > 0 && run.marks == 0 ? LINPRED__CELL_COMMA : LINPRED__CELL_WORD;
}

linpred__negative linpred__cell_negative(const char *text, size_t bytes)
{
    static const char *const dashes[] = {"\xE2\x88\x92", "\xE2\x80\x93", "\xE2\x80\x90"}; /* minus, en dash, hyphen */
    double value;
    if (bytes > 2 && text[0] == '(' && text[bytes - 1] == ')')
        return linpred__number_read(text + 1, bytes - 2, &value) == LINPRED__NUMBER ? LINPRED__NEGATIVE_PARENTHESES
                                                                                    : LINPRED__NEGATIVE_NONE;
    for (size_t i = 0; bytes > 3 && i < sizeof dashes / sizeof dashes[0]; i++)
        if (memcmp(text, dashes[i], 3) == 0 && is_digit(text[3]))
            return LINPRED__NEGATIVE_DASH;
    return LINPRED__NEGATIVE_NONE;
}

bool linpred__cell_wrong_groups(const char *text, size_t bytes)
{
    size_t sign = bytes > 0 && (text[0] == '-' || text[0] == '+');
    digit_run run = find_digits(text + sign, bytes - sign);
    return run.marks > 0 && run.bytes == bytes - sign;
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

/* The length of the mark at the beginning of the text that groups thousands beside this decimal mark; 0 if there is
   none. */
static size_t thousands_mark(const char *text, size_t bytes, char decimal, linpred__group *kind)
{
    if (*text != (decimal == '.' ? ',' : '.'))
        return group_mark(text, bytes, kind);
    *kind = *text == ',' ? LINPRED__GROUP_COMMA : LINPRED__GROUP_POINT;
    return 1;
}

/* Copies the whole part of a number without its thousands separators. Returns how many bytes it has in the text;
   SIZE_MAX if its groups are wrong. *length is that of the copy. */
static size_t copy_groups(const char *text, size_t bytes, char decimal, char *copy, size_t *length,
                          linpred__group *group)
{
    size_t at = bytes > 0 && (text[0] == '-' || text[0] == '+'), digits = 0;
    copy[0] = text[0];
    *length = at;
    *group = LINPRED__GROUP_NONE;
    for (size_t first = at; at < bytes;) {
        linpred__group kind;
        if (is_digit(text[at])) {
            copy[(*length)++] = text[at++];
            digits++;
            continue;
        }
        size_t mark = thousands_mark(text + at, bytes - at, decimal, &kind);
        if (mark == 0)
            break;
        bool begins = *group == LINPRED__GROUP_NONE;
        /* Nobody writes 0,123 for 123. */
        if (begins ? digits < 1 || digits > 3 || text[first] == '0' : digits != 3 || kind != *group)
            return SIZE_MAX;
        *group = kind;
        digits = 0;
        at += mark;
    }
    return *group != LINPRED__GROUP_NONE && digits != 3 ? SIZE_MAX : at;
}

/* Copies a number so that it has a decimal point and no thousands separators, without blanks around it such as U+00A0,
   and returns its length. 0 if it is not of that form. *group says what separated thousands. */
static size_t copy_number(const char *text, size_t bytes, char decimal, char *copy, linpred__group *group)
{
    size_t length = 0, blank;
    *group = LINPRED__GROUP_NONE;
    while (bytes > 0 && (blank = any_blank(text, bytes)) > 0) {
        text += blank;
        bytes -= blank;
    }
    while ((blank = blank_at_end(text, bytes)) > 0)
        bytes -= blank;
    if (bytes == 0 || bytes > LINPRED__MAX_COPIED_NUMBER)
        return 0;
    size_t at = copy_groups(text, bytes, decimal, copy, &length, group);
    for (bool point = false; at < bytes; at++) {
        if (text[at] == decimal && !point) {
            copy[length++] = '.';
            point = true;
        } else if (text[at] == ',' || text[at] == '.') {
            return 0;
        } else {
            copy[length++] = text[at];
        }
    }
    return at == SIZE_MAX ? 0 : length;
}

/* Reads a number by the rules of the file. *group says what separates its thousands. */
static linpred__number read_number(const linpred__cell_rules *rules, const char *text, size_t bytes, double *value,
                                   linpred__group *group)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    *group = LINPRED__GROUP_NONE;
    if (rules->decimal == '.' || (!memchr(text, ',', bytes) && !memchr(text, '.', bytes))) {
        linpred__number plain = linpred__number_read(text, bytes, value);
        if (plain != LINPRED__NOT_NUMBER)
            return plain;
    }
    /* Words are many, and begin otherwise. U+00A0 and the like begin with a byte beyond 127. */
    if (!is_digit(*text) && !strchr("+-.,", *text) && (unsigned char)*text < 0x80)
        return LINPRED__NOT_NUMBER;
    size_t length = copy_number(text, bytes, rules->decimal, copy, group);
    return length > 0 ? linpred__number_read(copy, length, value) : LINPRED__NOT_NUMBER;
}

linpred__decimal_hint linpred__cell_decimal(const char *text, size_t bytes)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    double value;
    linpred__group group;
    bool number[2];
    for (int comma = 0; comma < 2; comma++) {
        size_t length = copy_number(text, bytes, comma ? ',' : '.', copy, &group);
        number[comma] = length > 0 && linpred__number_read(copy, length, &value) == LINPRED__NUMBER;
    }
    if (!memchr(text, ',', bytes) && !memchr(text, '.', bytes))
        return number[0] && group != LINPRED__GROUP_NONE ? LINPRED__DECIMAL_NEITHER : LINPRED__DECIMAL_ANY;
    if (number[0] && number[1])
        return memchr(text, ',', bytes) ? LINPRED__DECIMAL_EITHER : LINPRED__DECIMAL_GROUPS;
    return number[0] ? LINPRED__DECIMAL_POINT : number[1] ? LINPRED__DECIMAL_COMMA : LINPRED__DECIMAL_ANY;
}

linpred__group linpred__cell_group(const linpred__cell_rules *rules, const char *text, size_t bytes)
{
    linpred__group group;
    double value;
    return read_number(rules, text, bytes, &value, &group) == LINPRED__NUMBER ? group : LINPRED__GROUP_NONE;
}

bool linpred__cell_altered(const linpred__cell_rules *rules, const char *text, size_t bytes, double value)
{
    char copy[LINPRED__MAX_COPIED_NUMBER];
    linpred__group group;
    double size = value < 0.0 ? -value : value;
    if (size >= DBL_MIN && size < 0x1p53)
        return false;
    size_t length = copy_number(text, bytes, rules->decimal, copy, &group);
    return length > 0 && linpred__number_altered(copy, length, value);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* A value that is neither missing nor text by order. */
static linpred__cell read_value(const linpred__cell_rules *rules, const char *text, size_t bytes, double *value)
{
    linpred__group group;
    switch (read_number(rules, text, bytes, value, &group)) {
    case LINPRED__NUMBER:
        return group != LINPRED__GROUP_NONE ? LINPRED__CELL_GROUPED : LINPRED__CELL_NUMBER;
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
