/* Makes data from the caller's arrays, makes views of data, and implements the public calls that read data. */
#include "data/data.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/struct_size.h"
#include "data/drop_weightless.h"
#include "data/limits.h"

int32_t linpred__block_rows(double values_per_row)
{
    int32_t rows = LINPRED__BLOCK_MAX_ROWS;
    while (rows > LINPRED__BLOCK_MIN_ROWS && rows * values_per_row > LINPRED__BLOCK_VALUES)
        rows /= 2;
    return rows;
}

static linpred_status check_shape(const linpred_arrays *a, linpred_error *error)
{
    if (a->rows < 1 || a->columns < 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "there are no rows");
    if (a->start ? (a->stride != 0) : (a->stride != 0 && a->stride < a->columns))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the stride does not fit the columns");
    if ((!a->values && a->columns > 0) || (a->start && !a->indices))
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

static linpred_status check_arrays(const linpred_arrays *a, linpred_error *error)
{
    linpred_status status = check_shape(a, error);
    int64_t stride = a->stride ? a->stride : a->columns;
    for (int64_t row = 0; status == LINPRED_OK && row < a->rows; row++)
        status = check_row(a, stride, row, error);
    return status;
}

linpred_status linpred__data_make_blocks(linpred_data *data, linpred_error *error)
{
    data->blocks = (data->rows + data->block_rows - 1) / data->block_rows;
    data->block = linpred__calloc((size_t)data->blocks, sizeof *data->block);
    if (!data->block)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < data->blocks; i++) {
        linpred__block *block = &data->block[i];
        block->first_row = i * data->block_rows;
        int64_t left = data->rows - block->first_row;
        block->rows = left < data->block_rows ? (int32_t)left : data->block_rows;
        block->columns = data->columns;
        block->layout = data->layout;
    }
    return LINPRED_OK;
}

linpred_status linpred__data_check_weights(const linpred_data *data, linpred_error *error)
{
    return isfinite(linpred__shape_of(data).weight)
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_INPUT,
                               "the sum of the row weights overflows; divide all weights by the same number");
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

/* Makes data from checked arrays, without their rows of weight 0. Takes the arrays over, also on failure. */
static linpred_status take_arrays(const linpred_arrays *arrays, linpred_data **out, linpred_error *error)
{
    if (linpred__weightless_rows(arrays) == 0)
        return make_data(arrays, arrays->rows, NULL, out, error);
    linpred_arrays others;
    int64_t *source_row;
    linpred_status status = linpred__leave_out_weightless(arrays, &others, &source_row, error);
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

static void keep_recipe(struct linpred__recipe *recipe)
{
    (void)recipe; /* the recipe belongs to the data of which this is a view */
}

linpred_status linpred__data_relabel(const linpred_data *data, const double *targets, linpred_data **out,
                                     linpred_error *error)
{
    linpred_data *view = linpred__alloc(1, sizeof *view);
    linpred__block *block = linpred__alloc((size_t)data->blocks, sizeof *block);
    int64_t *source_row = data->source_row ? linpred__alloc((size_t)data->rows, sizeof *source_row) : NULL;
    if (!view || !block || (data->source_row && !source_row)) {
        linpred__release(view);
        linpred__release(block);
        linpred__release(source_row);
        return linpred__no_memory(error);
    }
    *view = *data;
    view->block = block;
    view->source_row = source_row;
    if (source_row)
        memcpy(source_row, data->source_row, (size_t)data->rows * sizeof *source_row);
    for (int64_t i = 0; i < data->blocks; i++) {
        block[i] = data->block[i];
        block[i].target = targets + block[i].first_row;
        block[i].weight = NULL;
    }
    view->labelled = true;
    view->release = NULL;
    view->release_recipe = keep_recipe;
    *out = view;
    return LINPRED_OK;
}

void linpred_data_free(linpred_data *data)
{
    if (!data)
        return;
    if (data->release)
        data->release(data->context);
    if (data->recipe)
        data->release_recipe(data->recipe);
    linpred__release(data->source_row);
    linpred__release(data->block);
    linpred__release(data);
}

linpred_shape linpred__shape_of(const linpred_data *data)
{
    linpred_shape shape = {
        .struct_size = sizeof shape,
        .rows = data->rows,
        .columns = data->columns,
        .entries = data->entries,
        .sparse = data->layout == LINPRED__SPARSE,
        .rows_in_file = data->rows_in_file,
        .dropped_missing = data->dropped_missing,
        .dropped_weightless = data->dropped_weightless,
        .index_base = data->index_base,
        .weighted = data->blocks > 0 && data->block[0].weight,
        .whole_weights = true,
    };
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        int32_t positive = 0;
        for (int32_t r = 0; !block->weight && block->target && r < block->rows; r++)
            positive += block->target[r] > 0;
        shape.weight += block->weight ? 0.0 : block->rows;
        shape.positive += positive;
        for (int32_t r = 0; block->weight && r < block->rows; r++) {
            double weight = block->weight[r];
            shape.weight += weight;
            shape.positive += block->target && block->target[r] > 0 ? weight : 0.0;
            shape.whole_weights = shape.whole_weights && weight == trunc(weight);
        }
    }
    return shape;
}

bool linpred_data_shape(const linpred_data *data, linpred_shape *shape)
{
    linpred_shape made = linpred__shape_of(data);
    return linpred__struct_fill(shape, &made, sizeof made);
}

int64_t linpred_data_rows(const linpred_data *data)
{
    return data->rows;
}

int64_t linpred_data_rows_in_file(const linpred_data *data)
{
    return data->rows_in_file;
}

int32_t linpred_data_columns(const linpred_data *data)
{
    return data->columns;
}

int64_t linpred_data_source_row(const linpred_data *data, int64_t row)
{
    return 1 + (data->source_row ? data->source_row[row] : row);
}

const linpred__block *linpred__row_of_file(const linpred_data *data, int64_t row, int32_t *r)
{
    int64_t low = 0, high = data->rows - 1; /* bisection, because rows of the file ascend */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (linpred_data_source_row(data, middle) < row)
            low = middle + 1;
        else
            high = middle;
    }
    if (data->rows == 0 || linpred_data_source_row(data, low) != row)
        return NULL;
    return linpred__block_of(data, low, r);
}

bool linpred__data_sample(const linpred_data *data, int64_t every, linpred_data *sample)
{
    linpred_data made = *data;
    made.blocks = (data->blocks - 1) / every + 1;
    made.rows = made.entries = 0;
    made.block = linpred__alloc((size_t)made.blocks, sizeof *made.block);
    if (!made.block)
        return false;
    for (int64_t i = 0; i < made.blocks; i++) {
        made.block[i] = data->block[i * every];
        made.rows += made.block[i].rows;
    }
    made.entries = (int64_t)((double)data->entries * ((double)made.rows / (double)data->rows));
    *sample = made;
    return true;
}

void linpred__row_expand(const linpred__block *block, int32_t r, double *values)
{
    if (block->layout == LINPRED__DENSE) {
        memcpy(values, block->values + r * block->stride, (size_t)block->columns * sizeof *values);
        return;
    }
    memset(values, 0, (size_t)block->columns * sizeof *values);
    for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
        values[block->indices[k]] = block->values[k];
}

bool linpred_data_row(const linpred_data *data, int64_t file_row, double *values, double *label)
{
    int32_t r;
    const linpred__block *block = linpred__row_of_file(data, file_row, &r);
    if (!block)
        return false;
    *label = block->target[r];
    linpred__row_expand(block, r, values);
    return true;
}
