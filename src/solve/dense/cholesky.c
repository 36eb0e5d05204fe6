/* Cholesky's factor by LAPACK. The header has the formulas.
 *
 * LAPACK stores matrices by columns. A symmetric matrix is the same by rows and by columns, so nothing is transposed. L
 * is LAPACK's lower triangle, which is faster than the upper one. BLAS runs on one thread, so that the bits do not
 * depend on its number of threads.
 */
#include "solve/dense/cholesky.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"

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
    linpred__blas_enter();
    lapack_int info = n > 0 ? LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, cholesky->factor, n) : 0;
    linpred__blas_leave();
    return info == 0;
}

double linpred__cholesky_min_remainder(const linpred__cholesky *cholesky)
{
    double smallest = 1.0;
    for (int32_t i = 0; i < cholesky->n; i++) {
        double pivot = cholesky->factor[(int64_t)i * cholesky->n + i];
        smallest = fmin(smallest, pivot * pivot);
    }
    return smallest;
}

void linpred__cholesky_solve(const linpred__cholesky *cholesky, double *x)
{
    int32_t n = cholesky->n;
    if (n == 0)
        return; /* BLAS refuses empty matrices */
    for (int32_t i = 0; i < n; i++)
        x[i] *= cholesky->scale[i];
    linpred__blas_enter();
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, cholesky->factor, n, x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, cholesky->factor, n, x, 1);
    linpred__blas_leave();
    for (int32_t i = 0; i < n; i++)
        x[i] *= cholesky->scale[i];
}

double linpred__cholesky_squared_length(const linpred__cholesky *cholesky, double *x)
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

void linpred__cholesky_squared_lengths(const linpred__cholesky *cholesky, double *x, int32_t count, double *square)
{
    int32_t n = cholesky->n;
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < n; i++)
            x[(int64_t)k * n + i] *= cholesky->scale[i];
    if (n > 0)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, count, 1.0, cholesky->factor,
                    n, x, n);
    for (int32_t k = 0; k < count; k++)
        square[k] = cblas_ddot(n, x + (int64_t)k * n, 1, x + (int64_t)k * n, 1);
}

bool linpred__cholesky_inverse_diagonal(const linpred__cholesky *cholesky, double *diagonal)
{
    int32_t n = cholesky->n;
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *inverse = linpred__alloc((size_t)n * (size_t)n, sizeof(double));
    if (!inverse)
        return false;
    /* A^-1 = D L'^-1 L^-1 D. So diagonal entry i is the squared length of column i of L^-1, times D_ii². */
    memcpy(inverse, cholesky->factor, bytes);
    linpred__blas_enter();
    if (n > 0)
        LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', n, inverse, n);
    for (int32_t i = 0; i < n; i++) {
        const double *column = inverse + (int64_t)i * n + i;
        diagonal[i] = cblas_ddot(n - i, column, 1, column, 1) * cholesky->scale[i] * cholesky->scale[i];
    }
    linpred__blas_leave();
    linpred__release(inverse);
    return true;
}

/* ---- independent columns ----------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Pivoted Cholesky: the column with the largest remainder comes next. The last column comes first, so that columns are
   found to depend on the intercept, and not the intercept on them. `work` is the scaled matrix; it is overwritten.
   Returns the rank, or -1 if memory ran out. */
static int32_t pivoted(double *work, int32_t n, double dependent, int32_t *keep)
{
    const double *last = work + (int64_t)(n - 1) * n;
    bool first = n > 0 && last[n - 1] > dependent;
    for (int32_t i = 0; first && i < n - 1; i++)
        for (int32_t j = 0; j <= i; j++)
            work[(int64_t)i * n + j] -= last[i] * last[j] / last[n - 1];
    int32_t rank = 0;
    lapack_int found = 0, others = n - first;
    double largest = 0.0; /* LAPACK takes the first column whatever its remainder, if that is positive */
    for (int32_t i = 0; i < others; i++)
        largest = fmax(largest, work[(int64_t)i * n + i]);
    double *scratch = linpred__alloc(2 * (size_t)n, sizeof *scratch);
    if (!scratch)
        return -1;
    linpred__blas_enter();
    if (largest > dependent)
        LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'U', others, work, n, keep, &found, dependent, scratch);
    linpred__blas_leave();
    linpred__release(scratch);
    for (; rank < found; rank++)
        keep[rank]--; /* LAPACK counts from 1 */
    if (first)
        keep[rank++] = n - 1;
    qsort(keep, (size_t)rank, sizeof *keep, by_number);
    return rank;
}

int32_t linpred__independent_columns(const double *a, int32_t n, double dependent, int32_t *keep)
{
    linpred__cholesky cholesky;
    bool all;
    if (!linpred__cholesky_open(n, &cholesky))
        return -1;
    for (int32_t i = 0; i < n; i++)
        keep[i] = i;
    /* If the factor without pivots has no small remainder, all columns are independent. The factor 4 leaves the columns
       near the threshold to the pivoted factor. */
    all = linpred__cholesky_factor(&cholesky, a, n, keep, 0.0) &&
          linpred__cholesky_min_remainder(&cholesky) > 4.0 * dependent;
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

/* ---- from left to right ------------------------------------------------------------------------------------------ */

/* Writes a vector n of the null space of `a` for each column that is not kept, in columns of length 1: 1 in its own
   place, and entries of kept columns that are above their rounding. */
static void write_null_vectors(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *keep,
                               double *x, double *vectors)
{
    for (int32_t k = 0, next = 0, found = 0; k < n; k++) {
        if (next < factor->n && keep[next] == k) {
            next++;
            continue;
        }
        double *v = vectors + (int64_t)found++ * n, length = sqrt(a[(int64_t)k * n + k]);
        v[k] = 1.0;
        for (int32_t i = 0; i < factor->n; i++)
            x[i] = a[(int64_t)keep[i] * n + k];
        linpred__cholesky_solve(factor, x);
        for (int32_t i = 0; length > 0 && i < factor->n; i++) {
            double part = x[i] * sqrt(a[(int64_t)keep[i] * n + keep[i]]) / length;
            v[keep[i]] = fabs(part) > 1e-7 ? -part : 0.0;
        }
    }
}

/* Eliminates the vectors from their last column on. The column in which one of them ends depends on columns before it.
   Returns how many such columns were found. */
static int32_t eliminate_backwards(double *vectors, int32_t count, int32_t n, int32_t columns, bool *ends)
{
    int32_t found = 0;
    for (int32_t j = columns - 1; j >= 0 && found < count; j--) {
        int32_t best = found;
        for (int32_t k = found; k < count; k++)
            if (fabs(vectors[(int64_t)k * n + j]) > fabs(vectors[(int64_t)best * n + j]))
                best = k;
        double *pivot = vectors + (int64_t)found * n, *other = vectors + (int64_t)best * n, largest = 0.0;
        for (int32_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(other[i]));
        if (!(fabs(other[j]) > 1e-6 * largest))
            continue;
        if (other != pivot)
            cblas_dswap(n, other, 1, pivot, 1);
        for (int32_t k = found + 1; k < count; k++)
            cblas_daxpy(n, -vectors[(int64_t)k * n + j] / pivot[j], pivot, 1, vectors + (int64_t)k * n, 1);
        ends[j] = true;
        found++;
    }
    return found;
}

bool linpred__leftmost_columns(const double *a, int32_t n, bool has_intercept, int32_t rank, int32_t *keep)
{
    int32_t count = n - rank, columns = n - has_intercept;
    linpred__cholesky cholesky;
    if (!linpred__cholesky_open(rank, &cholesky))
        return false;
    double *vectors = linpred__calloc((size_t)count * (size_t)n, sizeof *vectors);
    double *x = linpred__alloc((size_t)rank, sizeof *x);
    bool *ends = linpred__calloc((size_t)n, sizeof *ends);
    bool complete = vectors && x && ends;
    if (complete && linpred__cholesky_factor(&cholesky, a, n, keep, 0.0)) {
        write_null_vectors(a, n, &cholesky, keep, x, vectors);
        linpred__blas_enter();
        int32_t found = eliminate_backwards(vectors, count, n, columns, ends);
        linpred__blas_leave();
        for (int32_t j = 0, kept = 0; found == count && j < n; j++)
            if (!ends[j])
                keep[kept++] = j;
    }
    linpred__release(vectors);
    linpred__release(x);
    linpred__release(ends);
    linpred__cholesky_close(&cholesky);
    return complete;
}
