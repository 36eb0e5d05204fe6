/* <n,(x,1)> in every row, 0 where it is.
 *
 * A sum is exact in doubles where each product and each addition is (the errors of both are computed, and are 0), as it is of whole numbers
 * and of copies; else it is made again in the wide accumulator.
 */
#include "data/dependence.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dd.h"
#include "core/exact.h"
#include "core/memory.h"
#include "data/pass.h"

struct work {
    const double *vectors;
    int32_t count;
    int32_t width;
    bool has_intercept;
};

struct lane {
    double *worst;
};

static bool init(void *context, void *state)
{
    ((struct lane *)state)->worst = linpred__calloc((size_t)((const struct work *)context)->count, sizeof(double));
    return ((struct lane *)state)->worst != NULL;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->worst);
}

struct sum {
    double value;
    double size;  /* Σ|products| */
    bool clean;   /* no rounding has touched it */
};

static void add(struct sum *sum, double x, double n)
{
    if (x == 0.0 || n == 0.0)
        return;
    linpred__dd product = linpred__two_product(x, n), next = linpred__two_sum(sum->value, product.hi);
    sum->value = next.hi;
    sum->size += fabs(product.hi);
    sum->clean = sum->clean && next.lo == 0.0 && product.lo == 0.0 && fabs(product.hi) > 0x1p-960; /* below, its error may be lost */
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

static double dependence_of(const linpred__entries *row, const double *n, double constant)
{
    struct sum sum = {.clean = true};
    for (int64_t i = 0; i < row->count; i++)
        add(&sum, row->values[i], n[linpred__entry_column(row, i)]);
    add(&sum, constant, 1.0);
    double left = sum.clean ? fabs(sum.value) : exact_value(row, n, constant);
    if (left == 0.0)
        return 0.0;
    return sum.size > 0 && isfinite(sum.size) ? fmax(left / sum.size, DBL_MIN) : 1.0;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct work *work = context;
    double *worst = ((struct lane *)state)->worst;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int32_t k = 0; k < work->count; k++) {
            const double *n = work->vectors + (int64_t)k * work->width;
            worst[k] = fmax(worst[k], dependence_of(&row, n, work->has_intercept ? n[block->columns] : 0.0));
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    for (int32_t k = 0; k < ((const struct work *)context)->count; k++)
        ((struct lane *)into)->worst[k] = fmax(((struct lane *)into)->worst[k], ((const struct lane *)from)->worst[k]);
}

linpred_status linpred__dependence(const linpred_data *data, linpred__pool *pool, bool has_intercept, const double *vectors,
                                   int32_t count, double *worst, linpred_error *error)
{
    struct work work = {vectors, count, data->columns + has_intercept, has_intercept};
    linpred__visitor visitor = {sizeof(struct lane), init, visit, merge, clear, &work};
    struct lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    if (status != LINPRED_OK)
        return status;
    memcpy(worst, total.worst, (size_t)count * sizeof *worst);
    clear(&work, &total);
    return LINPRED_OK;
}
