/* The simplex method for the largest packing. The header has the formulas. */
#include "solve/cover/packing_simplex.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"
#include "core/memory.h"
#include "core/random.h"
#include "solve/limits.h"

enum { CANDIDATES = 40 };

/* The states of rows that are not tight: their slack is in the basis, or they have no constraint. */
enum { SLACK = -1, IGNORED = -2 };

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
    p->subset = linpred__alloc(rows, sizeof *p->subset);
    p->y = linpred__alloc(rows, sizeof *p->y);
    p->tight = linpred__alloc(rows, sizeof *p->tight);
    p->inverse = linpred__alloc(rows, rows * sizeof *p->inverse);
    p->state = linpred__alloc(rows, sizeof *p->state);
    p->slack = linpred__alloc(rows, sizeof *p->slack);
    p->x = linpred__alloc(rows, sizeof *p->x);
    p->direction = linpred__alloc(rows, sizeof *p->direction);
    p->fall = linpred__alloc(rows, sizeof *p->fall);
    p->factor = linpred__alloc(rows, sizeof *p->factor);
    p->place = linpred__alloc(rows, sizeof *p->place);
    p->list = linpred__alloc(rows, sizeof *p->list);
    if (!p->cost || !p->subset || !p->y || !p->tight || !p->inverse || !p->state || !p->slack || !p->x ||
        !p->direction || !p->fall || !p->factor || !p->place || !p->list) {
        linpred__packing_simplex_close(p);
        return false;
    }
    linpred__random random;
    linpred__random_seed(&random, 1);
    for (int32_t i = 0; i < n; i++)
        p->cost[i] = cost[i] * (1.0 - 1e-10 * (1.0 + linpred__random_uniform(&random)));
    return true;
}

void linpred__packing_simplex_close(linpred__packing_simplex *p)
{
    linpred__release(p->cost);
    linpred__release(p->subset);
    linpred__release(p->y);
    linpred__release(p->tight);
    linpred__release(p->inverse);
    linpred__release(p->state);
    linpred__release(p->slack);
    linpred__release(p->x);
    linpred__release(p->direction);
    linpred__release(p->fall);
    linpred__release(p->factor);
    linpred__release(p->place);
    linpred__release(p->list);
    linpred__release(p->near);
    *p = (linpred__packing_simplex){0};
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* What leaves the basis: the slack of a row, or the subset at a place; neither: -1 for both. */
struct leaving {
    int32_t row;
    int32_t place;
};

static double *column_of(const linpred__packing_simplex *p, int32_t tight)
{
    return p->inverse + (int64_t)tight * p->n;
}

/* Adds `amount` to p->fall on the rows of subset s that are not tight. */
static void add_to_fall(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t s, double amount)
{
    for (int64_t k = subsets->start[s]; k < subsets->start[s + 1]; k++)
        if (p->state[subsets->row[k]] == SLACK)
            p->fall[subsets->row[k]] += amount;
}

/* Fills p->fall from p->direction. `entering` is the subset that enters; -1: a slack enters. */
static void find_fall(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t entering)
{
    memset(p->fall, 0, (size_t)p->n * sizeof *p->fall);
    if (entering >= 0)
        add_to_fall(p, subsets, entering, 1.0);
    for (int32_t a = 0; a < p->basics; a++)
        if (p->direction[a] != 0.0) {
            add_to_fall(p, subsets, p->subset[a], -p->direction[a]);
            p->work += (double)(subsets->start[p->subset[a] + 1] - subsets->start[p->subset[a]]);
        }
    p->work += 3.0 * p->n;
}

/* The variable that leaves the basis: the first that becomes 0. */
static struct leaving find_leaving(const linpred__packing_simplex *p)
{
    struct leaving leaving = {-1, -1};
    double least = INFINITY, pivot = 0;
    for (int32_t i = 0; i < p->n; i++)
        if (p->fall[i] > 1e-9) {
            double ratio = p->slack[i] / p->fall[i];
            if (ratio < least || (ratio == least && p->fall[i] > pivot)) {
                least = ratio;
                pivot = p->fall[i];
                leaving.row = i;
            }
        }
    for (int32_t a = 0; a < p->basics; a++)
        if (p->direction[a] > 1e-9) {
            double ratio = p->y[a] / p->direction[a];
            if (ratio < least || (ratio == least && p->direction[a] > pivot)) {
                least = ratio;
                pivot = p->direction[a];
                leaving = (struct leaving){-1, a};
            }
        }
    return leaving;
}

/* Fills p->factor: the row of the leaving variable in the inverse of the whole basis, over the pivot. That of a slack
   is minus the sum over the places whose subset has its row. */
static void find_factors(linpred__packing_simplex *p, const linpred__subsets *subsets, struct leaving leaving)
{
    int32_t count = 0;
    if (leaving.place >= 0) {
        p->place[count++] = leaving.place;
    } else {
        for (int32_t a = 0; a < p->basics; a++)
            for (int64_t k = subsets->start[p->subset[a]]; k < subsets->start[p->subset[a] + 1]; k++)
                if (subsets->row[k] == leaving.row)
                    p->place[count++] = a;
    }
    double pivot = leaving.place >= 0 ? p->direction[leaving.place] : -p->fall[leaving.row];
    for (int32_t j = 0; j < p->basics; j++) {
        const double *column = column_of(p, j);
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += column[p->place[k]];
        p->factor[j] = sum / pivot;
    }
}

/* Takes p->direction times p->factor from the inverse. */
LINPRED__FAST static void change_inverse(linpred__packing_simplex *p, double gain)
{
    for (int32_t j = 0; j < p->basics; j++) {
        double *column = column_of(p, j), factor = p->factor[j];
        if (factor == 0.0)
            continue;
        for (int32_t a = 0; a < p->basics; a++)
            column[a] -= factor * p->direction[a];
        p->x[p->tight[j]] += gain * factor;
        p->work += p->basics;
    }
}

/* Makes row i tight, with this pivot, at place j of `tight`. */
static void make_tight(linpred__packing_simplex *p, int32_t i, int32_t j, double pivot, double gain)
{
    double *column = column_of(p, j);
    for (int32_t a = 0; a < p->basics; a++)
        column[a] = -p->direction[a] / pivot;
    p->tight[j] = i;
    p->state[i] = j;
    p->x[i] = gain / pivot;
    p->slack[i] = 0.0;
}

/* Subset s takes this place. */
static void take_place(linpred__packing_simplex *p, int32_t s, int32_t place, double amount)
{
    p->subset[place] = s;
    p->y[place] = amount;
    for (int32_t j = 0; j < p->basics; j++)
        column_of(p, j)[place] = p->factor[j];
}

/* Subset s, which p->direction belongs to, enters the basis. */
static void exchange_subset(linpred__packing_simplex *p, int32_t s, struct leaving leaving, double amount, double gain)
{
    if (leaving.place >= 0) {
        take_place(p, s, leaving.place, amount);
        return;
    }
    int32_t last = p->basics;
    take_place(p, s, last, amount);
    make_tight(p, leaving.row, last, p->fall[leaving.row], gain);
    column_of(p, last)[last] = 1.0 / p->fall[leaving.row];
    p->basics++;
}

/* The slack of the tight row at place j, which p->direction belongs to, enters the basis. */
static void exchange_slack(linpred__packing_simplex *p, int32_t j, struct leaving leaving, double amount, double gain)
{
    int32_t i = p->tight[j];
    p->state[i] = SLACK;
    p->slack[i] = amount;
    p->x[i] = 0.0;
    if (leaving.place < 0) {
        make_tight(p, leaving.row, j, p->fall[leaving.row], gain);
        return;
    }
    int32_t last = --p->basics;
    p->tight[j] = p->tight[last];
    if (j < last) {
        p->state[p->tight[j]] = j;
        memcpy(column_of(p, j), column_of(p, last), ((size_t)last + 1) * sizeof *p->inverse);
    }
    p->subset[leaving.place] = p->subset[last];
    p->y[leaving.place] = p->y[last];
    for (int32_t k = 0; k < last; k++)
        column_of(p, k)[leaving.place] = column_of(p, k)[last];
}

/* The variable that p->direction belongs to enters the basis: subset s, or if it is -1 the slack of the row at place j
   of `tight`. Returns false if nothing leaves. */
static bool exchange(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t s, int32_t j, double gain)
{
    find_fall(p, subsets, s);
    struct leaving leaving = find_leaving(p);
    if (leaving.row < 0 && leaving.place < 0)
        return false;
    double amount = leaving.place >= 0 ? fmax(p->y[leaving.place], 0.0) / p->direction[leaving.place]
                                       : fmax(p->slack[leaving.row], 0.0) / p->fall[leaving.row];
    for (int32_t i = 0; i < p->n; i++)
        p->slack[i] -= amount * p->fall[i];
    for (int32_t a = 0; a < p->basics; a++)
        p->y[a] -= amount * p->direction[a];
    find_factors(p, subsets, leaving);
    change_inverse(p, gain);
    if (s >= 0)
        exchange_subset(p, s, leaving, amount, gain);
    else
        exchange_slack(p, j, leaving, amount, gain);
    return true;
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
    memset(p->direction, 0, (size_t)p->basics * sizeof *p->direction);
    for (int64_t k = subsets->start[s]; k < subsets->start[s + 1]; k++) {
        int32_t j = p->state[subsets->row[k]];
        if (j < 0)
            continue;
        const double *column = column_of(p, j);
        for (int32_t a = 0; a < p->basics; a++)
            p->direction[a] += column[a];
        p->work += p->basics;
    }
    return exchange(p, subsets, s, -1, gain);
}

/* Lets the slack of the tight row at place j enter the basis, where its x is below 0. */
static bool enter_slack(linpred__packing_simplex *p, const linpred__subsets *subsets, int32_t j)
{
    memcpy(p->direction, column_of(p, j), (size_t)p->basics * sizeof *p->direction);
    return exchange(p, subsets, -1, j, -p->x[p->tight[j]]);
}

/* ---- pricing ----------------------------------------------------------------------------------------------------- */

static void offer_candidate(struct candidates *found, int32_t s, double gain)
{
    bool full = found->count == CANDIDATES;
    if (full && gain <= found->gain[CANDIDATES - 1])
        return;
    int32_t at = full ? CANDIDATES - 1 : found->count++;
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
        for (int32_t j = 0; j < p->basics; j++)
            if (p->x[p->tight[j]] < least) {
                least = p->x[p->tight[j]];
                slack = j;
            }
        if (slack >= 0 && -least > most ? !enter_slack(p, subsets, slack)
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
    p->basics = 0;
    for (int32_t i = 0; i < p->n; i++) {
        p->state[i] = p->lower[i] == 0.0 && p->upper[i] == 1.0 ? SLACK : IGNORED;
        p->slack[i] = p->cost[i];
        p->x[i] = p->lower[i] > 0 ? 1e9 : 0.0; /* then no subset with the row has a gain */
    }
    p->steps = 0;
    for (int32_t round = 0; round <= count; round++) {
        find_candidates(p, subsets, count, first, &found);
        if (take_in(p, subsets, &found) == 0)
            break;
    }
}

/* The same packing from y = 0, so that rounding errors do not add up. */
static void refresh(linpred__packing_simplex *p, const linpred__subsets *subsets)
{
    int32_t count = p->basics;
    memcpy(p->list, p->subset, (size_t)count * sizeof *p->list);
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
