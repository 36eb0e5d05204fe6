/* The Gram matrix of a chunk (see gram.h): kernels for vectors of several instruction sets, and BLAS. */
#include "pass/gram.h"

#include <cblas.h>

#include "pass/limits.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    WIDTH = 8, /* doubles of a vector */
    LINE = 8   /* doubles of a cache line */
};

size_t linpred__gram_stride(size_t n)
{
    return (n + WIDTH - 1) / WIDTH * WIDTH;
}

size_t linpred__gram_rows(size_t n)
{
    if (n > LINPRED__GRAM_OWN_MAX)
        return LINPRED__GRAM_BLAS_ROWS;
    size_t rows = LINPRED__GRAM_CHUNK / linpred__gram_stride(n) / 8 * 8;
    return rows < 32 ? 32 : rows;
}

static void add_by_blas(size_t stride, size_t rows, const double *x, double *gram)
{
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)stride, (int)rows, 1.0, x, (int)stride, 1.0, gram,
                (int)stride);
}

#if defined(__x86_64__)
/* A tile of G stays in registers while all rows of X go by. It has as many rows as a vector has places, and `count`
   vectors of columns. */
#define GRAM_KERNEL(name, instructions, vector, width, load, store, spread, multiply_add)                              \
    __attribute__((target(instructions), always_inline)) static inline void name##_tile(                               \
        size_t stride, size_t rows, const double *x, size_t i, size_t j, int count, const double *ahead, double *gram) \
    {                                                                                                                  \
        vector sum[width][3];                                                                                          \
        for (int k = 0; k < width; k++)                                                                                \
            for (int c = 0; c < count; c++)                                                                            \
                sum[k][c] = load(gram + (i + (size_t)k) * stride + j + (size_t)(width * c));                           \
        for (size_t r = 0; r < rows; r++, x += stride) {                                                               \
            vector right[3];                                                                                           \
            if (ahead)                                                                                                 \
                __builtin_prefetch(ahead + LINE * r);                                                                  \
            for (int c = 0; c < count; c++)                                                                            \
                right[c] = load(x + j + (size_t)(width * c));                                                          \
            for (int k = 0; k < width; k++) {                                                                          \
                vector left = spread(x[i + (size_t)k]);                                                                \
                for (int c = 0; c < count; c++)                                                                        \
                    sum[k][c] = multiply_add(left, right[c], sum[k][c]);                                               \
            }                                                                                                          \
        }                                                                                                              \
        for (int k = 0; k < width; k++)                                                                                \
            for (int c = 0; c < count; c++)                                                                            \
                store(gram + (i + (size_t)k) * stride + j + (size_t)(width * c), sum[k][c]);                           \
    }                                                                                                                  \
    __attribute__((target(instructions))) static void name(size_t stride, size_t rows, const double *x,                \
                                                           const double *ahead, double *gram)                          \
    {                                                                                                                  \
        for (size_t i = 0; i < stride; i += width) {                                                                   \
            size_t j = i;                                                                                              \
            if (ahead && j + 3 * width <= stride) {                                                                    \
                name##_tile(stride, rows, x, i, j, 3, ahead + i / LINE * LINE * rows, gram);                           \
                j += 3 * width;                                                                                        \
            }                                                                                                          \
            for (; j + 3 * width <= stride; j += 3 * width)                                                            \
                name##_tile(stride, rows, x, i, j, 3, NULL, gram);                                                     \
            if (j + 2 * width <= stride)                                                                               \
                name##_tile(stride, rows, x, i, j, 2, NULL, gram);                                                     \
            else if (j < stride)                                                                                       \
                name##_tile(stride, rows, x, i, j, 1, NULL, gram);                                                     \
        }                                                                                                              \
    }

GRAM_KERNEL(add_avx512, "avx512f", __m512d, 8, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_fmadd_pd)
GRAM_KERNEL(add_avx2, "avx2,fma", __m256d, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_fmadd_pd)
#endif

void linpred__gram_add(size_t n, size_t rows, const double *x, const double *ahead, double *gram)
{
    size_t stride = linpred__gram_stride(n);
    (void)ahead; /* only the kernels of some processors fetch ahead */
    if (rows == 0)
        return;
#if defined(__x86_64__)
    if (n <= LINPRED__GRAM_OWN_MAX && __builtin_cpu_supports("avx512f")) {
        add_avx512(stride, rows, x, ahead, gram);
        return;
    }
    if (n <= LINPRED__GRAM_OWN_MAX && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        add_avx2(stride, rows, x, ahead, gram);
        return;
    }
#endif
    add_by_blas(stride, rows, x, gram);
}
