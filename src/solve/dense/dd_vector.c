/* Kernels for vectors of double-doubles. The header has the operations and their error bound. */
#include "solve/dense/dd_vector.h"

#include "core/fast.h"

/* Each kernel is written once, as an inlined body. On x86-64 it is compiled twice: for machines with 256-bit vectors
   and a fused multiply-add instruction, and for all others, where fma() is a library call. Both versions do the same
   operations in the same order. */
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define CALL(kernel, ...)                                                                                              \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? kernel##_avx2(__VA_ARGS__)                      \
                                                                     : kernel##_plain(__VA_ARGS__))
#else
#define AVX2 __attribute__((unused))
#define CALL(kernel, ...) kernel##_plain(__VA_ARGS__)
#endif

enum { LANES = 8 }; /* partial sums of a dot product; 8 independent additions hide the latency of one */

LINPRED__INLINED linpred__dd merge(const double *sum, const double *errors)
{
    linpred__dd total = {0.0, 0.0};
    for (int lane = 0; lane < LANES; lane++)
        total = linpred__dd_add(total, linpred__two_sum(sum[lane], errors[lane]));
    return total;
}

LINPRED__INLINED linpred__dd dot_body(int64_t n, const double *restrict a, const double *restrict hi,
                                      const double *restrict lo)
{
    double sum[LANES] = {0.0};
    double errors[LANES] = {0.0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            linpred__dd p = linpred__two_product(a[i + lane], hi[i + lane]);
            linpred__compensated_add(&sum[lane], &errors[lane], p.hi, p.lo + a[i + lane] * lo[i + lane]);
        }
    for (; i < n; i++) {
        linpred__dd p = linpred__two_product(a[i], hi[i]);
        linpred__compensated_add(&sum[0], &errors[0], p.hi, p.lo + a[i] * lo[i]);
    }
    return merge(sum, errors);
}

LINPRED__INLINED linpred__dd dot_both_body(int64_t n, linpred__dd_vector a, linpred__dd_vector b)
{
    double sum[LANES] = {0.0};
    double errors[LANES] = {0.0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            int64_t k = i + lane;
            linpred__dd p = linpred__two_product(a.hi[k], b.hi[k]);
            linpred__compensated_add(&sum[lane], &errors[lane], p.hi, p.lo + (a.hi[k] * b.lo[k] + a.lo[k] * b.hi[k]));
        }
    for (; i < n; i++) {
        linpred__dd p = linpred__two_product(a.hi[i], b.hi[i]);
        linpred__compensated_add(&sum[0], &errors[0], p.hi, p.lo + (a.hi[i] * b.lo[i] + a.lo[i] * b.hi[i]));
    }
    return merge(sum, errors);
}

LINPRED__INLINED linpred__dd dot_sparse_body(int64_t n, const double *a, const int32_t *index, linpred__dd_vector b)
{
    double sum[LANES] = {0.0};
    double errors[LANES] = {0.0};
    for (int64_t i = 0; i < n; i++) {
        linpred__dd p = linpred__two_product(a[i], b.hi[index[i]]);
        linpred__compensated_add(&sum[i % LANES], &errors[i % LANES], p.hi, p.lo + a[i] * b.lo[index[i]]);
    }
    return merge(sum, errors);
}

LINPRED__INLINED double plain_dot_body(int64_t n, const double *restrict a, const double *restrict b)
{
    double sum[LANES] = {0.0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += a[i + lane] * b[i + lane];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* (hi + lo) + product. The leading parts are added exactly, so only the sum of the trailing parts is rounded. */
LINPRED__INLINED linpred__dd add_product(double hi, double lo, linpred__dd product)
{
    linpred__dd s = linpred__two_sum(hi, product.hi);
    return linpred__quick_two_sum(s.hi, s.lo + (product.lo + lo));
}

LINPRED__INLINED void add_multiple_body(int64_t n, double c, const double *restrict x, double *restrict hi,
                                        double *restrict lo)
{
    for (int64_t i = 0; i < n; i++) {
        linpred__dd y = add_product(hi[i], lo[i], linpred__two_product(c, x[i]));
        hi[i] = y.hi;
        lo[i] = y.lo;
    }
}

LINPRED__INLINED void add_multiple_sparse_body(int64_t n, double c, const double *x, const int32_t *index,
                                               linpred__dd_vector y)
{
    for (int64_t i = 0; i < n; i++) {
        int32_t j = index[i];
        linpred__dd_set(y, j, add_product(y.hi[j], y.lo[j], linpred__two_product(c, x[i])));
    }
}

LINPRED__INLINED linpred__dd times(double c_hi, double c_lo, double x_hi, double x_lo)
{
    linpred__dd p = linpred__two_product(c_hi, x_hi);
    return (linpred__dd){p.hi, p.lo + (c_hi * x_lo + c_lo * x_hi)};
}

LINPRED__INLINED void add_multiple_both_body(int64_t n, linpred__dd c, const double *restrict x_hi,
                                             const double *restrict x_lo, double *restrict hi, double *restrict lo)
{
    for (int64_t i = 0; i < n; i++) {
        linpred__dd y = add_product(hi[i], lo[i], times(c.hi, c.lo, x_hi[i], x_lo[i]));
        hi[i] = y.hi;
        lo[i] = y.lo;
    }
}

LINPRED__INLINED void rotate_body(int64_t n, linpred__dd cosine, linpred__dd sine, double *restrict x_hi,
                                  double *restrict x_lo, double *restrict y_hi, double *restrict y_lo)
{
    for (int64_t i = 0; i < n; i++) {
        linpred__dd cx = times(cosine.hi, cosine.lo, x_hi[i], x_lo[i]);
        linpred__dd sx = times(-sine.hi, -sine.lo, x_hi[i], x_lo[i]);
        linpred__dd x = add_product(cx.hi, cx.lo, times(sine.hi, sine.lo, y_hi[i], y_lo[i]));
        linpred__dd y = add_product(sx.hi, sx.lo, times(cosine.hi, cosine.lo, y_hi[i], y_lo[i]));
        x_hi[i] = x.hi;
        x_lo[i] = x.lo;
        y_hi[i] = y.hi;
        y_lo[i] = y.lo;
    }
}

/* ---- the two versions of each kernel ----------------------------------------------------------------------------- */

#define TWICE(result, kernel, parameters, ...)                                                                         \
    AVX2 static result kernel##_avx2 parameters                                                                        \
    {                                                                                                                  \
        return kernel##_body(__VA_ARGS__);                                                                             \
    }                                                                                                                  \
    static result kernel##_plain parameters                                                                            \
    {                                                                                                                  \
        return kernel##_body(__VA_ARGS__);                                                                             \
    }

TWICE(linpred__dd, dot, (int64_t n, const double *a, const double *hi, const double *lo), n, a, hi, lo)
TWICE(linpred__dd, dot_both, (int64_t n, linpred__dd_vector a, linpred__dd_vector b), n, a, b)
TWICE(linpred__dd, dot_sparse, (int64_t n, const double *a, const int32_t *index, linpred__dd_vector b), n, a, index, b)
TWICE(double, plain_dot, (int64_t n, const double *a, const double *b), n, a, b)
TWICE(void, add_multiple, (int64_t n, double c, const double *x, double *hi, double *lo), n, c, x, hi, lo)
TWICE(void, add_multiple_sparse, (int64_t n, double c, const double *x, const int32_t *index, linpred__dd_vector y), n,
      c, x, index, y)
TWICE(void, add_multiple_both,
      (int64_t n, linpred__dd c, const double *x_hi, const double *x_lo, double *hi, double *lo), n, c, x_hi, x_lo, hi,
      lo)
TWICE(void, rotate,
      (int64_t n, linpred__dd cosine, linpred__dd sine, double *x_hi, double *x_lo, double *y_hi, double *y_lo), n,
      cosine, sine, x_hi, x_lo, y_hi, y_lo)

linpred__dd linpred__dd_dot(int64_t n, const double *a, linpred__dd_vector b)
{
    return CALL(dot, n, a, b.hi, b.lo);
}

double linpred__dot(int64_t n, const double *a, const double *b)
{
    return CALL(plain_dot, n, a, b);
}

linpred__dd linpred__dd_dot_both(int64_t n, linpred__dd_vector a, linpred__dd_vector b)
{
    return CALL(dot_both, n, a, b);
}

linpred__dd linpred__dd_dot_sparse(int64_t n, const double *a, const int32_t *index, linpred__dd_vector b)
{
    return CALL(dot_sparse, n, a, index, b);
}

double linpred__dot_sparse(int64_t n, const double *a, const int32_t *index, const double *b)
{
    double sum[2] = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++)
        sum[i % 2] += a[i] * b[index[i]];
    return sum[0] + sum[1];
}

void linpred__dd_add_multiple(int64_t n, double c, const double *x, linpred__dd_vector y)
{
    CALL(add_multiple, n, c, x, y.hi, y.lo);
}

void linpred__dd_add_multiple_sparse(int64_t n, double c, const double *x, const int32_t *index, linpred__dd_vector y)
{
    CALL(add_multiple_sparse, n, c, x, index, y);
}

void linpred__dd_add_multiple_both(int64_t n, linpred__dd c, linpred__dd_vector x, linpred__dd_vector y)
{
    CALL(add_multiple_both, n, c, x.hi, x.lo, y.hi, y.lo);
}

void linpred__dd_rotate(int64_t n, linpred__dd cosine, linpred__dd sine, linpred__dd_vector x, linpred__dd_vector y)
{
    CALL(rotate, n, cosine, sine, x.hi, x.lo, y.hi, y.lo);
}

linpred__dd linpred__dd_sum(int64_t n, linpred__dd_vector x)
{
    linpred__dd sum = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++)
        sum = linpred__dd_add(sum, linpred__dd_get(x, i));
    return sum;
}
