/* Checksums are those of zlib, whatever the length and the place; a number that is not finite is found anywhere. */
#include "core/checksum.h"

#include <math.h>
#include <zlib.h>

#include "core/random.h"
#include "support.h"

enum { BYTES = 5000, NUMBERS = 200 };

static void checksums_are_those_of_zlib(void **state)
{
    static unsigned char bytes[BYTES];
    linpred__random random;
    (void)state;
    linpred__random_seed(&random, 5);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)linpred__random_below(&random, 256);
    for (size_t count = 0; count < 1100; count++)
        for (size_t from = 0; from < 3; from++) {
            uint32_t before = (uint32_t)(count * 2654435761u);
            assert_int_equal(linpred__checksum(before, bytes + from, count), crc32_z(before, bytes + from, count));
            assert_int_equal(linpred__checksum(0, bytes + from, count), crc32_z(0, bytes + from, count));
        }
    assert_int_equal(linpred__checksum(0, bytes, BYTES), crc32_z(0, bytes, BYTES));
    uint32_t first = linpred__checksum(0, bytes, 777);
    assert_int_equal(linpred__checksum(first, bytes + 777, BYTES - 777), crc32_z(0, bytes, BYTES));
}

static void numbers_that_are_not_finite_are_found(void **state)
{
    double values[NUMBERS];
    const double odd[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (int i = 0; i < NUMBERS; i++)
        values[i] = i % 2 ? -1.7e308 : 4.9e-324;
    for (size_t count = 0; count <= NUMBERS; count++)
        assert_true(linpred__all_finite(values, count));
    for (size_t i = 0; i < NUMBERS; i++)
        for (int k = 0; k < 3; k++) {
            double kept = values[i];
            values[i] = odd[k];
            assert_false(linpred__all_finite(values, NUMBERS));
            assert_false(linpred__all_finite(values, i + 1));
            assert_true(linpred__all_finite(values, i));
            values[i] = kept;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_are_those_of_zlib),
        cmocka_unit_test(numbers_that_are_not_finite_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
