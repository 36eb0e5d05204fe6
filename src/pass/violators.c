#include "pass/violators.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "pass/certified_sign.h"

struct found {
    double score;
    int64_t row;
};

/* The lowest scores of a lane, as a heap whose first is the highest of them: the next to go. Equal scores: the higher
 * row. */
struct lane {
    struct found *heap;
    int32_t count;
    int64_t mistakes;
    double lowest;
};

struct search {
    const linpred__hyperplane *plane;
    int32_t most; /* a lane */
    double below;
};

static bool init(void *context, void *state)
{
    struct search *search = context;
    struct lane *lane = state;
    lane->lowest = INFINITY;
    lane->heap = linpred__alloc((size_t)search->most, sizeof *lane->heap);
    return lane->heap != NULL;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->heap);
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

static void take(struct lane *lane, int32_t most, struct found found)
{
    if (lane->count < most) {
        int32_t at = lane->count++;
        lane->heap[at] = found;
        while (at > 0 && above(lane->heap[at], lane->heap[(at - 1) / 2])) {
            struct found t = lane->heap[at];
            lane->heap[at] = lane->heap[(at - 1) / 2];
            lane->heap[(at - 1) / 2] = t;
            at = (at - 1) / 2;
        }
    } else if (above(lane->heap[0], found)) {
        lane->heap[0] = found;
        sift_down(lane->heap, lane->count, 0);
    }
}

/* A computed score is off by at most the slack: where that matters the exact one, rounded once, takes its place. */
static void weigh(const struct search *search, struct lane *lane, const linpred__block *block, int32_t r, double score)
{
    double slack = search->plane->slack;
    bool far = score <= DBL_MAX && score > slack && score - slack > lane->lowest && score - slack > search->below;
    if (!far) {
        bool rough = isinf(search->below) && search->below > 0 && score <= DBL_MAX && score > slack &&
                     score - slack > lane->lowest;
        bool clearly_wrong = score < -slack && score >= -DBL_MAX;
        if (!rough && !clearly_wrong)
            score = linpred__certified_score(search->plane, block, r);
        bool mistake = !(score > 0);
        lane->mistakes += mistake;
        lane->lowest = fmin(lane->lowest, score);
        if (mistake || score < search->below)
            take(lane, search->most, (struct found){score, block->first_row + r});
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct search *search = context;
    struct lane *lane = state;
    double scores[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        linpred__signed_scores(search->plane, block, from, to, scores);
        for (int32_t r = from; r < to; r++)
            weigh(search, lane, block, r, scores[r - from]);
    }
}

static void merge(void *context, void *into, const void *from)
{
    struct search *search = context;
    struct lane *a = into;
    const struct lane *b = from;
    /* Lane 0 has room for its own only: grown to hold all lanes when the first is merged. */
    struct found *grown = linpred__resize(a->heap, (size_t)search->most * LINPRED__LANES, sizeof *grown);
    a->mistakes += b->mistakes;
    a->lowest = fmin(a->lowest, b->lowest);
    if (!grown)
        return; /* fewer rows than could be: the next pass finds the others */
    a->heap = grown;
    for (int32_t i = 0; i < b->count; i++)
        a->heap[a->count++] = b->heap[i];
}

linpred_status linpred__find_violators(const linpred__fit *fit, const double *w, double b, int32_t most, double below,
                                       linpred__violators *violators, linpred_error *error)
{
    const linpred_data *data = fit->problem.data;
    int64_t lanes = data->blocks < LINPRED__LANES ? data->blocks : LINPRED__LANES;
    linpred__hyperplane plane;
    struct search search = {&plane, (int32_t)((most + lanes - 1) / lanes), below};
    linpred__visitor visitor = {sizeof(struct lane), init, visit, merge, clear, &search};
    struct lane total;
    linpred_status status =
        linpred__hyperplane_open(&plane, data->columns, w, b, fit->problem.extents.radius.above, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__pass(data, fit->run.pool, &visitor, &total, error);
    linpred__hyperplane_close(&plane);
    if (status != LINPRED_OK)
        return status;
    linpred__violators found = {.count = total.count, .mistakes = total.mistakes, .lowest = total.lowest};
    found.row = linpred__alloc((size_t)total.count, sizeof *found.row);
    for (int32_t i = 0; found.row && i < total.count; i++)
        found.row[i] = total.heap[i].row;
    linpred__release(total.heap);
    if (!found.row)
        return linpred__no_memory(error);
    qsort(found.row, (size_t)found.count, sizeof *found.row, linpred__ascending);
    *violators = found;
    return LINPRED_OK;
}

void linpred__violators_clear(linpred__violators *violators)
{
    linpred__release(violators->row);
    *violators = (linpred__violators){0};
}
