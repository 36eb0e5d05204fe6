/* The exploration of one branch. The header describes it. */
#include "solve/cover/explore.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/limits.h"

linpred_status linpred__explorer_open(linpred__explorer *e, linpred__hyperplane_search *search, linpred_error *error)
{
    *e = (linpred__explorer){.search = search};
    linpred_status status = linpred__alternative_open(&e->alternative, search, error);
    if (status == LINPRED_OK)
        status = linpred__cover_open(&e->cover, search->n, search->cost, search->total, error);
    e->price = linpred__alloc((size_t)search->n, sizeof *e->price);
    if (status == LINPRED_OK && !e->price)
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        linpred__explorer_close(e);
    return status;
}

void linpred__explorer_close(linpred__explorer *e)
{
    linpred__alternative_close(&e->alternative);
    linpred__cover_close(&e->cover);
    linpred__release(e->price);
    *e = (linpred__explorer){0};
}

int64_t linpred__whole_bound(const linpred__explorer *e, int64_t bound)
{
    int64_t unit = (int64_t)1 << e->cover.bits;
    return bound / unit + (bound % unit > 0);
}

/* Costs beyond 2^31 count as reached up to a relative 2^-31, because a linear program has nine or ten digits. */
bool linpred__bound_closes(const linpred__explorer *e, int64_t bound)
{
    return linpred__whole_bound(e, bound) >= e->search->best_cost - (e->search->best_cost >> 31);
}

void linpred__set_branch(linpred__explorer *e, const linpred__branch *branch, int32_t b)
{
    for (int32_t i = 0; i < e->cover.n; i++) {
        e->cover.lower[i] = 0.0;
        e->cover.upper[i] = 1.0;
    }
    for (; branch[b].parent >= 0; b = branch[b].parent) {
        if (branch[b].given_up)
            e->cover.lower[branch[b].row] = 1.0;
        else
            e->cover.upper[branch[b].row] = 0.0;
    }
}

/* Takes over the multipliers of the covering program if they prove a larger bound than the branch has. */
static linpred_status take_packing(linpred__explorer *e, linpred__branch *branch, linpred_error *error)
{
    linpred__packing packing;
    linpred_status status = linpred__cover_packing(&e->cover, &packing, error);
    if (status != LINPRED_OK)
        return status;
    int64_t bound = linpred__cover_bound(&e->cover, &packing);
    if (bound > branch->bound) {
        linpred__packing_clear(&branch->packing);
        branch->packing = packing;
        branch->bound = bound;
    } else {
        linpred__packing_clear(&packing);
    }
    return LINPRED_OK;
}

/* The branch keeps all rows of subset s, so no halfspace belongs to it. The multiplier y = total on that subset proves
   the bound `total`, since kept rows have no term. */
static linpred_status take_contradiction(linpred__explorer *e, linpred__branch *branch, int32_t s, linpred_error *error)
{
    linpred__packing packing = {.count = 1};
    packing.subset = linpred__alloc(1, sizeof *packing.subset);
    packing.y = linpred__alloc(1, sizeof *packing.y);
    if (!packing.subset || !packing.y) {
        linpred__packing_clear(&packing);
        return linpred__no_memory(error);
    }
    packing.subset[0] = s;
    packing.y[0] = e->search->total << e->cover.bits;
    linpred__packing_clear(&branch->packing);
    branch->packing = packing;
    branch->bound = linpred__cover_bound(&e->cover, &packing);
    return LINPRED_OK;
}

/* Finds inseparable subsets that x does not cover, one after another. The price of a row is x_i, plus a little noise,
   plus 0.1 for each subset found in this call that has the row. So later subsets differ from earlier ones. */
static linpred_status find_subsets(linpred__explorer *e, linpred__effort *effort, int32_t *found, linpred_error *error)
{
    linpred__hyperplane_search *p = e->search;
    linpred_status status = LINPRED_OK;
    *found = 0;
    for (int32_t i = 0; i < p->n; i++)
        e->price[i] = e->cover.x[i] + 1e-4 * linpred__random_uniform(&p->random);
    for (int32_t k = 0; k < LINPRED__COVER_SUBSETS && !effort->over; k++) {
        status = linpred__alternative_find(&e->alternative, e->price, effort, error);
        if (status != LINPRED_OK)
            return status;
        p->work += 30.0 * p->n * p->d;
        const linpred__alternative *a = &e->alternative;
        if (linpred__hyperplane_search_offer(p, a->w) || k == 0)
            linpred__hyperplane_search_descend(p, e->alternative.w, LINPRED__COVER_SWEEPS);
        double covered = 0;
        for (int32_t r = 0; r < a->count; r++)
            covered += e->cover.x[a->row[r]];
        if (a->count == 0 || covered >= LINPRED__COVERED_ENOUGH)
            break;
        status = linpred__cover_add(&e->cover, a->row, a->count, &e->alternative.weight, error);
        if (status != LINPRED_OK)
            return status;
        ++*found;
        for (int32_t r = 0; r < a->count; r++)
            e->price[a->row[r]] += 0.1;
        if (effort->stop && effort->stop(effort->context))
            effort->over = true;
    }
    return LINPRED_OK;
}

/* The largest cost_i · min(x_i, 1 - x_i). */
int32_t linpred__undecided_row(const linpred__explorer *e)
{
    int32_t chosen = -1;
    double largest = 0;
    for (int32_t i = 0; i < e->cover.n; i++) {
        double x = e->cover.x[i];
        double merit = fmin(x, 1.0 - x) * (double)e->cover.cost[i];
        if (fmin(x, 1.0 - x) > 1e-6 && merit > largest) {
            largest = merit;
            chosen = i;
        }
    }
    return chosen;
}

linpred_status linpred__explore(linpred__explorer *e, linpred__branch *branch, int32_t b, double work,
                                linpred__effort *effort, linpred_error *error)
{
    bool stopped = false;
    int32_t found = 1, stalled = 0, contradiction;
    linpred_status status = LINPRED_OK;
    linpred__set_branch(e, branch, b);
    linpred__cover_begin(&e->cover, &branch[b].packing);
    for (int32_t round = 0; status == LINPRED_OK && found > 0 && !effort->over; round++) {
        double done = e->cover.work;
        linpred__cover_solve(&e->cover, effort->stop, effort->context, &contradiction, &stopped);
        e->search->work += e->cover.work - done;
        if (stopped) {
            effort->over = true;
            break;
        }
        if (contradiction >= 0)
            return take_contradiction(e, &branch[b], contradiction, error);
        int64_t before_it = branch[b].bound;
        status = take_packing(e, &branch[b], error);
        if (status != LINPRED_OK || linpred__bound_closes(e, branch[b].bound))
            break;
        int64_t gap = (e->search->best_cost << e->cover.bits) - branch[b].bound;
        stalled = branch[b].bound - before_it > gap / 500 ? 0 : stalled + 1;
        if ((b > 0 && round >= LINPRED__COVER_ROUNDS) || stalled >= LINPRED__COVER_STALLED || e->search->work > work)
            break;
        status = find_subsets(e, effort, &found, error);
    }
    return status;
}
