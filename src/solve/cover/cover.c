/* The covering program and its bound. The header has the formulas. */
#include "solve/cover/cover.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/int128.h"
#include "core/memory.h"
#include "solve/lp/clp.h"
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
        c->model = linpred__clp_open(n);
        good = c->model && linpred__clp_set_costs(c->model, costs);
    }
    linpred__release(costs);
    if (good)
        return LINPRED_OK;
    linpred__cover_close(c);
    return linpred__no_memory(error);
}

void linpred__cover_close(linpred__cover *c)
{
    linpred__clp_close(c->model);
    for (int32_t s = 0; s < c->subsets; s++)
        linpred__integers_close(&c->weight[s]);
    linpred__release(c->weight);
    linpred__release(c->start);
    linpred__release(c->row);
    linpred__release(c->subset_of_lp_row);
    linpred__release(c->in_lp);
    linpred__release(c->lower);
    linpred__release(c->upper);
    linpred__release(c->x);
    linpred__release(c->load);
    *c = (linpred__cover){0};
}

/* Adds the constraint of subset s to the linear program. */
static linpred_status add_to_lp(linpred__cover *c, int32_t s, linpred_error *error)
{
    int32_t count = (int32_t)(c->start[s + 1] - c->start[s]), lp_rows = linpred__clp_rows(c->model);
    const double one = 1.0, unbounded = 1e300;
    int32_t start[2] = {0, count};
    double *ones = linpred__alloc((size_t)count, sizeof *ones);
    if (!ones ||
        !linpred__grow(&c->subset_of_lp_row, &c->lp_row_capacity, (size_t)lp_rows + 1, sizeof *c->subset_of_lp_row)) {
        linpred__release(ones);
        return linpred__no_memory(error);
    }
    for (int32_t k = 0; k < count; k++)
        ones[k] = 1.0;
    bool good = linpred__clp_add_rows(c->model, 1, &one, &unbounded, start, c->row + c->start[s], ones);
    linpred__release(ones);
    if (!good)
        return linpred__no_memory(error);
    c->subset_of_lp_row[lp_rows] = s;
    c->in_lp[s] = true;
    return LINPRED_OK;
}

linpred_status linpred__cover_add(linpred__cover *c, const int32_t *row, int32_t count, linpred__integers *weight,
                                  linpred_error *error)
{
    int64_t end = c->start[c->subsets] + count;
    linpred__integers taken = *weight;
    *weight = (linpred__integers){0, NULL};
    if (!linpred__grow(&c->start, &c->start_capacity, (size_t)c->subsets + 2, sizeof *c->start) ||
        !linpred__grow(&c->in_lp, &c->in_lp_capacity, (size_t)c->subsets + 1, sizeof *c->in_lp) ||
        !linpred__grow(&c->weight, &c->weight_capacity, (size_t)c->subsets + 1, sizeof *c->weight) ||
        !linpred__grow(&c->row, &c->row_capacity, (size_t)end, sizeof *c->row)) {
        linpred__integers_close(&taken);
        return linpred__no_memory(error);
    }
    c->weight[c->subsets] = taken;
    memcpy(c->row + c->start[c->subsets], row, (size_t)count * sizeof *row);
    c->start[c->subsets + 1] = end;
    c->in_lp[c->subsets] = false;
    return add_to_lp(c, c->subsets++, error);
}

linpred_status linpred__cover_restore(linpred__cover *c, int32_t *joined, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    *joined = 0;
    for (int32_t s = 0; s < c->subsets && status == LINPRED_OK; s++) {
        if (c->in_lp[s])
            continue;
        double covered = 0;
        for (int64_t k = c->start[s]; k < c->start[s + 1]; k++)
            covered += c->x[c->row[k]];
        if (covered < 1.0 - 1e-6) {
            status = add_to_lp(c, s, error);
            ++*joined;
        }
    }
    return status;
}

linpred_status linpred__cover_solve(linpred__cover *c, bool (*stop)(void *context), void *context, bool *feasible,
                                    bool *stopped, linpred_error *error)
{
    int status = 4, attempt = 0;
    *stopped = false;
    *feasible = true;
    if (linpred__clp_rows(c->model) == 0) { /* CLP does not accept a program without rows */
        memcpy(c->x, c->lower, (size_t)c->n * sizeof *c->x);
        return LINPRED_OK;
    }
    if (!linpred__clp_set_columns(c->model, c->lower, c->upper))
        return linpred__no_memory(error);
    for (int slice = 0; slice < LINPRED__COVER_MAX_SLICES; slice++) {
        if (!linpred__clp_solve(c->model, attempt == 2, LINPRED__COVER_SLICE, &status))
            return linpred__no_memory(error);
        c->work += 20.0 * (linpred__clp_iterations(c->model) + 10.0) * (linpred__clp_rows(c->model) + c->n);
        if (status == 0 || status == 1)
            break;
        if (stop && stop(context)) {
            *stopped = true;
            break;
        }
        if (status != 3 && (++attempt == 3 || !linpred__clp_forget_basis(c->model)))
            return linpred__fail(error, LINPRED_ERROR_INTERNAL, "the covering program came to no conclusion");
    }
    *feasible = status != 1;
    if (*feasible)
        memcpy(c->x, linpred__clp_point(c->model), (size_t)c->n * sizeof *c->x);
    return LINPRED_OK;
}

linpred_status linpred__cover_drop_inactive(linpred__cover *c, linpred_error *error)
{
    int32_t lp_rows = linpred__clp_rows(c->model), dropped = 0, kept = 0;
    int32_t *drop = linpred__alloc((size_t)lp_rows, sizeof *drop);
    if (!drop)
        return linpred__no_memory(error);
    for (int32_t r = 0; r < lp_rows; r++)
        if (linpred__clp_row_is_basic(c->model, r))
            drop[dropped++] = r;
    if (dropped < 40 + lp_rows / 3)
        dropped = 0;
    bool good = dropped == 0 || linpred__clp_delete_rows(c->model, dropped, drop);
    for (int32_t r = 0, k = 0; good && r < lp_rows; r++) {
        if (k < dropped && drop[k] == r) {
            c->in_lp[c->subset_of_lp_row[r]] = false;
            k++;
        } else {
            c->subset_of_lp_row[kept++] = c->subset_of_lp_row[r];
        }
    }
    linpred__release(drop);
    return good ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__cover_packing(const linpred__cover *c, linpred__packing *packing, linpred_error *error)
{
    int32_t lp_rows = linpred__clp_rows(c->model);
    const double *dual = linpred__clp_duals(c->model);
    *packing = (linpred__packing){0};
    for (int32_t r = 0; r < lp_rows; r++)
        packing->count += ldexp(dual[r], c->bits + c->shift) >= 1.0;
    packing->subset = linpred__alloc((size_t)packing->count, sizeof *packing->subset);
    packing->y = linpred__alloc((size_t)packing->count, sizeof *packing->y);
    if (!packing->subset || !packing->y) {
        linpred__packing_clear(packing);
        return linpred__no_memory(error);
    }
    int32_t at = 0;
    for (int32_t r = 0; r < lp_rows; r++)
        if (ldexp(dual[r], c->bits + c->shift) >= 1.0) {
            packing->subset[at] = c->subset_of_lp_row[r];
            packing->y[at++] = (int64_t)fmin(floor(ldexp(dual[r], c->bits + c->shift)), 0x1p60);
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
