/* How nearly vectors n are null vectors: the largest |<n,(x,1)>| / Σ|n_j x_j| over the rows.
 *
 * The rounding errors of products and sums are computed too. If all are 0, the sum is exact. Otherwise the row is
 * summed again in exact arithmetic. So a result of 0 is a proof.
 *
 * A row in which all entries are small may be far off, relative to them, though the vector holds to rounding for the
 * columns as a whole. So the same is also measured for the rows together: sqrt(Σ <n,(x,1)>² / Σ (Σ|n_j x_j|)²), with
 * and without the weights of the rows, whichever is less. Rows with decimals are taken times 10^K (check/rows/whole.h).
 */
#include <float.h>
#include <math.h>

#include "check/null/vectors.h"
#include "check/rows/whole.h"
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

/* How far a vector is off. */
struct null_off {
    double worst;   /* in any row */
    double left[2]; /* the length of the <n,(x,1)> of all rows; then with the weights of the rows */
    double size[2]; /* the same of the Σ|n_j x_j| */
};

struct null_lane {
    double *x;            /* a row: two doubles that sum to a value, `width` times */
    struct null_off *off; /* of each vector */
};

static void clear_null_lane(void *context, void *state)
{
    (void)context;
    linpred__release(((struct null_lane *)state)->x);
    linpred__release(((struct null_lane *)state)->off);
}

static bool init_null_lane(void *context, void *state)
{
    const struct vectors *vectors = context;
    struct null_lane *lane = state;
    lane->x = linpred__calloc(2 * (size_t)vectors->width, sizeof *lane->x);
    lane->off = linpred__calloc((size_t)vectors->count, sizeof *lane->off);
    if (lane->x && lane->off)
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
        for (int part = 0; part < 2; part++)
            linpred__exact_add(&sum, x[2 * (int64_t)vectors->column[i] + part], vectors->entry[i]);
    return linpred__exact_sign(&sum) == 0 ? 0.0 : fmax(fabs(linpred__exact_value(&sum)), DBL_MIN);
}

/* Takes row x into account: |<n_k,x>| / Σ|n_kj x_j|, which is 0 only if the product is. */
static void add_residual(const struct vectors *vectors, int32_t k, const double *x, double root, struct null_off *off)
{
    double value = 0.0, size = 0.0;
    bool exact = true;
    for (int64_t i = 2 * vectors->start[k]; i < 2 * vectors->start[k + 1]; i++) {
        double entry = x[2 * (int64_t)vectors->column[i / 2] + i % 2];
        if (entry == 0.0)
            continue;
        linpred__dd product = linpred__two_product(entry, vectors->entry[i / 2]);
        linpred__dd sum = linpred__two_sum(value, product.hi);
        value = sum.hi;
        size += fabs(product.hi);
        /* Below 2^-960 the error of a product may be lost. */
        exact = exact && sum.lo == 0.0 && product.lo == 0.0 && fabs(product.hi) > 0x1p-960;
    }
    double left = exact ? fabs(value) : exact_size(vectors, k, x);
    if (left > 0.0)
        off->worst = fmax(off->worst, isfinite(size) ? fmax(left / size, DBL_MIN) : 1.0);
    for (int heavy = 0; heavy < 2; heavy++) {
        off->left[heavy] = hypot(off->left[heavy], heavy ? root * left : left);
        off->size[heavy] = hypot(off->size[heavy], heavy ? root * size : size);
    }
}

static void visit_null_rows(void *context, void *state, const linpred__block *block)
{
    const struct vectors *vectors = context;
    struct null_lane *lane = state;
    if (vectors->has_intercept)
        lane->x[2 * (int64_t)block->columns] = linpred__row_factor(block);
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t i = 0; i < row.count; i++) {
            int32_t j = linpred__entry_column(&row, i);
            linpred__read_cell(block, j, row.values[i], &lane->x[2 * (int64_t)j]);
        }
        for (int32_t k = 0; k < vectors->count; k++)
            add_residual(vectors, k, lane->x, block->weight ? sqrt(block->weight[r]) : 1.0, &lane->off[k]);
        for (int64_t i = 0; row.indices && i < row.count; i++)
            lane->x[2 * (int64_t)row.indices[i]] = lane->x[2 * (int64_t)row.indices[i] + 1] = 0.0;
    }
}

static void merge_worst(void *context, void *into, const void *from)
{
    for (int32_t k = 0; k < ((const struct vectors *)context)->count; k++) {
        struct null_off *a = &((struct null_lane *)into)->off[k];
        const struct null_off *b = &((const struct null_lane *)from)->off[k];
        a->worst = fmax(a->worst, b->worst);
        for (int heavy = 0; heavy < 2; heavy++) {
            a->left[heavy] = hypot(a->left[heavy], b->left[heavy]);
            a->size[heavy] = hypot(a->size[heavy], b->size[heavy]);
        }
    }
}

static void list_worst(void *context, void *state, linpred__state_pieces *pieces)
{
    struct null_off *off = ((struct null_lane *)state)->off;
    linpred__state_piece(pieces, off, (size_t)((const struct vectors *)context)->count * sizeof *off);
}

static double part_of(double left, double size)
{
    return left == 0.0 ? 0.0 : isfinite(size) ? left / size : 1.0;
}

linpred_status linpred__null_residuals(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                       const linpred__null_vectors *from, double *worst, double *apart,
                                       linpred_error *error)
{
    struct vectors vectors = {.count = from->count, .width = from->width, .has_intercept = has_intercept};
    linpred__visitor visitor = {sizeof(struct null_lane), init_null_lane, visit_null_rows, merge_worst,
                                clear_null_lane,          &vectors,       list_worst};
    struct null_lane total;
    linpred_status status =
        list_entries(from, &vectors) ? linpred__pass(data, pool, &visitor, &total, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        for (int32_t k = 0; k < from->count; k++) {
            const struct null_off *off = &total.off[k];
            worst[k] = off->worst;
            if (apart)
                apart[k] = fmin(part_of(off->left[0], off->size[0]), part_of(off->left[1], off->size[1]));
        }
        clear_null_lane(&vectors, &total);
    }
    linpred__release(vectors.start);
    linpred__release(vectors.column);
    linpred__release(vectors.entry);
    return status;
}

linpred_status linpred__measure_null(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                     linpred__null_finding *finding, linpred_error *error)
{
    const linpred__regression *regression = model->regression;
    const linpred__dependencies *stated = &regression->dependencies;
    linpred__null_vectors vectors = {stated->count, stated->width, stated->vector, stated->drop};
    size_t count = (size_t)stated->count;
    *finding = (linpred__null_finding){0};
    if (count == 0 || regression->basis.polynomials > 0 || stated->width != model->columns + model->has_intercept)
        return LINPRED_OK;
    double *worst = linpred__alloc(2 * count, sizeof *worst);
    if (!worst)
        return linpred__no_memory(error);
    linpred_status status =
        linpred__null_residuals(data, pool, model->has_intercept, &vectors, worst, worst + count, error);
    *finding = (linpred__null_finding){.seen = true, .as_stated = true, .exact = true};
    for (size_t k = 0; status == LINPRED_OK && k < count; k++) {
        finding->as_stated = finding->as_stated && (worst[k] == 0.0 || !stated->exact[k]);
        finding->exact = finding->exact && worst[k] == 0.0;
        finding->worst = fmax(finding->worst, worst[k]);
        finding->apart = fmax(finding->apart, worst[count + k]);
    }
    int independent = linpred__null_independent(stated->vector, count, (size_t)stated->width, NULL, NULL);
    finding->independent = independent > 0;
    linpred__release(worst);
    return status == LINPRED_OK && independent < 0 ? linpred__no_memory(error) : status;
}
