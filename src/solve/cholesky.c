#include "solve/cholesky.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A symmetric matrix in rows is the same in columns. L stands in columns, LAPACK's lower triangle, which is the faster of its
   two. BLAS runs on one thread here: the bits must not depend on how many it would like. */
static int one_thread(void)
{
    int before = openblas_get_num_threads();
    openblas_set_num_threads(1);
    return before;
}

bool linpred__cholesky_open(int32_t n, linpred__cholesky *cholesky)
{
    *cholesky = (linpred__cholesky){.n = n};
    cholesky->factor = linpred__alloc((size_t)n * (size_t)n, sizeof(double));
    cholesky->scale = linpred__alloc((size_t)n, sizeof(double));
    if (cholesky->factor && cholesky->scale)
        return true;
    linpred__cholesky_close(cholesky);
    return false;
}

void linpred__cholesky_close(linpred__cholesky *cholesky)
{
    linpred__release(cholesky->factor);
    linpred__release(cholesky->scale);
    *cholesky = (linpred__cholesky){0};
}

bool linpred__cholesky_factor(linpred__cholesky *cholesky, const double *a, int64_t stride, const int32_t *keep,
                              double ridge)
{
    int32_t n = cholesky->n;
    for (int32_t i = 0; i < n; i++) {
        double diagonal = a[keep[i] * stride + keep[i]];
        if (!(diagonal > 0 && isfinite(diagonal)))
            return false;
        cholesky->scale[i] = 1.0 / sqrt(diagonal);
    }
    for (int32_t i = 0; i < n; i++) {
        double *column = cholesky->factor + (int64_t)i * n;
        const double *from = a + keep[i] * stride;
        memset(column, 0, (size_t)i * sizeof *column);
        column[i] = 1.0 + ridge;
        for (int32_t j = i + 1; j < n; j++)
            column[j] = from[keep[j]] * cholesky->scale[i] * cholesky->scale[j];
    }
    int threads = one_thread();
    lapack_int info = n > 0 ? LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, cholesky->factor, n) : 0;
    openblas_set_num_threads(threads);
    return info == 0;
}

void linpred__cholesky_solve(const linpred__cholesky *cholesky, double *x)
{
    int32_t n = cholesky->n;
    for (int32_t i = 0; i < n; i++)
        x[i] *= cholesky->scale[i];
    int threads = one_thread();
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, cholesky->factor, n, x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, cholesky->factor, n, x, 1);
    openblas_set_num_threads(threads);
    for (int32_t i = 0; i < n; i++)
        x[i] *= cholesky->scale[i];
}

double linpred__cholesky_square(const linpred__cholesky *cholesky, double *x)
{
    int32_t n = cholesky->n;
    for (int32_t i = 0; i < n; i++)
        x[i] *= cholesky->scale[i];
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const double *column = cholesky->factor + (int64_t)i * n;
        x[i] /= column[i];
        for (int32_t j = i + 1; j < n; j++)
            x[j] -= column[j] * x[i];
        sum += x[i] * x[i];
    }
    return sum;
}

bool linpred__cholesky_inverse_diagonal(const linpred__cholesky *cholesky, double *diagonal)
{
    int32_t n = cholesky->n;
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *inverse = linpred__alloc((size_t)n * (size_t)n, sizeof(double));
    if (!inverse)
        return false;
    memcpy(inverse, cholesky->factor, bytes);
    int threads = one_thread();
    if (n > 0)
        LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, inverse, n);
    openblas_set_num_threads(threads);
    for (int32_t i = 0; i < n; i++)
        diagonal[i] = inverse[(int64_t)i * n + i] * cholesky->scale[i] * cholesky->scale[i];
    linpred__release(inverse);
    return true;
}

/* ---- independent columns ----------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Cholesky with the largest remainder taken first, and the last column, which is often the intercept, before all: others are
   then said to depend on it, not it on them. Rows of `work` hold what is left of the scaled matrix. */
static int32_t pivoted(double *work, int32_t n, double dependent, int32_t *keep)
{
    int32_t rank = 0;
    for (; rank < n; rank++) {
        int32_t best = rank == 0 && work[(int64_t)n * n - 1] > dependent ? n - 1 : -1;
        for (int32_t i = 0; i < n; i++)
            if (work[(int64_t)i * n + i] > (best < 0 ? dependent : work[(int64_t)best * n + best]))
                best = i;
        if (best < 0)
            break;
        keep[rank] = best;
        const double *row = work + (int64_t)best * n;
        double pivot = row[best];
        for (int32_t i = 0; i < n; i++) {
            double factor = i == best ? 0.0 : row[i] / pivot;
            for (int32_t j = 0; factor != 0.0 && j < n; j++)
                work[(int64_t)i * n + j] -= factor * row[j];
        }
        for (int32_t i = 0; i < n; i++)
            work[(int64_t)best * n + i] = work[(int64_t)i * n + best] = 0.0;
    }
    qsort(keep, (size_t)rank, sizeof *keep, by_number);
    return rank;
}

int32_t linpred__independent_columns(const double *a, int32_t n, double dependent, int32_t *keep)
{
    linpred__cholesky cholesky;
    bool all = true;
    if (!linpred__cholesky_open(n, &cholesky))
        return -1;
    for (int32_t i = 0; i < n; i++)
        keep[i] = i;
    all = linpred__cholesky_factor(&cholesky, a, n, keep, 0.0);
    for (int32_t i = 0; all && i < n; i++) {
        double pivot = cholesky.factor[(int64_t)i * n + i];
        all = pivot * pivot > 4.0 * dependent;
    }
    int32_t rank = n;
    if (!all) {
        for (int32_t i = 0; i < n; i++) {
            double diagonal = a[(int64_t)i * n + i];
            cholesky.scale[i] = diagonal > 0 ? 1.0 / sqrt(diagonal) : 0.0;
        }
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                cholesky.factor[(int64_t)i * n + j] = a[(int64_t)i * n + j] * cholesky.scale[i] * cholesky.scale[j];
        rank = pivoted(cholesky.factor, n, dependent, keep);
    }
    linpred__cholesky_close(&cholesky);
    return rank;
}
