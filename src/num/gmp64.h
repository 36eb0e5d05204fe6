/* GNU MP with 64-bit words on every target.
 *
 * The functions of GNU MP that end in _ui and _si take `unsigned long` and `long`. On some targets these have 32 bits,
 * and larger values are truncated. So only constants may be passed to them. All other values are passed to the
 * functions here, which cost nothing if `long` has 64 bits.
 */
#ifndef LINPRED_NUM_GMP64_H
#define LINPRED_NUM_GMP64_H

#include <gmp.h>
#include <limits.h>
#include <stdint.h>

#if ULONG_MAX >= UINT64_MAX

static inline void linpred__mpz_set_uint64(mpz_t value, uint64_t x)
{
    mpz_set_ui(value, x);
}

static inline uint64_t linpred__mpz_get_uint64(const mpz_t value)
{
    return mpz_get_ui(value);
}

static inline void linpred__mpz_add_uint64(mpz_t sum, const mpz_t a, uint64_t b)
{
    mpz_add_ui(sum, a, b);
}

static inline void linpred__mpz_mul_uint64(mpz_t product, const mpz_t a, uint64_t b)
{
    mpz_mul_ui(product, a, b);
}

static inline void linpred__mpz_addmul_uint64(mpz_t sum, const mpz_t a, uint64_t b)
{
    mpz_addmul_ui(sum, a, b);
}

static inline void linpred__mpz_submul_uint64(mpz_t sum, const mpz_t a, uint64_t b)
{
    mpz_submul_ui(sum, a, b);
}

static inline void linpred__mpz_divexact_uint64(mpz_t quotient, const mpz_t a, uint64_t divisor)
{
    mpz_divexact_ui(quotient, a, divisor);
}

static inline uint64_t linpred__mpz_mod_uint64(const mpz_t a, uint64_t modulus)
{
    return mpz_fdiv_ui(a, modulus);
}

#else

static inline void linpred__mpz_set_uint64(mpz_t value, uint64_t x)
{
    mpz_set_ui(value, (uint32_t)(x >> 32));
    mpz_mul_2exp(value, value, 32);
    mpz_add_ui(value, value, (uint32_t)x);
}

static inline uint64_t linpred__mpz_get_uint64(const mpz_t value)
{
    mpz_t high;
    mpz_init(high);
    mpz_tdiv_q_2exp(high, value, 32);
    uint64_t x = (uint64_t)(uint32_t)mpz_get_ui(high) << 32 | (uint32_t)mpz_get_ui(value);
    mpz_clear(high);
    return x;
}

/* Defines a function that converts its 64-bit word to an mpz and calls one function of GNU MP. */
#define LINPRED__MPZ_BY_WORD(name, call)                                                                               \
    static inline void linpred__mpz_##name##_uint64(mpz_t result, const mpz_t a, uint64_t b)                           \
    {                                                                                                                  \
        mpz_t word;                                                                                                    \
        mpz_init(word);                                                                                                \
        linpred__mpz_set_uint64(word, b);                                                                              \
        call(result, a, word);                                                                                         \
        mpz_clear(word);                                                                                               \
    }
LINPRED__MPZ_BY_WORD(add, mpz_add)
LINPRED__MPZ_BY_WORD(mul, mpz_mul)
LINPRED__MPZ_BY_WORD(addmul, mpz_addmul)
LINPRED__MPZ_BY_WORD(submul, mpz_submul)
LINPRED__MPZ_BY_WORD(divexact, mpz_divexact)
#undef LINPRED__MPZ_BY_WORD

static inline uint64_t linpred__mpz_mod_uint64(const mpz_t a, uint64_t modulus)
{
    mpz_t word;
    mpz_init(word);
    linpred__mpz_set_uint64(word, modulus);
    mpz_mod(word, a, word);
    uint64_t rest = linpred__mpz_get_uint64(word);
    mpz_clear(word);
    return rest;
}

#endif

/* |x|, also for INT64_MIN. */
static inline uint64_t linpred__size_of_int64(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static inline void linpred__mpz_set_int64(mpz_t value, int64_t x)
{
    linpred__mpz_set_uint64(value, linpred__size_of_int64(x));
    if (x < 0)
        mpz_neg(value, value);
}

static inline void linpred__mpz_mul_int64(mpz_t product, const mpz_t a, int64_t b)
{
    linpred__mpz_mul_uint64(product, a, linpred__size_of_int64(b));
    if (b < 0)
        mpz_neg(product, product);
}

static inline void linpred__mpz_addmul_int64(mpz_t sum, const mpz_t a, int64_t b)
{
    if (b < 0)
        linpred__mpz_submul_uint64(sum, a, linpred__size_of_int64(b));
    else
        linpred__mpz_addmul_uint64(sum, a, (uint64_t)b);
}

/* Requires |value| < 2^63. */
static inline int64_t linpred__mpz_get_int64(const mpz_t value)
{
    int64_t size = (int64_t)linpred__mpz_get_uint64(value);
    return mpz_sgn(value) < 0 ? -size : size;
}

#endif
