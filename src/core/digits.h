/* Decimal digits read eight at a time in one 64-bit word, and short numbers read in a few operations.
 *
 * All functions read ahead: at least LINPRED__NUMBER_AHEAD bytes after the text must be readable; their values do not
 * matter. With SSE2, which every x86-64 has, one comparison finds the digits among 16 bytes; elsewhere a loop does. The
 * results are the same: integers are exact, and a double is rounded once.
 */
#ifndef LINPRED_CORE_DIGITS_H
#define LINPRED_CORE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Eight bytes as a word, the first in the lowest byte. */
static inline uint64_t linpred__word(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Bit i is set if text[i] is no digit, for i < 16. The upper 16 bits are set. */
static inline uint32_t linpred__not_digits(const char *text)
{
#if defined(__SSE2__)
    const __m128i nine = _mm_set1_epi8(9);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i distance = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(distance, nine), nine));
#else
    uint32_t found = 0xFFFF0000u;
    for (int i = 0; i < 16; i++)
        found |= (uint32_t)((unsigned char)(text[i] - '0') > 9) << i;
    return found;
#endif
}

/* The number of digits at the beginning of text, at most 32. */
static inline int linpred__digits_ahead(const char *text)
{
    uint64_t others = (linpred__not_digits(text) & 0xFFFFu) | (uint64_t)linpred__not_digits(text + 16) << 16;
    return __builtin_ctzll(others);
}

/* The number that eight digits make. The bytes of the word are the values of the digits, the first in the lowest
   byte. */
static inline uint64_t linpred__eight_digits(uint64_t word)
{
    const uint64_t pairs = 0x000000FF000000FFu;
    word = word * 10 + (word >> 8); /* every other byte holds two digits */
    return ((word & pairs) * 0x000F424000000064u + ((word >> 16) & pairs) * 0x0000271000000001u) >> 32;
}

static inline uint64_t linpred__power_of_ten(int exponent)
{
    static const uint64_t power[] = {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u};
    return power[exponent];
}

/* Puts the first `count` bytes of text, 0 <= count <= 7, into the upper bytes of a word; the lower bytes are 0. It
   shifts twice, because a shift by 64 is undefined. A branch on count = 0 would often be mispredicted. */
static inline uint64_t linpred__few_bytes(const char *text, int count)
{
    return linpred__word(text) << 8 << (56 - 8 * count);
}

static inline uint64_t linpred__few_digits(const char *text, int count)
{
    return linpred__eight_digits(linpred__few_bytes(text, count) & 0x0F0F0F0F0F0F0F0Fu);
}

/* Appends `count` digits to a number, modulo 2^64. Numbers written with all their digits have 15 to 19 digits after the
   point. The counts from 16 to 23 take the same path, so that the processor predicts the branches. */
static inline uint64_t linpred__digits_append(uint64_t number, const char *text, int count)
{
    if (count >= 16 && count < 24) {
        number = number * 100000000u + linpred__eight_digits(linpred__word(text) & 0x0F0F0F0F0F0F0F0Fu);
        number = number * 100000000u + linpred__eight_digits(linpred__word(text + 8) & 0x0F0F0F0F0F0F0F0Fu);
        text += 16;
        count -= 16;
    }
    for (; count >= 8; count -= 8, text += 8)
        number = number * 100000000u + linpred__eight_digits(linpred__word(text) & 0x0F0F0F0F0F0F0F0Fu);
    return number * linpred__power_of_ten(count) + linpred__few_digits(text, count);
}

static inline uint64_t linpred__digits(const char *text, int count)
{
    return linpred__digits_append(0, text, count);
}

/* Reads a short number: [-] digits [. digits] [e [+-] one or two digits], with one to eight digits before the e, at
   least one of them before the point. Returns its end, or NULL if the text is another kind of number or none. The end
   is found without a branch, and the digits on both sides of the point are joined in one word. A mantissa below 10^8
   and a power of ten up to 10^22 are exact doubles, so their product or quotient is rounded once. *code says whether it
   may be a code: digits with a 0 before others, such as 007, or 12e3, which may be hexadecimal. */
static inline const char *linpred__everyday_number_or_code(const char *text, double *value, bool *code)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint32_t minus = text[0] == '-';
    uint32_t others = linpred__not_digits(text) & ~minus;
    int stop = __builtin_ctz(others);
#if defined(__SSE2__)
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    uint32_t points = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')));
    uint32_t point = others & (0u - others) & points;
#else
    uint32_t point = (uint32_t)(text[stop] == '.') << stop;
#endif
    int end = __builtin_ctz(others & ~point);
    int whole = stop - (int)minus;
    int fraction = end - stop - (point != 0);
    if (whole < 1 || (unsigned)(whole + fraction) > 8u || end > 15)
        return 0;
    uint64_t before = linpred__word(text + minus) << (64 - 8 * whole);
    uint64_t after = linpred__few_bytes(text + stop + 1, fraction);
    uint64_t digits = ((before >> (8 * fraction)) | after) & 0x0F0F0F0F0F0F0F0Fu;
    double number = (double)(int64_t)linpred__eight_digits(digits);
    const char *at = text + end;
    if ((*at | 0x20) == 'e') {
        int down = at[1] == '-';
        const char *exponent = at + 1 + (down || at[1] == '+');
        int count = linpred__digits_ahead(exponent);
        int up = (int)linpred__few_digits(exponent, count & 3) * (down ? -1 : 1) - fraction;
        if (count < 1 || count > 2 || up < -22 || up > 22)
            return 0;
        number = up < 0 ? number / power[-up] : number * power[up];
        *code = whole > 1 && point == 0 && minus == 0 && exponent == at + 1;
        at = exponent + count;
    } else {
        *code = (text[0] == '0') & (whole > 1) & (point == 0);
        number /= power[fraction];
    }
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits |= (uint64_t)minus << 63;
    memcpy(value, &bits, sizeof bits);
    return at;
}

static inline const char *linpred__everyday_number(const char *text, double *value)
{
    bool code;
    return linpred__everyday_number_or_code(text, value, &code);
}

#endif
