/* Costs of hyperplanes through rows of integers, without rounding (see hyperplanes.h for the recursion).
 *
 * Elimination without fractions finds the normal h of the hyperplane through given rows. Row i lies on the side of the
 * sign of <h, z_i>, an integer.
 */
#include <string.h>

#include "core/memory.h"
#include "pass/boxes/hyperplanes.h"

/* A matrix of integers for elimination. */
struct matrix {
    int32_t rows;
    int32_t columns;
    mpz_t *entry; /* row by row */
};

static mpz_t *at(const struct matrix *m, int32_t i, int32_t j)
{
    return &m->entry[(int64_t)i * m->columns + j];
}

static bool open_matrix(struct matrix *m, const linpred__grid *grid, const int32_t *row, int32_t rows,
                        const int32_t *column, int32_t columns)
{
    *m = (struct matrix){rows, columns, linpred__alloc((size_t)rows * (size_t)columns, sizeof(mpz_t))};
    for (int32_t i = 0; m->entry && i < rows; i++)
        for (int32_t j = 0; j < columns; j++)
            mpz_init_set(*at(m, i, j), grid->z[(int64_t)row[i] * grid->columns + column[j]]);
    return m->entry != NULL;
}

static void close_matrix(struct matrix *m)
{
    for (int64_t e = 0; m->entry && e < (int64_t)m->rows * m->columns; e++)
        mpz_clear(m->entry[e]);
    linpred__release(m->entry);
}

/* Fraction-free Gauss-Jordan elimination (Bareiss). Afterwards each row r below the rank has the value `pivot` in
   column pivot_column[r] and 0 in the other pivot columns. All rows have the same `pivot`. Returns the rank. */
static int32_t reduce(struct matrix *m, int32_t *pivot_column, mpz_t pivot)
{
    int32_t rank = 0;
    mpz_t scratch;
    mpz_init(scratch);
    mpz_set_ui(pivot, 1);
    for (int32_t j = 0; j < m->columns && rank < m->rows; j++) {
        int32_t i = rank;
        while (i < m->rows && mpz_sgn(*at(m, i, j)) == 0)
            i++;
        if (i == m->rows)
            continue;
        for (int32_t c = 0; c < m->columns; c++)
            mpz_swap(*at(m, i, c), *at(m, rank, c));
        for (i = 0; i < m->rows; i++) {
            if (i == rank)
                continue;
            for (int32_t c = 0; c < m->columns; c++) {
                if (c == j)
                    continue;
                mpz_mul(*at(m, i, c), *at(m, i, c), *at(m, rank, j));
                mpz_mul(scratch, *at(m, i, j), *at(m, rank, c));
                mpz_sub(*at(m, i, c), *at(m, i, c), scratch);
                mpz_divexact(*at(m, i, c), *at(m, i, c), pivot);
            }
            mpz_set_ui(*at(m, i, j), 0);
        }
        mpz_set(pivot, *at(m, rank, j));
        pivot_column[rank++] = j;
    }
    mpz_clear(scratch);
    return rank;
}

int32_t linpred__grid_columns(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                              int32_t columns, int32_t *chosen)
{
    struct matrix m; /* all rows; keeping only independent ones would be quicker, but the rows are few */
    if (!open_matrix(&m, grid, row, rows, column, columns))
        return -1;
    mpz_t pivot;
    mpz_init(pivot);
    int32_t rank = reduce(&m, chosen, pivot);
    for (int32_t r = 0; r < rank; r++)
        chosen[r] = column[chosen[r]];
    mpz_clear(pivot);
    close_matrix(&m);
    return rank;
}

/* The sign of <h, row> in these columns. `sum` is scratch. */
static int side(const linpred__grid *grid, const mpz_t *h, const int32_t *column, int32_t columns, int32_t row,
                mpz_t sum)
{
    mpz_set_ui(sum, 0);
    for (int32_t j = 0; j < columns; j++)
        mpz_addmul(sum, h[j], grid->z[(int64_t)row * grid->columns + column[j]]);
    return mpz_sgn(sum);
}

/* Sets h, `columns` initialised integers, to a normal of the hyperplane through columns - 1 rows. Returns false if the
   rows are dependent, or if memory runs out (*failed). */
static bool find_normal(const linpred__grid *grid, const int32_t *through, const int32_t *column, int32_t columns,
                        mpz_t *h, bool *failed)
{
    struct matrix m;
    int32_t *pivot_column = linpred__alloc((size_t)columns, sizeof *pivot_column), rank = 0, gap = 0;
    *failed = !pivot_column || !open_matrix(&m, grid, through, columns - 1, column, columns);
    if (!*failed) {
        mpz_t pivot;
        mpz_init(pivot);
        rank = reduce(&m, pivot_column, pivot);
        if (rank == columns - 1) {
            while (gap < rank && pivot_column[gap] == gap)
                gap++;
            mpz_set(h[gap], pivot);
            for (int32_t r = 0; r < rank; r++)
                mpz_neg(h[pivot_column[r]], *at(&m, r, gap));
        }
        mpz_clear(pivot);
        close_matrix(&m);
    }
    linpred__release(pivot_column);
    return !*failed && rank == columns - 1;
}

/* Whether the rows `through` are not the first independent rows on the hyperplane because of `row`, which lies on it:
   `row` precedes one of them and is independent of those before it. `first` and `chosen` are scratch. */
static bool comes_before(const linpred__grid *grid, int32_t row, const int32_t *through, const int32_t *column,
                         int32_t columns, int32_t *first, int32_t *chosen, bool *failed)
{
    int32_t count = 0;
    while (count < columns - 1 && through[count] < row) {
        first[count] = through[count];
        count++;
    }
    if (count == columns - 1 || through[count] == row)
        return false;
    first[count] = row;
    int32_t rank = linpred__grid_columns(grid, first, count + 1, column, columns, chosen);
    *failed = *failed || rank < 0;
    return rank == count + 1;
}

/* The smaller of `limit` and the smallest cost of a halfspace bounded by the hyperplane through the columns - 1 rows
   `through` (ascending), turned slightly so that the rows on the hyperplane are on sides that cost least. If the rows
   `through` are dependent, or are not the first independent rows on the hyperplane, the answer is `limit`: each
   hyperplane is counted once, through its first independent rows. */
static int64_t hyperplane_cost(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *through,
                               const int32_t *column, int32_t columns, int64_t limit, bool *failed)
{
    mpz_t *h = linpred__alloc((size_t)columns + 1, sizeof *h); /* the normal, then scratch for side() */
    int32_t *on = linpred__alloc((size_t)rows, sizeof *on), *rest = linpred__alloc(3 * (size_t)columns, sizeof *rest);
    *failed = !h || !on || !rest;
    int64_t min_cost = limit;
    for (int32_t j = 0; !*failed && j <= columns; j++)
        mpz_init(h[j]);
    if (!*failed && find_normal(grid, through, column, columns, h, failed)) {
        int64_t wrong[2] = {0, 0};
        int32_t inside = 0, dropped = 0, kept = 0;
        bool first = true;
        for (int32_t i = 0; i < rows && first && (wrong[0] < limit || wrong[1] < limit); i++) {
            int sign = side(grid, h, column, columns, row[i], h[columns]);
            if (sign == 0) {
                on[inside++] = row[i];
                first =
                    !comes_before(grid, row[i], through, column, columns, rest + columns, rest + 2 * columns, failed);
            } else {
                wrong[sign > 0] += grid->cost[row[i]];
            }
        }
        while (mpz_sgn(h[dropped]) == 0)
            dropped++;
        for (int32_t j = 0; j < columns; j++)
            if (j != dropped)
                rest[kept++] = column[j];
        int64_t off = wrong[0] < wrong[1] ? wrong[0] : wrong[1];
        if (!first)
            off = limit;
        if (off < limit && inside == columns - 1)
            min_cost = off; /* only `through` lie on it; independent rows can all be put on their right sides */
        else if (off < limit)
            min_cost = off + linpred__grid_min_cost(grid, on, inside, rest, kept, limit - off, failed);
    }
    for (int32_t j = 0; h && on && rest && j <= columns; j++)
        mpz_clear(h[j]);
    linpred__release(h);
    linpred__release(on);
    linpred__release(rest);
    return min_cost;
}

/* The smallest cost over the hyperplanes through all (columns-1)-subsets of the rows, in lexicographic order. */
static int64_t try_all(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                       int32_t columns, int64_t limit, bool *failed)
{
    int32_t size = columns - 1;
    int32_t *pick = linpred__alloc((size_t)columns, sizeof *pick),
            *through = linpred__alloc((size_t)columns, sizeof *through);
    *failed = !pick || !through;
    for (int32_t k = 0; !*failed && k < size; k++)
        pick[k] = k;
    for (bool more = !*failed && rows >= size; more && !*failed;) {
        for (int32_t k = 0; k < size; k++)
            through[k] = row[pick[k]];
        limit = hyperplane_cost(grid, row, rows, through, column, columns, limit, failed);
        int32_t k = size - 1;
        while (k >= 0 && pick[k] == rows - size + k)
            k--;
        more = k >= 0;
        if (more)
            pick[k]++;
        for (k++; more && k < size; k++)
            pick[k] = pick[k - 1] + 1;
    }
    linpred__release(pick);
    linpred__release(through);
    return limit;
}

int64_t linpred__grid_min_cost(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                               int32_t columns, int64_t limit, bool *failed)
{
    int32_t *chosen = linpred__alloc((size_t)columns + 1, sizeof *chosen),
            *other = linpred__alloc((size_t)rows + 1, sizeof *other);
    int32_t rank = chosen && other ? linpred__grid_columns(grid, row, rows, column, columns, chosen) : -1, count = 0;
    int64_t zero = 0, side_cost[2] = {0, 0}, min_cost = limit;
    *failed = rank < 0;
    for (int32_t i = 0; !*failed && i < rows; i++) {
        bool any = false; /* a row of zeros is a mistake of every halfspace */
        for (int32_t j = 0; j < rank; j++)
            any = any || mpz_sgn(grid->z[(int64_t)row[i] * grid->columns + chosen[j]]) != 0;
        if (any)
            other[count++] = row[i];
        else
            zero += grid->cost[row[i]];
    }
    if (!*failed && zero < limit && rank <= 1) {
        for (int32_t i = 0; i < count; i++)
            side_cost[mpz_sgn(grid->z[(int64_t)other[i] * grid->columns + chosen[0]]) > 0] += grid->cost[other[i]];
        min_cost = zero + (side_cost[0] < side_cost[1] ? side_cost[0] : side_cost[1]);
    } else if (!*failed && zero < limit) {
        min_cost = zero + try_all(grid, other, count, chosen, rank, limit - zero, failed);
    }
    linpred__release(chosen);
    linpred__release(other);
    return min_cost < limit ? min_cost : limit;
}
