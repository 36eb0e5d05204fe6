/* The factor of factor.h: by blocks of columns, what is before them by the products of product.h. */
#include "check/dense/factor.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "check/limits.h"
#include "core/memory.h"

enum {
    BLOCK = 64, /* columns that are factored together: their square stays in cache */
    SIDE = LINPRED__SIDE_BY_SIDE
};

struct factoring {
    linpred__factor *factor;
    int32_t count;              /* columns of the block */
    double rest[BLOCK * BLOCK]; /* what the columns before leave of it: its lower triangle */
    double *before;             /* the new rows of L up to the block, side by side: dimension x BLOCK */
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

/* ---- making it ---- */

/* Some of the new rows of L: R <- R L^-T, which is R' <- L^-1 R'. */
static void solve_part(void *context, int64_t task)
{
    const struct factoring *work = context;
    const linpred__factor *factor = work->factor;
    linpred__substitute(factor->l, (size_t)factor->dimension, (size_t)factor->n, work->before + task * SIDE, BLOCK);
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
    double square[BLOCK * BLOCK] = {0.0};
    memset(work->before, 0, (size_t)factor->n * BLOCK * sizeof *work->before);
    for (int32_t k = 0; k < work->count; k++) {
        const double *from = a + column[k] * d;
        for (int32_t i = 0; i < factor->n; i++)
            work->before[i * BLOCK + k] = from[factor->keep[i]] * scale[k] * factor->scale[i];
        for (int32_t i = 0; i < k; i++)
            work->rest[k * BLOCK + i] = from[column[i]] * scale[k] * scale[i];
        work->rest[k * BLOCK + k] = 1.0;
    }
    linpred__pool_run(pool, BLOCK / SIDE, solve_part, work);
    linpred__product_add((size_t)factor->n, work->before, BLOCK, work->before, BLOCK, true, square);
    for (int32_t k = 0; k < work->count; k++) {
        double *row = row_of(factor, factor->n + k);
        for (int32_t i = 0; i < factor->n; i++)
            row[i] = work->before[i * BLOCK + k];
        for (int32_t i = 0; i <= k; i++)
            work->rest[k * BLOCK + i] -= square[i * BLOCK + k];
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

/* ---- lengths ---- */

void linpred__factor_inverse_columns(const linpred__factor *factor, int32_t from, double *x)
{
    int32_t rows = factor->n - from;
    memset(x, 0, (size_t)rows * SIDE * sizeof *x);
    for (int32_t k = 0; k < SIDE && k < rows; k++)
        x[k * SIDE + k] = 1.0;
    linpred__substitute(row_of(factor, from) + from, (size_t)factor->dimension, (size_t)rows, x, SIDE);
}

/* Lengths of some columns of L^-1, which are those of the unit vectors in the norm of (L L')^-1. */
static void measure_part(void *context, int64_t task)
{
    struct factoring *work = context;
    linpred__factor *factor = work->factor;
    int32_t from = (int32_t)task * SIDE, rows = factor->n - from, count = rows < SIDE ? rows : SIDE;
    double *x = linpred__alloc((size_t)rows * SIDE, sizeof *x);
    if (!x) {
        atomic_store(&work->failed, true);
        return;
    }
    linpred__factor_inverse_columns(factor, from, x);
    for (int32_t i = 0; i < rows; i++)
        for (int32_t k = 0; k < count; k++)
            factor->length[from + k] += x[(int64_t)i * SIDE + k] * x[(int64_t)i * SIDE + k];
    linpred__release(x);
}

static bool measure_inverse(struct factoring *work, linpred__pool *pool)
{
    linpred__factor *factor = work->factor;
    linpred__pool_run(pool, (factor->n + SIDE - 1) / SIDE, measure_part, work);
    /* Where the factor is used, θ >= 1/2, so that ||L^-1|| <= 2^26 / 2n and these solves are off by less than 3e-7. */
    for (int32_t j = 0; j < factor->n; j++) {
        double square = factor->length[j] * (1.0 + 1e-4);
        factor->length[j] = sqrt(square);
        factor->trace += square;
    }
    return !atomic_load(&work->failed);
}

/* ---- the whole ---- */

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
    factor->length = linpred__calloc(d, sizeof(double));
    struct factoring *work = linpred__calloc(1, sizeof *work);
    double *before = linpred__alloc(d * BLOCK, sizeof *before);
    bool made = factor->keep && factor->scale && factor->l && factor->length && work && before;
    if (made) {
        work->factor = factor;
        work->before = before;
        make_factor(work, a, spare, pool);
        made = measure_inverse(work, pool);
    }
    linpred__release(before);
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

void linpred__factor_solve_rows(const linpred__factor *factor, double *x)
{
    linpred__substitute(factor->l, (size_t)factor->dimension, (size_t)factor->n, x, SIDE);
}

double linpred__factor_square(const linpred__factor *factor, const double *x)
{
    return dot_by_four(x, x, factor->n);
}
