/* Updates of R and solutions with it. The header has the formulas. */
#include "solve/least_distance/triangle.h"

#include <string.h>

#include "core/memory.h"

static linpred__dd_vector entries_from(const linpred__triangle *r, int64_t row, int64_t column)
{
    return linpred__dd_from(r->entry, row * r->capacity + column);
}

static bool reserve_triangle(linpred__triangle *r, int64_t size)
{
    if (size <= r->capacity)
        return true;
    int64_t capacity = size + size / 2 + 16;
    size_t count = (size_t)capacity * (size_t)capacity;
    linpred__dd_vector grown = {linpred__alloc(count, sizeof(double)), linpred__alloc(count, sizeof(double))};
    if (!grown.hi || !grown.lo) {
        linpred__release(grown.hi);
        linpred__release(grown.lo);
        return false;
    }
    for (int64_t i = 0; i < r->size; i++) {
        size_t bytes = (size_t)(r->size - i) * sizeof(double); /* what is left of the diagonal is never read */
        memcpy(grown.hi + i * (capacity + 1), entries_from(r, i, i).hi, bytes);
        memcpy(grown.lo + i * (capacity + 1), entries_from(r, i, i).lo, bytes);
    }
    linpred__triangle_free(r);
    r->entry = grown;
    r->capacity = capacity;
    return true;
}

void linpred__triangle_free(linpred__triangle *r)
{
    linpred__release(r->entry.hi);
    linpred__release(r->entry.lo);
    r->entry = (linpred__dd_vector){NULL, NULL};
    r->capacity = 0;
}

bool linpred__triangle_append(linpred__triangle *r, linpred__dd_vector c, linpred__dd rho)
{
    if (!reserve_triangle(r, r->size + 1))
        return false;
    int64_t s = r->size;
    for (int64_t i = 0; i < s; i++)
        linpred__dd_set(entries_from(r, i, s), 0,
                        linpred__dd_dot_both(s - i, entries_from(r, i, i), linpred__dd_from(c, i)));
    linpred__dd_set(entries_from(r, s, s), 0, rho);
    r->size++;
    return true;
}

bool linpred__triangle_take(linpred__triangle *r, int64_t size, const double *entries)
{
    if (!reserve_triangle(r, size))
        return false;
    r->size = size;
    for (int64_t i = 0; i < size; i++) {
        linpred__dd_vector row = entries_from(r, i, i);
        memcpy(row.hi, entries + i * size + i, (size_t)(size - i) * sizeof(double));
        memset(row.lo, 0, (size_t)(size - i) * sizeof(double));
    }
    return true;
}

/* Rotates rows i and i+1 so that entry (i+1, i) becomes zero and entry (i, i) positive. */
static void eliminate(linpred__triangle *r, int64_t i)
{
    linpred__dd_vector upper = entries_from(r, i, i), lower = entries_from(r, i + 1, i);
    linpred__dd a = linpred__dd_get(upper, 0), b = linpred__dd_get(lower, 0);
    linpred__dd length =
        linpred__dd_square_root(linpred__dd_add(linpred__dd_multiply(a, a), linpred__dd_multiply(b, b)));
    linpred__dd cosine = linpred__dd_divide(a, length), sine = linpred__dd_divide(b, length);
    linpred__dd_set(upper, 0, length);
    linpred__dd_set(lower, 0, (linpred__dd){0.0, 0.0});
    linpred__dd_rotate(r->size - i - 1, cosine, sine, linpred__dd_from(upper, 1), linpred__dd_from(lower, 1));
}

void linpred__triangle_drop(linpred__triangle *r, int64_t k)
{
    for (int64_t i = 0; i < r->size; i++) {
        int64_t first = i < k + 1 ? k + 1 : i; /* the columns from `first` on move one place left */
        linpred__dd_vector from = entries_from(r, i, first);
        size_t bytes = (size_t)(r->size - first) * sizeof(double);
        memmove(from.hi - 1, from.hi, bytes);
        memmove(from.lo - 1, from.lo, bytes);
    }
    r->size--;
    for (int64_t i = k; i < r->size; i++)
        eliminate(r, i);
}

/* The solves with leading parts alone are fast. Their result is a correction, whose error the next round of refinement
   corrects. */
static void quick_transposed(const linpred__triangle *r, double *g)
{
    for (int64_t i = 0; i < r->size; i++) {
        const double *row = entries_from(r, i, 0).hi;
        double value = g[i] /= row[i];
        for (int64_t j = i + 1; j < r->size; j++)
            g[j] -= value * row[j];
    }
}

static void quick(const linpred__triangle *r, double *g)
{
    for (int64_t i = r->size - 1; i >= 0; i--) {
        const double *row = entries_from(r, i, 0).hi;
        g[i] = (g[i] - linpred__dot(r->size - i - 1, row + i + 1, g + i + 1)) / row[i];
    }
}

void linpred__triangle_solve_transposed(const linpred__triangle *r, linpred__dd_vector g, bool careful)
{
    if (!careful) {
        memset(g.lo, 0, (size_t)r->size * sizeof(double));
        quick_transposed(r, g.hi);
        return;
    }
    for (int64_t i = 0; i < r->size; i++) {
        linpred__dd_vector row = entries_from(r, i, i);
        linpred__dd value = linpred__dd_divide(linpred__dd_get(g, i), linpred__dd_get(row, 0));
        linpred__dd_set(g, i, value);
        linpred__dd_add_multiple_both(r->size - i - 1, linpred__dd_negate(value), linpred__dd_from(row, 1),
                                      linpred__dd_from(g, i + 1));
    }
}

void linpred__triangle_solve(const linpred__triangle *r, linpred__dd_vector g, bool careful)
{
    if (!careful) {
        memset(g.lo, 0, (size_t)r->size * sizeof(double));
        quick(r, g.hi);
        return;
    }
    for (int64_t i = r->size - 1; i >= 0; i--) {
        linpred__dd_vector row = entries_from(r, i, i);
        linpred__dd known = linpred__dd_dot_both(r->size - i - 1, linpred__dd_from(row, 1), linpred__dd_from(g, i + 1));
        linpred__dd rest = linpred__dd_add(linpred__dd_get(g, i), linpred__dd_negate(known));
        linpred__dd_set(g, i, linpred__dd_divide(rest, linpred__dd_get(row, 0)));
    }
}
