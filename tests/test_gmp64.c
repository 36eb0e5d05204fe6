/* 64-bit words through GNU MP: the same numbers on targets whose `long` has 32 bits. */
#include "support.h"

#include <stdlib.h>

#include "core/int128.h"
#include "core/random.h"
#include "num/gmp64.h"
#include "num/modular.h"

/* Words that a truncation to 32 bits, or a sign taken wrongly, would change. */
static const int64_t words[] = {0,
                                1,
                                -1,
                                INT32_MAX,
                                INT32_MIN,
                                UINT32_MAX,
                                -(INT64_C(1) << 32),
                                INT64_MAX,
                                -INT64_MAX,
                                INT64_MIN,
                                (INT64_C(1) << 53) - 1,
                                4503599627370497,
                                -9007199254740991};
enum { WORDS = sizeof words / sizeof words[0] };

static void set_by_text(mpz_t value, int64_t x)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)x);
    assert_int_equal(mpz_set_str(value, text, 10), 0);
}

static void test_words_as_text(void **state)
{
    (void)state;
    mpz_t value, expected, factor, product;
    mpz_inits(value, expected, factor, product, NULL);
    mpz_set_str(factor, "-123456789012345678901234567890", 10);
    for (size_t i = 0; i < WORDS; i++) {
        int64_t x = words[i];
        set_by_text(expected, x);
        linpred__mpz_set_int64(value, x);
        assert_int_equal(mpz_cmp(value, expected), 0);
        if (x != INT64_MIN)
            assert_true(linpred__mpz_get_int64(value) == x);
        mpz_mul(product, factor, expected);
        linpred__mpz_mul_int64(value, factor, x);
        assert_int_equal(mpz_cmp(value, product), 0);
        mpz_set(value, factor);
        linpred__mpz_addmul_int64(value, factor, x);
        mpz_sub(value, value, factor);
        assert_int_equal(mpz_cmp(value, product), 0);
        if (x > 0) {
            linpred__mpz_divexact_uint64(value, product, (uint64_t)x);
            assert_int_equal(mpz_cmp(value, factor), 0);
            mpz_mod(expected, factor, expected);
            linpred__mpz_set_uint64(value, linpred__mpz_mod_uint64(factor, (uint64_t)x));
            assert_int_equal(mpz_cmp(value, expected), 0);
            linpred__mpz_add_uint64(value, factor, (uint64_t)x);
            mpz_sub(value, value, factor);
            assert_true(linpred__mpz_get_uint64(value) == (uint64_t)x);
        }
    }
    mpz_clears(value, expected, factor, product, NULL);
}

/* Products modulo each prime, against GNU MP. */
static void test_modular_products(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    mpz_t a, b, p;
    mpz_inits(a, b, p, NULL);
    for (int trial = 0; trial < 2000; trial++) {
        uint64_t prime = linpred__prime(trial % LINPRED__PRIMES);
        uint64_t x = trial < 40 ? prime - 1 - (uint64_t)trial / 16 : linpred__random_below(&random, prime);
        uint64_t y = trial < 40 ? prime - 1 : linpred__random_below(&random, prime);
        linpred__mpz_set_uint64(a, x);
        linpred__mpz_set_uint64(b, y);
        linpred__mpz_set_uint64(p, prime);
        mpz_mul(a, a, b);
        mpz_mod(a, a, p);
        uint64_t expected = linpred__mpz_get_uint64(a);
        assert_true(linpred__mod_multiply(x, y, prime) == expected);
        assert_true(linpred__mod_times(linpred__mod_prepare(x, prime), y, prime) == expected);
    }
    uint64_t prime = linpred__prime(0);
    assert_true(linpred__mod_reduce((linpred__uint128)prime * prime, prime) == 0);
    assert_true(linpred__mod_reduce(~(linpred__uint128)0, prime) ==
                linpred__mod_subtract(linpred__mod_power_of_two(128, prime), 1, prime));
    mpz_clears(a, b, p, NULL);
}

static void test_int128_and_doubles(void **state)
{
    (void)state;
    const double value[] = {0,       1, -1, 0x1p52 + 1, -0x1p63, 0x1p64, 0x1.fffffffffffffp100, -0x1.8000000000001p90,
                            12345.75};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        linpred__int128 whole = linpred__int128_of(value[i]);
        assert_true(linpred__int128_value(whole) == (double)trunc(value[i]));
    }
    linpred__int128 long_one = ((linpred__int128)1 << 100) + 1;
    assert_true(long_one - linpred__int128_of(linpred__int128_value(long_one)) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_as_text),
        cmocka_unit_test(test_modular_products),
        cmocka_unit_test(test_int128_and_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
