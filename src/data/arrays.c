/* Makes data from the caller's arrays, without their rows of weight 0. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/data.h"
#include "data/limits.h"

static linpred_status check_shape(const linpred_arrays *a, linpred_error *error)
{
    if (a->rows < 1 || a->columns < 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "there are no rows");
    if (a->columns == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "there are no columns: a row needs a value at least");
    if (a->start ? (a->stride != 0) : (a->stride != 0 && a->stride < a->columns))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the stride does not fit the columns");
    if (!a->values || (a->start && !a->indices))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "values are needed, and indices for sparse rows");
    /* This check comes before any entry is read, because a wrong start would lead outside the arrays. */
    if (a->start && a->start[0] < 0)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 1, 0, "row 1 starts before the first entry");
    for (int64_t row = 0; a->start && row < a->rows; row++)
        if (a->start[row + 1] < a->start[row])
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, 0, "row %lld ends before it starts",
                                    (long long)row + 1);
    return LINPRED_OK;
}

/* Checks that entries are finite, indices ascend and are in range, the label is finite, and the weight is finite and
   not negative. */
static linpred_status check_row(const linpred_arrays *a, int64_t stride, int64_t row, linpred_error *error)
{
    int64_t from = a->start ? a->start[row] : row * stride;
    int64_t count = a->start ? a->start[row + 1] - from : a->columns;
    int64_t last = -1;
    for (int64_t k = 0; k < count; k++) {
        int64_t column = a->start ? a->indices[from + k] : k;
        if (column <= last || column >= a->columns)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, column + 1,
                                    "row %lld: column index %lld is out of order or out of range", (long long)row + 1,
                                    (long long)column);
        last = column;
        if (!isfinite(a->values[from + k]))
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, column + 1,
                                    "row %lld, column %lld is not a finite number", (long long)row + 1,
                                    (long long)column + 1);
    }
    if (a->labels && !isfinite(a->labels[row]))
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, 0, "the label of row %lld is not a finite number",
                                (long long)row + 1);
    if (a->weights && !(a->weights[row] >= 0.0 && isfinite(a->weights[row])))
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, 0,
                                "the weight of row %lld is negative or not finite", (long long)row + 1);
    return LINPRED_OK;
}

/* Whether all numbers are finite: no exponent has all bits set. */
LINPRED__FAST static bool are_finite(const double *x, int64_t count)
{
    const uint64_t exponent = 0x7ff0000000000000;
    uint64_t wrong = 0;
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, x + k, sizeof bits);
        wrong |= (uint64_t)((bits & exponent) == exponent);
    }
    return wrong == 0;
}

LINPRED__FAST static bool are_weights(const double *x, int64_t count)
{
    uint64_t wrong = 0;
    for (int64_t k = 0; k < count; k++)
        wrong |= (uint64_t) !(x[k] >= 0.0);
    return wrong == 0 && are_finite(x, count);
}

/* Whether check_row accepts the dense rows from..to-1. It is asked first, since it reads as fast as memory gives. */
static bool accepts_dense_rows(const linpred_arrays *a, int64_t stride, int64_t from, int64_t to)
{
    bool accepted = true;
    if (stride == a->columns)
        accepted = are_finite(a->values + from * stride, (to - from) * stride);
    for (int64_t row = from; stride != a->columns && row < to; row++)
        accepted = accepted && are_finite(a->values + row * stride, a->columns);
    return accepted && (!a->labels || are_finite(a->labels + from, to - from)) &&
           (!a->weights || are_weights(a->weights + from, to - from));
}

static linpred_status check_arrays(const linpred_arrays *a, linpred_error *error)
{
    linpred_status status = check_shape(a, error);
    int64_t stride = a->stride ? a->stride : a->columns;
    for (int64_t from = 0, to; status == LINPRED_OK && from < a->rows; from = to) {
        to = from + LINPRED__ROWS_AT_A_TIME < a->rows ? from + LINPRED__ROWS_AT_A_TIME : a->rows;
        bool accepted = !a->start && accepts_dense_rows(a, stride, from, to);
        for (int64_t row = from; !accepted && status == LINPRED_OK && row < to; row++)
            status = check_row(a, stride, row, error);
    }
    return status;
}

static void place_arrays(const linpred_arrays *arrays, linpred_data *data)
{
    int64_t stride = arrays->stride ? arrays->stride : arrays->columns;
    for (int64_t i = 0; i < data->blocks; i++) {
        linpred__block *block = &data->block[i];
        int64_t row = block->first_row;
        block->values = arrays->start ? arrays->values : arrays->values + row * stride;
        block->stride = stride;
        block->start = arrays->start ? arrays->start + row : NULL;
        block->indices = arrays->indices;
        block->target = arrays->labels + row;
        block->weight = arrays->weights ? arrays->weights + row : NULL;
    }
}

/* Makes data from arrays that are checked and have no rows of weight 0. Takes the arrays and source_row over, also on
   failure. */
static linpred_status make_data(const linpred_arrays *arrays, int64_t rows_in_file, int64_t *source_row,
                                linpred_data **out, linpred_error *error)
{
    linpred_data *data = linpred__calloc(1, sizeof *data);
    if (!data) {
        linpred__release(source_row);
        if (arrays->release)
            arrays->release(arrays->context);
        return linpred__no_memory(error);
    }
    data->release = arrays->release;
    data->context = arrays->context;
    data->layout = arrays->start ? LINPRED__SPARSE : LINPRED__DENSE;
    data->rows = arrays->rows;
    data->rows_in_file = rows_in_file;
    data->dropped_weightless = rows_in_file - arrays->rows;
    data->source_row = source_row;
    data->columns = arrays->columns;
    data->index_base = -1;
    data->labelled = true;
    data->from_arrays = true;
    data->entries = arrays->start ? arrays->start[arrays->rows] - arrays->start[0] : arrays->rows * arrays->columns;
    data->block_rows = linpred__block_rows((double)data->entries / (double)data->rows);
    linpred_status status = linpred__data_make_blocks(data, error);
    if (status == LINPRED_OK) {
        place_arrays(arrays, data);
        status = arrays->weights ? linpred__data_check_weights(data, error) : LINPRED_OK;
    }
    if (status == LINPRED_OK)
        *out = data;
    else
        linpred_data_free(data);
    return status;
}

/* Zeros that replace labels, and the release function of the arrays, which must be called too. */
typedef struct no_labels {
    void (*release)(void *context); /* of the caller's arrays */
    void *context;                  /* of `release` */
    double zero[];
} no_labels;

static void release_no_labels(void *context)
{
    no_labels *none = context;
    if (none->release)
        none->release(none->context);
    linpred__release(none);
}

/* Gives arrays without labels an array of zeros. */
static linpred_status put_no_labels(linpred_arrays *arrays, linpred_error *error)
{
    no_labels *none = linpred__calloc(1, sizeof *none + (size_t)arrays->rows * sizeof none->zero[0]);
    if (!none)
        return linpred__no_memory(error);
    none->release = arrays->release;
    none->context = arrays->context;
    arrays->labels = none->zero;
    arrays->release = release_no_labels;
    arrays->context = none;
    return LINPRED_OK;
}

/* ---- rows of weight 0 -------------------------------------------------------------------------------------------- */

/* Weight k counts as k copies, so that weight 0 is no row. */

/* The memory of the copy. */
struct kept {
    double *values, *labels, *weights;
    int64_t *start;
    int32_t *indices;
};

static void release_kept(void *context)
{
    struct kept *kept = context;
    linpred__release(kept->values);
    linpred__release(kept->labels);
    linpred__release(kept->weights);
    linpred__release(kept->start);
    linpred__release(kept->indices);
    linpred__release(kept);
}

static struct kept *new_kept(const linpred_arrays *a, int64_t rows, int64_t entries)
{
    struct kept *kept = linpred__calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->values = linpred__alloc((size_t)entries, sizeof(double));
    kept->labels = linpred__alloc((size_t)rows, sizeof(double));
    kept->weights = linpred__alloc((size_t)rows, sizeof(double));
    kept->start = a->start ? linpred__alloc((size_t)rows + 1, sizeof(int64_t)) : NULL;
    kept->indices = a->start ? linpred__alloc((size_t)entries, sizeof(int32_t)) : NULL;
    if (kept->values && kept->labels && kept->weights && (!a->start || (kept->start && kept->indices)))
        return kept;
    release_kept(kept);
    return NULL;
}

/* The number of rows of weight 0. */
static int64_t weightless_rows(const linpred_arrays *a)
{
    int64_t count = 0;
    for (int64_t row = 0; a->weights && row < a->rows; row++)
        count += a->weights[row] == 0.0;
    return count;
}

/* Copies the rows with a weight into `out`; out->release frees the copy. source_row[i] is the 0-based row that row i
   comes from; the caller frees it with linpred__release. The caller's arrays are not released. */
static linpred_status leave_out_weightless(const linpred_arrays *a, linpred_arrays *out, int64_t **source_row,
                                           linpred_error *error)
{
    int64_t rows = a->rows - weightless_rows(a), entries = 0, to = 0, at = 0;
    int64_t stride = a->stride ? a->stride : a->columns;
    if (rows == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "no row is left: all have weight 0");
    for (int64_t row = 0; row < a->rows; row++)
        if (a->weights[row] != 0.0)
            entries += a->start ? a->start[row + 1] - a->start[row] : a->columns;
    struct kept *kept = new_kept(a, rows, entries);
    int64_t *source = linpred__alloc((size_t)rows, sizeof *source);
    if (!kept || !source) {
        if (kept)
            release_kept(kept);
        linpred__release(source);
        return linpred__no_memory(error);
    }
    for (int64_t row = 0; row < a->rows; row++) {
        if (a->weights[row] == 0.0)
            continue;
        int64_t from = a->start ? a->start[row] : row * stride,
                count = a->start ? a->start[row + 1] - from : a->columns;
        if (count > 0)
            memcpy(kept->values + at, a->values + from, (size_t)count * sizeof(double));
        if (a->start && count > 0)
            memcpy(kept->indices + at, a->indices + from, (size_t)count * sizeof(int32_t));
        if (a->start)
            kept->start[to] = at;
        kept->labels[to] = a->labels[row];
        kept->weights[to] = a->weights[row];
        source[to++] = row;
        at += count;
    }
    if (a->start)
        kept->start[rows] = at;
    *out = *a;
    out->rows = rows;
    out->values = kept->values;
    out->stride = 0;
    out->start = kept->start;
    out->indices = kept->indices;
    out->labels = kept->labels;
    out->weights = kept->weights;
    out->release = release_kept;
    out->context = kept;
    *source_row = source;
    return LINPRED_OK;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

/* Makes data from checked arrays, without their rows of weight 0. Takes the arrays over, also on failure. */
static linpred_status take_arrays(const linpred_arrays *arrays, linpred_data **out, linpred_error *error)
{
    if (weightless_rows(arrays) == 0)
        return make_data(arrays, arrays->rows, NULL, out, error);
    linpred_arrays others;
    int64_t *source_row = NULL;
    linpred_status status = leave_out_weightless(arrays, &others, &source_row, error);
    if (status == LINPRED_OK)
        status = make_data(&others, arrays->rows, source_row, out, error);
    if (arrays->release)
        arrays->release(arrays->context); /* the data uses the copy */
    return status;
}

linpred_status linpred__data_of_arrays(const linpred_arrays *given, linpred_data **out, linpred_error *error)
{
    linpred_arrays arrays;
    linpred_status status = linpred__struct_read(&arrays, sizeof arrays, given, "linpred_arrays", error);
    if (status != LINPRED_OK) /* the struct cannot be read, so that `release` cannot be called either */
        return status;
    bool labelled = arrays.labels;
    status = check_arrays(&arrays, error);
    if (status == LINPRED_OK && !labelled)
        status = put_no_labels(&arrays, error);
    if (status != LINPRED_OK) {
        if (arrays.release)
            arrays.release(arrays.context);
        return status;
    }
    status = take_arrays(&arrays, out, error);
    if (status == LINPRED_OK)
        (*out)->labelled = labelled;
    return status;
}
