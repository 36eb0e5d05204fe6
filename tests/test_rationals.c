/* Systems in rationals, and in double-double where rows differ in size; rows with numbers beyond the range of doubles.
 */
#include "solve/dense/dd_system.h"
#include "solve/dense/rational_system.h"
#include "solve/exact_lp/exact_lp.h"
#include "solve/row_signs.h"
#include "support.h"

/* The Hilbert matrix of order n with the right side of the solution 1, 2, …: x comes out exactly. */
static void solves_exactly(void **state)
{
    (void)state;
    enum { N = 7 };
    linpred__rationals a;
    assert_true(linpred__rationals_open(&a, N, N + 1));
    mpq_t term;
    mpq_init(term);
    for (unsigned long i = 0; i < N; i++)
        for (unsigned long j = 0; j < N; j++) {
            mpq_set_ui(a.at[i * (N + 1) + j], 1, i + j + 1);
            mpq_set_ui(term, j + 1, i + j + 1);
            mpq_canonicalize(term);
            mpq_add(a.at[i * (N + 1) + N], a.at[i * (N + 1) + N], term);
        }
    assert_true(linpred__rationals_solve(&a));
    for (unsigned long i = 0; i < N; i++)
        assert_int_equal(mpq_cmp_ui(a.at[i * (N + 1) + N], i + 1, 1), 0);
    mpq_clear(term);
    linpred__rationals_close(&a);
}

static void tells_singular_systems(void **state)
{
    (void)state;
    linpred__rationals a;
    assert_true(linpred__rationals_open(&a, 2, 3));
    const double entries[] = {0.1, 0.3, 1.0, 0.2, 0.6, 1.0};
    for (size_t i = 0; i < 6; i++)
        mpq_set_d(a.at[i], entries[i]);
    assert_false(linpred__rationals_solve(&a)); /* 0.2 and 0.6 are twice the doubles 0.1 and 0.3 */
    linpred__rationals_close(&a);
}

static void rounds_to_pairs(void **state)
{
    (void)state;
    mpq_t third, back;
    mpq_init(third);
    mpq_init(back);
    mpq_set_ui(third, 1, 3);
    linpred__dd d = linpred__rational_get_dd(third);
    assert_true(d.hi == 1.0 / 3.0 && d.lo != 0.0);
    linpred__rational_set_dd(back, d);
    mpq_sub(back, back, third);
    mpq_mul_2exp(back, back, 105);
    mpq_abs(back, back);
    assert_true(mpq_cmp_ui(back, 1, 1) <= 0);
    mpq_clear(third);
    mpq_clear(back);
}

/* A row of small numbers beside one of large numbers is solved to its own digits. */
static void small_rows_count(void **state)
{
    (void)state;
    const linpred__dd matrix[] = {{1.0, 0.0}, {2.25, 0.0}, {3e15, 0.0}, {6e15, 0.0}},
                      right[] = {{0.0, 0.0}, {1.0, 0.0}};
    linpred__dd_system system;
    linpred__dd x[2];
    assert_true(linpred__dd_system_open(&system, 2, matrix, 0x1p-90));
    for (int transposed = 0; transposed < 2; transposed++) {
        assert_true(linpred__dd_system_solve(&system, transposed, right, x));
        for (int i = 0; i < 2; i++) {
            linpred__dd left = linpred__dd_negate(right[i]);
            double size = 0.0;
            for (int j = 0; j < 2; j++) {
                linpred__dd part = linpred__dd_multiply(matrix[transposed ? 2 * j + i : 2 * i + j], x[j]);
                left = linpred__dd_add(left, part);
                size += fabs(part.hi);
            }
            assert_true(fabs(left.hi) <= 0x1p-95 * size);
        }
    }
    linpred__dd_system_close(&system);
}

/* Entries beyond the range of doubles: (1 + 2^-2000, 1) and (-1, -1) have a w; z and -z, written in two ways, have
   none. */
static void entries_with_exponents(void **state)
{
    (void)state;
    const double values[] = {1, 1, 1, -1, -1};
    const int16_t exponents[] = {0, -2000, 0, 0, 0};
    const int64_t start[] = {0, 3, 5};
    const int32_t indices[] = {0, 0, 1, 0, 1};
    const double w[] = {1, -1};
    linpred__rows rows = {
        .rows = 2, .columns = 2, .values = values, .start = start, .indices = indices, .exponents = exponents};
    assert_int_equal(linpred__row_sign(&rows, 0, w), 1);
    assert_int_equal(linpred__row_sign(&rows, 1, w), 0);
    linpred__exact_question question = {.rows = &rows};
    linpred__effort effort = {0};
    linpred__exact_answer answer;
    assert_int_equal(linpred__exact_lp(&question, &effort, &answer, NULL), LINPRED_OK);
    assert_int_equal(answer.kind, LINPRED_SEPARATION_SEPARATED);
    assert_int_equal(linpred__row_sign_integers(&rows, 0, &answer.w), 1);
    assert_int_equal(linpred__row_sign_integers(&rows, 1, &answer.w), 1);
    linpred__exact_answer_close(&answer);
    const double opposite[] = {1, 1, 1, -1, -2, -1};
    const int16_t halved[] = {0, -2000, 0, 0, -2001, 0};
    const int64_t opposite_start[] = {0, 3, 6};
    const int32_t opposite_indices[] = {0, 0, 1, 0, 0, 1};
    rows = (linpred__rows){2, 2, opposite, opposite_start, opposite_indices, halved};
    assert_int_equal(linpred__exact_lp(&question, &effort, &answer, NULL), LINPRED_OK);
    assert_int_equal(answer.kind, LINPRED_SEPARATION_INSEPARABLE);
    linpred__exact_answer_close(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_exactly), cmocka_unit_test(tells_singular_systems),
                                       cmocka_unit_test(rounds_to_pairs), cmocka_unit_test(small_rows_count),
                                       cmocka_unit_test(entries_with_exponents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
