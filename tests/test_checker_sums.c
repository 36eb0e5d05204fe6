/* The checker's own sums and algebra: against plain loops in integers, against exact sums, and against what the fits
 * use for the same. */
#include "fit_support.h"

#include <float.h>

#include "check/rows/careful.h"
#include "check/cover/cover.h"
#include "check/dense/factor.h"
#include "check/logistic/measure.h"
#include "check/regression/polynomials.h"
#include "check/rows/sums.h"
#include "num/exact_sum.h"

static double small_integer(linpred__random *random)
{
    return (double)linpred__random_below(random, 19) - 9.0;
}

/* ---- sums of rows ---- */

/* Small integers: every sum is exact, whatever its order. What stands between the rows of a block is not looked at. */
static void sums_of_rows_are_exact(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 2);
    for (int32_t n = 1; n <= 40; n++) {
        enum { ROWS = 5 };
        int64_t stride = n + 3;
        double x[ROWS * 43], w[40], c[40], value[ROWS * 40];
        int32_t index[ROWS * 40];
        int64_t start[ROWS + 1] = {0};
        for (int64_t i = 0; i < ROWS * stride; i++)
            x[i] = i % stride < n ? small_integer(&random) : (double)NAN;
        for (int32_t j = 0; j < n; j++) {
            w[j] = small_integer(&random);
            c[j] = small_integer(&random);
        }
        linpred__block dense = {.rows = ROWS, .columns = n, .layout = LINPRED__DENSE, .values = x, .stride = stride};
        linpred__block sparse = {.rows = ROWS, .columns = n, .layout = LINPRED__SPARSE, .values = value};
        for (int32_t r = 0; r < ROWS; r++) {
            start[r + 1] = start[r];
            for (int32_t j = 0; j < n; j++)
                if (x[r * stride + j] != 0.0) {
                    value[start[r + 1]] = x[r * stride + j];
                    index[start[r + 1]++] = j;
                }
        }
        sparse.start = start;
        sparse.indices = index;
        linpred__row_sums plain[ROWS], centred[ROWS], thin[ROWS];
        linpred__sum_rows(&dense, 1, ROWS, w, NULL, plain + 1);
        linpred__sum_rows(&dense, 1, ROWS, w, c, centred + 1);
        linpred__sum_rows(&sparse, 1, ROWS, w, NULL, thin + 1);
        for (int32_t r = 1; r < ROWS; r++) {
            double score = 0.0, size = 0.0, square = 0.0, about = 0.0;
            for (int32_t j = 0; j < n; j++) {
                double cell = x[r * stride + j];
                score += w[j] * cell;
                size += fabs(w[j] * cell);
                square += cell * cell;
                about += (cell - c[j]) * (cell - c[j]);
            }
            assert_true(plain[r].score == score && plain[r].size == size && plain[r].square == square);
            assert_true(thin[r].score == score && thin[r].size == size && thin[r].square == square);
            assert_true(centred[r].score == score && centred[r].size == size && centred[r].square == about);
        }
    }
}

/* ---- dense algebra ---- */

/* Small integers: every sum is exact, so the product must be too. */
static void products_are_exact(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 8, 9, 16, 23, 25, 41}, counts[] = {0, 1, 63, 64, 65, 200};
    linpred__random random;
    linpred__random_seed(&random, 1);
    for (size_t s = 0; s < 64; s++)
        for (size_t k = 0; k < 12; k++) {
            size_t m = sizes[s / 8], n = sizes[s % 8], rows = counts[k / 2];
            size_t wide = linpred__whole_vectors(m), high = linpred__whole_vectors(n);
            bool upper = k % 2;
            if (upper && m != n)
                continue;
            double *a = calloc(rows * wide + 1, sizeof *a), *b = calloc(rows * high + 1, sizeof *b);
            double *c = calloc(wide * high, sizeof *c);
            for (size_t i = 0; i < rows * wide; i++)
                a[i] = i % wide < m ? small_integer(&random) : 0.0;
            for (size_t i = 0; i < rows * high; i++)
                b[i] = upper ? a[i] : i % high < n ? small_integer(&random) : 0.0;
            for (size_t i = 0; i < wide * high; i++)
                c[i] = (double)(i % 5);
            linpred__product_add(rows, a, m, b, n, upper, c);
            for (size_t i = 0; i < m; i++)
                for (size_t j = upper ? i : 0; j < n; j++) {
                    double sum = (double)((i * high + j) % 5);
                    for (size_t r = 0; r < rows; r++)
                        sum += a[r * wide + i] * b[r * high + j];
                    assert_true(c[i * high + j] == sum);
                }
            free(a);
            free(b);
            free(c);
        }
    assert_int_equal(linpred__product_rows(1) % 8, 0);
    assert_int_equal(linpred__product_rows(100), 64);
    assert_int_equal(linpred__product_rows(8), 512);
}

/* L of small integers with powers of two on the diagonal, and B = L X: the solution is X exactly. */
static void substitution_is_exact(void **state)
{
    (void)state;
    enum { MOST = 21, STRIDE = 24, SIDE = LINPRED__SIDE_BY_SIDE };
    linpred__random random;
    linpred__random_seed(&random, 2);
    for (size_t n = 0; n <= MOST; n++) {
        double l[MOST * STRIDE], x[MOST * STRIDE], b[MOST * STRIDE];
        for (size_t i = 0; i < n * STRIDE; i++) {
            size_t row = i / STRIDE, column = i % STRIDE;
            l[i] = column < row ? small_integer(&random) : column == row ? ldexp(1.0, (int)(row % 3)) : NAN;
            x[i] = small_integer(&random);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < STRIDE; k++) {
                b[i * STRIDE + k] = k < SIDE ? 0.0 : 5.0;
                for (size_t j = 0; j <= i && k < SIDE; j++)
                    b[i * STRIDE + k] += l[i * STRIDE + j] * x[j * STRIDE + k];
            }
        linpred__substitute(l, STRIDE, n, b, STRIDE);
        for (size_t i = 0; i < n * STRIDE; i++)
            assert_true(b[i] == (i % STRIDE < SIDE ? x[i] : 5.0));
    }
}

/* A random positive definite matrix in which column `copy` is twice column 0, if copy > 0. */
static void make_matrix(linpred__random *random, int32_t d, int32_t copy, double *a)
{
    double *x = calloc((size_t)d * (size_t)(d + 9), sizeof *x);
    for (int32_t r = 0; r < d + 9; r++)
        for (int32_t j = 0; j < d; j++)
            x[r * d + j] = copy > 0 && j == copy ? 2.0 * x[r * d] : linpred__random_normal(random) * (j + 1);
    for (int32_t i = 0; i < d; i++)
        for (int32_t j = 0; j < d; j++) {
            a[i * d + j] = 0.0;
            for (int32_t r = 0; r < d + 9; r++)
                a[i * d + j] += x[r * d + i] * x[r * d + j];
        }
    free(x);
}

static void factor_is_one(int32_t d, int32_t copy, int32_t leave, linpred__pool *pool)
{
    linpred__random random;
    linpred__random_seed(&random, 3);
    double *a = calloc((size_t)d * (size_t)d, sizeof *a);
    bool *spare = calloc((size_t)d, sizeof *spare);
    linpred__factor factor;
    make_matrix(&random, d, copy, a);
    if (leave >= 0)
        spare[leave] = true;
    assert_true(linpred__factor_open(a, d, leave >= 0 ? spare : NULL, pool, &factor));
    int32_t expected = d - (copy > 0) - (leave >= 0);
    assert_int_equal(factor.n, expected);
    double trace = 0.0, *x = calloc((size_t)d, sizeof *x);
    for (int32_t i = 0, j = 0; i < expected; i++, j++) {
        while ((copy > 0 && j == copy) || j == leave)
            j++;
        assert_int_equal(factor.keep[i], j);
        near(factor.scale[i], 1.0 / sqrt(a[j * d + j]), 1e-14);
        for (int32_t k = 0; k <= i; k++) {
            double sum = 0.0;
            for (int32_t l = 0; l <= k; l++)
                sum += factor.l[i * d + l] * factor.l[k * d + l];
            assert_true(fabs(sum - a[j * d + factor.keep[k]] * factor.scale[i] * factor.scale[k]) < 1e-12);
        }
        for (int32_t k = 0; k < expected; k++)
            x[k] = k == i;
        linpred__factor_solve(&factor, x);
        near(factor.length[i] * factor.length[i], linpred__factor_square(&factor, x) * (1.0 + 1e-4), 1e-9);
        trace += factor.length[i] * factor.length[i];
        int32_t from = i / LINPRED__SIDE_BY_SIDE * LINPRED__SIDE_BY_SIDE;
        double *columns = calloc((size_t)d * LINPRED__SIDE_BY_SIDE, sizeof *columns);
        linpred__factor_inverse_columns(&factor, from, columns);
        for (int32_t k = i; k < expected; k++)
            assert_true(fabs(columns[(k - from) * LINPRED__SIDE_BY_SIDE + i - from] - x[k]) <=
                        1e-9 * fabs(x[k]) + 1e-12);
        free(columns);
    }
    near(factor.trace, trace, 1e-12);
    linpred__factor_close(&factor);
    free(a);
    free(spare);
    free(x);
}

static void factors_multiply_to_the_matrix(void **state)
{
    (void)state;
    linpred__pool *pool;
    linpred_error error;
    assert_int_equal(linpred__pool_open(2, &pool, &error), LINPRED_OK);
    static const int32_t sizes[] = {1, 2, 15, 16, 17, 63, 64, 65, 130};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        factor_is_one(sizes[k], 0, -1, k % 2 ? pool : NULL);
        if (sizes[k] > 14)
            factor_is_one(sizes[k], sizes[k] - 4, 3, pool);
        if (sizes[k] > 70)
            factor_is_one(sizes[k], 20, -1, NULL);
    }
    linpred__pool_close(pool);
}

/* ---- sums in double-double ---- */

static void sums_are_within_their_bounds(void **state)
{
    (void)state;
    enum { MOST = 40 };
    linpred__random random;
    linpred__random_seed(&random, 4);
    for (int k = 0; k < 4000; k++) {
        int n = (int)linpred__random_below(&random, MOST);
        bool tails = k % 2, indexed = k % 3 == 0;
        double x[MOST], tail[MOST], hi[2 * MOST], lo[2 * MOST], size, absolute = 0.0;
        int32_t index[MOST];
        linpred__exact sum;
        linpred__exact_clear(&sum);
        for (int j = 0; j < 2 * MOST; j++) {
            hi[j] = linpred__random_normal(&random) * ldexp(1.0, (int)linpred__random_below(&random, 40));
            lo[j] = 0x1p-54 * hi[j] * linpred__random_normal(&random);
        }
        for (int j = 0; j < n; j++) {
            index[j] = 2 * j + (int)linpred__random_below(&random, 2);
            int at = indexed ? index[j] : j;
            x[j] = j % 2 && at > 0 ? -x[j - 1] * (1.0 + 1e-9) : linpred__random_normal(&random);
            tail[j] = 0x1p-54 * x[j];
            linpred__exact_add(&sum, x[j], hi[at]);
            linpred__exact_add(&sum, x[j], lo[at]);
            if (tails)
                linpred__exact_add(&sum, tail[j], hi[at]);
            absolute += fabs(x[j] * hi[at]);
        }
        linpred__dd z = linpred__sum_products(n, x, tails ? tail : NULL, indexed ? index : NULL, hi, lo, &size);
        assert_true(fabs(size - absolute) <= 1e-14 * absolute);
        linpred__exact_add(&sum, -1.0, z.hi);
        linpred__exact_add(&sum, -1.0, z.lo);
        assert_true(fabs(linpred__exact_value(&sum)) <= (n + 8.0) * (n + 8.0) * 0x1p-104 * absolute + DBL_MIN);
    }
}

/* g += r x and the sizes, one column at a time. */
static void multiples_are_added(void **state)
{
    (void)state;
    enum { N = 11, ROUNDS = 50 };
    static const int32_t index[N] = {0, 2, 3, 5, 6, 9, 10, 12, 13, 14, 15};
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int k = 0; k < 4; k++) {
        double hi[16] = {0}, lo[16] = {0}, first[16] = {0}, second[16] = {0}, left[16] = {0};
        linpred__exact sum[16];
        for (int j = 0; j < 16; j++)
            linpred__exact_clear(&sum[j]);
        for (int round = 0; round < ROUNDS; round++) {
            double x[N], tail[N];
            linpred__dd r = {linpred__random_normal(&random), 0.0};
            r.lo = 0x1p-55 * r.hi;
            for (int j = 0; j < N; j++) {
                int at = k & 1 ? index[j] : j;
                x[j] = linpred__random_normal(&random) * (round % 7 == 0 ? 1e6 : 1.0);
                tail[j] = 0x1p-55 * x[j];
                linpred__exact_add(&sum[at], r.hi, x[j]);
                linpred__exact_add(&sum[at], r.lo, x[j]);
                if (k & 2)
                    linpred__exact_add(&sum[at], r.hi, tail[j]);
                left[at] += fabs(x[j]);
            }
            linpred__add_multiple(N, r, x, k & 2 ? tail : NULL, k & 1 ? index : NULL, hi, lo);
            linpred__add_sizes(N, x, k & 1 ? index : NULL, 1.0, first, 3.0, second);
        }
        for (int j = 0; j < 16; j++) {
            linpred__exact_add(&sum[j], -1.0, hi[j]);
            linpred__exact_add(&sum[j], -1.0, lo[j]);
            assert_true(fabs(linpred__exact_value(&sum[j])) <= ROUNDS * ROUNDS * 0x1p-104 * 10.0 * left[j]);
            assert_true(first[j] == left[j]);
            assert_true(fabs(second[j] - 3.0 * left[j]) <= 1e-12 * left[j]);
        }
    }
}

/* ---- polynomials ---- */

static linpred__polynomial_basis some_basis(linpred__random *random, bool has_intercept, double *centre, double *step,
                                            linpred__polynomial *polynomial, int32_t *term_of)
{
    /* Columns 0 and 2 have powers up to 5 and 2; column 1 has none. */
    polynomial[0] = (linpred__polynomial){.feature = 0, .term = 0, .degree = 5, .exponent = 3, .centre = centre};
    polynomial[1] = (linpred__polynomial){.feature = 2, .term = 6, .degree = 2, .exponent = -2, .centre = centre + 5};
    polynomial[0].step = step;
    polynomial[1].step = step + 5;
    for (int k = 0; k < 7; k++) {
        centre[k] = linpred__random_normal(random);
        step[k] = k == 3 ? 0.0 : linpred__random_normal(random);
    }
    if (!has_intercept) /* no polynomial has a constant term then */
        centre[0] = centre[5] = 0.0;
    term_of[0] = 0;
    term_of[1] = 5;
    term_of[2] = 6;
    return (linpred__polynomial_basis){8, 3, has_intercept, 2, polynomial, term_of};
}

static void polynomials_agree_with_the_model(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 6);
    for (int k = 0; k < 200; k++) {
        double centre[7], step[7], x[3], hi[9], lo[9], other_hi[9], other_lo[9], error[9];
        linpred__polynomial polynomial[2];
        int32_t term_of[3];
        linpred__polynomial_basis basis = some_basis(&random, k % 2, centre, step, polynomial, term_of);
        int width = 8 + k % 2;
        for (int j = 0; j < 3; j++)
            x[j] = 10.0 * linpred__random_normal(&random);
        linpred__block block = {.rows = 1, .columns = 3, .stride = 3, .values = x, .layout = LINPRED__DENSE};
        linpred__row_in_basis(&basis, &block, 0, hi, lo);
        linpred__polynomial_basis_row(&basis, &block, 0, other_hi, other_lo);
        linpred__row_in_basis_error(&basis, &block, 0, hi, error);
        linpred__dd c[9], plain[9], other[9], value = {0.0, 0.0}, direct = {0.0, 0.0};
        double size = 0.0;
        for (int j = 0; j < width; j++) {
            assert_true(fabs((hi[j] - other_hi[j]) + (lo[j] - other_lo[j])) <= 2.0 * error[j]);
            assert_true(j == 5 || j == 8 ? error[j] == 0.0 : error[j] >= 0x1p-101 * fabs(hi[j]));
            assert_true(error[j] <= 1e-25 * (1.0 + pow(20.0, 5)));
            c[j] = (linpred__dd){linpred__random_normal(&random), 0.0};
            value = linpred__dd_add(value, linpred__dd_multiply(c[j], (linpred__dd){hi[j], lo[j]}));
        }
        linpred__plain_powers(&basis, c, plain);
        linpred__polynomial_basis_to_powers(&basis, c, other);
        for (int j = 0; j < width; j++) {
            double power = j < 5 ? pow(x[0], j + 1) : j == 5 ? x[1] : j < 8 ? pow(x[2], j - 5) : 1.0;
            assert_true(fabs(linpred__dd_add(plain[j], linpred__dd_negate(other[j])).hi) <= 1e-26);
            direct = linpred__dd_add_double(direct, plain[j].hi * power);
            size += fabs(plain[j].hi * power);
        }
        assert_true(fabs(direct.hi - value.hi) <= 1e-13 * size);
    }
}

/* ---- equal rows ---- */

static void rows_are_compared(void **state)
{
    (void)state;
    double dense[] = {0, 1.5, -0.0, 2, 0, 1.5, 0, 2, 1.5, 0, 0, 2, 0, 1.5, 0, 0}, sparse[] = {1.5, 2, 0.0, 1.5, 2, 1.5};
    int32_t indices[] = {1, 3, 0, 1, 3, 1};
    int64_t start[] = {0, 2, 5, 6};
    linpred__block a = {.rows = 4, .columns = 4, .stride = 4, .values = dense, .layout = LINPRED__DENSE};
    linpred__block b = {
        .rows = 3, .columns = 4, .values = sparse, .indices = indices, .start = start, .layout = LINPRED__SPARSE};
    const bool equal[4][3] = {{true, true, false}, {true, true, false}, {false, false, false}, {false, false, true}};
    for (int32_t i = 0; i < 4; i++)
        for (int32_t j = 0; j < 3; j++) {
            assert_int_equal(linpred__rows_equal(&a, i, &b, j), equal[i][j]);
            assert_int_equal(linpred__rows_equal(&b, j, &a, i), equal[i][j]);
            assert_int_equal(linpred__hash_row(&a, i) == linpred__hash_row(&b, j), equal[i][j]);
        }
}

/* ---- the gap with a penalty ---- */

/* What the rows gave: a gradient `small` times (0.3, 0.2), known to a tenth of that. */
struct measured_fit {
    double gradient[2], gradient_error[2], extent[2], penalty[2];
    linpred__careful careful;
};

static void measure_fit(double small, struct measured_fit *fit)
{
    *fit = (struct measured_fit){.gradient = {0.3 * small, -0.2 * small},
                                 .gradient_error = {0.03 * small, 0.02 * small},
                                 .extent = {2.0, 1.0},
                                 .penalty = {0.5, 0.0}};
    fit->careful = (linpred__careful){.penalty = fit->penalty,
                                      .dimension = 2,
                                      .has_intercept = true,
                                      .objective = 0.7,
                                      .loss_error = 0.05,
                                      .gradient = fit->gradient,
                                      .gradient_error = fit->gradient_error,
                                      .extent = fit->extent,
                                      .radius = 2.5,
                                      .score_error = 0.125,
                                      .share = {0.4, 0.6},
                                      .mean_score = {-1.5, 0.8},
                                      .mean_size = {1e8, 2e8},
                                      .curvature = 0.2};
}

static linpred__gap_bounds bounds_of(const linpred__careful *careful)
{
    linpred__logistic_question question = {.l2 = 0.5, .tolerance = NAN};
    linpred__gap_bounds bounds;
    assert_int_equal(linpred__bound_gap(&question, NULL, careful, NULL, &bounds, NULL), LINPRED_OK);
    return bounds;
}

static void assert_bound(double found, double expected)
{
    assert_true(fabs(found / expected - 1.0) < 1e-12);
}

/* The formulas of docs/logistic.md, each with the part of a thousand that it adds for rounding. */
static void gaps_follow_their_formulas(void **state)
{
    (void)state;
    struct measured_fit fit;
    for (int k = 0; k < 2; k++) { /* the class that counts: the one that may still move farther */
        measure_fit(1.0, &fit);
        if (k == 1)
            fit.careful.mean_score[1] = 9.0;
        linpred__gap_bounds bounds = bounds_of(&fit.careful);
        double share[] = {0.4, 0.6}, mean[] = {1.5, 9.0}, score = log(expm1(0.75 / share[k])), gb = 0.22;
        double farthest = score + mean[k] + 1e-9 * (score + (k ? 2e8 : 1e8)), g = 0.33 + 2.0 * gb;
        assert_bound(bounds.proved, (0.5 * g * g / 0.5 + gb * (farthest + 0.125)) * 1.001);
        g = 0.3 + 2.0 * 0.2;
        assert_bound(bounds.estimated, (0.5 * g * g / 0.5 + 0.2 * (farthest + 0.125)) * 1.001);
        assert_bound(bounds.at_least, (0.27 * 0.27 + 0.18 * 0.18) / (2.0 * (0.25 * 2.5 * 2.5 + 0.5)) * 0.999);
        assert_bound(bounds.by_intercept, 0.18 * 0.18 / 0.5 * 0.999);
    }
    double small = 1e-3, gb = 0.22 * small, g = 0.33 * small + 2.0 * gb, h = 0.999 * 0.2 * 0.875;
    double square = g * g / 0.5 + gb * gb / h, reach = 4.0 * 2.5 * 2.5 / 0.5 + 1.0 / h;
    measure_fit(small, &fit);
    assert_bound(bounds_of(&fit.careful).proved, square / (2.0 * (1.0 - sqrt(square * reach) * 1.001)) * 1.001);
    fit.careful.share[0] = 0.0; /* one class has no minimum */
    assert_true(isinf(bounds_of(&fit.careful).proved));
    measure_fit(small, &fit);
    fit.careful.share[1] = 0.0;
    assert_true(isinf(bounds_of(&fit.careful).proved));
    measure_fit(small, &fit);
    fit.penalty[0] = 0.0;
    assert_true(isinf(bounds_of(&fit.careful).proved));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_rows_are_exact),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(substitution_is_exact),
        cmocka_unit_test(factors_multiply_to_the_matrix),
        cmocka_unit_test(sums_are_within_their_bounds),
        cmocka_unit_test(multiples_are_added),
        cmocka_unit_test(polynomials_agree_with_the_model),
        cmocka_unit_test(rows_are_compared),
        cmocka_unit_test(gaps_follow_their_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
