/* Numbers too far apart for doubles: QR of rows whose squares leave the range, and vectors that only integers show to
 * be independent. */
#include <float.h>
#include <math.h>

#include "check/null/vectors.h"
#include "fit_support.h"
#include "solve/dense/dd_qr.h"

/* ---- QR ---- */

enum { ROWS = 5, COLUMNS = 2 };

/* w and the length of each row of S, of rows that are taken one after another. */
static void solve_one_by_one(const double x[ROWS][COLUMNS], const double *y, double *w, double *length)
{
    linpred__dd r[(COLUMNS + 1) * (COLUMNS + 1)] = {{0.0, 0.0}}, row[COLUMNS + 1];
    int32_t sequence[COLUMNS] = {0, 1};
    linpred__dd_solution s;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j <= COLUMNS; j++)
            row[j] = (linpred__dd){j < COLUMNS ? x[i][j] : y[i], 0.0};
        linpred__dd_qr_absorb(COLUMNS + 1, r, 1, 1, row);
    }
    assert_true(linpred__dd_solve(COLUMNS, r, sequence, 0x1p-90, NULL, &s));
    assert_int_equal(s.rank, COLUMNS);
    for (int j = 0; j < COLUMNS; j++) {
        w[j] = s.w[j].hi;
        length[j] = hypot(s.factor[j * COLUMNS].hi, s.factor[j * COLUMNS + 1].hi);
    }
    linpred__dd_solution_clear(&s);
}

/* The unit of a column divides its coefficient, whatever the squares of its numbers are. */
static void units_do_not_matter(void **state)
{
    (void)state;
    double x[ROWS][COLUMNS] = {{1, 1}, {3, 1}, {-2, 1}, {5, 1}, {4, 1}}, y[ROWS] = {1, 2, 0, 7, -3};
    double w[COLUMNS], length[COLUMNS], far_w[COLUMNS], far_length[COLUMNS];
    solve_one_by_one(x, y, w, length);
    for (int exponent = -1000; exponent <= 1000; exponent += 8) {
        double far[ROWS][COLUMNS];
        for (int i = 0; i < ROWS; i++) {
            far[i][0] = ldexp(x[i][0], exponent);
            far[i][1] = x[i][1];
        }
        solve_one_by_one(far, y, far_w, far_length);
        near(ldexp(far_w[0], exponent), w[0], 1e-15);
        near(far_w[1], w[1], 1e-15);
        near(ldexp(far_length[0], exponent), length[0], 1e-15);
        near(far_length[1], length[1], 1e-15);
    }
}

/* A first number that is tiny beside those that follow counts as 0. */
static void tiny_first_numbers_do_no_harm(void **state)
{
    (void)state;
    double x[ROWS][COLUMNS] = {{0, 1}, {3, 1}, {-2, 1}, {5, 1}, {4, 1}}, y[ROWS] = {1, 2, 0, 7, -3};
    double w[COLUMNS], length[COLUMNS], near_w[COLUMNS], near_length[COLUMNS];
    solve_one_by_one(x, y, w, length);
    for (int exponent = -1074; exponent <= -400; exponent++) {
        x[0][0] = ldexp(1.0, exponent);
        solve_one_by_one(x, y, near_w, near_length);
        for (int j = 0; j < COLUMNS; j++) {
            near(near_w[j], w[j], 1e-15);
            near(near_length[j], length[j], 1e-15);
        }
    }
}

/* ---- independence ---- */

static void integers_show_independence(void **state)
{
    (void)state;
    static const struct {
        double vector[9], scale[3];
        int count, independent;
    } cases[] = {
        {{1, 2, 3, 2, 4, 6}, {1, 1, 1}, 2, 0},
        {{1, 2, 3, 2, 4, 7}, {1, 1, 1}, 2, 1},
        {{1, 1, 0, 1, 1 + DBL_EPSILON, 0}, {1, 1, 1}, 2, 1}, /* the inverse is lost in rounding */
        {{0x1p-1074, 3e-20, 0}, {1e300, 1, 1}, 1, 1},        /* 1 / 2^-1074 is no double */
        {{0x1p-1074, 1, 0, 0x1p-1073, 2, 0}, {1, 1, 1}, 2, 0},
        {{0x1p-1074, 1, 0, 0x1p-1074, 2, 0}, {1, 1, 1}, 2, 1},
        {{1e300, 1, 0x1p-1074, 1e300, 1, 0, 1e300, 0, 0}, {1, 1, 1}, 3, 1},
        {{1, 1, DBL_EPSILON, 1, 1, 0, 2, 2, DBL_EPSILON}, {1, 1, 1}, 3, 0},
        {{1, 1, DBL_EPSILON, 1, 1, 0, 2, 2, 0x1p-53}, {1, 1, 1}, 3, 0},
        {{0, 0, 0}, {1, 1, 1}, 1, 0},
        {{INFINITY, 1, 1}, {1, 1, 1}, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t pivot[3] = {7, 7, 7}, count = (size_t)cases[i].count;
        int found = linpred__null_independent(cases[i].vector, count, 3, cases[i].scale, pivot);
        if (found != cases[i].independent)
            fail_msg("case %zu: %d", i, found);
        for (size_t k = 0; k < count; k++) { /* pivots are columns that differ */
            assert_true(found ? pivot[k] < 3 : pivot[k] == 7);
            for (size_t l = 0; found && l < k; l++)
                assert_true(pivot[k] != pivot[l]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(tiny_first_numbers_do_no_harm),
        cmocka_unit_test(integers_show_independence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
