/* See checksum.h. A message is a polynomial over two elements, and its checksum is the rest of a division. Multiplying
 * the first 16 bytes of a message by a power of x, modulo the divisor, moves them to bytes further on without changing
 * the rest (V. Gopal and others, Fast CRC computation using PCLMULQDQ, Intel 2009). So 64 bytes at a time are moved to
 * the next 64, at last all to 16 bytes, of which zlib computes the rest. */
#include "core/checksum.h"

#include <string.h>
#include <zlib.h>

#include "core/fast.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Moves 16 bytes on: by[0] and by[1] are the powers of x for their halves. */
__attribute__((target("pclmul,sse4.1"))) static inline __m128i move_on(__m128i bytes, __m128i by, __m128i onto)
{
    __m128i low = _mm_clmulepi64_si128(bytes, by, 0x00), high = _mm_clmulepi64_si128(bytes, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), onto);
}

__attribute__((target("pclmul,sse4.1"))) static inline __m128i load_16(const unsigned char *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* The checksum of `count` bytes, a multiple of 64. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t fold_bytes(uint32_t before, const unsigned char *at,
                                                                    size_t count)
{
    const __m128i by_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4); /* x^480 and x^544, bits reflected */
    const __m128i by_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0); /* x^96 and x^160 */
    __m128i part[4];
    for (int k = 0; k < 4; k++)
        part[k] = load_16(at + 16 * k);
    part[0] = _mm_xor_si128(part[0], _mm_cvtsi32_si128((int)~before));
    for (const unsigned char *end = at + count; at + 64 < end;) {
        at += 64;
        for (int k = 0; k < 4; k++)
            part[k] = move_on(part[k], by_64, load_16(at + 16 * k));
    }
    for (int k = 1; k < 4; k++)
        part[k] = move_on(part[k - 1], by_16, part[k]);
    unsigned char left[16];
    memcpy(left, &part[3], sizeof left);
    return (uint32_t)crc32_z(0xffffffffu, left, sizeof left); /* zlib begins with the complement of this, which is 0 */
}

static bool can_fold(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}
#else
static uint32_t fold_bytes(uint32_t before, const unsigned char *at, size_t count)
{
    return (uint32_t)crc32_z(before, at, count);
}

static bool can_fold(void)
{
    return false;
}
#endif

uint32_t linpred__checksum(uint32_t before, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    size_t folded = count >= 256 && can_fold() ? count / 64 * 64 : 0;
    if (folded > 0)
        before = fold_bytes(before, at, folded);
    return folded < count ? (uint32_t)crc32_z(before, at + folded, count - folded) : before;
}

/* 0 x is 0 exactly if x is finite. Sums side by side, since a processor begins several additions at a time. */
LINPRED__FAST bool linpred__all_finite(const double *values, size_t count)
{
    enum { LANES = 32 };
    double sum[LANES] = {0}, rest = 0.0;
    size_t whole = count / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += 0.0 * values[i + k];
    for (size_t i = whole; i < count; i++)
        rest += 0.0 * values[i];
    for (size_t k = 0; k < LANES; k++)
        rest += sum[k];
    return rest == 0.0;
}
