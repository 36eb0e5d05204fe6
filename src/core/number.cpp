/* The only C++ of core: fast_float reads decimal numbers, correctly rounded. It turns 1e400 into inf, takes "nan" and
 * "inf", and refuses a leading '+': all three are settled here. No exception leaves this file. */
#include "core/number.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fast_float/fast_float.h>

static bool is_word(const char *text, size_t bytes, const char *word)
{
    for (; bytes > 0 && *word; bytes--, text++, word++)
        if ((*text | 0x20) != *word)
            return false;
    return bytes == 0 && *word == '\0';
}

linpred__number linpred__number_read(const char *text, size_t bytes, double *value)
{
    const char *from = text;
    const char *end = text + bytes;
    bool sign = from < end && (*from == '+' || *from == '-');
    const char *digits = from + sign;
    size_t left = (size_t)(end - digits);
    if (left == 0)
        return LINPRED__NOT_NUMBER;
    if (*digits != '.' && (*digits < '0' || *digits > '9')) {
        bool word = is_word(digits, left, "nan") || is_word(digits, left, "inf") || is_word(digits, left, "infinity");
        return word ? LINPRED__NOT_FINITE : LINPRED__NOT_NUMBER;
    }
    double number;
    fast_float::from_chars_result result = fast_float::from_chars(digits, end, number);
    if (result.ec == std::errc::invalid_argument || result.ptr != end)
        return LINPRED__NOT_NUMBER;
    if (std::isinf(number))
        return LINPRED__TOO_LARGE;
    *value = *from == '-' ? -number : number;
    return LINPRED__NUMBER;
}

size_t linpred__number_write(double value, char *room)
{
    /* snprintf follows the locale's decimal point: put the point back. */
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = std::snprintf(room, LINPRED__NUMBER_ROOM, "%.*g", digits, value);
        for (char *c = room; *c; c++)
            if (*c == ',')
                *c = '.';
        double back;
        if (linpred__number_read(room, (size_t)length, &back) == LINPRED__NUMBER && back == value)
            break;
    }
    return (size_t)length;
}

bool linpred__whole_read(const char *text, size_t bytes, int64_t *value)
{
    if (bytes == 0)
        return false;
    int64_t number = 0;
    for (size_t i = 0; i < bytes; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, digit, &number))
            return false;
    }
    *value = number;
    return true;
}
