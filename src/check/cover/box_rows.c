/* The rows as boxes see them (see boxes.h). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "check/cover/boxes.h"
#include "core/memory.h"

/* ---- opposite rows ---- */

/* A row with the sign of its first entry that is not 0, so that opposite rows compare as equal. */
struct signed_row {
    const linpred__row_set *set;
    int32_t row;
    int sign; /* 0: all entries are 0 */
};

static mpz_t *entry_of(const linpred__row_set *set, int32_t row, int32_t j)
{
    return &set->whole->z[(int64_t)row * set->whole->columns + set->column[j]];
}

/* The order of sign times row, entry by entry. Rows of zeros come first. */
static int compare_unsigned(const void *a, const void *b)
{
    const struct signed_row *x = a, *y = b;
    if (x->sign == 0 || y->sign == 0)
        return (x->sign != 0) - (y->sign != 0);
    for (int32_t j = 0; j < x->set->columns; j++) {
        const mpz_t *p = entry_of(x->set, x->row, j), *q = entry_of(y->set, y->row, j);
        int first = x->sign * mpz_sgn(*p), second = y->sign * mpz_sgn(*q);
        int order = first != second ? first - second : first * mpz_cmpabs(*p, *q);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Of the rows from .. to - 1, which are equal but for their signs, keeps one with what the dearer sign costs more. */
static int64_t cancel_group(const struct signed_row *group, int32_t size, const int64_t *from, int64_t *cost)
{
    int64_t side[2] = {0, 0};
    int32_t first[2] = {-1, -1};
    for (int32_t i = 0; i < size; i++) {
        int k = group[i].sign > 0;
        side[k] += from[group[i].row];
        cost[group[i].row] = 0;
        if (first[k] < 0 || group[i].row < first[k])
            first[k] = group[i].row;
    }
    if (group[0].sign == 0)
        return side[0];
    int dearer = side[1] > side[0];
    if (side[dearer] > side[1 - dearer])
        cost[first[dearer]] = side[dearer] - side[1 - dearer];
    return side[1 - dearer];
}

int32_t linpred__cancel_opposites(const linpred__row_set *set, int32_t *row, int64_t *cost, int64_t *always)
{
    struct signed_row *sorted = linpred__alloc((size_t)set->rows, sizeof *sorted);
    int32_t left = 0;
    if (!sorted)
        return -1;
    for (int32_t i = 0; i < set->rows; i++) {
        sorted[i] = (struct signed_row){set, set->row[i], 0};
        for (int32_t j = 0; j < set->columns && sorted[i].sign == 0; j++)
            sorted[i].sign = mpz_sgn(*entry_of(set, set->row[i], j));
    }
    qsort(sorted, (size_t)set->rows, sizeof *sorted, compare_unsigned);
    *always = 0;
    for (int32_t from = 0, to; from < set->rows; from = to) {
        for (to = from + 1; to < set->rows && compare_unsigned(&sorted[from], &sorted[to]) == 0; to++)
            ;
        *always += cancel_group(sorted + from, to - from, set->cost, cost);
    }
    for (int32_t i = 0; i < set->rows; i++)
        if (cost[set->row[i]] > 0)
            row[left++] = set->row[i];
    linpred__release(sorted);
    return left;
}

/* ---- doubles ---- */

/* Writes column j as doubles of at most 1 in size: rounded towards zero, times a power of two. */
static void fill_column(const linpred__row_set *set, int32_t j, double *z)
{
    long top = LONG_MIN, exponent;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < set->rows; i++) {
            double fraction = mpz_get_d_2exp(&exponent, *entry_of(set, set->row[i], j));
            if (pass == 0)
                top = fraction != 0.0 && exponent > top ? exponent : top;
            else
                z[(int64_t)i * set->columns + j] =
                    fraction == 0.0 || exponent - top < -1000 ? 0.0 : ldexp(fraction, (int)(exponent - top));
        }
}

/* The column of the intercept, whose entries are y; -1: it is not among the columns. */
static int32_t find_constant(const linpred__row_set *set)
{
    for (int32_t j = set->columns - 1; j >= 0; j--) {
        int32_t i = 0;
        while (i < set->rows && mpz_cmpabs_ui(*entry_of(set, set->row[i], j), 1) == 0)
            i++;
        if (i == set->rows)
            return j;
    }
    return -1;
}

/* The mean of z / y in column j, and the deviation from it, if there is a constant column; else the root of the mean
   square, with mean 0. */
static void measure_checked(const linpred__checked_rows *rows, int32_t j, int32_t constant, double *mean,
                            double *deviation)
{
    double sum = 0.0, squares = 0.0;
    *mean = 0.0;
    *deviation = 1.0;
    if (j == constant)
        return;
    for (int32_t i = 0; i < rows->n && constant >= 0; i++) {
        const double *z = rows->z + (int64_t)i * rows->columns;
        sum += z[j] / z[constant];
    }
    *mean = sum / rows->n;
    for (int32_t i = 0; i < rows->n; i++) {
        const double *z = rows->z + (int64_t)i * rows->columns;
        double x = constant >= 0 ? z[j] / z[constant] - *mean : z[j];
        squares += x * x;
    }
    *deviation = sqrt(squares / rows->n);
}

/* Centres and scales the columns, and divides the rows by their lengths.
 *
 * An entry a is off by 2^-52 |a| at first. Subtracting a mean m, dividing by the deviation s and multiplying by a
 * factor f make f (|a| + |m|) 2^-50 / s of that at most. The sum of these is what a score with |w_j| <= 1 can be off.
 * The score itself is summed up to 500 times with 2^-51 of rounding each, which 2^-41 covers.
 */
static void make_comparable(const linpred__row_set *set, linpred__checked_rows *rows)
{
    double mean[LINPRED__CHECKED_BOX_COLUMNS], deviation[LINPRED__CHECKED_BOX_COLUMNS], worst = 0.0;
    int32_t constant = find_constant(set);
    for (int32_t j = 0; j < rows->columns; j++) {
        measure_checked(rows, j, constant, &mean[j], &deviation[j]);
        rows->weight[j] = 0.0;
    }
    for (int32_t i = 0; i < rows->n; i++) {
        double *z = rows->z + (int64_t)i * rows->columns, length = 0.0, size = 0.0;
        double one = constant >= 0 ? z[constant] : 0.0;
        for (int32_t j = 0; j < rows->columns; j++) {
            size += (fabs(z[j]) + fabs(mean[j] * one)) / deviation[j];
            z[j] = (z[j] - mean[j] * one) / deviation[j];
            length += fabs(z[j]);
        }
        for (int32_t j = 0; j < rows->columns; j++) {
            z[j] /= length;
            rows->weight[j] += fabs(z[j]);
        }
        worst = length > 0x1p-900 && size / length > worst ? size / length : worst;
        if (!(length > 0x1p-900 && length < INFINITY)) /* nothing is known of this row */
            worst = INFINITY;
    }
    rows->tolerance = 0x1p-49 * worst + 0x1p-41;
}

bool linpred__checked_rows_open(const linpred__row_set *set, linpred__checked_rows *rows)
{
    *rows = (linpred__checked_rows){.n = set->rows, .columns = set->columns};
    rows->z = linpred__alloc((size_t)set->rows * (size_t)set->columns, sizeof *rows->z);
    rows->row = linpred__alloc((size_t)set->rows, sizeof *rows->row);
    rows->cost = linpred__alloc((size_t)set->rows, sizeof *rows->cost);
    if (!rows->z || !rows->row || !rows->cost)
        return false;
    for (int32_t i = 0; i < set->rows; i++) {
        rows->row[i] = set->row[i];
        rows->cost[i] = set->cost[set->row[i]];
    }
    for (int32_t j = 0; j < set->columns; j++)
        fill_column(set, j, rows->z);
    make_comparable(set, rows);
    return true;
}

void linpred__checked_rows_close(linpred__checked_rows *rows)
{
    linpred__release(rows->z);
    linpred__release(rows->row);
    linpred__release(rows->cost);
    *rows = (linpred__checked_rows){0};
}
