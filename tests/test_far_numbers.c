/* Numbers too far apart for doubles: QR of rows whose squares leave the range, vectors that only integers show to be
 * independent, columns that vary by rounding of their offsets. */
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

/* ---- absolute loss ---- */

static linpred_verdict verdict_of_minimum(const linpred_result *result, const linpred_data *data)
{
    linpred_check *check = NULL;
    linpred_verdict verdict = LINPRED_REFUTED;
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    for (size_t i = 0; i < linpred_check_claim_count(check); i++)
        if (linpred_check_claim_kind(check, i) == LINPRED_CLAIM_LEAST_ABSOLUTE)
            verdict = linpred_check_claim_verdict(check, i);
    linpred_check_free(check);
    return verdict;
}

/* v1 is nearly a multiple of v0 and the intercept, but by 1e-2 of what both vary by: no dependency. The coefficients
   are then large, and a loss that is little beside their terms is still no rounding. */
static void what_varies_counts(void **state)
{
    (void)state;
    static const double x[] = {2000.000000005457, 2000.0000000000568, 2000.000000005457, 2000.0000000001705,
                               1999.999999998181, 2000.0000000001705, 1999.999999998181, 1999.9999999998863},
                        y[] = {-1, 2, 3, -1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 2, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_options *options = linpred_options_new();
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_options_set_task(options, LINPRED_TASK_REGRESSION);
    assert_int_equal(linpred_options_set(options, "loss", "absolute", NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, options, &result, NULL), LINPRED_OK);
    assert_int_equal(result->figures.rank, 3);
    near(result->figures.objective, 0.35, 1e-12); /* three rows are on the fit, by rationals */
    assert_int_equal(verdict_of_minimum(result, data), LINPRED_WITHIN_TOLERANCE);
    result->model.b += 0.25;
    result->model.regression->basis_weight[2] += 0.25;
    assert_int_equal(verdict_of_minimum(result, data), LINPRED_REFUTED);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(tiny_first_numbers_do_no_harm),
        cmocka_unit_test(integers_show_independence),
        cmocka_unit_test(what_varies_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
