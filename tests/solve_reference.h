/* What the tests of src/solve check answers against: a brute-force reference for small integer rows that shares nothing
 * with the code under test, and checks of witnesses in GMP rationals. */
#ifndef LINPRED_TESTS_SOLVE_REFERENCE_H
#define LINPRED_TESTS_SOLVE_REFERENCE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <gmp.h>
#include <cmocka.h>

#include "num/exact_sum.h"
#include "core/memory.h"
#include "core/random.h"
#include "solve/working/working_rows.h"
#include "int128_division.h"

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Row echelon form by cross multiplication; the rank, and for a one-dimensional left kernel its vector. Small integers
   only: at most 8 rows of 8 columns with entries below 2^7, so that minors fit in 128 bits with ease. */
static inline int eliminate(int rows, int columns, linpred__int128 a[16][16])
{
    int rank = 0;
    for (int j = 0; j < columns && rank < rows; j++) {
        int pivot = rank;
        while (pivot < rows && a[pivot][j] == 0)
            pivot++;
        if (pivot == rows)
            continue;
        for (int k = 0; k < columns; k++) {
            linpred__int128 t = a[pivot][k];
            a[pivot][k] = a[rank][k];
            a[rank][k] = t;
        }
        for (int i = 0; i < rows; i++) {
            linpred__int128 f = a[i][j], g = a[rank][j];
            if (i == rank || f == 0)
                continue;
            linpred__int128 divisor = 0;
            for (int k = 0; k < columns; k++) {
                a[i][k] = a[i][k] * g - a[rank][k] * f;
                divisor = divisor128(a[i][k] < 0 ? -a[i][k] : a[i][k], divisor);
            }
            for (int k = 0; k < columns && divisor > 1; k++)
                a[i][k] = divide128(a[i][k], divisor);
        }
        rank++;
    }
    return rank;
}

static inline int rank_of(const double *z, int columns, const int32_t *row, int rows)
{
    linpred__int128 a[16][16];
    /* Transposed where there are more rows than the array holds: the rank of a few columns is at most their number. */
    int rank = 0;
    int32_t kept[16];
    for (int i = 0; i < rows; i++) {
        kept[rank] = row ? row[i] : i;
        for (int k = 0; k <= rank; k++)
            for (int j = 0; j < columns; j++)
                a[k][j] = linpred__int128_of(z[(size_t)kept[k] * (size_t)columns + (size_t)j]);
        if (eliminate(rank + 1, columns, a) == rank + 1)
            rank++;
        if (rank == columns)
            break;
    }
    return rank;
}

/* Marks the rows that carry weight in some lambda >= 0 with sum lambda z = 0: the union of all minimal sets, each a
   subset of at most columns + 1 rows with one dependency, of one sign. */
static inline void carried_rows(const double *z, int rows, int columns, bool *carried)
{
    for (int i = 0; i < rows; i++)
        carried[i] = false;
    for (unsigned set = 1; set < 1u << rows; set++) {
        int count = __builtin_popcount(set);
        if (count > columns + 1)
            continue;
        /* Unknowns are the weights: one equation for each column. */
        linpred__int128 a[16][16];
        int32_t member[16];
        int n = 0;
        for (int i = 0; i < rows; i++)
            if (set >> i & 1)
                member[n++] = i;
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < n; k++)
                a[j][k] = linpred__int128_of(z[member[k] * columns + j]);
        if (eliminate(columns, n, a) != n - 1)
            continue;
        /* Reduced echelon form with one free unknown f: a[r][pivot] x = -a[r][f]. */
        bool pivots[16] = {false};
        int place[16], r = 0;
        for (int k = 0; k < n && r < n - 1; k++)
            if (a[r][k] != 0) {
                pivots[k] = true;
                place[r++] = k;
            }
        int free_one = 0;
        while (pivots[free_one])
            free_one++;
        bool positive = true;
        for (int e = 0; e < n - 1 && positive; e++) {
            linpred__int128 p = a[e][place[e]], f = a[e][free_one];
            positive = f != 0 && (p > 0) != (f > 0);
        }
        for (int k = 0; k < n && positive; k++)
            carried[member[k]] = true;
    }
}

/* sum weight_i z_row(i) = 0, exactly, with every weight positive and their common divisor 1. */
static inline void assert_zero_sum(const linpred__rows *rows, int32_t count, const int32_t *row,
                                   const linpred__integers *weight)
{
    mpq_t term, factor;
    mpq_t *sum = malloc((size_t)rows->columns * sizeof *sum);
    mpz_t divisor;
    mpz_init(divisor);
    mpq_init(term);
    mpq_init(factor);
    for (int32_t j = 0; j < rows->columns; j++)
        mpq_init(sum[j]);
    assert_true(count > 0);
    assert_int_equal(weight->count, count);
    for (int32_t k = 0; k < count; k++) {
        assert_true(mpz_sgn(weight->value[k]) > 0);
        assert_true(k == 0 || count > 64 || row[k] >= 0);
        mpz_gcd(divisor, divisor, weight->value[k]);
        mpq_set_z(factor, weight->value[k]);
        linpred__entries z = linpred__row_of(rows, row[k]);
        for (int32_t e = 0; e < z.count; e++) {
            mpq_set_d(term, z.values[e]);
            mpq_mul(term, term, factor);
            mpq_add(sum[linpred__entry_column(&z, e)], sum[linpred__entry_column(&z, e)], term);
        }
    }
    assert_true(mpz_cmp_ui(divisor, 1) == 0);
    for (int32_t j = 0; j < rows->columns; j++) {
        assert_true(mpq_sgn(sum[j]) == 0);
        mpq_clear(sum[j]);
    }
    free(sum);
    mpz_clear(divisor);
    mpq_clear(term);
    mpq_clear(factor);
}

static inline int sign_of(const linpred__rows *rows, int32_t i, const double *w)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    linpred__entries z = linpred__row_of(rows, i);
    for (int32_t e = 0; e < z.count; e++)
        linpred__exact_add(&sum, z.values[e], w[linpred__entry_column(&z, e)]);
    return linpred__exact_sign(&sum);
}

static inline int sign_of_integers(const linpred__rows *rows, int32_t i, const linpred__integers *w)
{
    mpq_t sum, term, factor;
    mpq_init(sum);
    mpq_init(term);
    mpq_init(factor);
    linpred__entries z = linpred__row_of(rows, i);
    for (int32_t e = 0; e < z.count; e++) {
        mpq_set_d(term, z.values[e]);
        mpq_set_z(factor, w->value[linpred__entry_column(&z, e)]);
        mpq_mul(term, term, factor);
        mpq_add(sum, sum, term);
    }
    int sign = mpq_sgn(sum);
    mpq_clear(sum);
    mpq_clear(term);
    mpq_clear(factor);
    return sign;
}

/* Checks the witness of the answer, whatever its kind. Answers the kind. */
static inline linpred_separation check_answer(const linpred__rows *rows, const linpred__exact_answer *answer)
{
    if (answer->kind == LINPRED_SEPARATION_SEPARATED) {
        assert_true(answer->rounded || answer->w.count == rows->columns);
        for (int32_t i = 0; i < rows->rows; i++) {
            if (answer->rounded)
                assert_int_equal(sign_of(rows, i, answer->rounded), 1);
            if (answer->w.count)
                assert_int_equal(sign_of_integers(rows, i, &answer->w), 1);
        }
    }
    if (answer->kind == LINPRED_SEPARATION_INSEPARABLE) {
        assert_true(answer->count <= rows->columns + 1);
        for (int32_t k = 1; k < answer->count; k++)
            assert_true(answer->row[k - 1] < answer->row[k]);
        assert_zero_sum(rows, answer->count, answer->row, &answer->weight);
    }
    return answer->kind;
}

/* Settles by the linear program and exact work; checks; closes. With `counts` the number of rows of the witness. */
static inline linpred_separation decide(const linpred__rows *rows, int32_t *count, bool *in_doubles)
{
    linpred__working_rows *s;
    linpred__exact_answer answer;
    linpred__effort effort = {0};
    assert_int_equal(linpred__working_rows_open(rows->columns, NULL, &s, NULL), LINPRED_OK);
    assert_int_equal(linpred__working_rows_add(s, rows, 0, rows->rows, NULL), LINPRED_OK);
    assert_int_equal(linpred__lp_rows(linpred__working_rows_lp(s)), rows->rows);
    assert_int_equal(linpred__working_rows_certify(s, &effort, &answer, NULL), LINPRED_OK);
    linpred_separation kind = check_answer(rows, &answer);
    if (count)
        *count = answer.count;
    if (in_doubles)
        *in_doubles = answer.rounded != NULL;
    linpred__exact_answer_close(&answer);
    linpred__working_rows_close(s);
    return kind;
}

/* The same without any help from floating point. */
static inline linpred_separation settle_exactly(const linpred__rows *rows, bool *in_doubles, int32_t *pivots)
{
    linpred__exact_question question = {.rows = rows, .round = true};
    linpred__exact_answer answer;
    linpred__effort effort = {0};
    assert_int_equal(linpred__exact_lp(&question, &effort, &answer, NULL), LINPRED_OK);
    linpred_separation kind = check_answer(rows, &answer);
    if (in_doubles)
        *in_doubles = answer.rounded != NULL;
    if (pivots)
        *pivots = answer.pivots;
    linpred__exact_answer_close(&answer);
    return kind;
}

static inline void check_three_way(const linpred__rows *rows, const linpred__working_separation *answer)
{
    if (answer->kind == LINPRED_SEPARATION_SEPARATED) {
        for (int32_t i = 0; i < rows->rows; i++) {
            if (answer->rounded)
                assert_int_equal(sign_of(rows, i, answer->rounded), 1);
            if (answer->direction.count)
                assert_int_equal(sign_of_integers(rows, i, &answer->direction), 1);
        }
        assert_true(answer->rounded || answer->direction.count);
        return;
    }
    assert_zero_sum(rows, answer->witnesses, answer->witness, &answer->witness_weight);
    assert_zero_sum(rows, answer->carriers, answer->carrier, &answer->carrier_weight);
    assert_true(answer->carriers <= (answer->rank > 0 ? 2 * answer->rank : 1));
    if (answer->kind == LINPRED_SEPARATION_QUASI_SEPARATED) {
        int positive = 0;
        for (int32_t i = 0; i < rows->rows; i++) {
            int sign = sign_of_integers(rows, i, &answer->direction);
            assert_true(sign >= 0);
            positive += sign;
        }
        assert_true(positive > 0);
    }
}

#endif
