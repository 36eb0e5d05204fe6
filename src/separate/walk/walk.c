/* The perceptron's walk: scanning for the next mistake, and updating (see walk.h).
 *
 *     s = y(<w,x>+b):   s > rounding bound   clearly right      s < -rounding bound   clearly wrong
 *
 * Exact arithmetic decides the other rows. The rounding bound grows with each update: ||(w,b)|| grows by at most step
 * R.
 */
#include "separate/walk/walk.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "data/row.h"
#include "separate/limits.h"

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The place behind the last row of a pass. */
static int64_t last_place(const linpred__walk *walk)
{
    return walk->data->blocks * walk->data->block_rows;
}

/* The place of the first row of the block that holds `place`. */
static int64_t base_of(const linpred__walk *walk, int64_t place)
{
    return place / walk->data->block_rows * walk->data->block_rows;
}

static const linpred__block *block_at(const linpred__walk *walk, int64_t place, const int32_t **order)
{
    int64_t visit = place / walk->data->block_rows;
    int64_t b = walk->block_order ? walk->block_order[visit] : visit;
    *order = walk->row_order ? walk->row_order + b * walk->data->block_rows : NULL;
    return linpred__block_at(walk->data, b);
}

static int32_t row_at(const int32_t *order, int32_t i)
{
    return order ? order[i] : i;
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

/* The first place from i on whose row is not clearly right, or `end`. */
LINPRED__FAST static int32_t skip_clear(const linpred__block *block, const int32_t *order, int32_t i, int32_t end,
                                        const double *w, double b, double rounding_bound)
{
    for (; i < end; i++) {
        int32_t r = row_at(order, i);
        double s = block->target[r] * (linpred__row_dot_padded(block, r, w) + b);
        if (!(s > rounding_bound && s <= DBL_MAX)) /* an infinite s may come from an overflow of a partial sum */
            break;
    }
    return i;
}

/* The first place in i .. end-1 that is a mistake, or `end`. */
static int32_t first_mistake(const linpred__walk *walk, const linpred__block *block, const int32_t *order, int32_t i,
                             int32_t end)
{
    const linpred__hyperplane *hyperplane = &walk->hyperplane;
    while ((i = skip_clear(block, order, i, end, hyperplane->w, hyperplane->b, hyperplane->rounding_bound)) < end) {
        if (linpred__is_mistake(hyperplane, walk->rule, block, row_at(order, i)))
            return i;
        i++;
    }
    return end;
}

/* w += step y x, b += step y. Also updates the norm and the rounding bound. */
static inline __attribute__((always_inline)) void update(linpred__walk *walk, const linpred__block *block, int32_t r)
{
    double step = walk->step * block->target[r];
    linpred__row_add_padded(block, r, step, walk->hyperplane.w);
    if (walk->has_intercept)
        walk->hyperplane.b += step;
    linpred__walk_count_updates(walk, 1);
}

/* Visits the rows one after another and updates at each that is clearly wrong. Returns the place of the first row that
   is neither clearly right nor clearly wrong, the place after the last update allowed, or `end`. */
LINPRED__FAST static int32_t update_through(linpred__walk *walk, const linpred__block *block, const int32_t *order,
                                            int32_t i, int32_t end, int32_t *last_update)
{
    for (; i < end; i++) {
        int32_t r = row_at(order, i);
        double s = block->target[r] * (linpred__row_dot_padded(block, r, walk->hyperplane.w) + walk->hyperplane.b);
        if (s > walk->hyperplane.rounding_bound && s <= DBL_MAX)
            continue;
        if (!(s < -walk->hyperplane.rounding_bound && s >= -DBL_MAX))
            break;
        update(walk, block, r);
        *last_update = i;
        if (walk->updates >= walk->max_updates)
            return i + 1;
    }
    return i;
}

/* Counts `rows` rows that were right. */
static void pass_by(linpred__walk *walk, int64_t rows)
{
    walk->visited += rows;
    walk->run += rows;
}

/* What the threads share when they score ahead. */
struct ahead {
    const linpred__walk *walk;
    int64_t from;          /* the place of the walk */
    _Atomic int64_t first; /* the first place of a mistake found so far */
};

/* Scores one chunk, up to its first mistake. */

static void scan_chunk(void *context, int64_t task)
{
    struct ahead *ahead = context;
    const linpred__walk *walk = ahead->walk;
    int64_t begin = (ahead->from / walk->chunk + task) * walk->chunk;
    int64_t place = begin < ahead->from ? ahead->from : begin;
    if (place >= last_place(walk) || place >= atomic_load_explicit(&ahead->first, memory_order_relaxed))
        return;
    const int32_t *order;
    const linpred__block *block = block_at(walk, place, &order);
    int64_t base = base_of(walk, place);
    int32_t end = (int32_t)(begin - base) + walk->chunk;
    if (end > block->rows)
        end = block->rows;
    int32_t at = first_mistake(walk, block, order, (int32_t)(place - base), end);
    if (at >= end)
        return;
    int64_t mistake = base + at;
    int64_t first = atomic_load(&ahead->first);
    while (mistake < first && !atomic_compare_exchange_weak(&ahead->first, &first, mistake))
        ;
}

/* The number of rows in places from .. to-1. The last block may be short and leaves places empty. */
static int64_t rows_between(const linpred__walk *walk, int64_t from, int64_t to)
{
    int64_t rows = 0;
    while (from < to) {
        int64_t visit = from / walk->data->block_rows;
        const linpred__block *block = &walk->data->block[walk->block_order ? walk->block_order[visit] : visit];
        int64_t base = base_of(walk, from);
        int64_t next = base + walk->data->block_rows;
        int64_t end = next < to ? next : to;
        int64_t filled = base + block->rows < end ? base + block->rows : end;
        if (filled > from)
            rows += filled - from;
        from = end;
    }
    return rows;
}

/* Moves the walk to the mistake at `place`. */
static linpred__walk_event stand_at(linpred__walk *walk, int64_t place)
{
    const int32_t *order;
    const linpred__block *block = block_at(walk, place, &order);
    walk->block_number = linpred__block_number(walk->data, block);
    walk->row = row_at(order, (int32_t)(place - base_of(walk, place)));
    walk->place = place;
    return LINPRED__WALK_MISTAKE;
}

/* All threads score the next LINPRED__WALK_WINDOW chunks. The walk moves to the first mistake among them, or to their
 * end. */
static linpred__walk_event scan_ahead(linpred__walk *walk)
{
    struct ahead ahead = {walk, walk->place, INT64_MAX};
    linpred__pool_run(walk->pool, LINPRED__WALK_WINDOW, scan_chunk, &ahead);
    int64_t end = (walk->place / walk->chunk + LINPRED__WALK_WINDOW) * walk->chunk;
    if (end > last_place(walk))
        end = last_place(walk);
    int64_t first = atomic_load(&ahead.first);
    int64_t stop = first < end ? first : end;
    pass_by(walk, rows_between(walk, walk->place, stop));
    walk->place = stop;
    return first < end ? stand_at(walk, first) : LINPRED__WALK_PAUSE;
}

/* This thread alone visits the rows i .. end-1 of a block and updates at each mistake: four rows together where
   mistakes are frequent, and single rows where four are not certain. */
static int32_t go_eagerly(linpred__walk *walk, const linpred__block *block, const int32_t *order, int32_t i,
                          int32_t end)
{
    int64_t base = base_of(walk, walk->place);
    while (i < end && walk->updates < walk->max_updates) {
        int32_t last_update = -1;
        int64_t before = walk->updates;
        bool frequent = walk->typical_run < LINPRED__FOUR_ROWS_RUN;
        int32_t four = frequent ? linpred__walk_four_rows(walk, block, order, i, end, &last_update) : i;
        int32_t behind = frequent && end - four > 4 ? four + 4 : end;
        int32_t at = update_through(walk, block, order, four, behind, &last_update);
        pass_by(walk, at - i);
        if (last_update >= 0) {
            walk->run = at - 1 - last_update;
            walk->clean = false;
            walk->typical_run = (at - i) / (walk->updates - before);
        }
        i = at;
        if (i == behind || walk->updates >= walk->max_updates)
            continue;
        if (linpred__is_mistake(&walk->hyperplane, walk->rule, block, row_at(order, i))) {
            stand_at(walk, base + i);
            linpred__walk_update(walk);
        } else {
            pass_by(walk, 1);
        }
        i++;
    }
    return i;
}

/* This thread alone visits up to two chunks of rows, at most to the end of the block. */
static linpred__walk_event scan_here(linpred__walk *walk)
{
    const int32_t *order;
    const linpred__block *block = block_at(walk, walk->place, &order);
    int64_t base = base_of(walk, walk->place);
    int32_t i = (int32_t)(walk->place - base);
    int32_t end = i + 2 * walk->chunk < block->rows ? i + 2 * walk->chunk : block->rows;
    int32_t at;
    if (walk->eager) {
        at = go_eagerly(walk, block, order, i, end);
    } else {
        at = first_mistake(walk, block, order, i, end);
        pass_by(walk, at - i);
        if (at < end)
            return stand_at(walk, base + at);
    }
    walk->place = at < block->rows ? base + at : base + walk->data->block_rows;
    return LINPRED__WALK_PAUSE;
}

/* ---- the most violated row --------------------------------------------------------------------------------------- */

LINPRED__FAST static int32_t lowest_score(const linpred__block *block, const double *w, double b, double *lowest)
{
    int32_t at = 0;
    *lowest = INFINITY;
    for (int32_t r = 0; r < block->rows; r++) {
        double s = block->target[r] * (linpred__row_dot_padded(block, r, w) + b);
        if (!(s >= *lowest)) { /* true for NaN, which an overflow makes: exact arithmetic decides that row */
            *lowest = s;
            at = r;
        }
    }
    return at;
}

static void lowest_of_block(void *context, int64_t task)
{
    linpred__walk *walk = context;
    const linpred__block *block = linpred__block_at(walk->data, task);
    int32_t at = lowest_score(block, walk->hyperplane.w, walk->hyperplane.b, &walk->found_score[task]);
    if (!(fabs(walk->found_score[task]) > walk->hyperplane.rounding_bound && isfinite(walk->found_score[task]))) {
        /* No row is clearly wrong: take the first row that is a mistake in exact arithmetic, if there is one. */
        at = first_mistake(walk, block, NULL, 0, block->rows);
    }
    walk->found[task] = at;
}

/* Order worst: moves to the mistake with the lowest computed score, the first of them if several are equal. Exact
   arithmetic decides whether rows with scores within the rounding bound are mistakes. */
static linpred__walk_event find_worst(linpred__walk *walk)
{
    linpred__pool_run(walk->pool, walk->data->blocks, lowest_of_block, walk);
    int64_t best = -1;
    for (int64_t b = 0; b < walk->data->blocks; b++) {
        if (walk->found[b] >= walk->data->block[b].rows || walk->found_score[b] > walk->hyperplane.rounding_bound)
            continue;
        if (best < 0 || walk->found_score[b] < walk->found_score[best])
            best = b;
    }
    if (best < 0) {
        pass_by(walk, walk->data->rows);
        walk->place = last_place(walk);
        return LINPRED__WALK_PASS_END;
    }
    walk->visited += walk->data->rows - 1;
    return stand_at(walk, best * walk->data->block_rows + walk->found[best]);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

linpred__walk_event linpred__walk_advance(linpred__walk *walk)
{
    if (walk->order == LINPRED_ORDER_WORST)
        return find_worst(walk);
    if (walk->place >= last_place(walk))
        return LINPRED__WALK_PASS_END;
    int64_t likely = walk->typical_run > walk->run ? walk->typical_run : walk->run;
    bool together = likely >= 2 * walk->chunk && linpred__pool_threads(walk->pool) > 1;
    linpred__walk_event event = together ? scan_ahead(walk) : scan_here(walk);
    if (event == LINPRED__WALK_MISTAKE && walk->eager) {
        linpred__walk_update(walk);
        return LINPRED__WALK_PAUSE;
    }
    return event;
}

void linpred__walk_update(linpred__walk *walk)
{
    update(walk, linpred__walk_block(walk), walk->row);
    walk->typical_run = (walk->typical_run + walk->run) / 2;
    walk->visited++;
    walk->run = 0;
    walk->clean = false;
    walk->place++;
    if (walk->order == LINPRED_ORDER_FIRST) {
        walk->place = 0;
        walk->clean = true;
    }
}
