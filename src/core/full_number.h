/* Numbers written with all digits of a double, such as -0.24836162209524854, read in a few operations.
 *
 * A file of measurements or of another program's doubles holds little else. linpred__full_number takes them alone; what
 * it does not take, linpred__number_scan reads, to the same bits.
 *
 * The last 16 digits are joined by vectors. The quotient w / 10^f is that of Lemire's "Number parsing at a gigabyte per
 * second" (2021), for the powers that occur here, so that the proof is short. Let b be the bits of 5^f, and R =
 * 2^(63+b) / 5^f, between 2^63 and 2^64. T is R rounded down. With w shifted up to 64 bits, w T <= w R < w T + 2^64, so
 * the upper word of w R is that of w T, or one more. Unless its last nine bits are ones, its 54 leading bits are known.
 * They are rounded by the last of them: w / 10^f is never exactly between two doubles, since 5^f would divide w, and
 * 2^53 5^f > 2^64 for f > 4.
 */
#ifndef LINPRED_CORE_FULL_NUMBER_H
#define LINPRED_CORE_FULL_NUMBER_H

#include <stdint.h>
#include <string.h>

#include "core/digits.h"
#include "core/int128.h"

#if defined(__x86_64__)

enum {
    LINPRED__FULL_BYTES = 16,   /* the least length, so that the 16 bytes before the end are of the number */
    LINPRED__LEAST_FRACTION = 8 /* digits after the point */
};

/* The number of 16 digits, each in its byte, as a value from 0 to 9. */
static inline uint64_t linpred__sixteen_digits(__m128i digits)
{
    const __m128i ten = _mm_set1_epi16(10), low = _mm_set1_epi16(0xFF);
    const __m128i hundred = _mm_set1_epi32(100 + (1 << 16)), thousands = _mm_set1_epi32(10000 + (1 << 16));
    __m128i two = _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(digits, low), ten), _mm_srli_epi16(digits, 8));
    __m128i four = _mm_madd_epi16(two, hundred);
    __m128i eight = _mm_madd_epi16(_mm_packs_epi32(four, four), thousands);
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eight);
    return (both & 0xFFFFFFFFu) * 100000000u + (both >> 32);
}

/* digits / 10^fraction, correctly rounded, for 8 <= fraction <= 19; false if 64 bits of the quotient do not decide. */
static inline bool linpred__full_quotient(uint64_t digits, uint64_t fraction, uint64_t *bits)
{
    static const struct {
        uint64_t factor;   /* T */
        uint64_t exponent; /* 1085 - b - f */
    } tenth[] = {{0xABCC77118461CEFCu, 1058}, {0x89705F4136B4A597u, 1055}, {0xDBE6FECEBDEDD5BEu, 1051},
                 {0xAFEBFF0BCB24AAFEu, 1048}, {0x8CBCCC096F5088CBu, 1045}, {0xE12E13424BB40E13u, 1041},
                 {0xB424DC35095CD80Fu, 1038}, {0x901D7CF73AB0ACD9u, 1035}, {0xE69594BEC44DE15Bu, 1031},
                 {0xB877AA3236A4B449u, 1028}, {0x9392EE8E921D5D07u, 1025}, {0xEC1E4A7DB69561A5u, 1021}};
    if (digits == 0)
        return false;
    int zeros = __builtin_clzll(digits);
    linpred__uint128 product = (linpred__uint128)(digits << zeros) * tenth[fraction - LINPRED__LEAST_FRACTION].factor;
    uint64_t high = (uint64_t)(product >> 64);
    uint64_t top = high >> 63;
    uint64_t rounded = ((high >> (9 + top)) + 1) >> 1; /* 2^52 to 2^53: its leading bit adds one to the exponent */
    *bits = ((tenth[fraction - LINPRED__LEAST_FRACTION].exponent + top - (uint64_t)zeros) << 52) + rounded;
    return (high & 0x1FF) != 0x1FF;
}

/* Reads [-] digits . digits of 16 to 22 bytes, with at most 19 digits after a 0 before the point, and as many in all
   after others. Returns its end, or NULL if the text is anything else. As with linpred__number_scan the caller must
   test what follows, and LINPRED__NUMBER_AHEAD bytes must be readable. */
static inline const char *linpred__full_number(const char *text, double *value)
{
    static const uint64_t power[] = {100000000u,          1000000000u,          10000000000u,
                                     100000000000u,       1000000000000u,       10000000000000u,
                                     100000000000000u,    1000000000000000u,    10000000000000000u,
                                     100000000000000000u, 1000000000000000000u, 10000000000000000000u};
    static const unsigned char keep[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                           15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    uint64_t others = (linpred__not_digits(text) & 0xFFFFu) | (uint64_t)linpred__not_digits(text + 16) << 16;
    /* Signs cannot be predicted, so there is no branch on them. Nor is a byte compared with '-': the byte of the result
       would be merged into a register that waits for the number before. */
    uint64_t minus = others & 1;
    others -= minus;
    uint64_t stop = (uint64_t)__builtin_ctzll(others);
    uint64_t end = (uint64_t)__builtin_ctzll(others & (others - 1)); /* the upper bits are set, so there is one */
    uint64_t whole = stop - minus, fraction = end - stop - 1;
    if (text[stop] != '.' || ((uint64_t)text[0] ^ '-') * minus != 0 || end < LINPRED__FULL_BYTES || whole - 1 > 6 ||
        fraction - LINPRED__LEAST_FRACTION > 11)
        return 0;
    uint64_t before = whole == 1 ? (uint64_t)text[stop - 1] & 15u : linpred__few_digits(text + minus, (int)whole);
    if (whole + fraction > 19 && before != 0)
        return 0;
    uint64_t last = fraction < 16 ? fraction : 16, first = fraction - last;
    __m128i sixteen = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(text + end - 16)),
                                    _mm_loadu_si128((const __m128i *)(const void *)(keep + last)));
    /* The first digits after the point, three at most, end in the third byte. */
    uint64_t three = linpred__word(text + stop + 1) << (24 - 8 * first) & 0x0F0F0Fu;
    uint64_t leading = (three * 0xA01u >> 8 & 0xFFu) * 10 + (three >> 16);
    uint64_t digits = before * power[fraction - LINPRED__LEAST_FRACTION] + leading * 10000000000000000u +
                      linpred__sixteen_digits(sixteen);
    uint64_t bits;
    if (!linpred__full_quotient(digits, fraction, &bits))
        return 0;
    bits |= minus << 63;
    memcpy(value, &bits, sizeof bits);
    return text + end;
}

#else

static inline const char *linpred__full_number(const char *text, double *value)
{
    (void)text;
    (void)value;
    return 0;
}

#endif

#endif
