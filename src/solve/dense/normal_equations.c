/* The lower triangle is computed in tiles of columns, one task each; see the header. */
#include "solve/dense/normal_equations.h"

#include <cblas.h>
#include <lapacke.h>

#include "core/blas.h"
#include "core/memory.h"
#include "solve/limits.h"

struct products {
    linpred__normal_equations *equations;
    const double *q;
};

/* The width of a tile depends on the columns alone, so that threads change no bit. */
static int64_t tile_columns(int64_t p)
{
    int64_t tile = LINPRED__NORMAL_TILE;
    while (tile > LINPRED__NORMAL_MIN_TILE && p < 4 * tile)
        tile /= 2;
    return tile;
}

/* Some columns of X'QX, from the diagonal down. */
static void multiply_tile(void *context, int64_t task)
{
    const struct products *products = context;
    linpred__normal_equations *equations = products->equations;
    int64_t n = equations->rows, p = equations->columns, tile = tile_columns(p);
    int64_t from = task * tile, to = from + tile < p ? from + tile : p;
    double *scaled = linpred__alloc((size_t)((to - from) * n), sizeof(double));
    if (!scaled) {
        equations->no_memory = true;
        return;
    }
    const double *x = equations->x + from * n;
    for (int64_t j = 0; j < to - from; j++)
        for (int64_t i = 0; i < n; i++)
            scaled[j * n + i] = products->q[i] * x[j * n + i];
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)(p - from), (int)(to - from), (int)n, 1.0, x, (int)n,
                scaled, (int)n, 0.0, equations->matrix + from * (p + 1), (int)p);
    linpred__release(scaled);
}

bool linpred__normal_factor(linpred__normal_equations *equations, const double *q, const double *ridge)
{
    struct products products = {equations, q};
    int64_t p = equations->columns, tile = tile_columns(p);
    linpred__blas_run(equations->pool, (p + tile - 1) / tile, multiply_tile, &products);
    for (int64_t j = 0; ridge && j < p; j++)
        equations->matrix[j * (p + 1)] += ridge[j];
    return !equations->no_memory && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)p, equations->matrix, (int)p) == 0;
}

void linpred__normal_solve(const linpred__normal_equations *equations, double *x)
{
    int p = equations->columns;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, p, equations->matrix, p, x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, p, equations->matrix, p, x, 1);
}

void linpred__normal_times(const linpred__normal_equations *equations, const double *d, double factor, double *out)
{
    int n = (int)equations->rows;
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, equations->columns, 1.0, equations->x, n, d, 1, factor, out, 1);
}

void linpred__normal_times_transposed(const linpred__normal_equations *equations, const double *r, double factor,
                                      double *out)
{
    int n = (int)equations->rows;
    cblas_dgemv(CblasColMajor, CblasTrans, n, equations->columns, 1.0, equations->x, n, r, 1, factor, out, 1);
}
