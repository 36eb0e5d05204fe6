/* The only C++ file of core. fast_float reads decimal numbers, correctly rounded. It returns inf for 1e400, accepts
 * "nan" and "inf", and does not accept a leading '+'; the functions here treat these three cases first. No exception
 * leaves this file.
 */
#include "core/number.h"

#include "linpred/linpred.h"

#include <cmath>
#include <charconv>
#include <cstring>
#include <fast_float/fast_float.h>

#include "core/digits.h"
#include "core/int128.h"

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

bool linpred__number_altered(const char *text, size_t bytes, double value)
{
    double size = std::fabs(value);
    if (size >= 2.2250738585072014e-308 && size < 0x1p53)
        return false;
    size_t at = bytes > 0 && (*text == '-' || *text == '+');
    linpred__uint128 whole = 0;
    size_t digits = 0;
    bool zero = true;
    for (; at < bytes && text[at] >= '0' && text[at] <= '9'; at++) {
        zero = zero && text[at] == '0';
        digits += !zero;
        whole = 10 * whole + (unsigned)(text[at] - '0'); /* exact up to 38 digits */
    }
    if (size >= 0x1p53)
        return at == bytes && (digits > 38 || static_cast<linpred__uint128>(linpred__int128_of(size)) != whole);
    for (; at < bytes && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); at++)
        zero = zero && (text[at] == '0' || text[at] == '.');
    return !zero;
}

bool linpred__number_is_long(const char *text, size_t bytes)
{
    int digits = 0, zeros = 0;
    for (size_t at = 0; at < bytes && (text[at] | 0x20) != 'e'; at++) {
        if (text[at] < '0' || text[at] > '9')
            continue;
        if (text[at] == '0') {
            zeros += digits > 0;
            continue;
        }
        digits += zeros + 1;
        zeros = 0;
    }
    return digits > 15;
}

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* value = mantissa * 10^exponent, correctly rounded. Returns false if 64 bits of digits do not decide the rounding, or
   if the result is not a normal double. If mantissa <= 2^53 and the power is at most 10^22, both are exact doubles, and
   one operation rounds once. Otherwise fast_float's 128-bit product is used. Numbers with 16 or more digits after the
   point always take the second path, so that the branch is predictable. */
static inline bool scale(uint64_t mantissa, int64_t exponent, double *value)
{
    if (exponent > -16 && exponent <= 22 && mantissa <= (uint64_t(1) << 53)) {
        double number = double(mantissa);
        *value = exponent < 0 ? number / power_of_ten[-exponent] : number * power_of_ten[exponent];
        return true;
    }
    using format = fast_float::binary_format<double>;
    fast_float::adjusted_mantissa answer = fast_float::compute_float<format>(exponent, mantissa);
    if (answer.power2 < (mantissa != 0) || answer.power2 >= format::infinite_power() || exponent == 0)
        return false;
    uint64_t bits = answer.mantissa | uint64_t(answer.power2) << format::mantissa_explicit_bits();
    std::memcpy(value, &bits, sizeof bits);
    return true;
}

const char *linpred__number_scan(const char *text, double *value)
{
    bool minus = *text == '-';
    const char *at = text + minus;
    /* Most numbers have one digit before the point. */
    int whole = at[1] == '.' ? (unsigned char)(*at - '0') <= 9 : linpred__digits_ahead(at);
    uint64_t mantissa = at[1] == '.' ? uint64_t(*at & 15) & -uint64_t(whole) : linpred__digits(at, whole);
    at += whole;
    int fraction = 0;
    if (*at == '.') {
        fraction = linpred__digits_ahead(at + 1);
        /* A 0 before the point is not counted, so 0.0012345678901234567 has 19 digits. */
        if ((whole & -int(mantissa != 0)) + fraction > 19)
            return nullptr;
        mantissa = linpred__digits_append(mantissa, at + 1, fraction);
        at += 1 + fraction;
    }
    if (whole > 19 || whole + fraction == 0)
        return nullptr;
    int64_t exponent = -fraction;
    if ((*at | 0x20) == 'e') {
        bool negative = at[1] == '-';
        const char *digits = at + 1 + (negative || at[1] == '+');
        int length = linpred__digits_ahead(digits);
        if (length == 0 || length > 4)
            return nullptr;
        int64_t power = int64_t(linpred__digits(digits, length));
        exponent += negative ? -power : power;
        at = digits + length;
    }
    double number;
    if (!scale(mantissa, exponent, &number))
        return nullptr;
    uint64_t bits; /* the sign is set without a branch, which could not be predicted */
    std::memcpy(&bits, &number, sizeof bits);
    bits |= uint64_t(minus) << 63;
    std::memcpy(value, &bits, sizeof bits);
    return at;
}

size_t linpred__number_write(double value, char *buffer)
{
    /* to_chars gives the shortest digits that read back, as d.ddd…e±x. They are laid out as by printf's %g with at
       least 15 digits, but in no locale. The result has at most 24 characters. */
    char shortest[LINPRED__NUMBER_BYTES];
    const char *end = std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::scientific).ptr;
    const char *from = shortest + (*shortest == '-'), *e = end - 1;
    while (e > from && *e != 'e') /* inf and nan have no e */
        e--;
    int digits = e - from > 1 ? int(e - from) - 1 : 1, exponent = 0;
    for (const char *c = e + 2; e > from && c < end; c++)
        exponent = 10 * exponent + (*c - '0');
    exponent = e[1] == '-' ? -exponent : exponent;
    char *to = buffer;
    if (from > shortest)
        *to++ = '-';
    if (e == from || exponent < -4 || exponent >= (digits > 15 ? digits : 15)) {
        std::memcpy(to, from, size_t(end - from));
        to += end - from;
        *to = '\0';
        return size_t(to - buffer);
    }
    char digit[LINPRED__NUMBER_BYTES] = {*from};
    std::memcpy(digit + 1, from + 2, size_t(digits - 1));
    int whole = exponent < 0 ? 0 : exponent + 1 < digits ? exponent + 1 : digits; /* digits before the point */
    std::memcpy(to, digit, size_t(whole));
    to += whole;
    for (int k = whole; k <= exponent || k == 0; k++)
        *to++ = '0';
    if (whole < digits) {
        *to++ = '.';
        for (int k = exponent + 1; k < 0; k++)
            *to++ = '0';
        std::memcpy(to, digit + whole, size_t(digits - whole));
        to += digits - whole;
    }
    *to = '\0';
    return size_t(to - buffer);
}

size_t linpred_number_text(double value, char buffer[32])
{
    if (!buffer)
        return 0;
    return linpred__number_write(value, buffer);
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

size_t linpred__numbered_name(int32_t column, char buffer[LINPRED__NUMBERED_BYTES])
{
    buffer[0] = 'x';
    char *end = std::to_chars(buffer + 1, buffer + LINPRED__NUMBERED_BYTES - 1, int64_t(column) + 1).ptr;
    *end = '\0';
    return (size_t)(end - buffer);
}
