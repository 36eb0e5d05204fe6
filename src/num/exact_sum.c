/* The fixed-point accumulator. The header describes it. */
#include "num/exact_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/int128.h"

/* Bit 0 of the accumulator has the value 2^-2148, the product of the two smallest subnormals. The largest product is
   below 2^2048, which is bit 4196. The 68 words have 4352 bits, so that 2^150 products and the sign fit. */
enum { LOWEST = -2148 };

void linpred__exact_clear(linpred__exact *sum)
{
    memset(sum, 0, sizeof *sum);
}

/* a = mantissa * 2^exponent with mantissa < 2^53, exponent >= -1074. */
static uint64_t take_apart(double a, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int biased = (int)((bits >> 52) & 0x7FF);
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    *exponent = (biased ? biased : 1) - 1075;
    return biased ? fraction | 0x10000000000000u : fraction;
}

void linpred__exact_add(linpred__exact *sum, double a, double b)
{
    int ea, eb;
    uint64_t ma = take_apart(a, &ea);
    uint64_t mb = take_apart(b, &eb);
    if (ma == 0 || mb == 0)
        return;
    linpred__uint128 product = (linpred__uint128)ma * mb;
    int position = ea + eb - LOWEST;
    int first = position / 64;
    int shift = position % 64;
    uint64_t low = (uint64_t)product;
    uint64_t high = (uint64_t)(product >> 64);
    uint64_t part[3] = {low << shift, shift ? (high << shift) | (low >> (64 - shift)) : high,
                        shift ? high >> (64 - shift) : 0};
    uint64_t *word = sum->word + first;
    int left = LINPRED__EXACT_WORDS - first;
    if (signbit(a) == signbit(b)) {
        unsigned char carry = 0;
        for (int i = 0; i < left && (i < 3 || carry); i++) {
            linpred__uint128 t = (linpred__uint128)word[i] + (i < 3 ? part[i] : 0) + carry;
            word[i] = (uint64_t)t;
            carry = (unsigned char)(t >> 64);
        }
    } else {
        unsigned char borrow = 0;
        for (int i = 0; i < left && (i < 3 || borrow); i++) {
            linpred__uint128 t = (linpred__uint128)word[i] - (i < 3 ? part[i] : 0) - borrow;
            word[i] = (uint64_t)t;
            borrow = (unsigned char)((t >> 64) & 1);
        }
    }
}

int linpred__exact_sign(const linpred__exact *sum)
{
    if (sum->word[LINPRED__EXACT_WORDS - 1] >> 63)
        return -1;
    for (int i = 0; i < LINPRED__EXACT_WORDS; i++)
        if (sum->word[i])
            return 1;
    return 0;
}

double linpred__exact_value(const linpred__exact *sum)
{
    linpred__exact size = *sum;
    int sign = linpred__exact_sign(sum);
    if (sign < 0) {
        unsigned char carry = 1;
        for (int i = 0; i < LINPRED__EXACT_WORDS; i++) {
            size.word[i] = ~size.word[i] + carry;
            carry = carry && size.word[i] == 0;
        }
    }
    int top = LINPRED__EXACT_WORDS - 1;
    while (top >= 0 && size.word[top] == 0)
        top--;
    if (top < 0)
        return 0.0;
    int highest = 64 * top + 63 - __builtin_clzll(size.word[top]);
    /* `last` is the lowest bit that the result can have: it has 53 bits, or fewer if it is subnormal. */
    int last = highest - 52;
    if (last < -1074 - LOWEST)
        last = -1074 - LOWEST;
    uint64_t mantissa = 0;
    for (int bit = highest; bit >= last; bit--)
        mantissa = (mantissa << 1) | ((size.word[bit / 64] >> (bit % 64)) & 1);
    int half = last - 1;
    bool round = (size.word[half / 64] >> (half % 64)) & 1;
    bool sticky = (size.word[half / 64] & ((UINT64_C(1) << (half % 64)) - 1)) != 0;
    for (int i = 0; i < half / 64 && !sticky; i++)
        sticky = size.word[i] != 0;
    if (round && (sticky || (mantissa & 1)))
        mantissa++;
    return sign * ldexp((double)mantissa, last + LOWEST);
}
