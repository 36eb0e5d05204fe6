#include "pass/column_ranges.h"

#include <math.h>

#include "core/memory.h"
#include "data/row.h"

static bool init(void *context, void *state)
{
    const linpred_data *data = context;
    linpred__ranges *ranges = state;
    size_t columns = (size_t)data->columns;
    ranges->least[0] = linpred__alloc(4 * columns + 1, sizeof(double));
    if (data->layout == LINPRED__SPARSE)
        ranges->entries[0] = linpred__calloc(2 * columns + 1, sizeof(int64_t));
    if (!ranges->least[0] || (data->layout == LINPRED__SPARSE && !ranges->entries[0])) {
        linpred__ranges_clear(ranges);
        return false;
    }
    ranges->least[1] = ranges->least[0] + columns;
    ranges->greatest[0] = ranges->least[1] + columns;
    ranges->greatest[1] = ranges->greatest[0] + columns;
    ranges->entries[1] = ranges->entries[0] ? ranges->entries[0] + columns : NULL;
    for (size_t j = 0; j < 2 * columns; j++) {
        ranges->least[0][j] = INFINITY;
        ranges->greatest[0][j] = -INFINITY;
    }
    return true;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__ranges_clear(state);
}

void linpred__ranges_clear(linpred__ranges *ranges)
{
    linpred__release(ranges->least[0]);
    linpred__release(ranges->entries[0]);
    *ranges = (linpred__ranges){0};
}

LINPRED__FAST static void widen(const double *restrict x, int32_t columns, double *restrict least,
                                double *restrict greatest)
{
    for (int32_t j = 0; j < columns; j++) {
        least[j] = x[j] < least[j] ? x[j] : least[j];
        greatest[j] = x[j] > greatest[j] ? x[j] : greatest[j];
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    (void)context;
    linpred__ranges *ranges = state;
    for (int32_t r = 0; r < block->rows; r++) {
        int k = block->target[r] > 0;
        ranges->rows[k]++;
        if (block->layout == LINPRED__DENSE) {
            widen(block->values + r * block->stride, block->columns, ranges->least[k], ranges->greatest[k]);
            continue;
        }
        for (int64_t i = block->start[r]; i < block->start[r + 1]; i++) {
            int32_t j = block->indices[i];
            ranges->least[k][j] = fmin(ranges->least[k][j], block->values[i]);
            ranges->greatest[k][j] = fmax(ranges->greatest[k][j], block->values[i]);
            ranges->entries[k][j]++;
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    const linpred_data *data = context;
    linpred__ranges *a = into;
    const linpred__ranges *b = from;
    for (int k = 0; k < 2; k++)
        a->rows[k] += b->rows[k];
    for (int32_t j = 0; j < 2 * data->columns; j++) {
        a->least[0][j] = fmin(a->least[0][j], b->least[0][j]);
        a->greatest[0][j] = fmax(a->greatest[0][j], b->greatest[0][j]);
        if (a->entries[0])
            a->entries[0][j] += b->entries[0][j];
    }
}

linpred__visitor linpred__ranges_visitor(const linpred_data *data)
{
    return (linpred__visitor){sizeof(linpred__ranges), init, visit, merge, clear, (void *)data};
}

double linpred__ranges_least(const linpred__ranges *ranges, int k, int32_t j)
{
    bool zeros = ranges->entries[k] && ranges->entries[k][j] < ranges->rows[k];
    return zeros ? fmin(0.0, ranges->least[k][j]) : ranges->least[k][j];
}

double linpred__ranges_greatest(const linpred__ranges *ranges, int k, int32_t j)
{
    bool zeros = ranges->entries[k] && ranges->entries[k][j] < ranges->rows[k];
    return zeros ? fmax(0.0, ranges->greatest[k][j]) : ranges->greatest[k][j];
}
