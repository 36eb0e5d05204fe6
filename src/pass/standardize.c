/* A standardised copy of the rows: mean and deviation of each column, the copy, and weights in the units of either. */
#include "pass/standardize.h"

#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/stored.h"
#include "data/tree.h"

/* Three passes over the copy find the largest |x| of each column, its mean, and the mean square of x - mean. Values are
   taken times 2^-exponent, so that no sum overflows whatever the units. */
enum stage { MAGNITUDE, MEAN, SQUARE };

struct moments {
    const linpred_data *copy;
    enum stage stage;
    bool centred;
    int *exponent;
    double *mean; /* of the scaled values */
};

/* The state of a pass is an array of double-doubles: one for each column, then the total weight. */

static void add_column_moments(void *context, void *state, const linpred__block *block)
{
    const struct moments *moments = context;
    linpred__dd *sums = state, *weight = &sums[block->columns];
    for (int32_t r = 0; r < block->rows; r++) {
        const double *x = block->values + r * block->stride;
        double w = block->weight ? block->weight[r] : 1.0;
        *weight = linpred__dd_add_double(*weight, w);
        for (int32_t j = 0; j < block->columns; j++) {
            linpred__dd *sum = &sums[j];
            if (moments->stage == MAGNITUDE) {
                sum->hi = fmax(sum->hi, fabs(x[j]));
                continue;
            }
            double scaled = ldexp(x[j], -moments->exponent[j]);
            double rest = scaled - (moments->stage == SQUARE ? moments->mean[j] : 0.0);
            *sum = moments->stage == MEAN ? linpred__dd_add(*sum, linpred__two_product(w, rest))
                                          : linpred__dd_add_double(*sum, w * rest * rest);
        }
    }
}

static void merge_sums(void *context, void *into, const void *from)
{
    const struct moments *moments = context;
    int32_t columns = moments->copy->columns;
    linpred__dd *a = into;
    const linpred__dd *b = from;
    a[columns] = linpred__dd_add(a[columns], b[columns]);
    for (int32_t j = 0; j < columns; j++) {
        if (moments->stage == MAGNITUDE)
            a[j].hi = fmax(a[j].hi, b[j].hi);
        else
            a[j] = linpred__dd_add(a[j], b[j]);
    }
}

/* Centre and scale of every column, by three passes. `sums` holds columns + 1. */
static linpred_status measure_moments(struct moments *moments, linpred__pool *pool, linpred__dd *sums,
                                      linpred__standard *standard, linpred_error *error)
{
    int32_t columns = moments->copy->columns;
    linpred__visitor visitor = {((size_t)columns + 1) * sizeof *sums,
                                NULL,
                                add_column_moments,
                                merge_sums,
                                NULL,
                                moments,
                                linpred__whole_state};
    for (int stage = MAGNITUDE; stage <= SQUARE; stage++) {
        moments->stage = (enum stage)stage;
        linpred_status status = linpred__pass(moments->copy, pool, &visitor, sums, error);
        if (status != LINPRED_OK)
            return status;
        for (int32_t j = 0; j < columns; j++) {
            double sum = sums[j].hi;
            double part = sum / sums[columns].hi;
            if (stage == MAGNITUDE) {
                moments->exponent[j] = sum > 0 ? ilogb(sum) + 1 : 0;
            } else if (stage == MEAN) {
                moments->mean[j] = moments->centred ? part : 0.0;
            } else {
                double deviation = sqrt(part);
                bool constant =
                    deviation <= 0x1p-50 * fabs(moments->mean[j]); /* the column is constant up to rounding */
                standard->scale[j] = constant ? 1.0 : ldexp(deviation, moments->exponent[j]);
                standard->centre[j] = ldexp(moments->mean[j], moments->exponent[j]);
            }
        }
    }
    return LINPRED_OK;
}

struct change {
    const linpred_data *copy;
    const linpred__standard *standard;
};

static void change_row(const linpred__standard *standard, int32_t columns, double *x)
{
    for (int32_t j = 0; j < columns; j++) {
        /* half of the difference: the difference of two huge values may overflow */
        double half = 0.5 * x[j] - 0.5 * standard->centre[j];
        x[j] = 2.0 * (half / standard->scale[j]);
    }
}

static void change_block(void *context, int64_t task)
{
    const struct change *change = context;
    const linpred__block *block = &change->copy->block[task];
    double *values = (double *)block->values; /* the copy is ours */
    for (int32_t r = 0; r < block->rows; r++)
        change_row(change->standard, block->columns, values + r * block->stride);
}

/* Rows that lie in a file are standardised whenever they are read. The context holds copies of the arrays. */
struct standard_view {
    linpred__standard standard;
    double numbers[]; /* centre, then scale */
};

static void make_standard(const void *context, const linpred__block *from, double *values)
{
    const struct standard_view *view = context;
    for (int32_t r = 0; r < from->rows; r++, values += from->columns) {
        linpred__row_expand(from, r, values);
        change_row(&view->standard, from->columns, values);
    }
}

static linpred_status view_standard(const linpred_data *data, linpred__standard *made, linpred_error *error)
{
    size_t columns = (size_t)data->columns;
    struct standard_view *view = linpred__alloc(1, sizeof *view + 2 * columns * sizeof(double));
    if (!view)
        return linpred__no_memory(error);
    memcpy(view->numbers, made->centre, columns * sizeof(double));
    memcpy(view->numbers + columns, made->scale, columns * sizeof(double));
    view->standard = (linpred__standard){.centre = view->numbers, .scale = view->numbers + columns};
    return linpred__data_derive(&(linpred__stored_view){data, LINPRED__DENSE, data->columns, make_standard, view, NULL},
                                &made->data, error);
}

void linpred__standard_clear(linpred__standard *standard)
{
    linpred_data_free(standard->data);
    linpred__release(standard->centre);
    linpred__release(standard->scale);
    *standard = (linpred__standard){0};
}

static linpred_status make_copy(const linpred_data *data, linpred_data **out, linpred_error *error)
{
    double bytes = (double)data->rows * data->columns * 8.0;
    if (data->layout == LINPRED__SPARSE && bytes > 0x1p31)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "--standardize would turn these sparse rows into %.1f GB of dense ones; scale the file instead",
            bytes / 1e9);
    linpred_data *copy = linpred__calloc(1, sizeof *copy);
    double *values = copy ? linpred__alloc((size_t)data->rows, (size_t)data->columns * sizeof(double)) : NULL;
    if (!values) {
        linpred__release(copy);
        return linpred__no_memory(error);
    }
    copy->layout = LINPRED__DENSE;
    copy->rows = data->rows;
    copy->columns = data->columns;
    copy->entries = data->rows * data->columns;
    copy->block_rows = data->block_rows;
    copy->release = linpred__release;
    copy->context = values;
    linpred_status status = linpred__data_make_blocks(copy, error);
    if (status != LINPRED_OK) {
        linpred_data_free(copy);
        return status;
    }
    for (int64_t i = 0; i < copy->blocks; i++) {
        linpred__block *block = &copy->block[i];
        block->stride = copy->columns;
        block->values = values + block->first_row * copy->columns;
        block->target = data->block[i].target;
        block->weight = data->block[i].weight;
        for (int32_t r = 0; r < block->rows; r++)
            linpred__row_expand(&data->block[i], r, values + (block->first_row + r) * copy->columns);
    }
    *out = copy;
    return LINPRED_OK;
}

linpred_status linpred__standardize(const linpred_data *data, bool centred, linpred__pool *pool,
                                    linpred__standard *standard, linpred_error *error)
{
    linpred__standard made = {0};
    linpred_status status = LINPRED_OK;
    if (!data->stored)
        status = make_copy(data, &made.data, error);
    else if (data->layout == LINPRED__SPARSE)
        status = linpred__stored_refuse(data, "--standardize of sparse rows", error);
    if (status != LINPRED_OK)
        return status;
    size_t columns = (size_t)data->columns;
    made.centre = linpred__alloc(columns, sizeof(double));
    made.scale = linpred__alloc(columns, sizeof(double));
    struct moments moments = {.copy = made.data ? made.data : data,
                              .centred = centred,
                              .exponent = linpred__alloc(columns, sizeof(int)),
                              .mean = linpred__alloc(columns, sizeof(double))};
    linpred__dd *sums = linpred__alloc(columns + 1, sizeof *sums);
    bool complete = made.centre && made.scale && moments.exponent && moments.mean && sums;
    status = complete ? measure_moments(&moments, pool, sums, &made, error) : linpred__no_memory(error);
    linpred__release(sums);
    linpred__release(moments.exponent);
    linpred__release(moments.mean);
    bool made_when_read = !made.data;
    if (status == LINPRED_OK && made_when_read)
        status = view_standard(data, &made, error);
    if (status != LINPRED_OK) {
        linpred__standard_clear(&made);
        return status;
    }
    if (made_when_read) {
        *standard = made;
        return LINPRED_OK;
    }
    struct change change = {made.data, &made};
    linpred__pool_run(pool, made.data->blocks, change_block, &change);
    *standard = made;
    return LINPRED_OK;
}

void linpred__standard_to_file(const linpred__standard *standard, double *w, double *b)
{
    linpred__dd shift = {0, 0};
    for (int32_t j = 0; j < standard->data->columns; j++) {
        w[j] /= standard->scale[j];
        shift = linpred__dd_add(shift, linpred__two_product(w[j], standard->centre[j]));
    }
    *b -= shift.hi;
}

void linpred__standard_from_file(const linpred__standard *standard, double *w, double *b)
{
    linpred__dd shift = {0, 0};
    for (int32_t j = 0; j < standard->data->columns; j++) {
        shift = linpred__dd_add(shift, linpred__two_product(w[j], standard->centre[j]));
        w[j] *= standard->scale[j];
    }
    *b += shift.hi;
}
