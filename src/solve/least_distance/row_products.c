/* The matrix K, tile by tile (see the header). Dense rows are multiplied by BLAS, sparse rows entry by entry. */
#include "solve/least_distance/row_products.h"

#include <cblas.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "solve/limits.h"

struct tiles {
    const linpred__least_distance *p;
    double *matrix; /* p->rows x p->rows */
    int64_t known;  /* products of rows below this one are there */
    int64_t first;  /* the tile in which row `known` lies */
    bool dense;     /* all rows are dense, one after another in p->values */
    bool failed;    /* memory ran out */
};

static bool all_dense(const linpred__least_distance *p)
{
    for (int64_t i = 0; i < p->rows; i++)
        if (p->row[i].sparse || p->row[i].values != (size_t)(i * p->width))
            return false;
    return true;
}

/* Entries of the row without that of the intercept. */
static int64_t entries(const linpred__least_distance *p, int64_t i)
{
    return p->row[i].count - (p->width - p->columns);
}

static void multiply_dense(const struct tiles *tiles, int64_t from, int64_t to, int64_t before)
{
    const linpred__least_distance *p = tiles->p;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)(to - from), (int)before, (int)p->columns, 1.0,
                p->values + from * p->width, (int)p->width, p->values, (int)p->width, 0.0,
                tiles->matrix + from * p->rows, (int)p->rows);
}

/* Row i is written out once and multiplied with every row before it. */
static bool multiply_sparse(const struct tiles *tiles, int64_t from, int64_t to)
{
    const linpred__least_distance *p = tiles->p;
    double *written = linpred__calloc((size_t)p->columns, sizeof(double));
    for (int64_t i = from; written && i < to; i++) {
        const double *values = p->values + p->row[i].values;
        const int32_t *indices = p->row[i].sparse ? p->indices + p->row[i].indices : NULL;
        for (int64_t k = 0; k < entries(p, i); k++)
            written[indices ? indices[k] : k] = values[k];
        for (int64_t j = 0; j <= i; j++) {
            const linpred__distance_row *row = &p->row[j];
            tiles->matrix[i * p->rows + j] = row->sparse ? linpred__dot_sparse(entries(p, j), p->values + row->values,
                                                                               p->indices + row->indices, written)
                                                         : linpred__dot(p->columns, p->values + row->values, written);
        }
        for (int64_t k = 0; k < entries(p, i); k++)
            written[indices ? indices[k] : k] = 0.0;
    }
    linpred__release(written);
    return written != NULL;
}

/* Rows from·tile … of K up to the diagonal. */
static void multiply_tile(void *context, int64_t task)
{
    struct tiles *tiles = context;
    int64_t from = (tiles->first + task) * LINPRED__PRODUCTS_TILE, to = from + LINPRED__PRODUCTS_TILE;
    from = from > tiles->known ? from : tiles->known;
    to = to < tiles->p->rows ? to : tiles->p->rows;
    if (tiles->dense)
        multiply_dense(tiles, from, to, to);
    else if (!multiply_sparse(tiles, from, to))
        tiles->failed = true;
}

bool linpred__row_products_update(linpred__least_distance *p, linpred__pool *pool)
{
    int64_t known = p->products_rows, n = p->rows;
    if (known == n)
        return true;
    double *matrix = linpred__alloc((size_t)n * (size_t)n, sizeof(double));
    if (!matrix)
        return false;
    for (int64_t i = 0; i < known; i++)
        memcpy(matrix + i * n, p->products + i * known, (size_t)known * sizeof(double));
    struct tiles tiles = {p, matrix, known, known / LINPRED__PRODUCTS_TILE, all_dense(p), false};
    int64_t last = (n - 1) / LINPRED__PRODUCTS_TILE;
    linpred__blas_run(pool, last - tiles.first + 1, multiply_tile, &tiles);
    linpred__release(p->products);
    p->products = matrix;
    p->products_rows = tiles.failed ? 0 : n;
    for (int64_t i = known; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            matrix[j * n + i] = matrix[i * n + j];
    return !tiles.failed;
}
