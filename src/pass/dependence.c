/* <n,(x,1)> in every row, 0 where it is.
 *
 * A sum is exact in doubles where each product and each addition is (the errors of both are computed, and are 0), as it
 * is of whole numbers and of copies; else it is made again in the wide accumulator.
 */
#include "pass/dependence.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "data/tree.h"

struct work {
    const double *vectors;
    int32_t count;
    int32_t width;
    bool has_intercept;
    int64_t *start; /* the parts of column j are start[j] .. start[j+1]-1 */
    int32_t *which; /* vector */
    double *part;
};

struct sum {
    double value;
    double size; /* Σ|products| */
    bool clean;  /* no rounding has touched it */
};

struct lane {
    double *worst;
    struct sum *sum; /* of the row at hand */
};

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->worst);
    linpred__release(((struct lane *)state)->sum);
}

static bool init(void *context, void *state)
{
    struct lane *lane = state;
    size_t count = (size_t)((const struct work *)context)->count;
    lane->worst = linpred__calloc(count, sizeof(double));
    lane->sum = linpred__alloc(count, sizeof *lane->sum);
    if (lane->worst && lane->sum)
        return true;
    clear(context, state);
    return false;
}

/* The parts, column by column: most vectors have few. */
static bool list_parts(struct work *work)
{
    int64_t parts = 0;
    for (int64_t i = 0; i < (int64_t)work->count * work->width; i++)
        parts += work->vectors[i] != 0.0;
    work->start = linpred__alloc((size_t)work->width + 1, sizeof *work->start);
    work->which = linpred__alloc((size_t)parts, sizeof *work->which);
    work->part = linpred__alloc((size_t)parts, sizeof *work->part);
    if (!work->start || !work->which || !work->part)
        return false;
    parts = 0;
    for (int32_t j = 0; j < work->width; j++) {
        work->start[j] = parts;
        for (int32_t k = 0; k < work->count; k++)
            if (work->vectors[(int64_t)k * work->width + j] != 0.0) {
                work->which[parts] = k;
                work->part[parts++] = work->vectors[(int64_t)k * work->width + j];
            }
    }
    work->start[work->width] = parts;
    return true;
}

static void add_column(const struct work *work, int32_t column, double x, struct sum *sums)
{
    for (int64_t i = work->start[column]; x != 0.0 && i < work->start[column + 1]; i++) {
        struct sum *sum = &sums[work->which[i]];
        linpred__dd product = linpred__two_product(x, work->part[i]), next = linpred__two_sum(sum->value, product.hi);
        sum->value = next.hi;
        sum->size += fabs(product.hi);
        sum->clean = sum->clean && next.lo == 0.0 && product.lo == 0.0 &&
                     fabs(product.hi) > 0x1p-960; /* below, its error may be lost */
    }
}

static double exact_value(const linpred__entries *row, const double *n, double constant)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < row->count; k++)
        linpred__exact_add(&sum, row->values[k], n[linpred__entry_column(row, k)]);
    linpred__exact_add(&sum, constant, 1.0);
    return linpred__exact_sign(&sum) == 0 ? 0.0 : fmax(fabs(linpred__exact_value(&sum)), DBL_MIN);
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct work *work = context;
    struct lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int32_t k = 0; k < work->count; k++)
            lane->sum[k] = (struct sum){.clean = true};
        for (int64_t i = 0; i < row.count; i++)
            add_column(work, linpred__entry_column(&row, i), row.values[i], lane->sum);
        if (work->has_intercept)
            add_column(work, block->columns, 1.0, lane->sum);
        for (int32_t k = 0; k < work->count; k++) {
            const struct sum *sum = &lane->sum[k];
            const double *n = work->vectors + (int64_t)k * work->width;
            double left =
                sum->clean ? fabs(sum->value) : exact_value(&row, n, work->has_intercept ? n[block->columns] : 0.0);
            if (left != 0.0)
                lane->worst[k] = fmax(lane->worst[k], isfinite(sum->size) ? fmax(left / sum->size, DBL_MIN) : 1.0);
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    for (int32_t k = 0; k < ((const struct work *)context)->count; k++)
        ((struct lane *)into)->worst[k] = fmax(((struct lane *)into)->worst[k], ((const struct lane *)from)->worst[k]);
}

linpred_status linpred__dependence(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                   const double *vectors, int32_t count, double *worst, linpred_error *error)
{
    struct work work = {vectors, count, data->columns + has_intercept, has_intercept, NULL, NULL, NULL};
    linpred__visitor visitor = {sizeof(struct lane), init, visit, merge, clear, &work};
    struct lane total;
    linpred_status status =
        list_parts(&work) ? linpred__pass(data, pool, &visitor, &total, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memcpy(worst, total.worst, (size_t)count * sizeof *worst);
        clear(&work, &total);
    }
    linpred__release(work.start);
    linpred__release(work.which);
    linpred__release(work.part);
    return status;
}
