/* The rows with the lowest scores (see violators.h): a visitor that keeps them in heaps. */
#include "pass/violators.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "pass/certified_sign.h"
#include "pass/limits.h"

struct found {
    double score;
    int64_t row;
};

/* Block i of the data belongs to stratum i mod 16. Each stratum keeps its lowest scores in a heap. The first element is
   the highest of them, which the next lower score replaces. Among equal scores the higher row is replaced first. */
struct lists {
    struct found *heap; /* `quota` places for each stratum */
    int32_t count[LINPRED__VIOLATOR_STRATA];
    int64_t mistakes;
    double lowest;
};

struct violator_search {
    const linpred_data *data;
    const linpred__hyperplane *hyperplane;
    int64_t strata;
    int32_t quota; /* the largest number of rows that a stratum keeps */
    double below;
};

static bool init_lists(void *context, void *state)
{
    const struct violator_search *search = context;
    struct lists *lists = state;
    lists->lowest = INFINITY;
    lists->heap = linpred__alloc((size_t)search->strata * (size_t)search->quota, sizeof *lists->heap);
    return lists->heap != NULL;
}

static void clear_lists(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lists *)state)->heap);
}

static bool above(struct found a, struct found b)
{
    return a.score > b.score || (a.score == b.score && a.row > b.row);
}

static void sift_down(struct found *heap, int32_t count, int32_t at)
{
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && above(heap[child + 1], heap[child]))
            child++;
        if (!above(heap[child], heap[at]))
            return;
        struct found t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
        at = child;
    }
}

static void take_violator(const struct violator_search *search, struct lists *lists, int64_t stratum,
                          struct found found)
{
    struct found *heap = lists->heap + stratum * search->quota;
    int32_t *count = &lists->count[stratum];
    if (*count < search->quota) {
        int32_t at = (*count)++;
        heap[at] = found;
        while (at > 0 && above(heap[at], heap[(at - 1) / 2])) {
            struct found t = heap[at];
            heap[at] = heap[(at - 1) / 2];
            heap[(at - 1) / 2] = t;
            at = (at - 1) / 2;
        }
    } else if (above(heap[0], found)) {
        heap[0] = found;
        sift_down(heap, *count, 0);
    }
}

/* A computed score is off by at most the rounding bound. Where that matters, the exact score, rounded once, takes its
   place. */
static void weigh(const struct violator_search *search, struct lists *lists, const linpred__block *block, int32_t r,
                  double score)
{
    double bound = search->hyperplane->rounding_bound;
    bool far = score <= DBL_MAX && score > bound && score - bound > lists->lowest && score - bound > search->below;
    if (far)
        return;
    bool rough =
        isinf(search->below) && search->below > 0 && score <= DBL_MAX && score > bound && score - bound > lists->lowest;
    bool clearly_wrong = score < -bound && score >= -DBL_MAX;
    if (!rough && !clearly_wrong)
        score = linpred__certified_score(search->hyperplane, block, r);
    bool mistake = !(score > 0);
    lists->mistakes += mistake;
    lists->lowest = fmin(lists->lowest, score);
    if (mistake || score < search->below)
        take_violator(search, lists, linpred__block_number(search->data, block) % search->strata,
                      (struct found){score, block->first_row + r});
}

static void visit_violators(void *context, void *state, const linpred__block *block)
{
    const struct violator_search *search = context;
    double scores[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        linpred__signed_scores(search->hyperplane, block, from, to, scores);
        for (int32_t r = from; r < to; r++)
            weigh(search, state, block, r, scores[r - from]);
    }
}

static void merge_lists(void *context, void *into, const void *from)
{
    const struct violator_search *search = context;
    struct lists *a = into;
    const struct lists *b = from;
    a->mistakes += b->mistakes;
    a->lowest = fmin(a->lowest, b->lowest);
    for (int64_t k = 0; k < search->strata; k++)
        for (int32_t i = 0; i < b->count[k]; i++)
            take_violator(search, a, k, b->heap[k * search->quota + i]);
}

static void list_lists(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct violator_search *search = context;
    struct lists *lists = state;
    linpred__state_piece(pieces, lists->count, sizeof *lists - offsetof(struct lists, count));
    for (int64_t k = 0; k < search->strata; k++)
        linpred__state_piece(pieces, lists->heap + k * search->quota, (size_t)lists->count[k] * sizeof *lists->heap);
}

/* The rows of all strata, ascending. */
static bool list_rows(const struct violator_search *search, const struct lists *total, linpred__violators *found)
{
    for (int64_t k = 0; k < search->strata; k++)
        found->count += total->count[k];
    found->row = linpred__alloc((size_t)found->count, sizeof *found->row);
    if (!found->row)
        return false;
    int64_t at = 0;
    for (int64_t k = 0; k < search->strata; k++)
        for (int32_t i = 0; i < total->count[k]; i++)
            found->row[at++] = total->heap[k * search->quota + i].row;
    qsort(found->row, (size_t)found->count, sizeof *found->row, linpred__ascending);
    return true;
}

linpred_status linpred__find_violators(linpred__run *run, const linpred__problem *problem,
                                       const linpred__violators_sought *sought, linpred__violators *violators,
                                       linpred_error *error)
{
    const linpred_data *data = problem->data;
    int64_t strata = data->blocks < LINPRED__VIOLATOR_STRATA ? data->blocks : LINPRED__VIOLATOR_STRATA;
    linpred__hyperplane hyperplane;
    struct violator_search search = {data, &hyperplane, strata, (int32_t)((sought->max + strata - 1) / strata),
                                     sought->below};
    linpred__visitor visitor = {sizeof(struct lists), init_lists, visit_violators, merge_lists,
                                clear_lists,          &search,    list_lists};
    struct lists total;
    linpred_status status = linpred__hyperplane_open(&hyperplane, data->columns, sought->w, sought->b,
                                                     problem->extents.radius.above, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__pass_all(data, run->pool, &visitor, (void *[]){&total}, 1, linpred__cut_small(data), error);
    linpred__hyperplane_close(&hyperplane);
    if (status != LINPRED_OK)
        return status;
    linpred__violators found = {.mistakes = total.mistakes, .lowest = total.lowest};
    bool complete = list_rows(&search, &total, &found);
    clear_lists(&search, &total);
    if (!complete)
        return linpred__no_memory(error);
    *violators = found;
    return LINPRED_OK;
}

void linpred__violators_clear(linpred__violators *violators)
{
    linpred__release(violators->row);
    *violators = (linpred__violators){0};
}
