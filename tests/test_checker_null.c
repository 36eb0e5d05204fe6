/* The checker's test of a dependency in a row, in exact arithmetic: columns as they are, their powers, and decimals. A
 * dependency is stated in doubles, and is also tried in whole numbers. And how nearly vectors hold over all rows. */
#include "fit_support.h"
#include "process_support.h"

#include "check/limits.h"
#include "check/null/vectors.h"
#include "check/regression/squares.h"
#include "core/memory.h"
#include "data/decimals.h"

enum { HOLDS = 0, ONLY_WHOLE = 1, ONLY_STATED = 2, BROKEN = 3 };

static unsigned broken_in(const linpred__polynomial_basis *basis, const linpred__decimals *decimals, const double *x,
                          int32_t count, const double *vectors, int32_t k)
{
    double stated[4 * 12], buffer[2 * 12];
    size_t p = (size_t)linpred__polynomial_basis_width(basis);
    memcpy(stated, vectors, (size_t)count * p * sizeof *stated);
    linpred__regression regression = {.dependencies = {.count = count, .width = (int32_t)p, .vector = stated}};
    linpred__squares_problem problem = {.regression = &regression, .powers = *basis, .p = p};
    linpred__block block = {.rows = 1, .columns = basis->features, .layout = LINPRED__DENSE, .values = x};
    block.stride = basis->features;
    block.decimals = decimals;
    assert_true(linpred__squares_open_null(&problem));
    unsigned broken = linpred__squares_broken(&problem, &block, 0, k, buffer);
    linpred__release(problem.rational);
    return broken;
}

/* ---- columns as they are ---- */

static int32_t same_places[] = {0, 1, 2, 3};
static const linpred__polynomial_basis three = {.terms = 3, .features = 3, .term_of = same_places};
static const linpred__polynomial_basis two_and_one = {
    .terms = 2, .features = 2, .has_intercept = true, .term_of = same_places};
static const linpred__polynomial_basis four = {.terms = 4, .features = 4, .term_of = same_places};

static void columns_depend(void **state)
{
    (void)state;
    const double third = 1.0 / 3.0, off = 0.5 + 0x1p-45, root = sqrt(2.0), far = 1.0 / LINPRED__LARGEST_MULTIPLE;
    const double too_far = 1.0 / (LINPRED__LARGEST_MULTIPLE + 1);
    const struct {
        const linpred__polynomial_basis *basis;
        double x[3], n[3];
        unsigned broken;
    } cases[] = {
        {&three, {1, 2, 3}, {1, 1, -1}, HOLDS},
        {&three, {1, 2, 3 + 0x1p-51}, {1, 1, -1}, BROKEN},
        {&three, {1e300, 1e-300, 1e300}, {1, 1, -1}, BROKEN},
        {&three, {3, 1, 8}, {third, -1, 0}, ONLY_WHOLE},
        {&three, {3, 1, 8}, {-1, third, third}, ONLY_WHOLE}, /* -9 + 1 + 8 */
        {&three, {-off, 1, 7}, {1, off, 0}, ONLY_STATED},
        {&three, {-root, 1, 7}, {1, root, 0}, ONLY_STATED},
        {&three, {1 / far, 1, 7}, {far, -1, 0}, HOLDS},
        {&three, {LINPRED__LARGEST_MULTIPLE + 1, 1, 7}, {too_far, -1, 0}, BROKEN},
        {&three, {INFINITY, 1, 1}, {1, 1, -1}, BROKEN},
        {&three, {INFINITY, 1, 1}, {0, 1, -1}, HOLDS},
        {&two_and_one, {5, -4, 0}, {1, 1, -1}, HOLDS},
        {&two_and_one, {5, -3, 0}, {1, 1, -1}, BROKEN},
        {&two_and_one, {5, -5, 0}, {1, 1, -1}, BROKEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (broken_in(cases[i].basis, NULL, cases[i].x, 1, cases[i].n, 0) != cases[i].broken)
            fail_msg("case %zu", i);
    /* Each of two is a vector of its own. */
    const double pair[] = {1, -third, 0, 0, 0, 0, 1, -0.2};
    const double rows[][4] = {{1, 3, 1, 5}, {1, 4, 1, 5}, {1, 3, 1, 6}};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t k = 0; k < 2; k++)
            assert_int_equal(broken_in(&four, NULL, rows[i], 2, pair, k), i == k + 1 ? BROKEN : ONLY_WHOLE);
    const double whole[] = {3, -1, 0, 0, 0, 0, 5, -1};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t k = 0; k < 2; k++)
            assert_int_equal(broken_in(&four, NULL, rows[i], 2, whole, k), i == k + 1 ? BROKEN : HOLDS);
}

/* ---- powers ---- */

/* a, a², a³, b, b², b³, c, c², d, 1 */
static double zeros[3];
static linpred__polynomial powers_of[] = {
    {.feature = 0, .term = 0, .degree = 3, .centre = zeros, .step = zeros},
    {.feature = 1, .term = 3, .degree = 3, .centre = zeros, .step = zeros},
    {.feature = 2, .term = 6, .degree = 2, .centre = zeros, .step = zeros},
};
static int32_t first_terms[] = {0, 3, 6, 8};
static const linpred__polynomial_basis powers = {.terms = 9,
                                                 .features = 4,
                                                 .has_intercept = true,
                                                 .polynomials = 3,
                                                 .polynomial = powers_of,
                                                 .term_of = first_terms};

static void powers_depend(void **state)
{
    (void)state;
    const double cube = 0.1 * 0.1 * 0.1;
    const struct {
        double x[4], n[10];
        unsigned broken;
    } cases[] = {
        {{3, 1, 1, 27}, {[2] = 1, [8] = -1}, HOLDS},
        {{3, 1, 1, 28}, {[2] = 1, [8] = -1}, BROKEN},
        {{0.1, 0.1, 7, 7}, {[1] = 1, [4] = -1}, HOLDS},
        {{0.1, 0.1, 0.1, 7}, {[1] = 1, [4] = 1, [7] = -2}, HOLDS},
        {{0.1, 0.1, 0.1, 7}, {[1] = 1, [4] = 1, [7] = -1}, BROKEN},
        /* the cube of 0.1 is rounded, but occurs as often on either side */
        {{0.1, 0.1, 7, 7}, {[2] = 1, [5] = -1}, HOLDS},
        {{0.1, nextafter(0.1, 1), 7, 7}, {[2] = 1, [5] = -1}, BROKEN},
        {{0.1, 0.2, 7, 7}, {[2] = 1, [5] = -0.125}, BROKEN},
        {{0.1, 0.1, 7, 7}, {[2] = 2, [5] = -1}, BROKEN},
        {{0.1, 0.1, 7, 7}, {[2] = 1, [5] = 1}, BROKEN},
        {{0.1, 0.1, 7, 7}, {[2] = 1, [4] = -1}, BROKEN},
        {{0.1, 7, 7, cube}, {[2] = 1, [8] = -1}, BROKEN},
        {{0.1, 7, 0.1, 0}, {[2] = 1, [8] = -1}, BROKEN}, /* d stands where c³ would */
        {{7, 0.1, 7, 0.1}, {[5] = 1, [8] = -0.01}, BROKEN},
        {{0.1, 5, 7, 7}, {[3] = 1}, BROKEN}, /* b itself is no power */
        /* powers that are too small to be exact */
        {{0, 0, 0, 0}, {[2] = 1, [8] = -1}, HOLDS},
        {{0x1p-310, 7, 7, 0x1p-620}, {[1] = 1, [8] = -1}, HOLDS},
        {{0x1p-310, 7, 7, 0x1p-930}, {[2] = 1, [8] = -1}, BROKEN},
        {{1, 7, 7, 1}, {[2] = 1, [8] = -1}, HOLDS},
        {{1, 7, 7, 2}, {[2] = 1, [8] = -1, [9] = 1}, HOLDS},
        {{0x1p500, 7, 7, 1}, {[2] = 1, [8] = -1}, BROKEN}, /* no finite cube */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (broken_in(&powers, NULL, cases[i].x, 1, cases[i].n, 0) != cases[i].broken)
            fail_msg("case %zu", i);
}

/* ---- decimals ---- */

/* The decimals of four columns. The caller frees them. */
static linpred__decimals *decimals_of(const signed char places[4])
{
    linpred__decimals *made = calloc(1, sizeof *made + 4);
    for (int j = 0; j < 4; j++) {
        made->column[j] = places[j];
        made->most = places[j] > made->most ? places[j] : made->most;
    }
    made->unit = linpred__tens[made->most];
    return made;
}

static void decimals_depend(void **state)
{
    (void)state;
    linpred__decimals *tenths = decimals_of((signed char[]){1, 1, 1, 0});
    linpred__decimals *long_ones = decimals_of((signed char[]){0, 0, 15, 0});
    const struct {
        const linpred__polynomial_basis *basis;
        const linpred__decimals *decimals;
        double x[3], n[3];
        unsigned broken;
    } cases[] = {
        {&three, NULL, {0.1, 0.2, 0.3}, {1, 1, -1}, BROKEN},
        {&three, tenths, {0.1, 0.2, 0.3}, {1, 1, -1}, HOLDS},
        {&three, tenths, {0.1, 0.2, 0.4}, {1, 1, -1}, BROKEN},
        {&two_and_one, tenths, {0.7, 0.3, 0}, {1, 1, -1}, HOLDS},
        {&two_and_one, tenths, {0.7, 0.4, 0}, {1, 1, -1}, BROKEN},
        {&three, long_ones, {99999999999999, 3, 0.1}, {1, -33333333333333, 0}, ONLY_STATED},
        {&three, long_ones, {99999999999997, 7, 0.123456789012345}, {7, -99999999999997, 0}, ONLY_STATED},
        {&three, long_ones, {99999999999997, 7, 0.123456789012345}, {7, -99999999999998, 0}, BROKEN},
        {&three, long_ones, {1, 3, 0.333333333333333}, {1, 0, -3}, BROKEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (broken_in(cases[i].basis, cases[i].decimals, cases[i].x, 1, cases[i].n, 0) != cases[i].broken)
            fail_msg("case %zu", i);
    free(tenths);
    free(long_ones);
}

/* Powers of decimals are not known exactly: a dependency on them is broken, one beside them is not. */
static void powers_of_decimals_are_not_known(void **state)
{
    (void)state;
    const double x[] = {0, 3, 0, 9}, y[] = {5, 3, 25, 9};
    for (int column = 0; column < 4; column++) {
        signed char places[4] = {0};
        places[column] = 1;
        linpred__decimals *one = decimals_of(places);
        for (int32_t j = 0; j < powers.terms; j++) {
            double n[10] = {0};
            n[j] = 1.0;
            bool of_column = j >= first_terms[column] && j < (column < 3 ? first_terms[column + 1] : powers.terms);
            bool zero = x[j < 3 ? 0 : j < 6 ? 1 : j < 8 ? 2 : 3] == 0.0;
            assert_int_equal(broken_in(&powers, one, x, 1, n, 0), of_column || !zero ? BROKEN : HOLDS);
        }
        const double beside[10] = {[4] = 1, [8] = -1}, among[10] = {[1] = 1, [6] = -1};
        assert_int_equal(broken_in(&powers, one, y, 1, beside, 0), column == 1 || column == 3 ? BROKEN : HOLDS);
        assert_int_equal(broken_in(&powers, one, y, 1, among, 0), column == 0 || column == 2 ? BROKEN : HOLDS);
        free(one);
    }
}

/* ---- over all rows ---- */

/* Two vectors on rows (a, b, c) that they nearly hold for. */
struct null_rows {
    sample rows;
    linpred_data *data;
    double vector[8];
    bool intercept;
};

static void open_null_rows(struct null_rows *s, int64_t rows, bool sparse, bool intercept, bool heavy)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)rows);
    *s = (struct null_rows){.rows = sample_new(rows, 3), .intercept = intercept};
    s->rows.weights = calloc((size_t)rows, sizeof(double));
    for (int64_t i = 0; i < rows; i++) {
        double a = (double)linpred__random_below(&random, 9) - 4.0, off = linpred__random_normal(&random);
        double *x = s->rows.values + 3 * i;
        x[0] = a;
        x[1] = 3.0 * a + (i % 7 == 3 ? off : 0.0);
        x[2] = intercept ? 2.0 - a : -a;
        s->rows.weights[i] = (i % 7 == 3) == heavy ? 5.0 : 1.0; /* rows that are off have more weight, or less */
    }
    int32_t width = 3 + intercept;
    s->vector[0] = 3.0;
    s->vector[1] = -1.0;
    s->vector[width] = s->vector[width + 2] = 1.0;
    if (intercept)
        s->vector[width + 3] = -2.0;
    s->rows.values[3 * (rows - 1) + 2] += 0x1p-40;
    sample_index(&s->rows);
    s->data = sample_data(&s->rows, sparse);
}

static void close_null_rows(struct null_rows *s)
{
    linpred_data_free(s->data);
    sample_free(&s->rows);
}

static void find_null(void *context, double *found)
{
    const struct null_rows *s = context;
    linpred__null_vectors vectors = {2, 3 + s->intercept, s->vector, false};
    assert_int_equal(linpred__null_residuals(s->data, NULL, s->intercept, &vectors, found, found + 2, NULL),
                     LINPRED_OK);
}

static void residuals_are_the_largest(struct null_rows *s)
{
    double found[4];
    find_null(s, found);
    for (int k = 0; k < 2; k++) {
        long double worst = 0, left[2] = {0}, size[2] = {0};
        for (int64_t i = 0; i < s->rows.rows; i++) {
            long double sum = 0, all = 0;
            for (int j = 0; j < 3 + s->intercept; j++) {
                long double part = (j < 3 ? s->rows.values[3 * i + j] : 1.0L) * s->vector[k * (3 + s->intercept) + j];
                sum += part;
                all += fabsl(part);
            }
            worst = all > 0 ? fmaxl(worst, fabsl(sum) / all) : worst;
            for (int heavy = 0; heavy < 2; heavy++) {
                left[heavy] += sum * sum * (heavy ? s->rows.weights[i] : 1.0);
                size[heavy] += all * all * (heavy ? s->rows.weights[i] : 1.0);
            }
        }
        near(found[k], (double)worst, 1e-12);
        near(found[2 + k], (double)fminl(sqrtl(left[0] / size[0]), sqrtl(left[1] / size[1])), 1e-10);
    }
}

static void residuals_of_all_rows(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct null_rows s;
        open_null_rows(&s, 9, k % 2, k / 2 % 2, k / 4);
        residuals_are_the_largest(&s);
        close_null_rows(&s);
        open_null_rows(&s, 200000, k % 2, k / 2 % 2, k / 4);
        assert_true(linpred__segments(s.data, linpred__cut_vector(s.data, 3.0)) > 2);
        residuals_are_the_largest(&s);
        processes_find_the_same(find_null, &s, 4);
        close_null_rows(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_depend),        cmocka_unit_test(powers_depend),
        cmocka_unit_test(decimals_depend),       cmocka_unit_test(powers_of_decimals_are_not_known),
        cmocka_unit_test(residuals_of_all_rows),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
