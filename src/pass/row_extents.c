/* The visitors of row_extents.h, which share one pass: fingerprint, radius, the largest |x| of each column, ranges. */
#include "pass/row_extents.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"
#include "data/limits.h"
#include "data/row.h"
#include "num/vector.h"
#include "pass/column_ranges.h"

/* ---- the largest |x| of each column: the state is an array of `columns` doubles ---------------------------------- */

LINPRED__FAST static void extent_dense(const linpred__block *block, double *restrict largest)
{
    for (int32_t r = 0; r < block->rows; r++) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < block->columns; j++) {
            double size = fabs(x[j]);
            largest[j] = size > largest[j] ? size : largest[j];
        }
    }
}

static void extent_block(void *context, void *state, const linpred__block *block)
{
    (void)context;
    double *largest = state;
    if (block->layout == LINPRED__DENSE) {
        extent_dense(block, largest);
        return;
    }
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++) {
        double size = fabs(block->values[k]);
        if (size > largest[block->indices[k]])
            largest[block->indices[k]] = size;
    }
}

static void extent_merge(void *context, void *into, const void *from)
{
    double *a = into;
    const double *b = from;
    for (int32_t j = 0; j < ((const linpred_data *)context)->columns; j++)
        a[j] = b[j] > a[j] ? b[j] : a[j];
}

/* ---- the radius -------------------------------------------------------------------------------------------------- */

struct longest {
    linpred__radius radius;
    /* The largest ||x||² as computed, or -1. A row whose computed square is no larger may still be longer, by the
       rounding of two sums: each is off by n 2^-53 relatively. radius.above covers that, since it adds (n+8) 2^-52. */
    double square;
};

/* ||x_r||² as computed, in the order of the row kernels. */
LINPRED__FAST static void square_rows(const linpred__block *block, int32_t from, int32_t to, double *square)
{
    for (int32_t r = from; r < to; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        if (!row.indices) {
            square[r - from] = linpred__dot_dense(row.values, row.values, (int32_t)row.count);
            continue;
        }
        double lane[8] = {0};
        for (int64_t k = 0; k < row.count; k++)
            lane[row.indices[k] & 7] += row.values[k] * row.values[k];
        square[r - from] = linpred__add_lanes(lane);
    }
}

static bool radius_init(void *context, void *state)
{
    (void)context;
    ((struct longest *)state)->square = -1.0;
    return true;
}

static void take_row(struct longest *longest, linpred__entries row, double extra)
{
    linpred__radius *radius = &longest->radius;
    double above = linpred__norm_above(row.values, row.count, extra);
    if (above <= radius->above && isfinite(above)) /* beside an infinite bound another row may still be longer */
        return;
    radius->above = fmax(radius->above, above);
    radius->nearest = fmax(radius->nearest, linpred__norm(row.values, row.count, extra));
    radius->squared = fmax(radius->squared, linpred__norm_squared(row.values, row.count, extra));
}

static void radius_block(void *context, void *state, const linpred__block *block)
{
    double extra = *(const bool *)context ? 1.0 : 0.0;
    struct longest *longest = state;
    double square[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        square_rows(block, from, to, square);
        for (int32_t r = from; r < to; r++) {
            double s = square[r - from];
            bool tells = s > 0x1p-900 && s < 0x1p900; /* else squares may have left the range */
            if (tells && s <= longest->square)
                continue;
            if (tells)
                longest->square = s;
            take_row(longest, linpred__entries_of(block, r), extra);
        }
    }
}

static void radius_merge(void *context, void *into, const void *from)
{
    (void)context;
    linpred__radius *a = &((struct longest *)into)->radius;
    const linpred__radius *b = &((const struct longest *)from)->radius;
    a->above = fmax(a->above, b->above);
    a->nearest = fmax(a->nearest, b->nearest);
    a->squared = fmax(a->squared, b->squared);
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

linpred_status linpred__find_row_extents(const linpred_data *data, linpred__pool *pool, bool has_intercept, bool ranges,
                                         linpred__row_extents *extents, linpred_error *error)
{
    struct longest longest;
    uint64_t sum;
    linpred__ranges range = {0};
    double *largest = linpred__alloc((size_t)data->columns, sizeof *largest);
    void *total[4] = {&sum, &longest, largest, &range};
    linpred__visitor visitor[4] = {
        [1] = {sizeof longest, radius_init, radius_block, radius_merge, NULL, &has_intercept, linpred__whole_state},
        [2] = {(size_t)data->columns * sizeof *largest, NULL, extent_block, extent_merge, NULL, (void *)data,
               linpred__whole_state},
        [3] = linpred__ranges_visitor(data)};
    linpred__cut cut = linpred__cut_vector(data, (ranges ? 7.0 : 1.0) * data->columns);
    if (!largest || !linpred__fingerprint_visitor(data, &visitor[0])) {
        linpred__release(largest);
        return linpred__no_memory(error);
    }
    linpred_status status = linpred__pass_all(data, pool, visitor, total, 3 + ranges, cut, error);
    linpred__release(visitor[0].context);
    if (status != LINPRED_OK)
        linpred__release(largest);
    else
        *extents = (linpred__row_extents){largest, longest.radius, linpred__fingerprint_end(data, sum), range};
    return status;
}

void linpred__row_extents_clear(linpred__row_extents *extents)
{
    linpred__release(extents->extent);
    linpred__ranges_clear(&extents->ranges);
    *extents = (linpred__row_extents){0};
}
