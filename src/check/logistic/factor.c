#include "check/logistic/factor.h"

#include <cblas.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "check/limits.h"
#include "core/blas.h"
#include "core/memory.h"

enum {
    BLOCK = 64,       /* columns that are factored together: their square stays in cache */
    ROWS_OF_TASK = 16 /* rows of the block that one task solves for */
};

struct factoring {
    linpred__factor *factor;
    int32_t count;              /* columns of the block */
    double rest[BLOCK * BLOCK]; /* what the columns before leave of it: its lower triangle */
    _Atomic bool failed;
};

static double dot_by_four(const double *a, const double *b, int64_t n)
{
    double sum[4] = {0};
    int64_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (int32_t k = 0; k < 4; k++)
            sum[k] += a[j + k] * b[j + k];
    for (; j < n; j++)
        sum[0] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double *row_of(const linpred__factor *factor, int32_t i)
{
    return factor->l + (int64_t)i * factor->dimension;
}

/* ---- making it -----------------------------------------------------------------------------------------------------
 */

/* Rows n .. n+count-1 of l, so far the scaled matrix, by the columns before the block: R <- R L^-T. */
static void solve_part(void *context, int64_t task)
{
    const struct factoring *work = context;
    const linpred__factor *factor = work->factor;
    int32_t from = (int32_t)task * ROWS_OF_TASK,
            rows = work->count - from < ROWS_OF_TASK ? work->count - from : ROWS_OF_TASK;
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, factor->n, 1.0, factor->l,
                factor->dimension, row_of(factor, factor->n + from), factor->dimension);
}

/* The block's own part, column by column: kept rows move up to where the factor ends. */
static void factor_block(struct factoring *work, const int32_t *column, const double *scale)
{
    linpred__factor *factor = work->factor;
    int32_t first = factor->n, kept[BLOCK];
    for (int32_t k = 0; k < work->count; k++) {
        int32_t n = factor->n;
        double *row = row_of(factor, n);
        if (n != first + k)
            memcpy(row, row_of(factor, first + k), (size_t)first * sizeof *row);
        for (int32_t u = first; u < n; u++) {
            const double *other = row_of(factor, u);
            row[u] = (work->rest[k * BLOCK + kept[u - first]] - dot_by_four(row + first, other + first, u - first)) /
                     other[u];
        }
        double rest = work->rest[k * BLOCK + k] - dot_by_four(row + first, row + first, n - first);
        if (!(rest > LINPRED__SMALLEST_REST))
            continue;
        row[n] = sqrt(rest);
        kept[n - first] = k;
        /* NOLINTNEXTLINE(clang-analyzer-core*): the caller filled both for all columns of the block */
        factor->keep[n] = column[k];
        /* NOLINTNEXTLINE(clang-analyzer-core*): as above */
        factor->scale[n] = scale[k];
        factor->n++;
    }
}

static void add_factor_block(struct factoring *work, const double *a, linpred__pool *pool, const int32_t *column,
                             const double *scale)
{
    const linpred__factor *factor = work->factor;
    int64_t d = factor->dimension;
    for (int32_t k = 0; k < work->count; k++) {
        double *row = row_of(factor, factor->n + k);
        const double *from = a + column[k] * d;
        for (int32_t i = 0; i < factor->n; i++)
            row[i] = from[factor->keep[i]] * scale[k] * factor->scale[i];
        for (int32_t i = 0; i < k; i++)
            work->rest[k * BLOCK + i] = from[column[i]] * scale[k] * scale[i];
        work->rest[k * BLOCK + k] = 1.0;
    }
    if (factor->n > 0) {
        linpred__blas_run(pool, (work->count + ROWS_OF_TASK - 1) / ROWS_OF_TASK, solve_part, work);
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, work->count, factor->n, -1.0, row_of(factor, factor->n),
                    factor->dimension, 1.0, work->rest, BLOCK);
    }
    factor_block(work, column, scale);
}

static void make_factor(struct factoring *work, const double *a, const bool *spare, linpred__pool *pool)
{
    int32_t d = work->factor->dimension, column[BLOCK];
    double scale[BLOCK];
    for (int32_t j = 0; j < d;) {
        for (work->count = 0; j < d && work->count < BLOCK; j++) {
            double diagonal = a[(int64_t)j * d + j];
            if (!(diagonal > LINPRED__SMALLEST_DIAGONAL && isfinite(diagonal)) || (spare && spare[j]))
                continue;
            column[work->count] = j;
            scale[work->count++] = 1.0 / sqrt(diagonal);
        }
        add_factor_block(work, a, pool, column, scale);
    }
}

/* ---- lengths
 * --------------------------------------------------------------------------------------------------------- */

/* Lengths of some columns of L^-1, which are those of the unit vectors in the norm of (L L')^-1. */
static void measure_part(void *context, int64_t task)
{
    struct factoring *work = context;
    linpred__factor *factor = work->factor;
    int32_t from = (int32_t)task * BLOCK, rows = factor->n - from, count = rows < BLOCK ? rows : BLOCK;
    double *x = linpred__calloc((size_t)rows * (size_t)count, sizeof *x);
    if (!x) {
        atomic_store(&work->failed, true);
        return;
    }
    for (int32_t k = 0; k < count; k++)
        x[(int64_t)k * count + k] = 1.0;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, rows, count, 1.0,
                row_of(factor, from) + from, factor->dimension, x, count);
    for (int32_t k = 0; k < count; k++)
        factor->length[from + k] = 0.0;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t k = 0; k < count; k++)
            factor->length[from + k] += x[(int64_t)i * count + k] * x[(int64_t)i * count + k];
    linpred__release(x);
}

static bool measure_inverse(struct factoring *work, linpred__pool *pool)
{
    linpred__factor *factor = work->factor;
    linpred__blas_run(pool, (factor->n + BLOCK - 1) / BLOCK, measure_part, work);
    /* Where the factor is used, θ >= 1/2, so that ||L^-1|| <= 2^26 / 2n and these solves are off by less than 3e-7. */
    for (int32_t j = 0; j < factor->n; j++) {
        double square = factor->length[j] * (1.0 + 1e-4);
        factor->length[j] = sqrt(square);
        factor->trace += square;
    }
    return !atomic_load(&work->failed);
}

/* ---- the whole
 * ----------------------------------------------------------------------------------------------------------- */

void linpred__factor_close(linpred__factor *factor)
{
    linpred__release(factor->keep);
    linpred__release(factor->scale);
    linpred__release(factor->l);
    linpred__release(factor->length);
    *factor = (linpred__factor){0};
}

bool linpred__factor_open(const double *a, int32_t dimension, const bool *spare, linpred__pool *pool,
                          linpred__factor *factor)
{
    size_t d = (size_t)dimension;
    *factor = (linpred__factor){.dimension = dimension};
    factor->keep = linpred__alloc(d, sizeof *factor->keep);
    factor->scale = linpred__alloc(d, sizeof(double));
    factor->l = linpred__alloc(d * d, sizeof(double));
    factor->length = linpred__alloc(d, sizeof(double));
    struct factoring *work = linpred__calloc(1, sizeof *work);
    bool made = factor->keep && factor->scale && factor->l && factor->length && work;
    if (made) {
        work->factor = factor;
        linpred__blas_enter();
        make_factor(work, a, spare, pool);
        made = measure_inverse(work, pool);
        linpred__blas_leave();
    }
    linpred__release(work);
    if (!made)
        linpred__factor_close(factor);
    return made;
}

void linpred__factor_solve(const linpred__factor *factor, double *x)
{
    for (int32_t i = 0; i < factor->n; i++) {
        const double *row = row_of(factor, i);
        x[i] = (x[i] - dot_by_four(row, x, i)) / row[i];
    }
}

void linpred__factor_solve_rows(const linpred__factor *factor, double *x, int32_t count)
{
    if (factor->n > 0)
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, count, factor->n, 1.0, factor->l,
                    factor->dimension, x, factor->n);
}

double linpred__factor_square(const linpred__factor *factor, const double *x)
{
    return dot_by_four(x, x, factor->n);
}
