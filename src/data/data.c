/* Blocks of data, views of data, remarks about data, and the public calls that read data. */
#include "data/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/limits.h"

int32_t linpred__block_rows(double values_per_row)
{
    int32_t rows = LINPRED__BLOCK_MAX_ROWS;
    while (rows > LINPRED__BLOCK_MIN_ROWS && rows * values_per_row > LINPRED__BLOCK_VALUES)
        rows /= 2;
    return rows;
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
    double sum = linpred__shape_of(data).weight;
    if (!isfinite(sum))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the sum of the row weights overflows; divide all weights by the same number");
    if (sum > 0.0 && sum < LINPRED__MIN_TOTAL_WEIGHT)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the sum of the row weights, %.3g, is too small; multiply all weights by the same number",
                             sum);
    return LINPRED_OK;
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

void linpred__set_decimals(linpred_data *data, const linpred__decimals *decimals)
{
    data->decimals = decimals;
    for (int64_t i = 0; i < data->blocks; i++)
        data->block[i].decimals = decimals && decimals->most > 0 ? decimals : NULL;
}

linpred__decimals *linpred__decimals_of_columns(const linpred__decimals *decimals, const int32_t *column,
                                                int32_t columns)
{
    linpred__decimals *made = linpred__alloc(1, sizeof *made + (size_t)columns);
    if (!made)
        return NULL;
    *made = *decimals;
    for (int32_t j = 0; j < columns; j++)
        made->column[j] = decimals->column[column[j]];
    return made;
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

LINPRED__FAST static int32_t count_equal(const double *x, int32_t count, double value)
{
    int32_t equal = 0;
    for (int32_t i = 0; i < count; i++)
        equal += x[i] == value;
    return equal;
}

void linpred__count_labels(const linpred__block *block, int32_t count[2])
{
    count[0] = count_equal(block->target, block->rows, -1.0);
    count[1] = count_equal(block->target, block->rows, 1.0);
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
        .dropped_unknown = data->dropped_unknown,
        .filled_missing = data->filled_missing,
        .unknown_as_zero = data->unknown_as_zero,
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
    if (!data || !shape)
        return false;
    linpred_shape made = linpred__shape_of(data);
    return linpred__struct_fill(shape, &made, sizeof made);
}

int64_t linpred_data_rows(const linpred_data *data)
{
    if (!data)
        return 0;
    return data->rows;
}

int64_t linpred_data_rows_in_file(const linpred_data *data)
{
    if (!data)
        return 0;
    return data->rows_in_file;
}

int32_t linpred_data_columns(const linpred_data *data)
{
    if (!data)
        return 0;
    return data->columns;
}

int64_t linpred_data_source_row(const linpred_data *data, int64_t row)
{
    if (!data)
        return 0;
    if (row < 0 || row >= data->rows)
        return 0;
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
    if (!data || !values || !label)
        return false;
    int32_t r;
    const linpred__block *block = linpred__row_of_file(data, file_row, &r);
    if (!block)
        return false;
    *label = block->target[r];
    linpred__row_expand(block, r, values);
    return true;
}

double linpred_data_row_weight(const linpred_data *data, int64_t file_row)
{
    int32_t r;
    const linpred__block *block = data ? linpred__row_of_file(data, file_row, &r) : NULL;
    return !block ? (double)NAN : block->weight ? block->weight[r] : 1.0;
}

static const char *const kind_words[] = {
#define LINPRED__NOTE_KIND(constant, word) [LINPRED__NOTE_##constant] = (word),
#include "data/note_kind.def"
#undef LINPRED__NOTE_KIND
};

linpred__remark linpred__remark_of(linpred__note_kind kind, const char *column, int64_t count, int64_t line)
{
    linpred__remark note = {.kind = kind, .count = count, .line = line};
    snprintf(note.column, sizeof note.column, "%s", column ? column : "");
    linpred__mend_utf8(note.column);
    return note;
}

bool linpred__remark_fill(const linpred__remark *note, const char *sentence, linpred_note *out)
{
    linpred_note made = {
        .struct_size = sizeof made,
        .kind = kind_words[note->kind],
        .sentence = sentence,
        .column = note->column[0] ? note->column : NULL,
        .count = note->count,
        .line = note->line,
    };
    return linpred__struct_fill(out, &made, sizeof made);
}

bool linpred__same_row(const linpred_data *data, int64_t row, int64_t other)
{
    int32_t r, s;
    const linpred__block *a = linpred__block_of(data, row, &r), *b = linpred__block_of(data, other, &s);
    if (a->layout == LINPRED__DENSE) {
        const double *x = a->values + r * a->stride, *y = b->values + s * b->stride;
        for (int32_t j = 0; j < a->columns; j++)
            if (x[j] != y[j])
                return false;
        return true;
    }
    /* A stored 0 is the same as no entry. */
    int64_t i = a->start[r], k = b->start[s];
    for (;; i++, k++) {
        while (i < a->start[r + 1] && a->values[i] == 0.0)
            i++;
        while (k < b->start[s + 1] && b->values[k] == 0.0)
            k++;
        if (i == a->start[r + 1] || k == b->start[s + 1])
            return i == a->start[r + 1] && k == b->start[s + 1];
        if (a->indices[i] != b->indices[k] || a->values[i] != b->values[k])
            return false;
    }
}
