/* The tree of branches and the search through it. The header describes the method. */
#include "solve/cover/branch.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/limits.h"
#include "solve/row_signs.h"
#include "solve/working/working_rows.h"

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

linpred_status linpred__tree_open(linpred__tree *t, linpred__hyperplane_search *search, linpred_error *error)
{
    *t = (linpred__tree){.search = search};
    linpred_status status = linpred__alternative_open(&t->alternative, search, error);
    if (status == LINPRED_OK)
        status = linpred__cover_open(&t->cover, search->n, search->cost, search->total, error);
    t->price = linpred__alloc((size_t)search->n, sizeof *t->price);
    if (status == LINPRED_OK && (!t->price || !linpred__grow(&t->branch, &t->branch_capacity, 1, sizeof *t->branch) ||
                                 !linpred__grow(&t->open, &t->open_capacity, 1, sizeof *t->open)))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred__tree_close(t);
        return status;
    }
    t->branch[0] = (linpred__branch){.parent = -1, .row = -1, .child = -1};
    t->branches = t->opens = 1;
    t->open[0] = 0;
    return LINPRED_OK;
}

void linpred__tree_close(linpred__tree *t)
{
    linpred__alternative_close(&t->alternative);
    linpred__cover_close(&t->cover);
    for (int32_t b = 0; b < t->branches; b++)
        linpred__packing_clear(&t->branch[b].packing);
    linpred__packing_clear(&t->root);
    linpred__release(t->branch);
    linpred__release(t->open);
    linpred__release(t->price);
    *t = (linpred__tree){0};
}

/* A bound as a whole cost. */
static int64_t round_up(const linpred__tree *t, int64_t bound)
{
    int64_t unit = (int64_t)1 << t->cover.bits;
    return bound / unit + (bound % unit > 0);
}

/* Whether a branch with this bound cannot hold a better halfspace. Costs beyond 2^31 count as reached up to a relative
   2^-31, because a linear program has nine or ten digits. */
static bool closes(const linpred__tree *t, int64_t bound)
{
    return round_up(t, bound) >= t->search->best_cost - (t->search->best_cost >> 31);
}

int64_t linpred__tree_bound(const linpred__tree *t)
{
    int64_t smallest = t->search->best_cost;
    for (int32_t b = 0; b < t->branches; b++)
        if (t->branch[b].child < 0 && round_up(t, t->branch[b].bound) < smallest)
            smallest = round_up(t, t->branch[b].bound);
    return smallest;
}

/* Whether leaf a comes before leaf b in the heap: the smaller bound first, then the newer branch. */
static bool before(const linpred__tree *t, int32_t a, int32_t b)
{
    int64_t x = t->branch[a].bound, y = t->branch[b].bound;
    return x != y ? x < y : a > b;
}

static void push(linpred__tree *t, int32_t b)
{
    int32_t at = t->opens++;
    while (at > 0 && before(t, b, t->open[(at - 1) / 2])) {
        t->open[at] = t->open[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    t->open[at] = b;
}

static int32_t pop(linpred__tree *t)
{
    int32_t top = t->open[0], last = t->open[--t->opens], at = 0;
    for (int32_t child = 1; child < t->opens; child = 2 * at + 1) {
        if (child + 1 < t->opens && before(t, t->open[child + 1], t->open[child]))
            child++;
        if (!before(t, t->open[child], last))
            break;
        t->open[at] = t->open[child];
        at = child;
    }
    t->open[at] = last;
    return top;
}

/* Sets the bounds of the covering program from the rows that are given up and kept on the path from the root. */
static void set_branch(linpred__tree *t, int32_t b)
{
    for (int32_t i = 0; i < t->cover.n; i++) {
        t->cover.lower[i] = 0.0;
        t->cover.upper[i] = 1.0;
    }
    for (; t->branch[b].parent >= 0; b = t->branch[b].parent) {
        if (t->branch[b].given_up)
            t->cover.lower[t->branch[b].row] = 1.0;
        else
            t->cover.upper[t->branch[b].row] = 0.0;
    }
}

/* ---- one branch -------------------------------------------------------------------------------------------------- */

/* Takes over the multipliers of the covering program if they prove a larger bound than the branch has. */
static linpred_status take_packing(linpred__tree *t, int32_t b, linpred_error *error)
{
    linpred__packing packing;
    linpred_status status = linpred__cover_packing(&t->cover, &packing, error);
    if (status != LINPRED_OK)
        return status;
    int64_t bound = linpred__cover_bound(&t->cover, &packing);
    linpred__branch *branch = &t->branch[b];
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
static linpred_status take_contradiction(linpred__tree *t, int32_t b, int32_t s, linpred_error *error)
{
    linpred__packing packing = {.count = 1};
    packing.subset = linpred__alloc(1, sizeof *packing.subset);
    packing.y = linpred__alloc(1, sizeof *packing.y);
    if (!packing.subset || !packing.y) {
        linpred__packing_clear(&packing);
        return linpred__no_memory(error);
    }
    packing.subset[0] = s;
    packing.y[0] = t->search->total << t->cover.bits;
    linpred__packing_clear(&t->branch[b].packing);
    t->branch[b].packing = packing;
    t->branch[b].bound = linpred__cover_bound(&t->cover, &packing);
    return LINPRED_OK;
}

/* Finds inseparable subsets that x does not cover, one after another. The price of a row is x_i, plus a little noise,
   plus 0.1 for each subset found in this call that has the row. So later subsets differ from earlier ones. */
static linpred_status find_subsets(linpred__tree *t, linpred__effort *effort, int32_t *found, linpred_error *error)
{
    linpred__hyperplane_search *p = t->search;
    linpred_status status = LINPRED_OK;
    *found = 0;
    for (int32_t i = 0; i < p->n; i++)
        t->price[i] = t->cover.x[i] + 1e-4 * linpred__random_uniform(&p->random);
    for (int32_t k = 0; k < LINPRED__COVER_SUBSETS && !effort->over; k++) {
        status = linpred__alternative_find(&t->alternative, t->price, effort, error);
        if (status != LINPRED_OK)
            return status;
        p->work += 30.0 * p->n * p->d;
        const linpred__alternative *a = &t->alternative;
        if (linpred__hyperplane_search_offer(p, a->w) || k == 0)
            linpred__hyperplane_search_descend(p, t->alternative.w, LINPRED__COVER_SWEEPS);
        double covered = 0;
        for (int32_t e = 0; e < a->count; e++)
            covered += t->cover.x[a->row[e]];
        if (a->count == 0 || covered >= LINPRED__COVERED_ENOUGH)
            break;
        status = linpred__cover_add(&t->cover, a->row, a->count, &t->alternative.weight, error);
        if (status != LINPRED_OK)
            return status;
        ++*found;
        for (int32_t e = 0; e < a->count; e++)
            t->price[a->row[e]] += 0.1;
        if (effort->stop && effort->stop(effort->context))
            effort->over = true;
    }
    return LINPRED_OK;
}

/* Offers the integers of an answer, whose doubles, if there are any, are out of range in scaled units. *better: they
   cost less than the best halfspace, and take its place. */
static linpred_status offer_integers(linpred__hyperplane_search *p, linpred__exact_answer *answer, bool *better,
                                     linpred_error *error)
{
    linpred__integers *w = &answer->w;
    int64_t cost = 0;
    if (w->count == 0 && !linpred__integers_open(p->d, w))
        return linpred__no_memory(error);
    if (answer->rounded)
        linpred__integers_take(answer->rounded, w);
    for (int32_t i = 0; i < p->n && cost < p->best_cost; i++)
        cost += linpred__row_sign_integers(p->rows, i, w) <= 0 ? p->cost[i] : 0;
    *better = cost < p->best_cost;
    if (!*better)
        return LINPRED_OK;
    linpred__integers_close(&p->integers);
    p->integers = *w;
    *w = (linpred__integers){0, NULL};
    p->best_cost = cost;
    return LINPRED_OK;
}

/* Every x_i is 0 or 1 and no uncovered subset was found. Exact arithmetic then separates the rows that are kept, or
   finds an inseparable subset among them, which is added to the cover. *decided is false if neither was possible. */
static linpred_status certify_rest(linpred__tree *t, linpred__effort *effort, bool *decided, linpred_error *error)
{
    linpred__hyperplane_search *p = t->search;
    linpred__working_rows *working = NULL;
    linpred__exact_answer answer = {0};
    int32_t *row = linpred__alloc((size_t)p->n, sizeof *row), count = 0;
    *decided = false;
    linpred_status status =
        row ? linpred__working_rows_open(p->d, p->exponent, &working, error) : linpred__no_memory(error);
    for (int32_t i = 0; i < p->n && status == LINPRED_OK; i++)
        if (t->cover.x[i] < 0.5) {
            row[count++] = i;
            status = linpred__working_rows_add(working, p->rows, i, 1, error);
        }
    if (status == LINPRED_OK)
        status = linpred__working_rows_certify(working, effort, &answer, error);
    if (status == LINPRED_OK && answer.kind == LINPRED_SEPARATION_SEPARATED && answer.rounded)
        *decided = linpred__hyperplane_search_offer_unscaled(p, answer.rounded);
    if (status == LINPRED_OK && answer.kind == LINPRED_SEPARATION_SEPARATED && !*decided)
        status = offer_integers(p, &answer, decided, error);
    if (status == LINPRED_OK && answer.kind == LINPRED_SEPARATION_INSEPARABLE) {
        *decided = true;
        for (int32_t k = 0; k < answer.count; k++)
            answer.row[k] = row[answer.row[k]];
        status = linpred__cover_add(&t->cover, answer.row, answer.count, &answer.weight, error);
    }
    linpred__exact_answer_close(&answer);
    linpred__working_rows_close(working);
    linpred__release(row);
    return status;
}

/* The row to branch on: the largest cost_i · min(x_i, 1 - x_i). Returns -1 if every x_i is 0 or 1. */
static int32_t undecided(const linpred__tree *t)
{
    int32_t chosen = -1;
    double largest = 0;
    for (int32_t i = 0; i < t->cover.n; i++) {
        double x = t->cover.x[i];
        double merit = fmin(x, 1.0 - x) * (double)t->cover.cost[i];
        if (fmin(x, 1.0 - x) > 1e-6 && merit > largest) {
            largest = merit;
            chosen = i;
        }
    }
    return chosen;
}

/* Alternates the covering program and new subsets until no subset is found, progress stalls, or the bound closes the
   branch. */
static linpred_status explore(linpred__tree *t, int32_t b, double work, linpred__effort *effort, linpred_error *error)
{
    bool stopped = false;
    int32_t found = 1, stalled = 0, contradiction;
    linpred_status status = LINPRED_OK;
    set_branch(t, b);
    linpred__cover_begin(&t->cover, &t->branch[b].packing);
    for (int32_t round = 0; status == LINPRED_OK && found > 0 && !effort->over; round++) {
        double done = t->cover.work;
        linpred__cover_solve(&t->cover, effort->stop, effort->context, &contradiction, &stopped);
        t->search->work += t->cover.work - done;
        if (stopped) {
            effort->over = true;
            break;
        }
        if (contradiction >= 0)
            return take_contradiction(t, b, contradiction, error);
        int64_t before_it = t->branch[b].bound;
        status = take_packing(t, b, error);
        if (status != LINPRED_OK || closes(t, t->branch[b].bound))
            break;
        int64_t gap = (t->search->best_cost << t->cover.bits) - t->branch[b].bound;
        stalled = t->branch[b].bound - before_it > gap / 500 ? 0 : stalled + 1;
        if ((b > 0 && round >= LINPRED__COVER_ROUNDS) || stalled >= LINPRED__COVER_STALLED || t->search->work > work)
            break;
        status = find_subsets(t, effort, &found, error);
    }
    return status;
}

static linpred_status copy_packing(const linpred__packing *from, linpred__packing *to, linpred_error *error)
{
    *to = (linpred__packing){.count = from->count};
    to->subset = linpred__alloc((size_t)from->count, sizeof *to->subset);
    to->y = linpred__alloc((size_t)from->count, sizeof *to->y);
    if (!to->subset || !to->y) {
        linpred__packing_clear(to);
        return linpred__no_memory(error);
    }
    memcpy(to->subset, from->subset, (size_t)from->count * sizeof *to->subset);
    memcpy(to->y, from->y, (size_t)from->count * sizeof *to->y);
    return LINPRED_OK;
}

/* Divides a branch in two: the first keeps the row, the second gives it up. Both begin with the multipliers of their
   parent. */
static linpred_status divide(linpred__tree *t, int32_t b, int32_t row, linpred_error *error)
{
    if (!linpred__grow(&t->branch, &t->branch_capacity, (size_t)t->branches + 2, sizeof *t->branch) ||
        !linpred__grow(&t->open, &t->open_capacity, (size_t)t->opens + 2, sizeof *t->open))
        return linpred__no_memory(error);
    linpred__packing copy;
    linpred_status status = b == 0 ? copy_packing(&t->branch[b].packing, &t->root, error) : LINPRED_OK;
    if (status == LINPRED_OK)
        status = copy_packing(&t->branch[b].packing, &copy, error);
    if (status != LINPRED_OK)
        return status;
    int32_t first = t->branches;
    for (int given_up = 0; given_up < 2; given_up++)
        t->branch[first + given_up] = (linpred__branch){.parent = b, .row = row, .given_up = given_up, .child = -1};
    t->branch[first].packing = copy;
    t->branch[first + 1].packing = t->branch[b].packing;
    t->branch[b].packing = (linpred__packing){0};
    t->branch[b].child = first;
    t->branches += 2;
    for (int32_t child = first; child < first + 2; child++) {
        set_branch(t, child);
        t->branch[child].bound = linpred__cover_bound(&t->cover, &t->branch[child].packing);
        push(t, child);
    }
    return LINPRED_OK;
}

linpred_status linpred__tree_search(linpred__tree *t, double work, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error)
{
    while (t->opens > 0) {
        if (effort->over || t->search->work > work) {
            *end = effort->over ? LINPRED__TREE_STOPPED : LINPRED__TREE_OUT_OF_WORK;
            return LINPRED_OK;
        }
        if (closes(t, t->branch[t->open[0]].bound))
            break;
        if (t->branches > LINPRED__MAX_BRANCHES) {
            *end = LINPRED__TREE_FULL;
            return LINPRED_OK;
        }
        int32_t b = pop(t);
        linpred_status status = explore(t, b, work, effort, error);
        if (status != LINPRED_OK)
            return status;
        t->explored++;
        if (closes(t, t->branch[b].bound))
            continue;
        bool ending = effort->over || t->search->work > work, decided = true;
        int32_t row = ending ? -1 : undecided(t);
        if (row >= 0)
            status = divide(t, b, row, error);
        else if (!ending)
            status = certify_rest(t, effort, &decided, error);
        if (row < 0)
            push(t, b); /* the branch is explored again, with the new subset or halfspace */
        if (status != LINPRED_OK)
            return status;
        if (!decided && !effort->over) {
            *end = LINPRED__TREE_STUCK;
            return LINPRED_OK;
        }
    }
    *end = LINPRED__TREE_DONE;
    return LINPRED_OK;
}
