/* The exact accumulator: sums that cancel, under- and overflow, against 128-bit integers and known truths; and scores
   of rows, which must be its sums rounded once whatever way they are computed. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "data/score.h"
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

enum { MOST_COLUMNS = 100 };

static double sum_exactly(int32_t n, const double *x, const double *w, double b)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int32_t j = 0; j < n; j++)
        linpred__exact_add(&sum, x[j], w[j]);
    linpred__exact_add(&sum, b, 1.0);
    double value = linpred__exact_value(&sum);
    return value == 0.0 ? linpred__exact_sign(&sum) * 0x1p-1074 : value;
}

/* The score of a row, dense and sparse, must be the exact sum to the last bit. */
static void compare_score(int32_t n, const double *x, const double *w, double b)
{
    double packed[MOST_COLUMNS], expected = sum_exactly(n, x, w, b);
    int32_t index[MOST_COLUMNS], entries = 0;
    for (int32_t j = 0; j < n; j++)
        if (x[j] != 0.0) {
            packed[entries] = x[j];
            index[entries++] = j;
        }
    int64_t start[] = {0, entries};
    linpred__block dense = {.rows = 1, .columns = n, .layout = LINPRED__DENSE, .values = x, .stride = n};
    linpred__block sparse = {
        .rows = 1, .columns = n, .layout = LINPRED__SPARSE, .values = packed, .start = start, .indices = index};
    assert_true(linpred__exact_score(&dense, 0, w, b) == expected);
    assert_true(linpred__exact_score(&sparse, 0, w, b) == expected);
}

/* Rows of many sizes; half of them end with a product that leaves only rounding of the others, a tie or nothing. */
static void scores_are_rounded_once(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int i = 0; i < 40000; i++) {
        double x[MOST_COLUMNS], w[MOST_COLUMNS];
        int32_t n = 1 + (int32_t)linpred__random_below(&random, MOST_COLUMNS);
        int spread = 1 + (int)linpred__random_below(&random, i % 7 == 0 ? 1000 : 40), kind = i % 6;
        for (int32_t j = 0; j < n; j++) {
            x[j] = ldexp(linpred__random_normal(&random), (int)linpred__random_below(&random, (uint64_t)spread));
            w[j] = ldexp(linpred__random_normal(&random), -(int)linpred__random_below(&random, (uint64_t)spread));
            if (kind == 5)
                x[j] = (double)(int)linpred__random_below(&random, 3) - 1.0;
        }
        double b = kind == 0 ? 0.0 : linpred__random_normal(&random);
        if (kind >= 3) {
            double rest = sum_exactly(n - 1, x, w, b);
            x[n - 1] = isfinite(rest) ? -rest : 1.0;
            w[n - 1] = kind == 3 ? 1.0 : 1.0 + 0x1p-52;
            if (kind == 4) { /* half a unit in the last place, give or take a little */
                x[n - 1] = ldexp(rest, -53) * (1.0 + (i % 3 - 1) * 0x1p-45);
                w[n - 1] = 1.0;
            }
        }
        compare_score(n, x, w, b);
    }
}

static void scores_at_the_ends_of_the_range(void **state)
{
    (void)state;
    compare_score(2, (double[]){DBL_MAX, -DBL_MAX}, (double[]){2.0, 2.0}, 1.0);
    compare_score(2, (double[]){DBL_MAX, DBL_MAX}, (double[]){0.5, 0.5}, 1.0);
    compare_score(2, (double[]){DBL_MAX, DBL_MAX}, (double[]){1.0, 1.0}, 0.0);
    compare_score(2, (double[]){0x1p-600, 0x1p-1000}, (double[]){0x1p-600, 1.0}, 0.0);
    compare_score(1, (double[]){0x1p-600}, (double[]){-0x1p-600}, 0.0);
    compare_score(3, (double[]){1.0, 0x1p-53, 0x1p-600}, (double[]){1.0, 1.0, 0x1p-600}, 0.0);
    compare_score(3, (double[]){1.0, 0x1p-53, 0x1p-600}, (double[]){1.0, 1.0, -0x1p-600}, 0.0);
    compare_score(3, (double[]){1.0, 0x1p-53, 0x1p-150}, (double[]){1.0, 1.0, 1.0}, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancels_to_the_last_bit),
        cmocka_unit_test(rounds_like_one_operation),
        cmocka_unit_test(agrees_with_integers),
        cmocka_unit_test(scores_are_rounded_once),
        cmocka_unit_test(scores_at_the_ends_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
