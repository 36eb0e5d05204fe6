/* The conversion of doubles to integers. The header has the formula. */
#include "solve/exact_lp/integral_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "num/gmp64.h"

/* value = mantissa 2^exponent with an odd mantissa; value is finite and not 0. */
static int64_t take_apart(double value, int *exponent)
{
    int64_t mantissa = (int64_t)ldexp(frexp(value, exponent), 53); /* exact: at most 53 bits */
    int trailing = __builtin_ctzll((unsigned long long)mantissa);
    *exponent += trailing - 53;
    return mantissa / (INT64_C(1) << trailing);
}

static int bits_of(int64_t mantissa)
{
    unsigned long long size = (unsigned long long)(mantissa < 0 ? -mantissa : mantissa);
    return 64 - __builtin_clzll(size);
}

void linpred__integral_close(linpred__integral *z)
{
    linpred__release(z->column_of);
    linpred__release(z->start);
    linpred__release(z->index);
    linpred__release(z->mantissa);
    linpred__release(z->shift);
    linpred__release(z->scaled);
    linpred__release(z->column_exponent);
    linpred__release(z->column_top);
    linpred__release(z->row_exponent);
    linpred__release(z->size);
    memset(z, 0, sizeof *z);
}

/* Numbers the columns that have an entry, in their old order, and returns the number of entries. number[j] becomes the
   new number of column j, or -1; all of `number` must be 0 before. */
static int64_t number_columns(const linpred__rows *rows, const int32_t *use, int32_t used, int32_t *number,
                              int32_t *columns)
{
    int64_t entries = 0;
    for (int32_t i = 0; i < used; i++) {
        linpred__entries row = linpred__row_of(rows, use[i]);
        for (int32_t k = 0; k < row.count; k++)
            if (row.values[k] != 0.0) {
                number[linpred__entry_column(&row, k)] = 1;
                entries++;
            }
    }
    *columns = 0;
    for (int32_t j = 0; j < rows->columns; j++)
        number[j] = number[j] ? (*columns)++ : -1;
    return entries;
}

static bool reserve_integral(linpred__integral *z, int64_t entries)
{
    size_t n = (size_t)z->rows, d = (size_t)z->columns, e = (size_t)entries;
    z->column_of = linpred__alloc(d, sizeof *z->column_of);
    z->start = linpred__alloc(n + 1, sizeof *z->start);
    z->index = linpred__alloc(e, sizeof *z->index);
    z->mantissa = linpred__alloc(e, sizeof *z->mantissa);
    z->shift = linpred__alloc(e, sizeof *z->shift);
    z->scaled = linpred__alloc(e, sizeof *z->scaled);
    z->column_exponent = linpred__alloc(d, sizeof *z->column_exponent);
    z->column_top = linpred__alloc(d, sizeof *z->column_top);
    z->row_exponent = linpred__alloc(n, sizeof *z->row_exponent);
    z->size = linpred__alloc(n, sizeof *z->size);
    return z->column_of && z->start && z->index && z->mantissa && z->shift && z->scaled && z->column_exponent &&
           z->column_top && z->row_exponent && z->size;
}

/* Sets the exponents and sizes. Before, `shift` holds the exponents e of the entries. */
static void scale(linpred__integral *z)
{
    for (int32_t j = 0; j < z->columns; j++) {
        z->column_exponent[j] = INT_MAX;
        z->column_top[j] = INT_MIN;
    }
    for (int64_t e = 0; e < z->start[z->rows]; e++) {
        int32_t j = z->index[e];
        int32_t top = z->shift[e] + bits_of(z->mantissa[e]);
        if (z->shift[e] < z->column_exponent[j])
            z->column_exponent[j] = z->shift[e];
        if (top > z->column_top[j])
            z->column_top[j] = top;
    }
    z->widest = 0;
    for (int32_t i = 0; i < z->rows; i++) {
        int32_t lowest = INT_MAX;
        z->size[i] = 0;
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            int32_t j = z->index[e];
            z->scaled[e] = ldexp((double)z->mantissa[e], z->shift[e] - z->column_top[j]);
            z->size[i] += fabs(z->scaled[e]);
            z->shift[e] -= z->column_exponent[j];
            if (z->shift[e] < lowest)
                lowest = z->shift[e];
        }
        z->row_exponent[i] = lowest == INT_MAX ? 0 : lowest;
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            z->shift[e] -= z->row_exponent[i];
            int32_t bits = z->shift[e] + bits_of(z->mantissa[e]);
            if (bits > z->widest)
                z->widest = bits;
        }
    }
}

bool linpred__integral_open(const linpred__rows *rows, const int32_t *use, int32_t used, linpred__integral *z)
{
    memset(z, 0, sizeof *z);
    int32_t *number = linpred__calloc((size_t)rows->columns, sizeof *number);
    if (!number)
        return false;
    int64_t entries = number_columns(rows, use, used, number, &z->columns);
    z->rows = used;
    if (!reserve_integral(z, entries)) {
        linpred__release(number);
        linpred__integral_close(z);
        return false;
    }
    for (int32_t j = 0; j < rows->columns; j++)
        if (number[j] >= 0)
            z->column_of[number[j]] = j;
    int64_t e = 0;
    for (int32_t i = 0; i < used; i++) {
        z->start[i] = e;
        linpred__entries row = linpred__row_of(rows, use[i]);
        for (int32_t k = 0; k < row.count; k++) {
            if (row.values[k] == 0.0)
                continue;
            int exponent;
            z->index[e] = number[linpred__entry_column(&row, k)];
            z->mantissa[e] = take_apart(row.values[k], &exponent);
            z->shift[e] = exponent + linpred__entry_exponent(rows, use[i], k);
            e++;
        }
    }
    z->start[used] = e;
    linpred__release(number);
    scale(z);
    return true;
}

int64_t linpred__integral_find(const linpred__integral *z, int32_t row, int32_t column)
{
    int64_t low = z->start[row], high = z->start[row + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (z->index[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < z->start[row + 1] && z->index[low] == column ? low : -1;
}

void linpred__integral_get(const linpred__integral *z, int64_t entry, mpz_t value)
{
    linpred__mpz_set_int64(value, z->mantissa[entry]);
    mpz_mul_2exp(value, value, (mp_bitcnt_t)z->shift[entry]);
}

void linpred__integral_at(const linpred__integral *z, int32_t row, int32_t column, mpz_t scratch, mpz_t value)
{
    mpz_set_ui(value, 0);
    int64_t e = linpred__integral_find(z, row, column);
    for (; e >= 0 && e < z->start[row + 1] && z->index[e] == column; e++) {
        linpred__integral_get(z, e, scratch);
        mpz_add(value, value, scratch);
    }
}

void linpred__integral_place(const linpred__integral *z, int32_t row, const int32_t *place, int32_t count, mpz_t *value)
{
    mpz_t entry;
    mpz_init(entry);
    for (int32_t k = 0; k < count; k++)
        mpz_set_ui(value[k], 0);
    for (int64_t e = z->start[row]; e < z->start[row + 1]; e++) {
        int32_t k = place[z->index[e]];
        if (k < 0)
            continue;
        linpred__integral_get(z, e, entry);
        mpz_add(value[k], value[k], entry);
    }
    mpz_clear(entry);
}

void linpred__integral_add_multiple(const linpred__integral *z, int64_t entry, const mpz_t factor, mpz_t scratch,
                                    mpz_t sum)
{
    if (z->shift[entry] == 0) {
        linpred__mpz_addmul_int64(sum, factor, z->mantissa[entry]);
        return;
    }
    linpred__mpz_mul_int64(scratch, factor, z->mantissa[entry]);
    mpz_mul_2exp(scratch, scratch, (mp_bitcnt_t)z->shift[entry]);
    mpz_add(sum, sum, scratch);
}
