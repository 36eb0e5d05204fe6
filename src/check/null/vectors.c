/* Whether null vectors are independent of each other, and whether coefficients have the smallest norm. */
#include "check/null/vectors.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "check/limits.h"
#include "num/dd.h"
#include "num/greater.h"
#include "num/integers.h"
#include "core/fast.h"
#include "core/memory.h"

/* y -= factor x */
LINPRED__FAST static void subtract(size_t n, double factor, const double *restrict x, double *restrict y)
{
    for (size_t j = 0; j < n; j++)
        y[j] -= factor * x[j];
}

/* sum += factor x, and size += |factor x| */
LINPRED__FAST static void add_with_size(size_t n, double factor, const double *restrict x, double *restrict sum,
                                        double *restrict size)
{
    for (size_t j = 0; j < n; j++) {
        double part = factor * x[j];
        sum[j] += part;
        size[j] += fabs(part);
    }
}

bool linpred__null_eliminate(double *a, size_t count, size_t p, const double *scale, double *inverse, size_t *pivot)
{
    for (size_t k = 0; k < count; k++) {
        double *row = a + k * p, longest = -1.0;
        for (size_t j = 0; j < p; j++) {
            double size = fabs(row[j]) * (scale ? scale[j] : 1.0);
            if (size > longest && row[j] != 0.0) {
                longest = size;
                pivot[k] = j;
            }
        }
        if (!(longest >= 0.0) || !isfinite(row[pivot[k]]))
            return false;
        double largest = row[pivot[k]];
        for (size_t i = 0; i < count; i++) {
            double factor = a[i * p + pivot[k]] / largest;
            if (i == k || factor == 0.0)
                continue;
            subtract(p, factor, row, a + i * p);
            subtract(count, factor, inverse + k * count, inverse + i * count);
            a[i * p + pivot[k]] = 0.0;
        }
        for (size_t j = 0; j < count; j++)
            inverse[k * count + j] /= largest;
        for (size_t j = 0; j < p; j++)
            row[j] /= largest;
    }
    return true;
}

/* Whether ||B N_J - I|| < 1 for the columns J of the pivots, with B = `inverse`. Then N_J is regular, however B was
   found. The norm is the largest sum of a column, with its rounding. Returns -1 if memory runs out. */
static int is_inverse(const double *n, size_t count, size_t p, const double *inverse, const size_t *pivot)
{
    double *columns = linpred__alloc(count * count + 1, sizeof *columns); /* N_J by rows */
    double *off = linpred__calloc(3 * count + 1, sizeof *off), *sum = off + count, *size = sum + count;
    bool ready = columns && off, good = true;
    for (size_t k = 0; ready && k < count; k++)
        for (size_t j = 0; j < count; j++)
            columns[k * count + j] = n[k * p + pivot[j]];
    for (size_t i = 0; ready && i < count; i++) {
        memset(sum, 0, 2 * count * sizeof *sum);
        for (size_t k = 0; k < count; k++)
            add_with_size(count, inverse[i * count + k], columns + k * count, sum, size);
        for (size_t j = 0; j < count; j++)
            off[j] += fabs(sum[j] - (i == j ? 1.0 : 0.0)) + (double)(count + 4) * 0x1p-51 * size[j] + 0x1p-900;
    }
    for (size_t j = 0; ready && j < count; j++)
        good = good && off[j] < 0.5;
    linpred__release(columns);
    linpred__release(off);
    return ready ? good : -1;
}

/* ---- independence in integers ---- */

/* Each column in its last bit, which changes no rank. Returns false if a number is not finite. */
static bool take_integers(const double *vectors, size_t count, size_t p, linpred__integers *a)
{
    for (size_t j = 0; j < p; j++) {
        int lowest = INT_MAX;
        for (size_t k = 0; k < count; k++) {
            double entry = vectors[k * p + j];
            if (!isfinite(entry))
                return false;
            if (entry != 0.0 && linpred__lowest_bit(entry) < lowest)
                lowest = linpred__lowest_bit(entry);
        }
        for (size_t k = 0; lowest < INT_MAX && k < count; k++)
            linpred__set_shifted(a->value[k * p + j], vectors[k * p + j], -lowest);
    }
    return true;
}

/* Elimination without fractions (Bareiss): all divisions are without rest. The pivot of vector k is an entry that is
   left in it, where the vector itself is largest, times the scale. Returns whether each vector has one. */
static bool eliminate_integers(const linpred__integers *a, const double *vectors, size_t count, size_t p,
                               const double *scale, size_t *pivot)
{
    mpz_t divisor, term, factor;
    mpz_init_set_ui(divisor, 1);
    mpz_init(term);
    mpz_init(factor);
    bool independent = true;
    for (size_t k = 0; independent && k < count; k++) {
        const mpz_t *row = (const mpz_t *)a->value + k * p;
        double longest = -1.0;
        for (size_t j = 0; j < p; j++) {
            double size = fabs(vectors[k * p + j]) * (scale ? scale[j] : 1.0);
            if (mpz_sgn(row[j]) != 0 && size > longest) {
                longest = size;
                pivot[k] = j;
            }
        }
        independent = longest >= 0.0;
        for (size_t i = (k + 1) * p; independent && i < count * p; i++) {
            if (i % p == 0)
                mpz_set(factor, a->value[i + pivot[k]]);
            mpz_mul(term, factor, row[i % p]);
            mpz_mul(a->value[i], a->value[i], row[pivot[k]]);
            mpz_sub(a->value[i], a->value[i], term);
            mpz_divexact(a->value[i], a->value[i], divisor);
        }
        if (independent)
            mpz_set(divisor, row[pivot[k]]);
    }
    mpz_clear(divisor);
    mpz_clear(term);
    mpz_clear(factor);
    return independent;
}

/* Where doubles do not tell. Returns -1 if memory runs out. */
static int is_independent_exactly(const double *vectors, size_t count, size_t p, const double *scale, size_t *pivot)
{
    linpred__integers a;
    if (!linpred__integers_open((int32_t)(count * p), &a))
        return -1;
    int independent = take_integers(vectors, count, p, &a) && eliminate_integers(&a, vectors, count, p, scale, pivot);
    linpred__integers_close(&a);
    return independent;
}

int linpred__null_independent(const double *vectors, size_t count, size_t p, const double *scale, size_t *pivot)
{
    if (count == 0 || count > p)
        return count == 0;
    double *a = linpred__alloc(count * p, sizeof *a);
    double *inverse = linpred__calloc(count * count, sizeof *inverse);
    size_t *chosen = linpred__alloc(count, sizeof *chosen);
    bool ready = a && inverse && chosen;
    int independent = 0;
    if (ready) {
        memcpy(a, vectors, count * p * sizeof *a);
        for (size_t k = 0; k < count; k++)
            inverse[k * (count + 1)] = 1.0;
        if (linpred__null_eliminate(a, count, p, scale, inverse, chosen))
            independent = is_inverse(vectors, count, p, inverse, chosen);
    }
    if (ready && independent == 0 && (double)(count * count) * (double)p <= LINPRED__MAX_INTEGER_VECTORS)
        independent = is_independent_exactly(vectors, count, p, scale, chosen);
    if (independent == 1 && pivot)
        memcpy(pivot, chosen, count * sizeof *pivot);
    linpred__release(a);
    linpred__release(inverse);
    linpred__release(chosen);
    return ready ? independent : -1;
}

int32_t linpred__null_last(const linpred__null_vectors *vectors, int32_t k, int32_t columns)
{
    int32_t last = columns - 1;
    while (last > 0 && vectors->vector[(int64_t)k * vectors->width + last] == 0.0)
        last--;
    return last;
}

bool linpred__null_estimable(const linpred__null_vectors *vectors, int32_t columns, int32_t coefficient)
{
    for (int32_t k = 0; k < vectors->count; k++)
        if (vectors->drop ? linpred__null_last(vectors, k, columns) == coefficient
                          : vectors->vector[(int64_t)k * vectors->width + coefficient] != 0.0)
            return false;
    return true;
}

/* Whether each vector ends in a column of its own, whose coefficient is 0. */
static bool drops_columns(const linpred_model *model, const linpred__null_vectors *vectors)
{
    for (int32_t k = 0; k < vectors->count; k++) {
        int32_t last = linpred__null_last(vectors, k, model->columns);
        if (model->w[last] != 0.0 || (model->regression && model->regression->tail[last] != 0.0))
            return false;
        for (int32_t i = 0; i < vectors->count; i++)
            if ((vectors->vector[(int64_t)i * vectors->width + last] != 0.0) != (i == k))
                return false;
    }
    return true;
}

/* The power of two of the largest of some numbers; 0 if all are 0. Without it products of huge numbers overflow. */
static int power_of(const double *number, int32_t count)
{
    double largest = 0.0;
    for (int32_t j = 0; j < count; j++)
        largest = linpred__greater(largest, fabs(number[j]));
    return largest > 0 && isfinite(largest) ? ilogb(largest) : 0;
}

double linpred__null_norm_left(const linpred_model *model, const linpred__null_vectors *vectors, const double *extent)
{
    double worst = 0.0;
    if (vectors->drop)
        return drops_columns(model, vectors) ? 0.0 : INFINITY;
    int w_power = -power_of(model->w, model->columns);
    for (int32_t k = 0; k < vectors->count; k++) {
        const double *vector = vectors->vector + (int64_t)k * vectors->width;
        int n_power = -power_of(vector, model->columns);
        linpred__dd along = {0.0, 0.0};
        double nn = 0.0, ww = 0.0, floor = 0.0, rounding = 0.0;
        for (int32_t j = 0; j < model->columns; j++) {
            double n = ldexp(vector[j], n_power), w = ldexp(model->w[j], w_power);
            along = linpred__dd_add(along, linpred__two_product(n, w));
            nn = hypot(nn, n);
            ww = hypot(ww, w);
            floor += extent && extent[j] > 0 ? ldexp(fabs(n) / extent[j], w_power) : 0.0;
            /* A denormal coefficient has no digits beyond its last bit. */
            rounding += fabs(n) * ldexp(1.0, w_power - 1074);
        }
        worst = linpred__greater(worst, fabs(along.hi) <= rounding ? 0.0 : fabs(along.hi) / (nn * ww + floor));
    }
    return worst;
}
