/* The tree of branches and the search through it. The header describes the method. */
#include "solve/cover/branch.h"

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
    linpred_status status = linpred__explorer_open(&t->explorer, search, error);
    if (status == LINPRED_OK && (!linpred__grow(&t->branch, &t->branch_capacity, 1, sizeof *t->branch) ||
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
    linpred__explorer_close(&t->explorer);
    for (int32_t b = 0; b < t->branches; b++)
        linpred__packing_clear(&t->branch[b].packing);
    linpred__packing_clear(&t->root);
    linpred__release(t->branch);
    linpred__release(t->open);
    *t = (linpred__tree){0};
}

int64_t linpred__tree_bound(const linpred__tree *t)
{
    int64_t smallest = t->search->best_cost;
    for (int32_t b = 0; b < t->branches; b++)
        if (t->branch[b].child < 0 && linpred__whole_bound(&t->explorer, t->branch[b].bound) < smallest)
            smallest = linpred__whole_bound(&t->explorer, t->branch[b].bound);
    return smallest;
}

/* Whether leaf a comes before leaf b in the heap: the smaller bound first, then the newer branch. */
static bool before(const linpred__tree *t, int32_t a, int32_t b)
{
    int64_t x = t->branch[a].bound, y = t->branch[b].bound;
    return x != y ? x < y : a > b;
}

void linpred__tree_push(linpred__tree *t, int32_t b)
{
    int32_t at = t->opens++;
    while (at > 0 && before(t, b, t->open[(at - 1) / 2])) {
        t->open[at] = t->open[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    t->open[at] = b;
}

int32_t linpred__tree_pop(linpred__tree *t)
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

/* Both begin with the multipliers of their parent. */
linpred_status linpred__tree_divide(linpred__tree *t, int32_t b, int32_t row, linpred_error *error)
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
        linpred__set_branch(&t->explorer, t->branch, child);
        t->branch[child].bound = linpred__cover_bound(&t->explorer.cover, &t->branch[child].packing);
        linpred__tree_push(t, child);
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
static linpred_status certify_rest(linpred__explorer *e, linpred__effort *effort, bool *decided, linpred_error *error)
{
    linpred__hyperplane_search *p = e->search;
    linpred__working_rows *working = NULL;
    linpred__exact_answer answer = {0};
    int32_t *row = linpred__alloc((size_t)p->n, sizeof *row), count = 0;
    *decided = false;
    linpred_status status =
        row ? linpred__working_rows_open(p->d, p->exponent, &working, error) : linpred__no_memory(error);
    for (int32_t i = 0; i < p->n && status == LINPRED_OK; i++)
        if (e->cover.x[i] < 0.5) {
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
        status = linpred__cover_add(&e->cover, answer.row, answer.count, &answer.weight, error);
    }
    linpred__exact_answer_close(&answer);
    linpred__working_rows_close(working);
    linpred__release(row);
    return status;
}

linpred_status linpred__tree_visit(linpred__tree *t, int32_t b, double work, linpred__effort *effort,
                                   linpred__tree_end *end, linpred_error *error)
{
    linpred__explorer *e = &t->explorer;
    linpred_status status = linpred__explore(e, t->branch, b, work, effort, error);
    t->explored++;
    if (status != LINPRED_OK || linpred__bound_closes(e, t->branch[b].bound))
        return status;
    bool ending = effort->over || t->search->work > work, decided = true;
    int32_t row = ending ? -1 : linpred__undecided_row(e);
    if (row >= 0)
        return linpred__tree_divide(t, b, row, error);
    if (!ending)
        status = certify_rest(e, effort, &decided, error);
    linpred__tree_push(t, b); /* the branch is explored again, with the new subset or halfspace */
    if (!decided && !effort->over)
        *end = LINPRED__TREE_STUCK;
    return status;
}

linpred_status linpred__tree_search(linpred__tree *t, double work, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error)
{
    while (t->opens > 0) {
        if (effort->over || t->search->work > work) {
            *end = effort->over ? LINPRED__TREE_STOPPED : LINPRED__TREE_OUT_OF_WORK;
            return LINPRED_OK;
        }
        if (linpred__bound_closes(&t->explorer, t->branch[t->open[0]].bound))
            break;
        if (t->branches > LINPRED__MAX_BRANCHES) {
            *end = LINPRED__TREE_FULL;
            return LINPRED_OK;
        }
        *end = LINPRED__TREE_OUT_OF_WORK;
        linpred_status status = linpred__tree_visit(t, linpred__tree_pop(t), work, effort, end, error);
        if (status != LINPRED_OK || *end == LINPRED__TREE_STUCK)
            return status;
    }
    *end = LINPRED__TREE_DONE;
    return LINPRED_OK;
}
