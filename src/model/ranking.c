/* Rows are sorted in runs, and the runs are merged while they are gone through: to sort all rows at once would take as
 * much memory again, and more time. The next row of each run is in a heap. Of runs with the same score the first comes
 * first.
 */
#include "model/ranking.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

enum { RUN_ROWS = 1 << 15 }; /* 512 KB stay in the second cache */

struct ranked_row {
    double score;
    double weight; /* negative if the row is */
};

struct linpred__ranking {
    struct ranked_row *row;
    int64_t rows, added;
    int64_t *next; /* the first row of each run that is not taken yet */
    int64_t *heap; /* runs that have some; the one with the lowest score comes first */
    int64_t runs, waiting;
    bool sorted;
};

linpred_status linpred__ranking_open(int64_t rows, linpred__ranking **out, linpred_error *error)
{
    linpred__ranking *ranking = linpred__calloc(1, sizeof *ranking);
    if (!ranking)
        return linpred__no_memory(error);
    ranking->rows = rows;
    ranking->runs = (rows + RUN_ROWS - 1) / RUN_ROWS;
    ranking->row = linpred__alloc((size_t)rows, sizeof *ranking->row);
    ranking->next = linpred__alloc((size_t)ranking->runs, sizeof *ranking->next);
    ranking->heap = linpred__alloc((size_t)ranking->runs, sizeof *ranking->heap);
    if (!ranking->row || !ranking->next || !ranking->heap) {
        linpred__ranking_close(ranking);
        return linpred__no_memory(error);
    }
    *out = ranking;
    return LINPRED_OK;
}

void linpred__ranking_close(linpred__ranking *ranking)
{
    if (!ranking)
        return;
    linpred__release(ranking->row);
    linpred__release(ranking->next);
    linpred__release(ranking->heap);
    linpred__release(ranking);
}

void linpred__ranking_add(linpred__ranking *ranking, double score, double weight)
{
    ranking->row[ranking->added++] = (struct ranked_row){score, weight};
}

/* Lower scores come first. */
static int by_score(const void *a, const void *b)
{
    double x = ((const struct ranked_row *)a)->score;
    double y = ((const struct ranked_row *)b)->score;
    return (x > y) - (x < y);
}

/* The row behind the last of a run. */
static int64_t end_of_run(const linpred__ranking *ranking, int64_t run)
{
    int64_t end = (run + 1) * RUN_ROWS;
    return end < ranking->added ? end : ranking->added;
}

/* Whether the next row of run a comes before that of run b. */
static bool comes_before(const linpred__ranking *ranking, int64_t a, int64_t b)
{
    double x = ranking->row[ranking->next[a]].score, y = ranking->row[ranking->next[b]].score;
    return x < y || (x == y && a < b);
}

/* Moves the run at place i of the heap down to where it belongs. */
static void sift_down(linpred__ranking *ranking, int64_t i)
{
    int64_t *heap = ranking->heap, run = heap[i];
    for (int64_t child; (child = 2 * i + 1) < ranking->waiting; i = child) {
        if (child + 1 < ranking->waiting && comes_before(ranking, heap[child + 1], heap[child]))
            child++;
        if (!comes_before(ranking, heap[child], run))
            break;
        heap[i] = heap[child];
    }
    heap[i] = run;
}

static void sort_runs(linpred__ranking *ranking)
{
    for (int64_t run = 0; run * RUN_ROWS < ranking->added; run++) {
        int64_t first = run * RUN_ROWS;
        qsort(ranking->row + first, (size_t)(end_of_run(ranking, run) - first), sizeof *ranking->row, by_score);
        ranking->next[run] = first;
        ranking->heap[ranking->waiting++] = run;
    }
    for (int64_t i = ranking->waiting / 2; i-- > 0;)
        sift_down(ranking, i);
    ranking->sorted = true;
}

static void take_first(linpred__ranking *ranking)
{
    int64_t run = ranking->heap[0];
    if (++ranking->next[run] == end_of_run(ranking, run))
        ranking->heap[0] = ranking->heap[--ranking->waiting];
    if (ranking->waiting > 0)
        sift_down(ranking, 0);
}

bool linpred__ranking_next(linpred__ranking *ranking, linpred__ranked *tied)
{
    if (!ranking->sorted)
        sort_runs(ranking);
    *tied = (linpred__ranked){0};
    if (ranking->waiting == 0)
        return false;
    const struct ranked_row *row = &ranking->row[ranking->next[ranking->heap[0]]];
    tied->score = row->score;
    do {
        tied->positive += row->weight > 0 ? row->weight : 0.0;
        tied->negative += row->weight < 0 ? -row->weight : 0.0;
        take_first(ranking);
        row = ranking->waiting > 0 ? &ranking->row[ranking->next[ranking->heap[0]]] : NULL;
    } while (row && row->score == tied->score);
    return true;
}
