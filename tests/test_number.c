/* Reading numbers: the same bits as strtod on millions of strings, by each of the four ways in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/digits.h"
#include "core/full_number.h"
#include "core/number.h"
#include "core/random.h"

/* The text with room to look ahead, as in a file. */
typedef struct line {
    char text[2048 + LINPRED__NUMBER_AHEAD];
    size_t bytes;
} line;

static void close_line(line *l, char next)
{
    l->bytes = strlen(l->text);
    l->text[l->bytes] = next;
    memset(l->text + l->bytes + 1, '7', LINPRED__NUMBER_AHEAD - 1); /* digits that are not part of the number */
}

static void same(const line *l, double expected, double found, const char *way)
{
    if (memcmp(&expected, &found, sizeof expected) != 0)
        fail_msg("%s: '%.*s' is %a, not %a", way, (int)l->bytes, l->text, expected, found);
}

static void check(line *l)
{
    double expected = strtod(l->text, NULL);
    double found = -1.0;
    close_line(l, ',');
    linpred__number answer = linpred__number_read(l->text, l->bytes, &found);
    if (isinf(expected)) {
        assert_int_equal(answer, LINPRED__TOO_LARGE);
    } else {
        if (answer != LINPRED__NUMBER)
            fail_msg("'%.*s' is a number", (int)l->bytes, l->text);
        same(l, expected, found, "read");
    }
    const char *end = linpred__number_scan(l->text, &found);
    if (end) {
        assert_ptr_equal(end, l->text + l->bytes);
        same(l, expected, found, "scan");
    }
    end = linpred__everyday_number(l->text, &found);
    if (end && *end == ',') {
        assert_ptr_equal(end, l->text + l->bytes);
        same(l, expected, found, "everyday");
    }
    end = linpred__full_number(l->text, &found);
    if (end && *end == ',') {
        assert_ptr_equal(end, l->text + l->bytes);
        same(l, expected, found, "full");
    }
}

static void random_digits(linpred__random *random, char *buffer, int count)
{
    for (int i = 0; i < count; i++)
        buffer[i] = (char)('0' + linpred__random_below(random, 10));
    buffer[count] = '\0';
}

static void agrees_with_strtod(void **state)
{
    (void)state;
    static line l;
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int i = 0; i < 1500000; i++) {
        uint64_t bits = linpred__random_bits(&random);
        double value;
        char a[40];
        char b[40];
        switch (i % 8) {
        case 0: /* any double at all, subnormals with their share, in full */
            if (i % 3 == 0)
                bits &= 0x801FFFFFFFFFFFFFu;
            memcpy(&value, &bits, sizeof value);
            if (!isfinite(value))
                continue;
            snprintf(l.text, sizeof l.text, "%.*g", 15 + (int)(bits % 3), value);
            break;
        case 1:
        case 2:
            snprintf(l.text, sizeof l.text, "%.*g", 1 + (int)(bits % 18), linpred__random_normal(&random));
            break;
        case 3:
            snprintf(l.text, sizeof l.text, "%.*f", (int)(bits % 21), linpred__random_normal(&random) * 1000.0);
            break;
        case 4:
            random_digits(&random, a, 1 + (int)(bits % 12));
            random_digits(&random, b, (int)((bits >> 8) % 12));
            snprintf(l.text, sizeof l.text, "%s%s.%s", bits & 1 << 20 ? "-" : "", a, b);
            break;
        case 5:
            random_digits(&random, a, 1 + (int)(bits % 30));
            snprintf(l.text, sizeof l.text, "%s%se%d", bits & 1 << 20 ? "-" : "", a, (int)((bits >> 32) % 700) - 350);
            break;
        case 6:
            random_digits(&random, a, (int)(bits % 22));
            snprintf(l.text, sizeof l.text, "0.%s%sE%+d", bits & 1 << 20 ? "000" : "", a[0] ? a : "0",
                     (int)((bits >> 32) % 60) - 30);
            break;
        default:
            snprintf(l.text, sizeof l.text, "%lld", (long long)((int64_t)bits >> (bits % 64)));
        }
        check(&l);
    }
}

/* Every number of digits before and after the point that linpred__full_number takes, and those around them. It takes
   most of what is written with all digits of a double, and nothing that is no number. */
static void reads_numbers_in_full(void **state)
{
    (void)state;
    static line l;
    linpred__random random;
    linpred__random_seed(&random, 5);
    int taken = 0, tried = 0;
    for (int i = 0; i < 400000; i++) {
        char whole[40], fraction[40];
        int before = i % 10, after = i / 10 % 24;
        random_digits(&random, whole, before);
        random_digits(&random, fraction, after);
        if (i % 3 == 0)
            memset(whole, '0', (size_t)before);
        if (i % 7 == 0)
            memset(fraction, i % 2 ? '0' : '9', (size_t)(after - after / 3));
        snprintf(l.text, sizeof l.text, "%s%s.%s", i % 11 < 5 ? "-" : "", whole, fraction);
        if (before + after == 0)
            continue;
        check(&l);
        double value = 0.0;
        bool expected = before >= 1 && before <= 7 && before + after <= 19 && before + after >= 15 && after >= 8;
        tried += expected;
        taken += expected && linpred__full_number(l.text, &value) == l.text + l.bytes;
        l.text[linpred__random_below(&random, l.bytes)] = "+-. e,:/x"[i % 9];
        const char *end = linpred__full_number(l.text, &value);
        if (end == l.text + l.bytes) {
            double found;
            assert_int_equal(linpred__number_read(l.text, l.bytes, &found), LINPRED__NUMBER);
            same(&l, found, value, "full");
        }
    }
#if defined(__x86_64__)
    assert_true(taken > tried / 10 * 8);
#else
    assert_true(taken == 0 && tried > 0); /* all is left to linpred__number_scan */
#endif
}

/* Exactly between two doubles, and a hair to either side. */
static void rounds_halfway_cases(void **state)
{
    (void)state;
    static line l;
    linpred__random random;
    linpred__random_seed(&random, 4);
    for (int i = 0; i < 30000; i++) {
        uint64_t whole =
            (linpred__random_bits(&random) >> 11 | (uint64_t)1 << 52) * 2 + 1; /* 54 bits, the last one set */
        int shift = (int)linpred__random_below(&random, 10);
        snprintf(l.text, sizeof l.text, "%llu%s", (unsigned long long)(whole << shift),
                 i % 3 == 1 ? ".0000000001" : "");
        check(&l);
        /* The same among small numbers: an odd number of 54 bits times a power of two prints exactly, and is no double.
         */
        long double middle = ldexpl((long double)whole, -54 - (int)linpred__random_below(&random, 950));
        snprintf(l.text, sizeof l.text, "%.*Le%s", 1100, middle, "");
        check(&l);
    }
}

static const struct {
    const char *text;
    linpred__number answer;
    double value;
} people_write[] = {
    {"1.", LINPRED__NUMBER, 1.0},
    {".5", LINPRED__NUMBER, 0.5},
    {"+1", LINPRED__NUMBER, 1.0},
    {"+.5e1", LINPRED__NUMBER, 5.0},
    {"-0", LINPRED__NUMBER, -0.0},
    {"007", LINPRED__NUMBER, 7.0},
    {"1E5", LINPRED__NUMBER, 1e5},
    {"4.9406564584124654e-324", LINPRED__NUMBER, 0x1p-1074},
    {"1e-400", LINPRED__NUMBER, 0.0},
    {"-1e-400", LINPRED__NUMBER, -0.0},
    {"0e999999999999", LINPRED__NUMBER, 0.0},
    {"9007199254740993", LINPRED__NUMBER, 9007199254740992.0},
    {"1e400", LINPRED__TOO_LARGE, 0},
    {"-1e99999999999999999999", LINPRED__TOO_LARGE, 0},
    {"nan", LINPRED__NOT_FINITE, 0},
    {"-Inf", LINPRED__NOT_FINITE, 0},
    {"+INFINITY", LINPRED__NOT_FINITE, 0},
    {"", LINPRED__NOT_NUMBER, 0},
    {"-", LINPRED__NOT_NUMBER, 0},
    {".", LINPRED__NOT_NUMBER, 0},
    {"e5", LINPRED__NOT_NUMBER, 0},
    {"--1", LINPRED__NOT_NUMBER, 0},
    {"+-1", LINPRED__NOT_NUMBER, 0},
    {"1e", LINPRED__NOT_NUMBER, 0},
    {"1e+", LINPRED__NOT_NUMBER, 0},
    {"1 ", LINPRED__NOT_NUMBER, 0},
    {" 1", LINPRED__NOT_NUMBER, 0},
    {"0x10", LINPRED__NOT_NUMBER, 0},
    {"0.5D+00", LINPRED__NOT_NUMBER, 0},
    {"1,5", LINPRED__NOT_NUMBER, 0},
    {"nano", LINPRED__NOT_NUMBER, 0},
};

static void reads_what_people_write(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof people_write / sizeof people_write[0]; i++) {
        static line l;
        double value = 42.0;
        strcpy(l.text, people_write[i].text);
        close_line(&l, '\n');
        linpred__number answer = linpred__number_read(l.text, l.bytes, &value);
        if (answer != people_write[i].answer)
            fail_msg("'%s' gives %d", people_write[i].text, (int)answer);
        if (answer == LINPRED__NUMBER)
            same(&l, people_write[i].value, value, "read");
        double scanned;
        const char *end = linpred__number_scan(l.text, &scanned);
        if (end == l.text + l.bytes && l.bytes > 0) {
            assert_int_equal(answer, LINPRED__NUMBER);
            same(&l, value, scanned, "scan");
        }
        end = linpred__everyday_number(l.text, &scanned);
        if (end == l.text + l.bytes) {
            assert_int_equal(answer, LINPRED__NUMBER);
            same(&l, value, scanned, "everyday");
        }
        end = linpred__full_number(l.text, &scanned);
        if (end == l.text + l.bytes) {
            assert_int_equal(answer, LINPRED__NUMBER);
            same(&l, value, scanned, "full");
        }
    }
}

/* What becomes another number than was written, and that the fast way in leaves it to the slow one. */
static void notices_altered_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool altered;
    } cases[] = {
        {"9007199254740992", false},
        {"9007199254740993", true},
        {"-9007199254740993", true},
        {"9007199254740994", false},
        {"1e23", false},
        {"18014398509481985", true},
        {"18014398509481984", false},
        {"0.1", false},
        {"9007199254740993.0", false},
        {"100000000000000000000000", true},
        {"0000000000000000000000000000000000000000001", false},
        {"9223372036854775808", false},
        {"9223372036854775807", true},
        {"1e-400", true},
        {"-1e-400", true},
        {"0e-400", false},
        {"4e-320", true},
        {"2.2250738585072014e-308", false},
        {"2.2250738585072e-308", true},
        {"0.0000", false},
        {"-0", false},
        {"0.00000000000000000000000000000", false},
        {"1234567890123456789012345678901234567890", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        line l;
        double value, scanned;
        strcpy(l.text, cases[i].text);
        close_line(&l, ',');
        assert_int_equal(linpred__number_read(l.text, l.bytes, &value), LINPRED__NUMBER);
        if (linpred__number_altered(l.text, l.bytes, value) != cases[i].altered)
            fail_msg("'%s' is %saltered", cases[i].text, cases[i].altered ? "" : "not ");
        const char *end = linpred__everyday_number(l.text, &scanned);
        if (cases[i].altered)
            assert_true(!linpred__number_scan(l.text, &scanned) && (!end || *end != ','));
        end = linpred__full_number(l.text, &scanned);
        assert_true(!cases[i].altered || !end || *end != ',');
    }
}

static void write_and_read(double value)
{
    double back;
    char buffer[LINPRED__NUMBER_BYTES];
    size_t bytes = linpred__number_write(value, buffer);
    assert_int_equal(bytes, strlen(buffer));
    assert_true(bytes <= 24);
    assert_int_equal(linpred__number_read(buffer, bytes, &back), LINPRED__NUMBER);
    assert_memory_equal(&value, &back, sizeof value);
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = linpred__random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            write_and_read(value);
    }
    for (int power = -1022; power <= 1023; power++) /* the gap below is half the gap above */
        write_and_read(ldexp(1.0, power));
}

/* As %g does with as many digits as it takes, 15 at least. */
static void writes_as_people_do(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1.0, "1"},
                 {-100.0, "-100"},
                 {0.1, "0.1"},
                 {0.0001, "0.0001"},
                 {0.00001, "1e-05"},
                 {1e14, "100000000000000"},
                 {1e15, "1e+15"},
                 {123.456, "123.456"},
                 {-0.0625, "-0.0625"},
                 {5e-324, "5e-324"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1e300, "1e+300"},
                 {9007199254740993.0, "9007199254740992"},
                 {0x1p-24, "5.960464477539063e-08"},
                 {HUGE_VAL, "inf"},
                 {-HUGE_VAL, "-inf"},
                 {(double)NAN, "nan"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buffer[LINPRED__NUMBER_BYTES];
        linpred__number_write(cases[i].value, buffer);
        assert_string_equal(buffer, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_strtod),      cmocka_unit_test(reads_numbers_in_full),
        cmocka_unit_test(rounds_halfway_cases),    cmocka_unit_test(reads_what_people_write),
        cmocka_unit_test(notices_altered_numbers), cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(writes_as_people_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
