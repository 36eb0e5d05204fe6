/* The rows of a search by boxes (see hyperplanes.h).
 *
 * The rows become integers first. For the boxes they are rounded to doubles, and standardised, since every invertible
 * map of the rows has the same halfspaces: x_j becomes (x_j - mean_j) / deviation_j if there is an intercept. Each row
 * is then divided by the sum of its |z_j|. What that rounds is bounded by `tolerance`.
 */
#include "pass/boxes/hyperplanes.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "pass/limits.h"

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

/* Writes the signed rows as integers, and what the columns were multiplied by to `unit`. */
static void fill_grid(linpred__hyperplanes *s, const linpred_data *data, bool has_intercept)
{
    linpred__grid *grid = &s->grid;
    int lowest[LINPRED__BOX_COLUMNS];
    for (int32_t j = 0; j < grid->columns; j++)
        lowest[j] = INT32_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < grid->rows; i++) {
            int32_t r;
            const linpred__block *block = linpred__block_of(data, i, &r);
            bool dense = block->layout == LINPRED__DENSE;
            int64_t from = dense ? r * block->stride : block->start[r];
            int64_t count = dense ? block->columns : block->start[r + 1] - from;
            for (int64_t k = 0; k < count + has_intercept; k++) {
                int32_t j = k == count ? data->columns : dense ? (int32_t)k : block->indices[from + k];
                double x = k < count ? block->values[from + k] : 1.0;
                if (k < count && block->decimals && block->decimals->column[j] > 0)
                    x = rint(x * linpred__tens[block->decimals->column[j]]); /* each column in its own unit */
                int exponent;
                double fraction = frexp(x, &exponent);
                if (fraction == 0.0)
                    continue;
                if (pass == 0) {
                    /* NOLINTNEXTLINE(clang-analyzer-core*): the grid holds a number for every row */
                    lowest[j] = exponent - 53 < lowest[j] ? exponent - 53 : lowest[j];
                    continue;
                }
                mpz_t *to = &grid->z[(int64_t)i * grid->columns + j];
                mpz_set_d(*to, block->target[r] * ldexp(fraction, 53));
                /* NOLINTNEXTLINE(clang-analyzer-core*): the grid holds a number for every row */
                mpz_mul_2exp(*to, *to, (mp_bitcnt_t)(exponent - 53 - lowest[j]));
            }
        }
    for (int32_t j = 0; j < grid->columns; j++) {
        int decimals =
            j < data->columns && data->rows > 0 && data->block[0].decimals ? data->block[0].decimals->column[j] : 0;
        s->unit[j] = lowest[j] == INT32_MAX ? 0.0 : ldexp(decimals > 0 ? linpred__tens[decimals] : 1.0, -lowest[j]);
    }
}

static mpz_t *grid_entry(const linpred__hyperplanes *s, int32_t row, int32_t j)
{
    return &s->grid.z[(int64_t)row * s->grid.columns + s->rows.column[j]];
}

/* A number that rows z and -z share, and hardly any others. */
static double mark_of_row(const linpred__hyperplanes *s, int32_t row)
{
    double mark = 0.0;
    for (int32_t j = 0; j < s->rows.d; j++)
        mark += (2 * j + 1) * fabs(mpz_get_d(*grid_entry(s, row, j)));
    return mark;
}

/* The first place from k on with this mark; n if there is none. */
static int32_t next_with_mark(const double *mark, int32_t k, int32_t n, double own)
{
    while (k < n && mark[k] != own)
        k++;
    return k;
}

/* Drops rows of zeros and rows that cost nothing. Of rows that are opposite, z = -z', one is wrong: the smaller cost is
   always paid, and one row is left with the difference. */
static void choose_rows(linpred__hyperplanes *s)
{
    linpred__box_rows *rows = &s->rows;
    double *mark = rows->z; /* of each row that is kept; z is not filled yet */
    for (int32_t i = 0; i < s->grid.rows; i++) {
        int64_t cost = s->grid.cost[i];
        int32_t filled = 0;
        double own = mark_of_row(s, i);
        while (filled < rows->d && mpz_sgn(*grid_entry(s, i, filled)) == 0)
            filled++;
        s->always += filled == rows->d ? cost : 0;
        for (int32_t k = next_with_mark(mark, 0, rows->n, own); k < rows->n && cost > 0 && filled < rows->d;
             k = next_with_mark(mark, k + 1, rows->n, own)) {
            int32_t j = filled;
            while (j < rows->d && mpz_cmpabs(*grid_entry(s, i, j), *grid_entry(s, rows->row[k], j)) == 0 &&
                   mpz_sgn(*grid_entry(s, i, j)) == -mpz_sgn(*grid_entry(s, rows->row[k], j)))
                j++;
            for (int32_t l = 0; j == rows->d && l < filled; l++)
                j = mpz_sgn(*grid_entry(s, rows->row[k], l)) == 0 ? j : -1;
            if (j != rows->d)
                continue;
            int64_t both = cost < rows->cost[k] ? cost : rows->cost[k];
            s->always += both;
            rows->cost[k] -= both;
            cost -= both;
        }
        if (cost > 0 && filled < rows->d) {
            mark[rows->n] = own;
            rows->row[rows->n] = i;
            rows->cost[rows->n++] = cost;
        }
    }
    int32_t left = 0;
    for (int32_t k = 0; k < rows->n; k++)
        if (rows->cost[k] > 0) {
            rows->row[left] = rows->row[k];
            rows->cost[left++] = rows->cost[k];
        }
    rows->n = left;
    for (int32_t k = 0; k < left; k++)
        s->cost[rows->row[k]] = rows->cost[k];
    s->grid.cost = s->cost;
}

/* The integers as doubles, rounded once, with columns and then rows scaled to less than 1 by powers of two. */
static void fill_doubles(linpred__hyperplanes *s)
{
    linpred__box_rows *rows = &s->rows;
    long column_top[LINPRED__BOX_COLUMNS];
    for (int32_t j = 0; j < rows->d; j++) {
        column_top[j] = 0;
        for (int32_t i = 0; i < rows->n; i++) {
            long bits = (long)mpz_sizeinbase(*grid_entry(s, rows->row[i], j), 2);
            column_top[j] = bits > column_top[j] ? bits : column_top[j];
        }
        s->unit[rows->column[j]] = ldexp(s->unit[rows->column[j]], (int)-column_top[j]);
    }
    for (int32_t i = 0; i < rows->n; i++) {
        double fraction[LINPRED__BOX_COLUMNS];
        long exponent[LINPRED__BOX_COLUMNS], top = LONG_MIN;
        for (int32_t j = 0; j < rows->d; j++) {
            fraction[j] = mpz_get_d_2exp(&exponent[j], *grid_entry(s, rows->row[i], j));
            exponent[j] -= column_top[j];
            if (fraction[j] != 0.0 && exponent[j] > top)
                top = exponent[j];
        }
        for (int32_t j = 0; j < rows->d; j++)
            rows->z[(int64_t)j * rows->n + i] =
                fraction[j] == 0.0 ? 0.0 : ldexp(fraction[j], (int)fmax((double)(exponent[j] - top), -900));
    }
}

/* Mean and deviation of column j in units of the constant column. */
static void measure_column(linpred__hyperplanes *s, int32_t j, double *deviation)
{
    const linpred__box_rows *rows = &s->rows;
    const double *z = rows->z + (int64_t)j * rows->n;
    const double *one = s->constant >= 0 ? rows->z + (int64_t)s->constant * rows->n : NULL;
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < rows->n && one; i++)
        sum += z[i] / one[i];
    s->mean[j] = one && j != s->constant ? sum / rows->n : 0.0;
    for (int32_t i = 0; i < rows->n; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core*): the rows are allocated before they are measured */
        double x = (one && j != s->constant ? z[i] / one[i] : z[i]) - s->mean[j];
        squares += x * x;
    }
    *deviation = j == s->constant || !(squares > 0) ? 1.0 : sqrt(squares / rows->n);
}

/* Standardises the rows and finds the tolerance. `unit` becomes the factor from w of the rows to w of the data. */
static void standardise_rows(linpred__hyperplanes *s)
{
    linpred__box_rows *rows = &s->rows;
    double deviation[LINPRED__BOX_COLUMNS], worst = 0;
    for (int32_t j = 0; j < rows->d; j++)
        measure_column(s, j, &deviation[j]);
    for (int32_t i = 0; i < rows->n; i++) {
        double length = 0, size = 0;
        double one = s->constant >= 0 ? rows->z[(int64_t)s->constant * rows->n + i] : 0.0;
        for (int32_t j = 0; j < rows->d; j++) {
            double *z = &rows->z[(int64_t)j * rows->n + i];
            size += (fabs(*z) + fabs(one * s->mean[j])) / deviation[j];
            *z = (*z - one * s->mean[j]) / deviation[j];
            length += fabs(*z);
        }
        for (int32_t j = 0; j < rows->d; j++)
            rows->z[(int64_t)j * rows->n + i] /= length;
        worst = fmax(worst, size / length);
        if (!(length > 0))
            worst = INFINITY;
    }
    /* Each entry is off by some 2^-52 of its size before the means are taken; all divisions add 2^-42 at most. */
    rows->tolerance = 0x1p-49 * worst + 0x1p-42;
    for (int32_t j = 0; j < rows->d; j++) {
        s->scale[j] = 1.0 / deviation[j];
        s->unit[rows->column[j]] /= deviation[j];
    }
}

static bool alloc_rows(linpred__hyperplanes *s, size_t rows, size_t columns)
{
    s->grid.z = linpred__alloc(rows * columns, sizeof(mpz_t));
    for (size_t e = 0; s->grid.z && e < rows * columns; e++)
        mpz_init(s->grid.z[e]);
    s->cost = linpred__calloc(rows, sizeof *s->cost);
    s->place = linpred__alloc(rows + 2 * columns + 1, sizeof *s->place);
    s->unit = linpred__calloc(columns, sizeof *s->unit);
    s->mean = linpred__calloc(2 * columns, sizeof *s->mean);
    s->scale = s->mean ? s->mean + columns : NULL;
    s->w = linpred__calloc(columns + 1, sizeof *s->w);
    s->rows.z = linpred__alloc(rows * columns, sizeof *s->rows.z);
    s->rows.cost = linpred__alloc(rows, sizeof *s->rows.cost);
    s->rows.row = linpred__alloc(rows, sizeof *s->rows.row);
    return s->grid.z && s->cost && s->place && s->unit && s->mean && s->w && s->rows.z && s->rows.cost && s->rows.row;
}

/* The faces of the cube. */
static bool add_faces(linpred__hyperplanes *s)
{
    int32_t d = s->rows.d;
    if (!linpred__grow(&s->waiting, &s->capacity, 2 * (size_t)d, sizeof *s->waiting))
        return false;
    for (int32_t face = 0; face < 2 * d; face++) {
        linpred__box *box = &s->waiting[s->boxes++];
        *box = (linpred__box){.centre = {0}};
        for (int32_t j = 0; j < d; j++)
            box->half[j] = j == face / 2 ? 0.0 : 1.0;
        box->centre[face / 2] = face % 2 ? -1.0 : 1.0;
    }
    return true;
}

linpred_status linpred__hyperplanes_open(linpred__hyperplanes *s, const linpred_data *data, bool has_intercept,
                                         const int64_t *cost, linpred_error *error)
{
    int32_t columns = data->columns + has_intercept;
    *s = (linpred__hyperplanes){.constant = -1, .best = INT64_MAX, .open = INT64_MAX};
    if (data->rows > LINPRED__HYPERPLANES_MAX_ROWS || columns > LINPRED__BOX_COLUMNS)
        return LINPRED_OK;
    s->grid = (linpred__grid){.rows = (int32_t)data->rows, .columns = columns, .cost = cost};
    int32_t *all = NULL, *column = NULL;
    bool ready = alloc_rows(s, (size_t)data->rows, (size_t)columns);
    if (ready) {
        column = s->place + data->rows;
        all = column + columns;
        for (int32_t i = 0; i < s->grid.rows; i++)
            s->place[i] = i;
        for (int32_t j = 0; j < columns; j++)
            all[j] = j;
        fill_grid(s, data, has_intercept);
        s->rows.d = linpred__grid_columns(&s->grid, s->place, s->grid.rows, all, columns, column);
        s->rows.column = column;
        s->rows.grid = &s->grid;
        ready = s->rows.d >= 0;
    }
    for (int32_t j = 0; ready && j < s->rows.d; j++)
        s->constant = has_intercept && column[j] == columns - 1 ? j : s->constant;
    if (ready) {
        choose_rows(s);
        fill_doubles(s);
        standardise_rows(s);
        linpred__find_gains(&s->rows);
        ready = add_faces(s);
    }
    s->suits = ready && s->rows.tolerance <= LINPRED__BOX_MAX_ERROR;
    if (ready)
        return LINPRED_OK;
    linpred__hyperplanes_close(s);
    return linpred__no_memory(error);
}

void linpred__hyperplanes_close(linpred__hyperplanes *s)
{
    for (int64_t e = 0; s->grid.z && e < (int64_t)s->grid.rows * s->grid.columns; e++)
        mpz_clear(s->grid.z[e]);
    linpred__release(s->grid.z);
    linpred__release(s->cost);
    linpred__release(s->place);
    linpred__release(s->unit);
    linpred__release(s->mean);
    linpred__release(s->w);
    linpred__release(s->rows.z);
    linpred__release(s->rows.cost);
    linpred__release(s->rows.row);
    linpred__release(s->waiting);
    *s = (linpred__hyperplanes){0};
}
