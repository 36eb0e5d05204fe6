/* The exact accumulator: sums that cancel, under- and overflow, against 128-bit integers and known truths. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "num/exact_sum.h"
#include "core/random.h"
#include "core/int128.h"

static void cancels_to_the_last_bit(void **state)
{
    (void)state;
    linpred__exact sum;
    linpred__exact_clear(&sum);
    linpred__exact_add(&sum, DBL_MAX, DBL_MAX);
    linpred__exact_add(&sum, 0x1p-1074, 0x1p-1074);
    linpred__exact_add(&sum, -DBL_MAX, DBL_MAX);
    assert_int_equal(linpred__exact_sign(&sum), 1);
    assert_true(linpred__exact_value(&sum) == 0.0);
    linpred__exact_add(&sum, -0x1p-1074, 0x1p-1074);
    assert_int_equal(linpred__exact_sign(&sum), 0);
    linpred__exact_add(&sum, -0x1p-1074, 0x1p-1074);
    assert_int_equal(linpred__exact_sign(&sum), -1);
    linpred__exact_add(&sum, 3.0, 0.1);
    /* 3 * 0.1 lies halfway between two doubles: the tiny negative rest decides, and without it the even one. */
    assert_true(linpred__exact_value(&sum) == 0x1.3333333333333p-2);
    linpred__exact_add(&sum, 0x1p-1074, 0x1p-1074);
    assert_true(linpred__exact_value(&sum) == 3.0 * 0.1);
    assert_true(3.0 * 0.1 == 0x1.3333333333334p-2);
}

static void rounds_like_one_operation(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    for (int i = 0; i < 200000; i++) {
        double a = ldexp(linpred__random_normal(&random), (int)linpred__random_below(&random, 1200) - 600);
        double b = ldexp(linpred__random_normal(&random), (int)linpred__random_below(&random, 1200) - 600);
        double c = ldexp(linpred__random_normal(&random), (int)linpred__random_below(&random, 1200) - 600);
        linpred__exact sum;
        linpred__exact_clear(&sum);
        linpred__exact_add(&sum, a, b);
        linpred__exact_add(&sum, c, 1.0);
        double expected = fma(a, b, c);
        assert_true(linpred__exact_value(&sum) == expected);
        if (expected != 0.0)
            assert_int_equal(linpred__exact_sign(&sum), expected > 0 ? 1 : -1);
    }
}

static void agrees_with_integers(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    for (int i = 0; i < 20000; i++) {
        linpred__exact sum;
        linpred__exact_clear(&sum);
        linpred__int128 expected = 0;
        for (int k = 0; k < 20; k++) {
            int64_t a = (int64_t)linpred__random_below(&random, UINT64_C(1) << 53) - (INT64_C(1) << 52);
            int64_t b = (int64_t)linpred__random_below(&random, UINT64_C(1) << (k + 1)) - (INT64_C(1) << k);
            linpred__exact_add(&sum, (double)a, (double)b);
            expected += (linpred__int128)a * b;
        }
        int sign = expected > 0 ? 1 : expected < 0 ? -1 : 0;
        assert_int_equal(linpred__exact_sign(&sum), sign);
        assert_true(linpred__exact_value(&sum) == linpred__int128_value(expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancels_to_the_last_bit),
        cmocka_unit_test(rounds_like_one_operation),
        cmocka_unit_test(agrees_with_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
