/* <n,(x,1)> in every row, 0 only if it is 0 in exact arithmetic.
 *
 * The errors of each product and each addition are computed. If all are 0 the sum in doubles is exact, as it is for
 * whole numbers and for copies of a column. Else it is made again in the wide accumulator (num/exact_sum.h). Rows with
 * decimals are taken times 10^K (data/decimals.h), which changes neither the zeros nor the quotients.
 */
#include "pass/dependence.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/tree.h"

struct dependence_pass {
    const double *vectors;
    int32_t count;
    int32_t width;
    bool has_intercept;
    int64_t *start; /* the entries of the vectors in column j that are not 0: start[j] .. start[j+1] - 1 */
    int32_t *which; /* vector of such an entry */
    double *part;   /* its value */
};

/* The state of the pass has one for each vector. */
struct product {
    double value; /* <n,(x,1)> of the row at hand, up to the column at hand */
    double size;  /* Σ|products| of that row */
    bool clean;   /* no operation on `value` was rounded */
    double worst; /* the largest |<n,(x,1)>| / size of the rows so far */
};

/* Lists the entries that are not 0, column by column: most vectors have few. */
static bool list_parts(struct dependence_pass *work)
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

static void add_column(const struct dependence_pass *work, int32_t column, double x, struct product *sums)
{
    for (int64_t i = work->start[column]; x != 0.0 && i < work->start[column + 1]; i++) {
        struct product *sum = &sums[work->which[i]];
        linpred__dd product = linpred__two_product(x, work->part[i]), next = linpred__two_sum(sum->value, product.hi);
        sum->value = next.hi;
        sum->size += fabs(product.hi);
        sum->clean = sum->clean && next.lo == 0.0 && product.lo == 0.0 &&
                     fabs(product.hi) > 0x1p-960; /* below, its error may be lost */
    }
}

static double exact_value(const linpred__block *block, const linpred__entries *row, const double *n, double constant)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < row->count; k++) {
        int32_t column = linpred__entry_column(row, k);
        linpred__dd x = linpred__cell(block, column, row->values[k]);
        linpred__exact_add(&sum, x.hi, n[column]);
        linpred__exact_add(&sum, x.lo, n[column]);
    }
    linpred__exact_add(&sum, constant, linpred__unit(block));
    return linpred__exact_sign(&sum) == 0 ? 0.0 : fmax(fabs(linpred__exact_value(&sum)), DBL_MIN);
}

static void visit_dependence(void *context, void *state, const linpred__block *block)
{
    const struct dependence_pass *work = context;
    struct product *product = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int32_t k = 0; k < work->count; k++)
            product[k] = (struct product){.clean = true, .worst = product[k].worst};
        for (int64_t i = 0; i < row.count; i++) {
            int32_t column = linpred__entry_column(&row, i);
            linpred__dd x = linpred__cell(block, column, row.values[i]);
            add_column(work, column, x.hi, product);
            add_column(work, column, x.lo, product);
        }
        if (work->has_intercept)
            add_column(work, block->columns, linpred__unit(block), product);
        for (int32_t k = 0; k < work->count; k++) {
            struct product *p = &product[k];
            const double *n = work->vectors + (int64_t)k * work->width;
            double left =
                p->clean ? fabs(p->value) : exact_value(block, &row, n, work->has_intercept ? n[block->columns] : 0.0);
            if (left != 0.0)
                p->worst = fmax(p->worst, isfinite(p->size) ? fmax(left / p->size, DBL_MIN) : 1.0);
        }
    }
}

static void merge_dependence(void *context, void *into, const void *from)
{
    struct product *a = into;
    const struct product *b = from;
    for (int32_t k = 0; k < ((const struct dependence_pass *)context)->count; k++)
        a[k].worst = fmax(a[k].worst, b[k].worst);
}

linpred_status linpred__dependence(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                   const double *vectors, int32_t count, double *worst, linpred_error *error)
{
    struct dependence_pass work = {vectors, count, data->columns + has_intercept, has_intercept, NULL, NULL, NULL};
    struct product *total = linpred__alloc((size_t)count, sizeof *total);
    linpred__visitor visitor = {(size_t)count * sizeof *total, NULL, visit_dependence, merge_dependence, NULL, &work,
                                linpred__whole_state};
    linpred_status status =
        total && list_parts(&work) ? linpred__pass(data, pool, &visitor, total, error) : linpred__no_memory(error);
    for (int32_t k = 0; status == LINPRED_OK && k < count; k++)
        worst[k] = total[k].worst;
    linpred__release(total);
    linpred__release(work.start);
    linpred__release(work.which);
    linpred__release(work.part);
    return status;
}
