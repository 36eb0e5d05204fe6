/* The simplex method for the largest packing. The header has the formulas. */
#include "solve/cover/packing_simplex.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"
#include "core/memory.h"
#include "core/random.h"
#include "solve/limits.h"

enum { CANDIDATES = 40 };

/* Subsets that enlarge the packing, the most promising first. */
struct candidates {
    int32_t count;
    int32_t subset[CANDIDATES];
    double gain[CANDIDATES]; /* 1 - Σ_{i in S} x_i */
};

bool linpred__packing_simplex_open(linpred__packing_simplex *p, int32_t n, const double *cost, const double *lower,
                                   const double *upper)
{
    size_t rows = (size_t)n;
    *p = (linpred__packing_simplex){.n = n, .lower = lower, .upper = upper};
    p->cost = linpred__alloc(rows, sizeof *p->cost);
    p->inverse = linpred__calloc(rows, rows * sizeof *p->inverse);
    p->changed = linpred__alloc(rows, sizeof *p->changed);
    p->is_changed = linpred__calloc(rows, sizeof *p->is_changed);
    p->basic = linpred__alloc(rows, sizeof *p->basic);
    p->value = linpred__alloc(rows, sizeof *p->value);
    p->x = linpred__alloc(rows, sizeof *p->x);
    p->column = linpred__alloc(rows, sizeof *p->column);
    p->list = linpred__alloc(rows, sizeof *p->list);
    if (!p->cost || !p->inverse || !p->changed || !p->is_changed || !p->basic || !p->value || !p->x || !p->column ||
        !p->list) {
        linpred__packing_simplex_close(p);
        return false;
    }
    linpred__random random;
    linpred__random_seed(&random, 1);
    for (int32_t i = 0; i < n; i++) {
        p->cost[i] = cost[i] * (1.0 - 1e-10 * (1.0 + linpred__random_uniform(&random)));
        p->inverse[(int64_t)i * n + i] = 1.0;
    }
    return true;
}

void linpred__packing_simplex_close(linpred__packing_simplex *p)
{
    linpred__release(p->cost);
    linpred__release(p->inverse);
    linpred__release(p->changed);
    linpred__release(p->is_changed);
    linpred__release(p->basic);
    linpred__release(p->value);
    linpred__release(p->x);
    linpred__release(p->column);
    linpred__release(p->list);
    linpred__release(p->near);
    *p = (linpred__packing_simplex){0};
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static bool is_free(const linpred__packing_simplex *p, int32_t i)
{
    return p->lower[i] == 0.0 && p->upper[i] == 1.0;
}

/* The place that leaves the basis when the variable of p->column grows: the first whose value becomes 0; -1: none. */
static int32_t leaving_place(const linpred__packing_simplex *p)
{
    int32_t place = -1;
    double least = INFINITY;
    for (int32_t r = 0; r < p->n; r++)
        if (p->column[r] > 1e-9) {
            double ratio = p->value[r] / p->column[r];
            if (ratio < least || (ratio == least && p->column[r] > p->column[place])) {
                least = ratio;
                place = r;
            }
        }
    return place;
}

/* The variable of p->column enters the basis at this place, with this gain for each unit. */
LINPRED__FAST static void exchange(linpred__packing_simplex *p, int32_t entering, int32_t place, double gain)
{
    int32_t n = p->n;
    double pivot = p->column[place], amount = fmax(p->value[place], 0.0) / pivot;
    int32_t left = p->basic[place];
    if (left < 0 && !p->is_changed[~left]) {
        p->is_changed[~left] = true;
        p->changed[p->changes++] = ~left;
    }
    for (int32_t r = 0; r < n; r++)
        p->value[r] -= amount * p->column[r];
    p->value[place] = amount;
    p->basic[place] = entering;
    for (int32_t k = 0; k < p->changes; k++) {
        double *column = p->inverse + (int64_t)p->changed[k] * n, factor = column[place] / pivot;
        if (factor == 0.0)
            continue;
        for (int32_t r = 0; r < n; r++)
            column[r] -= factor * p->column[r];
        column[place] = factor;
        p->x[p->changed[k]] += gain * factor;
        p->work += n;
    }
    p->work += 3.0 * n;
}

static double gain_of(const linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t s)
{
    double gain = 1.0;
    for (int64_t k = subsets->start[s]; k < subsets->start[s + 1]; k++)
        gain -= p->x[subsets->row[k]];
    return gain;
}

/* Lets subset s enter the basis. */
LINPRED__FAST static bool enter_subset(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t s,
                                       double gain)
{
    memset(p->column, 0, (size_t)p->n * sizeof *p->column);
    for (int64_t k = subsets->start[s]; k < subsets->start[s + 1]; k++) {
        int32_t i = subsets->row[k];
        if (!is_free(p, i))
            continue;
        const double *column = p->inverse + (int64_t)i * p->n;
        for (int32_t r = 0; r < p->n; r++)
            p->column[r] += column[r];
        p->work += p->n;
    }
    int32_t place = leaving_place(p);
    if (place < 0)
        return false;
    exchange(p, s, place, gain);
    return true;
}

/* Lets the slack of row i enter the basis, where x_i < 0. */
static bool enter_slack(linpred__packing_simplex *p, int32_t i)
{
    memcpy(p->column, p->inverse + (int64_t)i * p->n, (size_t)p->n * sizeof *p->column);
    int32_t place = leaving_place(p);
    if (place < 0)
        return false;
    exchange(p, ~i, place, -p->x[i]);
    p->x[i] = 0.0;
    return true;
}

/* ---- pricing ----------------------------------------------------------------------------------------------------- */

static void offer_candidate(struct candidates *found, int32_t s, double gain)
{
    int32_t at = found->count;
    if (at == CANDIDATES) {
        if (gain <= found->gain[CANDIDATES - 1])
            return;
        at--;
    } else {
        found->count++;
    }
    for (; at > 0 && found->gain[at - 1] < gain; at--) {
        found->gain[at] = found->gain[at - 1];
        found->subset[at] = found->subset[at - 1];
    }
    found->gain[at] = gain;
    found->subset[at] = s;
}

/* The best of the `count` subsets `which`. */
static void find_candidates(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t count,
                            const int32_t *which, struct candidates *found)
{
    found->count = 0;
    for (int32_t k = 0; k < count; k++) {
        double gain = gain_of(p, subsets, which[k]);
        p->work += 1.0 + (double)(subsets->start[which[k] + 1] - subsets->start[which[k]]);
        if (gain > LINPRED__PACKING_GAIN)
            offer_candidate(found, which[k], gain);
    }
}

/* The best of all subsets. Those that are nearly worth a step become p->near, as far as there is memory. */
static void find_candidates_of_all(linpred__packing_simplex *p, const linpred__subsets *subsets,
                                   struct candidates *found)
{
    bool keeps = linpred__grow(&p->near, &p->capacity, (size_t)subsets->count, sizeof *p->near);
    found->count = p->nears = 0;
    for (int32_t s = 0; s < subsets->count; s++) {
        double gain = gain_of(p, subsets, s);
        if (gain > LINPRED__PACKING_GAIN)
            offer_candidate(found, s, gain);
        if (keeps && gain > LINPRED__PACKING_NEAR)
            p->near[p->nears++] = s;
    }
    p->work += (double)(subsets->start[subsets->count] + subsets->count);
}

/* Takes the candidates in, the best first, until none enlarges the packing. Returns the steps done. */
static int32_t take_in(linpred__packing_simplex *p, const linpred__subsets *subsets, struct candidates *found)
{
    int32_t steps = 0;
    while (steps < 2 * CANDIDATES) {
        int32_t best = -1, slack = -1;
        double most = LINPRED__PACKING_GAIN, least = -LINPRED__PACKING_GAIN;
        for (int32_t k = 0; k < found->count; k++) {
            found->gain[k] = gain_of(p, subsets, found->subset[k]);
            if (found->gain[k] > most) {
                most = found->gain[k];
                best = k;
            }
        }
        for (int32_t k = 0; k < p->changes; k++)
            if (p->x[p->changed[k]] < least) {
                least = p->x[p->changed[k]];
                slack = p->changed[k];
            }
        if (slack >= 0 && -least > most ? !enter_slack(p, slack)
                                        : best < 0 || !enter_subset(p, subsets, found->subset[best], most))
            break;
        steps++;
    }
    return steps;
}

void linpred__packing_simplex_begin(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t count,
                                    const int32_t *first)
{
    struct candidates found;
    for (int32_t k = 0; k < p->changes; k++) {
        int32_t j = p->changed[k];
        memset(p->inverse + (int64_t)j * p->n, 0, (size_t)p->n * sizeof *p->inverse);
        p->inverse[(int64_t)j * p->n + j] = 1.0;
        p->is_changed[j] = false;
    }
    p->changes = 0;
    for (int32_t i = 0; i < p->n; i++) {
        p->basic[i] = ~i;
        p->value[i] = p->cost[i];
        p->x[i] = p->lower[i] > 0 ? 1e9 : 0.0; /* then no subset with the row has a gain */
    }
    p->steps = 0;
    for (int32_t round = 0; round <= count; round++) {
        find_candidates(p, subsets, count, first, &found);
        if (take_in(p, subsets, &found) == 0)
            break;
    }
}

/* The same packing from the identity, so that rounding errors do not add up. */
static void refresh(linpred__packing_simplex *p, const linpred__subsets *subsets)
{
    int32_t count = 0;
    for (int32_t r = 0; r < p->n; r++)
        if (p->basic[r] >= 0)
            p->list[count++] = p->basic[r];
    linpred__packing_simplex_begin(p, subsets, count, p->list);
}

bool linpred__packing_simplex_run(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t steps)
{
    struct candidates found;
    while (steps > 0) {
        if (p->steps > LINPRED__PACKING_REFRESH)
            refresh(p, subsets);
        find_candidates_of_all(p, subsets, &found);
        int32_t done = take_in(p, subsets, &found);
        if (done == 0)
            return true;
        for (int32_t more = done; more > 0 && done < steps; done += more) {
            find_candidates(p, subsets, p->nears, p->near, &found);
            more = take_in(p, subsets, &found);
        }
        steps -= done;
        p->steps += done;
    }
    return false;
}
