/* The pass and what is built on it, against a naive reference: every layout must agree with it, threads change no bit. */
#include "support.h"

#include "core/threads.h"
#include "data/fingerprint.h"
#include "data/fused.h"
#include "data/pass.h"

/* ---- the reference: plain loops over dense rows, in long double ---------------------------------------------------- */

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

/* ---- the fingerprint ------------------------------------------------------------------------------------------------- */

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

/* ---- threads ----------------------------------------------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_pass_agrees_with_plain_loops),
        cmocka_unit_test(fingerprint_sees_every_change),
        cmocka_unit_test(every_task_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
