/* Makes a dense copy of sparse data. */
#include "core/error.h"
#include "core/memory.h"
#include "data/data.h"

static void expand_block(const void *context, const linpred__block *from, double *values)
{
    (void)context;
    for (int32_t r = 0; r < from->rows; r++)
        linpred__row_expand(from, r, values + (int64_t)r * from->columns);
}

linpred_status linpred__data_dense(const linpred_data *data, linpred_data **out, linpred_error *error)
{
    if (data->stored) {
        linpred_status status = linpred__data_derive(
            &(linpred__stored_view){data, LINPRED__DENSE, data->columns, expand_block, NULL, NULL}, out, error);
        if (status == LINPRED_OK)
            linpred__set_decimals(*out, data->decimals);
        return status;
    }
    size_t columns = (size_t)data->columns;
    linpred_data *copy = linpred__calloc(1, sizeof *copy);
    double *values = linpred__calloc((size_t)data->rows * columns, sizeof *values);
    linpred__block *blocks = linpred__alloc((size_t)data->blocks, sizeof *blocks);
    if (!copy || !values || !blocks) {
        linpred__release(copy);
        linpred__release(values);
        linpred__release(blocks);
        return linpred__no_memory(error);
    }
    *copy = *data;
    copy->layout = LINPRED__DENSE;
    copy->entries = data->rows * data->columns;
    copy->block = blocks;
    copy->source_row = NULL;
    copy->recipe = NULL;
    copy->release = linpred__release;
    copy->context = values;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *from = &data->block[i];
        blocks[i] = *from;
        blocks[i].layout = LINPRED__DENSE;
        blocks[i].values = values;
        blocks[i].stride = data->columns;
        blocks[i].start = NULL;
        blocks[i].indices = NULL;
        for (int32_t r = 0; r < from->rows; r++, values += columns)
            for (int64_t k = from->start[r]; k < from->start[r + 1]; k++)
                values[from->indices[k]] = from->values[k];
    }
    *out = copy;
    return LINPRED_OK;
}
