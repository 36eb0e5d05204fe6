/* Right-looking: a panel of columns is factored, its rows below are solved, and what is left is updated. */
#include "solve/dense/tiled_factor.h"

#include <cblas.h>
#include <lapacke.h>

#include "core/blas.h"

enum { TILE = 128 }; /* rows and columns of a tile: 128 KB stay in cache, and products are large enough for BLAS */

struct panel {
    double *a;
    int n;
    int first; /* the first column of the panel */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The tile that begins `rows` rows and `columns` columns behind the end of the panel. */
static double *tile_behind(const struct panel *panel, int64_t rows, int64_t columns)
{
    int64_t from = panel->first + TILE;
    return panel->a + (from + columns) * panel->n + from + rows;
}

/* Rows task · TILE … below the panel become those of L. */
static void solve_panel_tile(void *context, int64_t task)
{
    const struct panel *panel = context;
    int n = panel->n, row = panel->first + ((int)task + 1) * TILE;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, least(TILE, n - row), TILE, 1.0,
                panel->a + (int64_t)panel->first * n + panel->first, n, panel->a + (int64_t)panel->first * n + row, n);
}

/* Subtracts the products of the panel from tile (i, j), i >= j, of what is left. */
static void update_tile(void *context, int64_t task)
{
    const struct panel *panel = context;
    int i = 0, n = panel->n;
    while ((int64_t)(i + 1) * (i + 2) / 2 <= task)
        i++;
    int j = (int)(task - (int64_t)i * (i + 1) / 2), rest = n - panel->first - TILE;
    int rows = least(TILE, rest - i * TILE), columns = least(TILE, rest - j * TILE);
    const double *left = tile_behind(panel, (int64_t)i * TILE, -TILE),
                 *right = tile_behind(panel, (int64_t)j * TILE, -TILE);
    double *to = tile_behind(panel, (int64_t)i * TILE, (int64_t)j * TILE);
    if (i == j)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, TILE, -1.0, left, n, 1.0, to, n);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, TILE, -1.0, left, n, right, n, 1.0, to, n);
}

bool linpred__tiled_factor(linpred__pool *pool, int n, double *a)
{
    struct panel panel = {a, n, 0};
    for (; panel.first < n; panel.first += TILE) {
        int width = least(TILE, n - panel.first), rest = n - panel.first - width;
        int64_t tiles = (rest + TILE - 1) / TILE;
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', width, a + (int64_t)panel.first * (n + 1), n) != 0)
            return false;
        linpred__blas_run(pool, tiles, solve_panel_tile, &panel);
        linpred__blas_run(pool, tiles * (tiles + 1) / 2, update_tile, &panel);
    }
    return true;
}
