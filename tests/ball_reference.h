/* Balls by brute force, in integers of any size: whether one separates a few rows, and whether a given answer is right.
 *
 * No ball has the rows labelled `inside` strictly inside and the others strictly outside if and only if 0 is a positive
 * combination of some of z_0 = (0, -1, 0) and z_i = ±(x_i, ||x_i||², 1), + inside; by Carathéodory of some that are
 * dependent in exactly one way, at most columns + 3. So: the kernel of every such subset, by fraction-free elimination.
 */
#ifndef LINPRED_TESTS_BALL_REFERENCE_H
#define LINPRED_TESTS_BALL_REFERENCE_H

#include <gmp.h>

#include "support.h"

enum { REFERENCE_ROWS = 14, REFERENCE_COLUMNS = 5 };

/* Columns are equations, rows unknowns. */
typedef struct reference {
    int rows, columns;
    mpz_t z[REFERENCE_ROWS][REFERENCE_COLUMNS];
} reference;

/* x is a whole number. */
static inline void reference_open(reference *c, const sample *s, bool outside)
{
    mpz_t x;
    mpz_init(x);
    c->rows = (int)s->rows + 1;
    c->columns = s->columns + 2;
    for (int i = 0; i < c->rows; i++) {
        for (int j = 0; j < c->columns; j++)
            mpz_init(c->z[i][j]);
        if (i == 0) {
            mpz_set_si(c->z[i][s->columns], -1);
            continue;
        }
        mpz_set_ui(c->z[i][s->columns + 1], 1);
        for (int j = 0; j < s->columns; j++) {
            mpz_set_d(x, s->values[(i - 1) * s->columns + j]);
            mpz_set(c->z[i][j], x);
            mpz_addmul(c->z[i][s->columns], x, x);
        }
        if ((s->labels[i - 1] > 0) == outside)
            for (int j = 0; j < c->columns; j++)
                mpz_neg(c->z[i][j], c->z[i][j]);
    }
    mpz_clear(x);
}

static inline void reference_close(reference *c)
{
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++)
            mpz_clear(c->z[i][j]);
}

/* Gauss and Jordan without fractions on a (equations x n); answers the rank, pivot[k] the unknown of equation k. */
static inline int eliminate(mpz_t a[REFERENCE_COLUMNS][REFERENCE_ROWS], int equations, int n, int *pivot)
{
    int rank = 0;
    mpz_t t;
    mpz_init(t);
    for (int i = 0; i < n && rank < equations; i++) {
        int at = rank;
        while (at < equations && mpz_sgn(a[at][i]) == 0)
            at++;
        if (at == equations)
            continue;
        for (int k = 0; k < n; k++)
            mpz_swap(a[at][k], a[rank][k]);
        for (int j = 0; j < equations; j++) {
            if (j == rank || mpz_sgn(a[j][i]) == 0)
                continue;
            mpz_set(t, a[j][i]);
            for (int k = 0; k < n; k++) {
                mpz_mul(a[j][k], a[j][k], a[rank][i]);
                mpz_submul(a[j][k], a[rank][k], t);
            }
        }
        pivot[rank++] = i;
    }
    mpz_clear(t);
    return rank;
}

/* Whether rows s[0..n-1] are dependent in exactly one way, with all coefficients of one sign. */
static inline bool positively_dependent(const reference *c, const int *s, int n)
{
    mpz_t a[REFERENCE_COLUMNS][REFERENCE_ROWS];
    int pivot[REFERENCE_COLUMNS] = {0};
    for (int j = 0; j < c->columns; j++)
        for (int i = 0; i < n; i++)
            mpz_init_set(a[j][i], c->z[s[i]][j]);
    bool one_sign = eliminate(a, c->columns, n, pivot) == n - 1;
    int open = 0;
    while (open < n - 1 && pivot[open] == open)
        open++;
    /* With the open unknown at 1, unknown pivot[k] is -a[k][open] / a[k][pivot[k]]. */
    for (int k = 0; k < n - 1 && one_sign; k++)
        one_sign = mpz_sgn(a[k][open]) * mpz_sgn(a[k][pivot[k]]) < 0;
    for (int j = 0; j < c->columns; j++)
        for (int i = 0; i < n; i++)
            mpz_clear(a[j][i]);
    return one_sign;
}

static inline bool no_ball(const sample *s, bool outside)
{
    reference c;
    reference_open(&c, s, outside);
    bool found = false;
    for (unsigned mask = 1; mask < 1u << c.rows && !found; mask++) {
        int chosen[REFERENCE_ROWS], n = 0;
        if (__builtin_popcount(mask) > c.columns + 1)
            continue;
        for (int i = 0; i < c.rows; i++)
            if (mask >> i & 1)
                chosen[n++] = i;
        found = positively_dependent(&c, chosen, n);
    }
    reference_close(&c);
    return found;
}

/* The sign of ρ - ||x-v||² in rational numbers. */
static inline int ball_side(const double *centre, double radius_squared, const double *x, int32_t columns)
{
    mpq_t sum, a, b;
    mpq_inits(sum, a, b, NULL);
    mpq_set_d(sum, radius_squared);
    for (int32_t j = 0; j < columns; j++) {
        mpq_set_d(a, x[j]);
        mpq_set_d(b, centre[j]);
        mpq_sub(a, a, b);
        mpq_mul(a, a, a);
        mpq_sub(sum, sum, a);
    }
    int sign = mpq_sgn(sum);
    mpq_clears(sum, a, b, NULL);
    return sign;
}

/* Mistakes of a result's ball, by hand. */
static inline double mistakes_by_hand(const linpred_result *result, const sample *s)
{
    const linpred_model *model = linpred_result_model(result);
    double errors = 0.0;
    for (int64_t i = 0; i < s->rows; i++) {
        int side = ball_side(linpred_model_centre(model), linpred_model_radius_squared(model),
                             s->values + i * s->columns, s->columns);
        if (s->labels[i] * linpred_model_inside(model) * side <= 0)
            errors += s->weights ? s->weights[i] : 1.0;
    }
    return errors;
}

/* The witness of a result, summed by hand in rational numbers. */
static inline void assert_no_ball(const linpred_result *result, const sample *s, bool outside)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    mpq_t sum[16], lambda, x, square;
    assert_true(count >= 2 && count <= s->columns + 3 && s->columns + 2 <= 16);
    mpq_inits(lambda, x, square, NULL);
    for (int j = 0; j < s->columns + 2; j++)
        mpq_init(sum[j]);
    for (int64_t i = 0; i < count; i++) {
        assert_true(row[i] >= 1 && row[i] <= s->rows && (i == 0 || row[i] > row[i - 1]));
        assert_int_equal(mpq_set_str(lambda, linpred_result_witness_weight(result, i), 10), 0);
        assert_true(mpq_sgn(lambda) > 0);
        if (s->labels[row[i] - 1] < 0)
            mpq_neg(lambda, lambda);
        mpq_add(sum[s->columns + 1], sum[s->columns + 1], lambda);
        for (int j = 0; j < s->columns; j++) {
            mpq_set_d(x, s->values[(row[i] - 1) * s->columns + j]);
            mpq_mul(square, x, x);
            mpq_mul(square, square, lambda);
            mpq_add(sum[s->columns], sum[s->columns], square);
            mpq_mul(x, x, lambda);
            mpq_add(sum[j], sum[j], x);
        }
    }
    for (int j = 0; j < s->columns + 2; j++) {
        int sign = mpq_sgn(sum[j]);
        if (j == s->columns)
            assert_true(outside ? sign <= 0 : sign >= 0);
        else
            assert_int_equal(sign, 0);
        mpq_clear(sum[j]);
    }
    mpq_clears(lambda, x, square, NULL);
}

/* ---- fits ---- */

static inline linpred_result *fit_with(const linpred_data *data, const linpred_options *options)
{
    linpred_result *result = NULL;
    linpred_error error = {0};
    if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return result;
}

static inline linpred_options ball_options(linpred_method method, bool outside)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_BALL;
    options.method = method;
    options.outside = outside;
    options.threads = 1;
    if (method != LINPRED_METHOD_LP && method != LINPRED_METHOD_EXACT)
        options.max_passes = 50;
    return options;
}

#endif
