/* The range of each column among the rows of each label: a visitor, and its state. */
#include "pass/column_ranges.h"

#include <math.h>

#include "core/memory.h"
#include "data/row.h"

static bool init_ranges(void *context, void *state)
{
    const linpred_data *data = context;
    linpred__ranges *ranges = state;
    size_t columns = (size_t)data->columns;
    ranges->min[0] = linpred__alloc(4 * columns + 1, sizeof(double));
    if (data->layout == LINPRED__SPARSE)
        ranges->entries[0] = linpred__calloc(2 * columns + 1, sizeof(int64_t));
    if (!ranges->min[0] || (data->layout == LINPRED__SPARSE && !ranges->entries[0])) {
        linpred__ranges_clear(ranges);
        return false;
    }
    ranges->min[1] = ranges->min[0] + columns;
    ranges->max[0] = ranges->min[1] + columns;
    ranges->max[1] = ranges->max[0] + columns;
    ranges->entries[1] = ranges->entries[0] ? ranges->entries[0] + columns : NULL;
    for (size_t j = 0; j < 2 * columns; j++) {
        ranges->min[0][j] = INFINITY;
        ranges->max[0][j] = -INFINITY;
    }
    return true;
}

static void clear_ranges(void *context, void *state)
{
    (void)context;
    linpred__ranges_clear(state);
}

void linpred__ranges_clear(linpred__ranges *ranges)
{
    linpred__release(ranges->min[0]);
    linpred__release(ranges->entries[0]);
    *ranges = (linpred__ranges){0};
}

LINPRED__FAST static void widen_ranges(const double *restrict x, int32_t columns, double *restrict min,
                                       double *restrict max)
{
    for (int32_t j = 0; j < columns; j++) {
        min[j] = x[j] < min[j] ? x[j] : min[j];
        max[j] = x[j] > max[j] ? x[j] : max[j];
    }
}

static void visit_ranges(void *context, void *state, const linpred__block *block)
{
    (void)context;
    linpred__ranges *ranges = state;
    for (int32_t r = 0; r < block->rows; r++) {
        int k = block->target[r] > 0;
        ranges->rows[k]++;
        if (block->layout == LINPRED__DENSE) {
            widen_ranges(block->values + r * block->stride, block->columns, ranges->min[k], ranges->max[k]);
            continue;
        }
        for (int64_t i = block->start[r]; i < block->start[r + 1]; i++) {
            int32_t j = block->indices[i];
            ranges->min[k][j] = fmin(ranges->min[k][j], block->values[i]);
            ranges->max[k][j] = fmax(ranges->max[k][j], block->values[i]);
            ranges->entries[k][j]++;
        }
    }
}

static void merge_ranges(void *context, void *into, const void *from)
{
    const linpred_data *data = context;
    linpred__ranges *a = into;
    const linpred__ranges *b = from;
    for (int k = 0; k < 2; k++)
        a->rows[k] += b->rows[k];
    for (int32_t j = 0; j < 2 * data->columns; j++) {
        a->min[0][j] = fmin(a->min[0][j], b->min[0][j]);
        a->max[0][j] = fmax(a->max[0][j], b->max[0][j]);
        if (a->entries[0])
            a->entries[0][j] += b->entries[0][j];
    }
}

static void list_ranges(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t columns = (size_t)((const linpred_data *)context)->columns;
    linpred__ranges *ranges = state;
    linpred__state_piece(pieces, ranges->rows, sizeof ranges->rows);
    linpred__state_piece(pieces, ranges->min[0], 4 * columns * sizeof(double));
    linpred__state_piece(pieces, ranges->entries[0], 2 * columns * sizeof(int64_t));
}

linpred__visitor linpred__ranges_visitor(const linpred_data *data)
{
    return (linpred__visitor){
        sizeof(linpred__ranges), init_ranges, visit_ranges, merge_ranges, clear_ranges, (void *)data, list_ranges};
}

double linpred__ranges_min(const linpred__ranges *ranges, int k, int32_t j)
{
    bool zeros = ranges->entries[k] && ranges->entries[k][j] < ranges->rows[k];
    return zeros ? fmin(0.0, ranges->min[k][j]) : ranges->min[k][j];
}

double linpred__ranges_max(const linpred__ranges *ranges, int k, int32_t j)
{
    bool zeros = ranges->entries[k] && ranges->entries[k][j] < ranges->rows[k];
    return zeros ? fmax(0.0, ranges->max[k][j]) : ranges->max[k][j];
}
