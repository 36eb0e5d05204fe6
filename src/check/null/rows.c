/* How nearly vectors n are null vectors: the largest |<n,(x,1)>| / Σ|n_j x_j| over the rows.
 *
 * The rounding errors of products and sums are computed too. If all are 0, the sum is exact. Otherwise the row is
 * summed again in exact arithmetic. So a result of 0 is a proof.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/null/vectors.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "num/dd.h"
#include "num/exact_sum.h"

/* The entries of all vectors that are not 0: those of vector k are start[k] .. start[k+1]-1. */
struct vectors {
    int32_t count;
    int32_t width;
    bool has_intercept;
    int64_t *start;
    int32_t *column;
    double *entry;
};

struct null_lane {
    double *x;     /* a row of `width` values */
    double *worst; /* of each vector */
};

static void clear_null_lane(void *context, void *state)
{
    (void)context;
    linpred__release(((struct null_lane *)state)->x);
    linpred__release(((struct null_lane *)state)->worst);
}

static bool init_null_lane(void *context, void *state)
{
    const struct vectors *vectors = context;
    struct null_lane *lane = state;
    lane->x = linpred__calloc((size_t)vectors->width, sizeof *lane->x);
    lane->worst = linpred__calloc((size_t)vectors->count, sizeof *lane->worst);
    if (lane->x && lane->worst)
        return true;
    clear_null_lane(context, state);
    return false;
}

static bool list_entries(const linpred__null_vectors *from, struct vectors *vectors)
{
    int64_t entries = 0, all = (int64_t)from->count * from->width;
    for (int64_t i = 0; i < all; i++)
        entries += from->vector[i] != 0.0;
    vectors->start = linpred__alloc((size_t)from->count + 1, sizeof *vectors->start);
    vectors->column = linpred__alloc((size_t)entries, sizeof *vectors->column);
    vectors->entry = linpred__alloc((size_t)entries, sizeof *vectors->entry);
    if (!vectors->start || !vectors->column || !vectors->entry)
        return false;
    entries = 0;
    for (int32_t k = 0; k < from->count; k++) {
        vectors->start[k] = entries;
        for (int32_t j = 0; j < from->width; j++)
            if (from->vector[(int64_t)k * from->width + j] != 0.0) {
                vectors->column[entries] = j;
                vectors->entry[entries++] = from->vector[(int64_t)k * from->width + j];
            }
    }
    vectors->start[from->count] = entries;
    return true;
}

static double exact_size(const struct vectors *vectors, int32_t k, const double *x)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t i = vectors->start[k]; i < vectors->start[k + 1]; i++)
        linpred__exact_add(&sum, x[vectors->column[i]], vectors->entry[i]);
    return linpred__exact_sign(&sum) == 0 ? 0.0 : fmax(fabs(linpred__exact_value(&sum)), DBL_MIN);
}

/* |<n_k,x>| / Σ|n_kj x_j|; 0 only if the product is. */
static double residual(const struct vectors *vectors, int32_t k, const double *x)
{
    double value = 0.0, size = 0.0;
    bool exact = true;
    for (int64_t i = vectors->start[k]; i < vectors->start[k + 1]; i++) {
        double entry = x[vectors->column[i]];
        if (entry == 0.0)
            continue;
        linpred__dd product = linpred__two_product(entry, vectors->entry[i]);
        linpred__dd sum = linpred__two_sum(value, product.hi);
        value = sum.hi;
        size += fabs(product.hi);
        /* Below 2^-960 the error of a product may be lost. */
        exact = exact && sum.lo == 0.0 && product.lo == 0.0 && fabs(product.hi) > 0x1p-960;
    }
    double left = exact ? fabs(value) : exact_size(vectors, k, x);
    if (left == 0.0)
        return 0.0;
    return isfinite(size) ? fmax(left / size, DBL_MIN) : 1.0;
}

static void visit_null_rows(void *context, void *state, const linpred__block *block)
{
    const struct vectors *vectors = context;
    struct null_lane *lane = state;
    if (vectors->has_intercept)
        lane->x[block->columns] = 1.0;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t i = 0; i < row.count; i++)
            lane->x[linpred__entry_column(&row, i)] = row.values[i];
        for (int32_t k = 0; k < vectors->count; k++)
            lane->worst[k] = fmax(lane->worst[k], residual(vectors, k, lane->x));
        for (int64_t i = 0; row.indices && i < row.count; i++)
            lane->x[row.indices[i]] = 0.0;
    }
}

static void merge_worst(void *context, void *into, const void *from)
{
    for (int32_t k = 0; k < ((const struct vectors *)context)->count; k++)
        ((struct null_lane *)into)->worst[k] =
            fmax(((struct null_lane *)into)->worst[k], ((const struct null_lane *)from)->worst[k]);
}

linpred_status linpred__null_residuals(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                       const linpred__null_vectors *from, double *worst, linpred_error *error)
{
    struct vectors vectors = {.count = from->count, .width = from->width, .has_intercept = has_intercept};
    linpred__visitor visitor = {sizeof(struct null_lane), init_null_lane, visit_null_rows, merge_worst,
                                clear_null_lane,          &vectors};
    struct null_lane total;
    linpred_status status =
        list_entries(from, &vectors) ? linpred__pass(data, pool, &visitor, &total, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memcpy(worst, total.worst, (size_t)from->count * sizeof *worst);
        clear_null_lane(&vectors, &total);
    }
    linpred__release(vectors.start);
    linpred__release(vectors.column);
    linpred__release(vectors.entry);
    return status;
}
