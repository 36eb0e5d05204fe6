/* Signed rows as integers, their rank, and vectors orthogonal to some of them (see pencils.h). */
#include <math.h>

#include "check/cover/boxes.h"
#include "check/cover/pencils.h"
#include "check/limits.h"
#include "check/rows/whole.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/memory.h"

/* ---- the integers ---- */

void linpred__whole_rows_close(linpred__whole_rows *whole)
{
    for (int64_t i = 0; whole->z && i < (int64_t)whole->rows * whole->columns; i++)
        mpz_clear(whole->z[i]);
    linpred__release(whole->z);
    linpred__release(whole->value);
    *whole = (linpred__whole_rows){0};
}

bool linpred__whole_rows_open(const linpred_data *data, bool has_intercept, linpred__whole_rows *whole)
{
    int32_t columns = data->columns + has_intercept;
    size_t entries = (size_t)data->rows * (size_t)columns;
    *whole = (linpred__whole_rows){.rows = (int32_t)data->rows, .columns = columns};
    int *shift = linpred__calloc((size_t)columns, sizeof *shift);
    whole->value = linpred__calloc(entries, sizeof *whole->value);
    whole->z = shift && whole->value ? linpred__alloc(entries, sizeof *whole->z) : NULL;
    if (!whole->z) {
        linpred__release(shift);
        return false;
    }
    for (int64_t i = 0; i < data->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        linpred__entries row = linpred__entries_of(block, r);
        double *to = whole->value + i * columns;
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            to[j] = block->target[r] * linpred__in_own_unit(block, j, row.values[k]);
        }
        if (has_intercept)
            to[data->columns] = block->target[r];
        for (int32_t j = 0; j < columns; j++)
            if (-linpred__lowest_bit(to[j]) > shift[j])
                shift[j] = -linpred__lowest_bit(to[j]);
    }
    for (size_t i = 0; i < entries; i++) {
        int by = shift[i % (size_t)columns];
        mpz_init(whole->z[i]);
        linpred__set_shifted(whole->z[i], whole->value[i], by);
        whole->value[i] = ldexp(whole->value[i], by);
    }
    linpred__release(shift);
    return true;
}

/* ---- elimination ---- */

struct matrix {
    int32_t rows;
    int32_t columns;
    mpz_t *entry;
    mpz_t before, product; /* the pivot before; scratch */
};

static bool open_matrix(const linpred__row_set *set, const int32_t *row, int32_t rows, struct matrix *matrix)
{
    const linpred__whole_rows *whole = set->whole;
    size_t entries = (size_t)rows * (size_t)set->columns;
    matrix->rows = rows;
    matrix->columns = set->columns;
    matrix->entry = linpred__alloc(entries + 1, sizeof *matrix->entry);
    if (!matrix->entry)
        return false;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < set->columns; j++)
            mpz_init_set(matrix->entry[i * set->columns + j],
                         whole->z[(int64_t)row[i] * whole->columns + set->column[j]]);
    mpz_init_set_ui(matrix->before, 1);
    mpz_init(matrix->product);
    return true;
}

static void close_matrix(struct matrix *matrix)
{
    for (int32_t i = 0; i < matrix->rows * matrix->columns; i++)
        mpz_clear(matrix->entry[i]);
    mpz_clears(matrix->before, matrix->product, NULL);
    linpred__release(matrix->entry);
}

static mpz_t *matrix_row(const struct matrix *matrix, int32_t i)
{
    return matrix->entry + (int64_t)i * matrix->columns;
}

/* Row i <- (pivot row_i - row_i[column] row_from) / pivot before, which divides exactly (Bareiss). */
static void eliminate_row(struct matrix *matrix, int32_t i, int32_t from, int32_t column)
{
    mpz_t *row = matrix_row(matrix, i), *by = matrix_row(matrix, from), factor;
    mpz_init_set(factor, row[column]);
    for (int32_t j = 0; j < matrix->columns; j++) {
        mpz_mul(row[j], row[j], by[column]);
        mpz_mul(matrix->product, factor, by[j]);
        mpz_sub(row[j], row[j], matrix->product);
        mpz_divexact(row[j], row[j], matrix->before);
    }
    mpz_clear(factor);
}

/* The first column in which row i is not 0; -1: the row is 0. */
static int32_t pivot_of(const struct matrix *matrix, int32_t i)
{
    for (int32_t j = 0; j < matrix->columns; j++)
        if (mpz_sgn(matrix_row(matrix, i)[j]) != 0)
            return j;
    return -1;
}

int32_t linpred__row_set_rank(const linpred__row_set *set, int32_t *column)
{
    struct matrix basis;
    int32_t *pivot = linpred__alloc((size_t)set->columns + 1, sizeof *pivot), rank = 0;
    int32_t *first =
        linpred__calloc((size_t)set->columns + 2, sizeof *first); /* places of rows: a basis, and one more */
    bool ready = pivot && first;
    for (int32_t i = 0; ready && i < set->rows && rank < set->columns; i++) {
        first[rank] = set->row[i];
        ready = open_matrix(set, first, rank + 1, &basis);
        if (!ready)
            break;
        int32_t at = 0;
        for (int32_t t = 0; t <= rank && at >= 0; t++) {
            at = pivot_of(&basis, t);
            for (int32_t l = t + 1; at >= 0 && l <= rank; l++)
                eliminate_row(&basis, l, t, at);
            if (at >= 0)
                mpz_set(basis.before, matrix_row(&basis, t)[at]);
            pivot[t] = at;
        }
        rank += at >= 0;
        close_matrix(&basis);
    }
    for (int32_t t = 0; ready && t < rank; t++)
        column[t] = set->column[pivot[t]];
    linpred__release(pivot);
    linpred__release(first);
    return ready ? rank : -1;
}

/* The vector that is `pivot` in column `at`, 0 in the other column without pivot, and so that each row gives 0. */
static void take_orthogonal(const struct matrix *matrix, const int32_t *pivot, int32_t at, mpz_t *vector)
{
    for (int32_t j = 0; j < matrix->columns; j++)
        mpz_set_ui(vector[j], 0);
    mpz_set(vector[at], matrix->before);
    for (int32_t t = 0; t < matrix->rows; t++)
        mpz_neg(vector[pivot[t]], matrix_row(matrix, t)[at]);
}

int linpred__row_set_orthogonal(const linpred__row_set *set, const int32_t *through, mpz_t *first, mpz_t *second)
{
    enum { MOST = 64 };
    struct matrix matrix;
    int32_t n = set->columns - 2, pivot[MOST] = {0};
    bool taken[MOST] = {false};
    if (set->columns > MOST || !open_matrix(set, through, n, &matrix))
        return -1;
    int independent = 1;
    for (int32_t t = 0; t < n && independent; t++) {
        pivot[t] = pivot_of(&matrix, t);
        independent = pivot[t] >= 0;
        for (int32_t i = 0; independent && i < n; i++)
            if (i != t)
                eliminate_row(&matrix, i, t, pivot[t]);
        if (independent) {
            mpz_set(matrix.before, matrix_row(&matrix, t)[pivot[t]]);
            taken[pivot[t]] = true;
        }
    }
    int32_t left = 0;
    for (int32_t j = 0; independent && j < set->columns; j++)
        if (!taken[j])
            take_orthogonal(&matrix, pivot, j, left++ == 0 ? first : second);
    close_matrix(&matrix);
    return independent;
}

/* ---- the rows of the data ---- */

/* Sets *least as below, from the whole rows. Returns false if memory runs out. */
static bool find_least(const linpred__row_set *set, linpred__pool *pool, const linpred__costs_of_data *asked,
                       int64_t *least, bool *by_boxes)
{
    int64_t limit = asked->limit;
    double vectors = linpred__pencil_vectors(set->rows, set->columns);
    if (asked->boxes && vectors > LINPRED__FEW_PENCIL_VECTORS) {
        bool few = vectors <= LINPRED__MAX_PENCIL_VECTORS;
        double signs = few ? linpred__pencil_signs(set->rows, set->columns) : INFINITY;
        linpred__boxes_say say = linpred__divide_halfspaces(set, pool, limit, fmin(signs, LINPRED__MAX_BOX_SIGNS));
        *by_boxes = say == LINPRED__BOXES_PROVE;
        if (*by_boxes)
            *least = limit;
        if (say != LINPRED__BOXES_OPEN)
            return say == LINPRED__BOXES_PROVE;
    }
    if (vectors > LINPRED__MAX_PENCIL_VECTORS)
        return true;
    *least = linpred__least_cost(set, pool, limit);
    return *least >= 0;
}

linpred_status linpred__least_cost_of_data(const linpred__costs_of_data *asked, linpred__pool *pool, int64_t *least,
                                           bool *by_boxes, linpred_error *error)
{
    const linpred_data *data = asked->data;
    linpred__whole_rows whole = {0};
    int32_t columns = data->columns + asked->has_intercept;
    bool suits_boxes = asked->boxes && data->rows <= LINPRED__MAX_BOX_ROWS && columns <= LINPRED__CHECKED_BOX_COLUMNS;
    *by_boxes = false;
    if (!suits_boxes && linpred__pencil_vectors(data->rows, columns) > LINPRED__MAX_PENCIL_VECTORS)
        return LINPRED_OK;
    int32_t rows = (int32_t)data->rows;
    int32_t *place = linpred__alloc((size_t)(rows + columns), sizeof *place);
    bool ready = place && linpred__whole_rows_open(data, asked->has_intercept, &whole);
    for (int32_t i = 0; ready && i < rows + columns; i++)
        place[i] = i < rows ? i : i - rows;
    linpred__row_set set = {&whole, asked->cost, rows, place, columns, place ? place + rows : NULL};
    ready = ready && find_least(&set, pool, asked, least, by_boxes);
    linpred__whole_rows_close(&whole);
    linpred__release(place);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}
