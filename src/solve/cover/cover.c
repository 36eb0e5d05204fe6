/* The covering program and its bound. The header has the formulas. */
#include "solve/cover/cover.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/int128.h"
#include "core/memory.h"
#include "solve/limits.h"

linpred_status linpred__cover_open(linpred__cover *c, int32_t n, const int64_t *cost, int64_t total,
                                   linpred_error *error)
{
    *c = (linpred__cover){.n = n, .cost = cost};
    while (c->bits < LINPRED__COVER_BITS && (total >> (60 - c->bits)) == 0)
        c->bits++;
    while ((total >> c->shift) >= (int64_t)1 << 40)
        c->shift++;
    c->lower = linpred__calloc((size_t)n, sizeof *c->lower);
    c->upper = linpred__alloc((size_t)n, sizeof *c->upper);
    c->x = linpred__calloc((size_t)n, sizeof *c->x);
    c->load = linpred__alloc((size_t)n, sizeof *c->load);
    double *costs = linpred__alloc((size_t)n, sizeof *costs);
    bool good = c->lower && c->upper && c->x && c->load && costs &&
                linpred__grow(&c->start, &c->start_capacity, 1, sizeof *c->start);
    for (int32_t i = 0; good && i < n; i++) {
        c->upper[i] = 1.0;
        costs[i] = ldexp((double)cost[i], -c->shift);
    }
    if (good) {
        c->start[0] = 0;
        good = linpred__packing_simplex_open(&c->simplex, n, costs, c->lower, c->upper);
    }
    linpred__release(costs);
    if (good)
        return LINPRED_OK;
    linpred__cover_close(c);
    return linpred__no_memory(error);
}

void linpred__cover_close(linpred__cover *c)
{
    linpred__packing_simplex_close(&c->simplex);
    for (int32_t s = 0; s < c->subsets; s++)
        linpred__integers_close(&c->weight[s]);
    linpred__release(c->weight);
    linpred__release(c->start);
    linpred__release(c->row);
    linpred__release(c->lower);
    linpred__release(c->upper);
    linpred__release(c->x);
    linpred__release(c->load);
    *c = (linpred__cover){0};
}

linpred_status linpred__cover_add(linpred__cover *c, const int32_t *row, int32_t count, linpred__integers *weight,
                                  linpred_error *error)
{
    int64_t end = c->start[c->subsets] + count;
    linpred__integers taken = *weight;
    *weight = (linpred__integers){0, NULL};
    if (!linpred__grow(&c->start, &c->start_capacity, (size_t)c->subsets + 2, sizeof *c->start) ||
        !linpred__grow(&c->weight, &c->weight_capacity, (size_t)c->subsets + 1, sizeof *c->weight) ||
        !linpred__grow(&c->row, &c->row_capacity, (size_t)end, sizeof *c->row)) {
        linpred__integers_close(&taken);
        return linpred__no_memory(error);
    }
    c->weight[c->subsets] = taken;
    memcpy(c->row + c->start[c->subsets], row, (size_t)count * sizeof *row);
    c->start[++c->subsets] = end;
    return LINPRED_OK;
}

static linpred__subsets subsets_of(const linpred__cover *c)
{
    return (linpred__subsets){c->subsets, c->start, c->row};
}

void linpred__cover_begin(linpred__cover *c, const linpred__packing *known)
{
    linpred__subsets subsets = subsets_of(c);
    c->examined = 0;
    linpred__packing_simplex_begin(&c->simplex, &subsets, known->count, known->subset);
}

/* A subset of which the branch keeps all rows, or -1. */
static int32_t find_contradiction(linpred__cover *c)
{
    for (; c->examined < c->subsets; c->examined++) {
        int64_t k = c->start[c->examined], end = c->start[c->examined + 1];
        while (k < end && c->upper[c->row[k]] == 0.0)
            k++;
        if (k == end)
            return c->examined;
    }
    return -1;
}

void linpred__cover_solve(linpred__cover *c, bool (*stop)(void *context), void *context, int32_t *contradiction,
                          bool *stopped)
{
    linpred__subsets subsets = subsets_of(c);
    *stopped = false;
    *contradiction = find_contradiction(c);
    if (*contradiction >= 0)
        return;
    for (int slice = 0; slice < LINPRED__COVER_MAX_SLICES; slice++) {
        if (linpred__packing_simplex_run(&c->simplex, &subsets, LINPRED__COVER_SLICE))
            break;
        if (stop && stop(context)) {
            *stopped = true;
            break;
        }
    }
    c->work += c->simplex.work;
    c->simplex.work = 0;
    for (int32_t i = 0; i < c->n; i++)
        c->x[i] = fmin(fmax(c->simplex.x[i], 0.0), 1.0);
}

linpred_status linpred__cover_packing(const linpred__cover *c, linpred__packing *packing, linpred_error *error)
{
    const linpred__packing_simplex *p = &c->simplex;
    *packing = (linpred__packing){0};
    for (int32_t r = 0; r < p->basics; r++)
        packing->count += ldexp(p->y[r], c->bits + c->shift) >= 1.0;
    packing->subset = linpred__alloc((size_t)packing->count, sizeof *packing->subset);
    packing->y = linpred__alloc((size_t)packing->count, sizeof *packing->y);
    if (!packing->subset || !packing->y) {
        linpred__packing_clear(packing);
        return linpred__no_memory(error);
    }
    int32_t at = 0;
    for (int32_t r = 0; r < p->basics; r++)
        if (ldexp(p->y[r], c->bits + c->shift) >= 1.0) {
            packing->subset[at] = p->subset[r];
            packing->y[at++] = (int64_t)fmin(floor(ldexp(p->y[r], c->bits + c->shift)), 0x1p60);
        }
    return LINPRED_OK;
}

void linpred__packing_clear(linpred__packing *packing)
{
    linpred__release(packing->subset);
    linpred__release(packing->y);
    *packing = (linpred__packing){0};
}

int64_t linpred__cover_bound(linpred__cover *c, const linpred__packing *packing)
{
    linpred__int128 bound = 0;
    for (int32_t i = 0; i < c->n; i++)
        c->load[i] = c->cost[i] << c->bits;
    for (int32_t k = 0; k < packing->count; k++) {
        int32_t s = packing->subset[k];
        bound += packing->y[k];
        for (int64_t e = c->start[s]; e < c->start[s + 1]; e++)
            if (__builtin_sub_overflow(c->load[c->row[e]], packing->y[k], &c->load[c->row[e]]))
                return 0; /* such multipliers are far beyond all costs, and the bound 0 always holds */
    }
    for (int32_t i = 0; i < c->n; i++)
        if (c->upper[i] > 0 && (c->lower[i] > 0 || c->load[i] < 0))
            bound += c->load[i];
    return bound < 0 ? 0 : bound > INT64_MAX ? INT64_MAX : (int64_t)bound;
}
