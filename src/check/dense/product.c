/* C += A'B and X <- L^-1 X by tiles (see product.h). A tile of C or X stays in registers while what is added to it goes
 * by.
 *
 * This file alone is compiled with -ffp-contract=fast: sum + a b is one fused operation where the processor has it.
 * That only makes sums more accurate than their bounds say.
 */
#include "check/dense/product.h"

#include <string.h>

#include "core/fast.h"

enum {
    WIDTH = 4,       /* doubles of a vector: longer ones would be kept in memory where registers are not so long */
    HEIGHT = 4,      /* rows of a tile */
    VECTORS = 3,     /* vectors in a row of a tile, at most: with those of B it fills 16 registers */
    SIDE_HEIGHT = 2, /* rows of a tile of X */
    SIDE_VECTORS = LINPRED__SIDE_BY_SIDE / WIDTH,
    GATHERED = 4096 /* doubles that are gathered before they are multiplied: 32 KB */
};

typedef double vector __attribute__((vector_size(8 * WIDTH)));

size_t linpred__product_rows(size_t length)
{
    size_t rows = GATHERED / linpred__whole_vectors(length) / 8 * 8;
    return rows < 64 ? 64 : rows;
}

struct product {
    size_t rows;
    const double *a;
    size_t m;
    const double *b;
    size_t n;
    double *c;
};

/* The tile of C at (i, j), with `count` vectors in a row. */
LINPRED__INLINED void add_tile(const struct product *p, size_t i, size_t j, int count)
{
    const double *a = p->a + i, *b = p->b + j;
    double *c = p->c + i * p->n + j;
    vector sum[HEIGHT][VECTORS];
    for (int k = 0; k < HEIGHT; k++)
        for (int l = 0; l < count; l++)
            memcpy(&sum[k][l], c + (size_t)k * p->n + l * WIDTH, sizeof(vector));
    for (size_t r = 0; r < p->rows; r++, a += p->m, b += p->n) {
        vector right[VECTORS];
        for (int l = 0; l < count; l++)
            memcpy(&right[l], b + l * WIDTH, sizeof(vector));
        for (int k = 0; k < HEIGHT; k++)
            for (int l = 0; l < count; l++)
                sum[k][l] += a[k] * right[l];
    }
    for (int k = 0; k < HEIGHT; k++)
        for (int l = 0; l < count; l++)
            memcpy(c + (size_t)k * p->n + l * WIDTH, &sum[k][l], sizeof(vector));
}

LINPRED__INLINED void add_tiles_body(const struct product *p, bool upper)
{
    for (size_t i = 0; i < p->m; i += HEIGHT) {
        size_t j = upper ? i / WIDTH * WIDTH : 0;
        for (; j + 3 * WIDTH <= p->n; j += 3 * WIDTH)
            add_tile(p, i, j, 3);
        if (j + 2 * WIDTH <= p->n)
            add_tile(p, i, j, 2);
        else if (j < p->n)
            add_tile(p, i, j, 1);
    }
}

LINPRED__VERSIONS(add_tiles, (const struct product *p, bool upper), (p, upper))

void linpred__product_add(size_t rows, const double *a, size_t m, const double *b, size_t n, bool upper, double *c)
{
    struct product product = {0, a, linpred__whole_vectors(m), b, linpred__whole_vectors(n), c};
    size_t most = linpred__product_rows(n);
    for (; rows > 0; rows -= product.rows) {
        product.rows = rows < most ? rows : most;
        add_tiles(&product, upper);
        product.a += product.rows * product.m;
        product.b += product.rows * product.n;
    }
}

/* Rows i .. i + height - 1 of X, from those before. */
LINPRED__INLINED void solve_rows(const double *l, size_t l_stride, size_t i, int height, double *x, size_t x_stride)
{
    vector sum[SIDE_HEIGHT][SIDE_VECTORS];
    for (int k = 0; k < height; k++)
        memcpy(sum[k], x + (i + (size_t)k) * x_stride, sizeof sum[k]);
    for (size_t j = 0; j < i; j++) {
        vector before[SIDE_VECTORS];
        memcpy(before, x + j * x_stride, sizeof before);
        for (int k = 0; k < height; k++)
            for (int v = 0; v < SIDE_VECTORS; v++)
                sum[k][v] -= l[(i + (size_t)k) * l_stride + j] * before[v];
    }
    for (int k = 0; k < height; k++) {
        const double *row = l + (i + (size_t)k) * l_stride + i;
        for (int v = 0; v < SIDE_VECTORS; v++) {
            for (int j = 0; j < k; j++)
                sum[k][v] -= row[j] * sum[j][v];
            sum[k][v] /= row[k];
        }
        memcpy(x + (i + (size_t)k) * x_stride, sum[k], sizeof sum[k]);
    }
}

LINPRED__INLINED void substitute_body(const double *l, size_t l_stride, size_t n, double *x, size_t x_stride)
{
    size_t i = 0;
    for (; i + SIDE_HEIGHT <= n; i += SIDE_HEIGHT)
        solve_rows(l, l_stride, i, SIDE_HEIGHT, x, x_stride);
    for (; i < n; i++)
        solve_rows(l, l_stride, i, 1, x, x_stride);
}

LINPRED__VERSIONS(substitute, (const double *l, size_t l_stride, size_t n, double *x, size_t x_stride),
                  (l, l_stride, n, x, x_stride))

void linpred__substitute(const double *l, size_t l_stride, size_t n, double *x, size_t x_stride)
{
    substitute(l, l_stride, n, x, x_stride);
}
