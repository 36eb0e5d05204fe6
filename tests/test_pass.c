/* The pass and what is built on it, against a naive reference: every layout must agree with it, threads change no bit.
 */
#include "support.h"

#include <cblas.h>

#include "core/threads.h"
#include "data/fingerprint.h"
#include "pass/ball_tally.h"
#include "pass/fused.h"
#include "pass/normal_product.h"
#include "data/tree.h"
#include "pass/row_extents.h"

/* ---- the reference: plain loops over dense rows, in long double ----------------------------------------------------
 */

struct reference {
    long double loss;
    long double *gradient;
    long double *hessian;
    long double *product;
};

/* A smooth loss with curvature that depends on z: squared loss plus a quarter of z^4, by weight. */
static void row_function(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                         double *curvature)
{
    (void)context;
    for (int32_t i = 0; i < block->rows; i++) {
        double w = block->weight ? block->weight[i] : 1.0;
        double t = z[i] - block->target[i];
        loss[i] = w * (t * t + 0.25 * z[i] * z[i] * z[i] * z[i]);
        r[i] = w * (2 * t + z[i] * z[i] * z[i]);
        curvature[i] = w * (2 + 3 * z[i] * z[i]);
    }
}

static void by_hand(const sample *s, const double *w, double b, bool intercept, const double *v, struct reference *ref)
{
    int32_t d = s->columns + intercept;
    ref->gradient = calloc((size_t)d, sizeof *ref->gradient);
    ref->hessian = calloc((size_t)(d * d), sizeof *ref->hessian);
    ref->product = calloc((size_t)d, sizeof *ref->product);
    long double *x = calloc((size_t)d, sizeof *x);
    ref->loss = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        long double z = intercept ? b : 0, u = 0;
        for (int32_t j = 0; j < d; j++) {
            x[j] = j < s->columns ? s->values[i * s->columns + j] : 1;
            z += j < s->columns ? x[j] * w[j] : 0;
            u += x[j] * v[j];
        }
        long double weight = s->weights ? s->weights[i] : 1, t = z - s->labels[i];
        ref->loss += weight * (t * t + 0.25L * z * z * z * z);
        for (int32_t j = 0; j < d; j++) {
            ref->gradient[j] += weight * (2 * t + z * z * z) * x[j];
            ref->product[j] += weight * (2 + 3 * z * z) * u * x[j];
            for (int32_t k = 0; k < d; k++)
                ref->hessian[j * d + k] += weight * (2 + 3 * z * z) * x[j] * x[k];
        }
    }
    free(x);
}

static void assert_near(const double *found, const long double *expected, int32_t n)
{
    long double size = 0;
    for (int32_t i = 0; i < n; i++)
        size = fmaxl(size, fabsl(expected[i]));
    for (int32_t i = 0; i < n; i++)
        assert_true(fabsl(found[i] - expected[i]) <= 1e-12L * size);
}

static void fused_agrees(const sample *s, bool intercept, linpred__random *random)
{
    int32_t d = s->columns + intercept;
    double w[64], v[64];
    for (int32_t j = 0; j < d; j++) {
        w[j] = linpred__random_normal(random);
        v[j] = linpred__random_normal(random);
    }
    struct reference ref;
    by_hand(s, w, 0.5, intercept, v, &ref);
    double *first = NULL;
    size_t size = (size_t)(d + d * d + d);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(s, sparse);
        for (int threads = 1; threads <= 4; threads++) {
            linpred__pool *pool;
            assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
            double *out = calloc(size + 1, sizeof *out);
            linpred__fused fused = {.weights = w,
                                    .intercept = 0.5,
                                    .has_intercept = intercept,
                                    .row_function = row_function,
                                    .direction = v,
                                    .gradient = out,
                                    .hessian = out + d,
                                    .product = out + d + d * d};
            assert_int_equal(linpred__fused_pass(data, pool, &fused, NULL), LINPRED_OK);
            out[size] = fused.loss.hi;
            assert_true(fabsl(fused.loss.hi - ref.loss) <= 1e-13L * ref.loss);
            assert_near(fused.gradient, ref.gradient, d);
            assert_near(fused.hessian, ref.hessian, d * d);
            assert_near(fused.product, ref.product, d);
            if (threads == 1) {
                free(first);
                first = out;
            } else {
                assert_memory_equal(out, first, (size + 1) * sizeof *out);
                free(out);
            }
            linpred__pool_close(pool);
        }
        linpred_data_free(data);
    }
    free(first);
    free(ref.gradient);
    free(ref.hessian);
    free(ref.product);
}

/* So many columns that the Hessian of sparse rows is made by columns: as that of the same rows dense, on any threads.
 */
static void fused_pass_of_wide_rows(void **state)
{
    (void)state;
    enum { COLUMNS = 1100, ROWS = 700 };
    linpred__random random;
    linpred__random_seed(&random, 22);
    sample s = sample_new(ROWS, COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int k = 0; k < 30; k++)
            s.values[i * COLUMNS + (int64_t)linpred__random_below(&random, COLUMNS)] = linpred__random_normal(&random);
        s.labels[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
    }
    sample_index(&s);
    double *w = calloc(COLUMNS, sizeof *w), *hessian[3];
    for (int32_t j = 0; j < COLUMNS; j++)
        w[j] = linpred__random_normal(&random);
    for (int intercept = 0; intercept < 2; intercept++) {
        int64_t d = COLUMNS + intercept;
        for (int k = 0; k < 3; k++) {
            linpred_data *data = sample_data(&s, k > 0);
            linpred__pool *pool;
            assert_int_equal(linpred__pool_open(k == 1 ? 1 : 3, &pool, NULL), LINPRED_OK);
            hessian[k] = calloc((size_t)(d * d), sizeof(double));
            linpred__fused fused = {.weights = w,
                                    .intercept = 0.5,
                                    .has_intercept = intercept,
                                    .row_function = row_function,
                                    .hessian = hessian[k]};
            assert_int_equal(linpred__fused_pass(data, pool, &fused, NULL), LINPRED_OK);
            linpred__pool_close(pool);
            linpred_data_free(data);
        }
        assert_memory_equal(hessian[1], hessian[2], (size_t)(d * d) * sizeof(double));
        double size = 0.0;
        for (int64_t i = 0; i < d * d; i++)
            size = fmax(size, fabs(hessian[0][i]));
        for (int64_t i = 0; i < d * d; i++)
            if (!(fabs(hessian[1][i] - hessian[0][i]) <= 1e-13 * size) ||
                hessian[1][i] != hessian[1][i % d * d + i / d])
                fail_msg("entry %d, %d: %g, %g", (int)(i / d), (int)(i % d), hessian[1][i], hessian[0][i]);
        for (int k = 0; k < 3; k++)
            free(hessian[k]);
    }
    free(w);
    sample_free(&s);
}

static void fused_pass_agrees_with_plain_loops(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 21);
    static const int64_t rows[] = {1, 2, 15, 16, 17, 511, 512, 513, 5000, 20000};
    static const int32_t columns[] = {1, 3, 7, 8, 9, 16, 50, 33, 21, 5};
    for (int k = 0; k < 10; k++) {
        sample s = sample_new(rows[k], columns[k]);
        for (int64_t i = 0; i < s.rows; i++) {
            for (int32_t j = 0; j < s.columns; j++)
                if (linpred__random_below(&random, 3))
                    s.values[i * s.columns + j] = linpred__random_normal(&random);
            s.labels[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
        }
        if (k % 2) {
            s.weights = calloc((size_t)s.rows, sizeof(double));
            for (int64_t i = 0; i < s.rows; i++)
                s.weights[i] = 0.5 + linpred__random_uniform(&random);
        }
        sample_index(&s);
        fused_agrees(&s, k % 3 != 0, &random);
        sample_free(&s);
    }
}

/* ---- the fingerprint
 * ------------------------------------------------------------------------------------------------- */

static uint64_t fingerprint(const sample *s, bool sparse, int threads)
{
    linpred_data *data = sample_data(s, sparse);
    linpred__pool *pool;
    uint64_t value = 0;
    assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
    assert_int_equal(linpred__fingerprint(data, pool, &value, NULL), LINPRED_OK);
    linpred__pool_close(pool);
    linpred_data_free(data);
    return value;
}

static void fingerprint_sees_every_change(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 4);
    sample s = sample_integers(&random, 700, 6, 3);
    uint64_t plain = fingerprint(&s, false, 1);
    assert_true(plain == fingerprint(&s, true, 1));
    assert_true(plain == fingerprint(&s, false, 3));
    for (int trial = 0; trial < 300; trial++) {
        int64_t i = (int64_t)linpred__random_below(&random, 700), k = (int64_t)linpred__random_below(&random, 700);
        int32_t j = (int32_t)linpred__random_below(&random, 6), l = (int32_t)linpred__random_below(&random, 6);
        double *a = &s.values[i * 6 + j], *b = &s.values[k * 6 + l];
        double old_a = *a, old_b = *b;
        if (trial % 2)
            *a = nextafter(*a, INFINITY); /* the last bit */
        else {
            *a = old_b; /* two values change places */
            *b = old_a;
        }
        if (old_a == old_b && !(trial % 2))
            continue;
        sample_index(&s);
        assert_true(plain != fingerprint(&s, false, 1));
        assert_true(fingerprint(&s, false, 1) == fingerprint(&s, true, 2));
        *a = old_a;
        *b = old_b;
        s.labels[i] = -s.labels[i];
        assert_true(plain != fingerprint(&s, false, 1));
        s.labels[i] = -s.labels[i];
    }
    sample_index(&s);
    s.values[0] = s.values[0] == 0.0 ? -0.0 : s.values[0];
    assert_true(plain == fingerprint(&s, false, 1)); /* -0 is 0 */
    s.weights = calloc(700, sizeof(double));
    for (int64_t i = 0; i < 700; i++)
        s.weights[i] = 1.0;
    assert_true(plain == fingerprint(&s, false, 1)); /* weight 1 is one copy */
    s.weights[5] = 2.0;
    assert_true(plain != fingerprint(&s, false, 1));
    sample_free(&s);
}

/* ---- several visitors, and the row extents
 * -------------------------------------------------------------------------------- */

static _Atomic int allowed; /* allocations still granted to a visitor */

static bool vector_init(void *context, void *state)
{
    double **sum = state;
    *sum = allowed-- > 0 ? calloc((size_t) * (const int32_t *)context, sizeof **sum) : NULL;
    return *sum != NULL;
}

static void vector_block(void *context, void *state, const linpred__block *block)
{
    double *sum = *(double **)state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++)
            sum[linpred__entry_column(&row, k)] += row.values[k];
    }
    (void)context;
}

static void vector_merge(void *context, void *into, const void *from)
{
    for (int32_t j = 0; j < *(const int32_t *)context; j++)
        (*(double **)into)[j] += (*(double *const *)from)[j];
}

static void vector_clear(void *context, void *state)
{
    (void)context;
    free(*(double **)state);
}

static bool byte_init(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static void byte_block(void *context, void *state, const linpred__block *block)
{
    (void)context;
    *(uint8_t *)state = (uint8_t)(*(uint8_t *)state * 3 + block->rows);
}

static void byte_merge(void *context, void *into, const void *from)
{
    (void)context;
    *(uint8_t *)into = (uint8_t)(*(uint8_t *)into * 5 + *(const uint8_t *)from);
}

/* Visitors that share a pass see what they would see alone; if one cannot begin, all of the others' states are given
   back (which the sanitizers watch) and nothing is told. */
static void visitors_share_a_pass(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_integers(&random, 60000, 9, 3);
    linpred_data *data = sample_data(&s, false);
    linpred__pool *pool;
    assert_int_equal(linpred__pool_open(3, &pool, NULL), LINPRED_OK);
    int32_t columns = s.columns;
    linpred__visitor vector = {sizeof(double *), vector_init, vector_block, vector_merge, vector_clear, &columns, NULL};
    linpred__visitor byte = {sizeof(uint8_t), byte_init, byte_block, byte_merge, NULL, NULL, NULL};
    linpred__visitor all[3] = {vector, byte, vector};
    double *alone, *first, *second;
    uint8_t byte_alone, byte_shared;
    linpred__cut cut = linpred__cut_vector(data, columns);
    allowed = 1000;
    assert_int_equal(linpred__pass(data, pool, &vector, &alone, NULL), LINPRED_OK);
    assert_int_equal(linpred__pass(data, pool, &byte, &byte_alone, NULL), LINPRED_OK);
    assert_int_equal(linpred__pass_all(data, pool, all, (void *[]){&first, &byte_shared, &second}, 3, cut, NULL),
                     LINPRED_OK);
    assert_int_equal(byte_alone, byte_shared);
    for (int32_t j = 0; j < columns; j++)
        assert_true(alone[j] == first[j] && alone[j] == second[j] && alone[j] != 0.0);
    for (int granted = 0; granted < 2 * linpred__segments(data, cut); granted++) {
        double *untouched = first;
        allowed = granted;
        assert_int_equal(
            linpred__pass_all(data, pool, all, (void *[]){&untouched, &byte_shared, &untouched}, 3, cut, NULL),
            LINPRED_ERROR_MEMORY);
        assert_true(untouched == first);
    }
    free(alone);
    free(first);
    free(second);
    linpred__pool_close(pool);
    linpred_data_free(data);
    sample_free(&s);
}

/* Extents and radius against plain loops, also where squares leave the range; dense, sparse and any threads alike. */
static void survey_agrees_with_plain_loops(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 6);
    const double unit[] = {1.0, 1e-200, 1e200, 1e-310};
    for (int trial = 0; trial < 40; trial++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 20);
        sample s = sample_integers(&random, 1 + (int64_t)linpred__random_below(&random, 9000), columns, 50);
        bool intercept = trial % 3 != 0;
        double *extent = calloc((size_t)columns, sizeof *extent);
        for (int64_t i = 0; i < s.rows * columns; i++) {
            s.values[i] *= unit[trial % 4] * (trial >= 20 ? linpred__random_uniform(&random) : 1.0);
            extent[i % columns] = fmax(extent[i % columns], fabs(s.values[i]));
        }
        long double longest = 0; /* its exponents reach far beyond those of double */
        for (int64_t i = 0; i < s.rows; i++) {
            long double square = intercept;
            for (int32_t j = 0; j < columns; j++)
                square += (long double)s.values[i * columns + j] * s.values[i * columns + j];
            longest = fmaxl(longest, sqrtl(square));
        }
        sample_index(&s);
        for (int k = 0; k < 3; k++) {
            linpred_data *data = sample_data(&s, k == 2);
            linpred__pool *pool;
            linpred__row_extents extents;
            assert_int_equal(linpred__pool_open(k == 0 ? 1 : 3, &pool, NULL), LINPRED_OK);
            assert_int_equal(linpred__find_row_extents(data, pool, intercept, false, &extents, NULL), LINPRED_OK);
            for (int32_t j = 0; j < columns; j++)
                assert_true(extents.extent[j] == extent[j]);
            assert_true(extents.fingerprint == fingerprint(&s, false, 1));
            assert_true(extents.radius.above >= longest &&
                        extents.radius.above <= longest * (1.0L + 1e-13L) + 0x1p-1073L);
            assert_true(fabsl(extents.radius.nearest - longest) <= longest * 0x1p-52L + 0x1p-1074L);
            linpred__row_extents_clear(&extents);
            linpred__pool_close(pool);
            linpred_data_free(data);
        }
        free(extent);
        sample_free(&s);
    }
}

/* A row as the data has it, through `expand`. The last entry is the 1 of the intercept. */
static void expand_row(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    (void)context;
    memset(hi, 0, ((size_t)block->columns + 1) * sizeof *hi);
    memset(lo, 0, ((size_t)block->columns + 1) * sizeof *lo);
    linpred__entries row = linpred__entries_of(block, r);
    for (int64_t k = 0; k < row.count; k++)
        hi[linpred__entry_column(&row, k)] = row.values[k];
    hi[block->columns] = 1.0;
}

/* Entries are small integers, so every sum is exact in any order. */
static void normal_products_agree_with_plain_loops(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    for (int trial = 0; trial < 24; trial++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 20);
        sample s = sample_integers(&random, 1 + (int64_t)linpred__random_below(&random, 3000), columns, 50);
        bool sparse = trial % 2, intercept = trial % 3 != 0, expands = intercept && trial % 4 > 1;
        double v[21], product[21] = {0}, diagonal[21] = {0}, found[21];
        int32_t width = columns + intercept;
        for (int32_t j = 0; j < width; j++)
            v[j] = (double)linpred__random_below(&random, 9) - 4.0;
        s.weights = trial % 5 ? calloc((size_t)s.rows, sizeof *s.weights) : NULL;
        for (int64_t i = 0; i < s.rows; i++) {
            double z = intercept ? v[columns] : 0.0, weight = 1.0;
            if (s.weights)
                weight = s.weights[i] = 1.0 + (double)linpred__random_below(&random, 5);
            for (int32_t j = 0; j < columns; j++)
                z += s.values[i * columns + j] * v[j];
            for (int32_t j = 0; j < width; j++) {
                double x = j < columns ? s.values[i * columns + j] : 1.0;
                product[j] += weight * z * x;
                diagonal[j] += weight * x * x;
            }
        }
        linpred_data *data = sample_data(&s, sparse);
        linpred__pool *pool;
        linpred__normal_matrix matrix = {width, intercept, expands ? expand_row : NULL, NULL};
        assert_int_equal(linpred__pool_open(1 + trial % 3, &pool, NULL), LINPRED_OK);
        assert_int_equal(linpred__normal_product(data, pool, &matrix, v, found, NULL), LINPRED_OK);
        assert_memory_equal(found, product, (size_t)width * sizeof *found);
        assert_int_equal(linpred__normal_product(data, pool, &matrix, NULL, found, NULL), LINPRED_OK);
        assert_memory_equal(found, diagonal, (size_t)width * sizeof *found);
        linpred__pool_close(pool);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Squared distances of integers from an integer centre are exact, so ties between rows and sphere are too. */
static void tallies_of_balls_agree_with_plain_loops(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 8);
    for (int trial = 0; trial < 24; trial++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 5);
        sample s = sample_integers(&random, 1 + (int64_t)linpred__random_below(&random, 3000), columns, 6);
        double centre[5], inside = trial % 2 ? 1.0 : -1.0, radius = (double)linpred__random_below(&random, 10);
        linpred__ball_shells shells, expected = {-INFINITY, INFINITY};
        double errors = 0.0, nearest = INFINITY;
        for (int32_t j = 0; j < columns; j++)
            centre[j] = (double)linpred__random_below(&random, 7) - 3.0;
        for (int64_t i = 0; i < s.rows; i++) {
            double square = 0.0;
            for (int32_t j = 0; j < columns; j++)
                square += (s.values[i * columns + j] - centre[j]) * (s.values[i * columns + j] - centre[j]);
            if (s.labels[i] == inside)
                expected.inner = fmax(expected.inner, square);
            else
                expected.outer = fmin(expected.outer, square);
            errors += s.labels[i] == inside ? square >= radius * radius : square <= radius * radius;
            nearest = fmin(nearest, fabs(radius - sqrt(square)));
        }
        linpred_data *data = sample_data(&s, trial % 3 == 0);
        linpred__pool *pool;
        linpred__ball_tally tally;
        linpred__ball ball = linpred__ball_of(centre, columns, radius * radius);
        assert_int_equal(linpred__pool_open(1 + trial % 3, &pool, NULL), LINPRED_OK);
        assert_int_equal(linpred__find_ball_shells(data, pool, centre, inside, &shells, NULL), LINPRED_OK);
        assert_true(shells.inner == expected.inner && shells.outer == expected.outer);
        assert_int_equal(linpred__find_ball_tally(data, pool, &ball, inside, &tally, NULL), LINPRED_OK);
        assert_true(tally.weight == (double)s.rows && tally.errors == errors);
        assert_true(radius > 0.0 ? fabs(tally.nearest - nearest) <= 1e-14 * (1.0 + nearest) : isnan(tally.nearest));
        linpred__pool_close(pool);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* ---- threads
 * ----------------------------------------------------------------------------------------------------------- */

static void count_task(void *context, int64_t task)
{
    __atomic_add_fetch((int *)context + task, 1, __ATOMIC_RELAXED);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        linpred__pool *pool;
        assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
        for (int round = 0; round < 3000; round++) {
            int count[40] = {0};
            int tasks = round % 40;
            linpred__pool_run(pool, tasks, count_task, count);
            for (int i = 0; i < 40; i++)
                assert_int_equal(count[i], i < tasks);
        }
        linpred__pool_close(pool);
    }
}

/* ---- how long a chain of additions gets, and BLAS within a pass
 * ------------------------------------------------------ */

struct counted {
    int64_t rows; /* of the segment that saw most */
    int merges;   /* one after another, the most */
    int threads;  /* of BLAS, the most that any call saw */
};

static bool count_init(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static void count_block(void *context, void *state, const linpred__block *block)
{
    (void)context;
    struct counted *counted = state;
    counted->rows += block->rows;
    counted->threads = openblas_get_num_threads() > counted->threads ? openblas_get_num_threads() : counted->threads;
}

static void count_merge(void *context, void *into, const void *from)
{
    (void)context;
    struct counted *a = into;
    const struct counted *b = from;
    a->rows = b->rows > a->rows ? b->rows : a->rows;
    a->merges = 1 + (b->merges > a->merges ? b->merges : a->merges);
    a->threads = openblas_get_num_threads() > a->threads ? openblas_get_num_threads() : a->threads;
}

static void chains_are_no_longer_than_said(void **state)
{
    (void)state;
    int before = openblas_get_num_threads();
    openblas_set_num_threads(2);
    linpred__visitor visitor = {sizeof(struct counted), count_init, count_block, count_merge, NULL, NULL, NULL};
    for (int64_t rows = 1; rows < 200000; rows = rows * 3 + 1) {
        sample s = sample_new(rows, 20);
        linpred_data *data = sample_data(&s, false);
        for (int64_t blocks = 1; blocks <= 16; blocks += 5) {
            struct counted total, *totals = &total;
            linpred__cut cut = {blocks, 0.0};
            assert_int_equal(linpred__pass_all(data, NULL, &visitor, (void *[]){totals}, 1, cut, NULL), LINPRED_OK);
            double chain = linpred__pass_chain(data, cut);
            assert_true((double)(total.rows + total.merges) <= chain && chain <= (double)(total.rows + 20));
            assert_int_equal(total.threads, 1);
        }
        linpred_data_free(data);
        sample_free(&s);
    }
    assert_int_equal(openblas_get_num_threads(), 2);
    openblas_set_num_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_pass_agrees_with_plain_loops),
        cmocka_unit_test(fused_pass_of_wide_rows),
        cmocka_unit_test(fingerprint_sees_every_change),
        cmocka_unit_test(visitors_share_a_pass),
        cmocka_unit_test(survey_agrees_with_plain_loops),
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(chains_are_no_longer_than_said),
        cmocka_unit_test(normal_products_agree_with_plain_loops),
        cmocka_unit_test(tallies_of_balls_agree_with_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
