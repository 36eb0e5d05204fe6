/* Encodes a table: all blocks on all threads, then drops rows, then makes the blocks of the data. */
#include "table/recipe/encode.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/recipe/encode_rows.h"

/* The memory that the finished data owns; the fields are those of linpred__encoding. */
struct store {
    linpred__table *table;
    double *target;
    double *weight;
    double **new_values;
};

static void release_store(void *context)
{
    struct store *store = context;
    for (int64_t b = 0; store->new_values && b < store->table->blocks; b++)
        linpred__release(store->new_values[b]);
    linpred__release(store->new_values);
    linpred__table_free(store->table);
    linpred__release(store->target);
    linpred__release(store->weight);
    linpred__release(store);
}

/* Reports the bad row that was found. */
static linpred_status bad_row(const linpred__encoding *work, linpred_error *error)
{
    int64_t row = work->bad_row, line = linpred__table_line(work->table, row);
    char at[LINPRED__LINE_TEXT];
    linpred__table_line_text(work->table, row, at);
    if (work->weight && work->weight[row] < 0.0)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, work->roles->weights + 1,
                                "%s%s: row %lld has the weight %g; weights cannot be negative", work->table->name, at,
                                (long long)row + 1, work->weight[row]);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, work->roles->target + 1,
                            "%s%s: the label of row %lld is neither '%.60s' nor '%.60s', the two that the model knows",
                            work->table->name, at, (long long)row + 1, work->recipe->label[0], work->recipe->label[1]);
}

/* The first value of a row of the encoded table. */
static double *row_at(const linpred__encoding *work, int64_t row, int64_t stride)
{
    int64_t b = row / work->table->block_rows;
    double *block = work->in_place ? work->table->block[b].values : work->new_values[b];
    return block + (row % work->table->block_rows) * stride;
}

/* Removes the rows that are not kept: moves the others up in place, and notes in data->source_row which they were. The
   entries of sparse rows are not moved here. */
static linpred_status drop_rows(linpred__encoding *work, linpred_data *data, int64_t stride, linpred_error *error)
{
    int64_t kept = 0;
    for (int64_t row = 0; row < work->table->rows; row++)
        kept += work->keep[row];
    if (kept == work->table->rows)
        return LINPRED_OK;
    if (kept == 0 && work->roles->labels)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no row is left: all have missing values or weight 0",
                             work->table->name);
    data->source_row = linpred__alloc((size_t)kept, sizeof(int64_t));
    if (!data->source_row)
        return linpred__no_memory(error);
    int64_t to = 0;
    for (int64_t row = 0; row < work->table->rows; row++) {
        if (!work->keep[row]) {
            bool weightless = work->weight && work->weight[row] == 0.0;
            data->dropped_weightless += weightless;
            data->dropped_missing += !weightless;
            continue;
        }
        if (to != row && !work->sparse)
            memcpy(row_at(work, to, stride), row_at(work, row, stride), (size_t)stride * sizeof(double));
        work->target[to] = work->target[row];
        if (work->weight)
            work->weight[to] = work->weight[row];
        data->source_row[to++] = row;
    }
    data->rows = kept;
    return work->sparse && !linpred__encode_pack(work->table) ? linpred__no_memory(error) : LINPRED_OK;
}

/* Makes the blocks of the data point at the encoded rows. */
static linpred_status place_blocks(linpred__encoding *work, linpred_data *data, int64_t stride, linpred_error *error)
{
    linpred_status status = linpred__data_make_blocks(data, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t i = 0; i < data->blocks; i++) {
        linpred__block *block = &data->block[i];
        int64_t row = block->first_row;
        block->target = work->target + row;
        block->weight = work->weight ? work->weight + row : NULL;
        if (data->layout == LINPRED__SPARSE) {
            const linpred__table_block *from = &work->table->block[row / work->table->block_rows];
            block->values = from->values;
            block->start = from->start + row % work->table->block_rows;
            block->indices = from->indices;
            data->entries +=
                from->start[row % work->table->block_rows + block->rows] - from->start[row % work->table->block_rows];
        } else {
            block->values = row_at(work, row, stride) + (work->as_is ? work->roles->source[0] : 0);
            block->stride = stride;
            block->filled = true;
        }
    }
    if (data->layout == LINPRED__DENSE)
        data->entries = data->rows * data->columns;
    return LINPRED_OK;
}

static linpred_status encode_all(linpred__encoding *work, linpred__pool *pool, linpred_data *data, linpred_error *error)
{
    linpred__table *table = work->table;
    const linpred__recipe *recipe = work->recipe;
    linpred_status status = linpred__encode_maps(work, error);
    if (status != LINPRED_OK)
        return status;
    bool from_sparse = table->layout == LINPRED__SPARSE;
    work->sparse = from_sparse || linpred__encode_many_levels(work);
    work->as_is = !work->sparse && linpred__encode_can_stay(work);
    work->has_gaps = !work->sparse && linpred__encode_has_gaps(work);
    bool may_drop = !from_sparse && (recipe->missing == LINPRED_MISSING_DROP || work->roles->weights >= 0);
    bool copies = !work->sparse && !work->in_place;
    work->target = linpred__calloc((size_t)table->rows, sizeof(double));
    if (work->roles->weights >= 0)
        work->weight = linpred__alloc((size_t)table->rows, sizeof(double));
    if (may_drop)
        work->keep = linpred__alloc((size_t)table->rows, sizeof(bool));
    if (copies)
        work->new_values = linpred__calloc((size_t)table->blocks, sizeof *work->new_values);
    if (!work->target || (work->roles->weights >= 0 && !work->weight) || (may_drop && !work->keep) ||
        (copies && !work->new_values))
        return linpred__no_memory(error);
    linpred__pool_run(pool, table->blocks,
                      from_sparse    ? linpred__encode_sparse_block
                      : work->sparse ? linpred__encode_levels_block
                                     : linpred__encode_dense_block,
                      work);
    if (work->out_of_memory)
        return linpred__no_memory(error);
    if (work->bad_row >= 0)
        return bad_row(work, error);
    int64_t stride = work->in_place ? table->columns : recipe->features;
    data->layout = work->sparse ? LINPRED__SPARSE : LINPRED__DENSE;
    data->rows = data->rows_in_file = table->rows;
    data->columns = recipe->features;
    data->index_base = table->index_base;
    data->labelled = work->roles->target >= 0 || from_sparse;
    data->block_rows = linpred__block_rows(recipe->features);
    if (work->sparse || data->block_rows > table->block_rows)
        data->block_rows = table->block_rows;
    if (work->keep)
        status = drop_rows(work, data, stride, error);
    if (status == LINPRED_OK)
        status = place_blocks(work, data, stride, error);
    if (status == LINPRED_OK && work->weight)
        status = linpred__data_check_weights(data, error);
    return status;
}

static void clear_work(linpred__encoding *work)
{
    for (int32_t k = 0; work->level_map && k < work->recipe->sources; k++)
        linpred__release(work->level_map[k]);
    linpred__release(work->level_map);
    linpred__release(work->label_map);
    linpred__release(work->column_map);
    linpred__release(work->keep);
}

linpred_status linpred__encode(linpred__table *table, linpred__recipe *recipe, const linpred__roles *roles,
                               linpred_unknown_level unknown, linpred__pool *pool, linpred_data **out,
                               linpred_error *error)
{
    linpred__encoding work = {
        .table = table, .recipe = recipe, .roles = roles, .unknown = unknown, .in_place = true, .bad_row = -1};
    linpred_data *data = linpred__calloc(1, sizeof *data);
    struct store *store = linpred__calloc(1, sizeof *store);
    linpred_status status = data && store ? encode_all(&work, pool, data, error) : linpred__no_memory(error);
    clear_work(&work);
    if (!store || !data) {
        linpred__table_free(table);
        linpred__release(store);
        linpred__release(data);
        return status;
    }
    *store = (struct store){table, work.target, work.weight, work.new_values};
    data->release = release_store;
    data->context = store;
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    linpred__warn(data, table, recipe, roles, roles->fresh ? 0 : work.unused);
    data->recipe = linpred__recipe_share(recipe);
    data->release_recipe = linpred__recipe_release;
    *out = data;
    return LINPRED_OK;
}
