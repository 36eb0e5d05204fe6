/* Drops empty columns: marks the columns that occur, numbers those that are kept, and copies the indices. */
#include "data/drop_empty_columns.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"

struct renumbering {
    const linpred_data *data;
    const double *hint;
    const linpred__block *renumbered;
    unsigned char *occurs; /* 1 if the column has an entry; a hint of 0 does not exclude it, since an entry may be 0 */
    int32_t *place;        /* the number of each column among those that are kept */
};

static void mark_block(void *context, int64_t i)
{
    const struct renumbering *work = context;
    const linpred__block *block = linpred__block_at(work->data, i);
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++)
        __atomic_store_n(&work->occurs[block->indices[k]], 1, __ATOMIC_RELAXED);
}

static void renumber_block(void *context, int64_t i)
{
    const struct renumbering *work = context;
    const linpred__block *block = &work->data->block[i];
    int32_t *to = (int32_t *)work->renumbered[i].indices;
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++)
        *to++ = work->place[block->indices[k]];
}

/* Numbers the columns that are kept, in their order. Returns their number. */
static int32_t number_columns(const struct renumbering *work, int32_t *column)
{
    int32_t count = 0;
    for (int32_t j = 0; j < work->data->columns; j++)
        if (work->occurs[j] || work->hint[j] != 0.0) {
            work->place[j] = count;
            column[count++] = j;
        }
    return count;
}

static bool enough_are_empty(const linpred_data *data, const double *hint)
{
    int32_t empty = 0;
    for (int32_t j = 0; data->layout == LINPRED__SPARSE && j < data->columns; j++)
        empty += hint[j] == 0.0;
    return empty > 0 && empty < data->columns && empty >= data->columns / LINPRED__EMPTY_SHARE;
}

static void make_views(const linpred_data *data, linpred__without_empty_columns *kept)
{
    int32_t *indices = kept->indices;
    int64_t *start = kept->start;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *from = &data->block[i];
        linpred__block *block = &kept->data.block[i];
        *block = *from;
        block->columns = kept->data.columns;
        block->values = from->values + from->start[0];
        block->indices = indices;
        block->start = start;
        start = linpred__copy_starts(from, start);
        indices += from->start[from->rows] - from->start[0];
    }
}

/* The same for rows that lie in a file: their columns are renumbered whenever they are read. */
static linpred_status renumber_stored(struct renumbering *work, linpred__pool *pool,
                                      linpred__without_empty_columns *kept, linpred_error *error)
{
    const linpred_data *data = work->data;
    linpred__pool_run(pool, data->blocks, mark_block, work);
    int32_t columns = number_columns(work, kept->column);
    linpred_status status = linpred__data_derive(
        &(linpred__stored_view){data, LINPRED__SPARSE, columns, NULL, NULL, work->place}, &kept->renumbered, error);
    if (status != LINPRED_OK)
        return status;
    kept->data = *kept->renumbered;
    if (data->decimals)
        kept->decimals = linpred__decimals_of_columns(data->decimals, kept->column, columns);
    if (data->decimals && !kept->decimals)
        return linpred__no_memory(error);
    linpred__set_decimals(&kept->data, kept->decimals);
    return LINPRED_OK;
}

static linpred_status drop_from_stored(const linpred_data *data, const double *hint, linpred__pool *pool,
                                       linpred__without_empty_columns *kept, linpred_error *error)
{
    struct renumbering work = {.data = data, .hint = hint};
    work.occurs = linpred__calloc((size_t)data->columns, 1);
    work.place = kept->place = linpred__calloc((size_t)data->columns, sizeof *work.place);
    kept->column = linpred__alloc((size_t)data->columns, sizeof *kept->column);
    linpred_status status = work.occurs && work.place && kept->column ? renumber_stored(&work, pool, kept, error)
                                                                      : linpred__no_memory(error);
    linpred__release(work.occurs);
    if (status != LINPRED_OK)
        linpred__without_empty_columns_close(kept);
    return status;
}

linpred_status linpred__drop_empty_columns(const linpred_data *data, const double *hint, linpred__pool *pool,
                                           linpred__without_empty_columns *kept, linpred_error *error)
{
    *kept = (linpred__without_empty_columns){0};
    if (!enough_are_empty(data, hint))
        return LINPRED_OK;
    if (data->stored)
        return drop_from_stored(data, hint, pool, kept, error);
    struct renumbering work = {.data = data, .hint = hint};
    work.occurs = linpred__calloc((size_t)data->columns, 1);
    work.place = linpred__alloc((size_t)data->columns, sizeof *work.place);
    kept->column = linpred__alloc((size_t)data->columns, sizeof *kept->column);
    kept->indices = linpred__alloc((size_t)data->entries, sizeof *kept->indices);
    kept->start = linpred__alloc((size_t)(data->rows + data->blocks), sizeof *kept->start);
    kept->data = *data;
    kept->data.block = linpred__alloc((size_t)data->blocks, sizeof *kept->data.block);
    work.renumbered = kept->data.block;
    bool complete =
        work.occurs && work.place && kept->column && kept->indices && kept->start && kept->data.block != NULL;
    if (complete) {
        linpred__pool_run(pool, data->blocks, mark_block, &work);
        kept->data.columns = number_columns(&work, kept->column);
        if (data->decimals)
            kept->decimals = linpred__decimals_of_columns(data->decimals, kept->column, kept->data.columns);
        complete = kept->decimals || !data->decimals;
    }
    if (complete) {
        make_views(data, kept);
        linpred__set_decimals(&kept->data, kept->decimals);
        linpred__pool_run(pool, data->blocks, renumber_block, &work);
    }
    linpred__release(work.occurs);
    linpred__release(work.place);
    if (!complete)
        linpred__without_empty_columns_close(kept);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

void linpred__without_empty_columns_close(linpred__without_empty_columns *kept)
{
    if (kept->renumbered)
        linpred_data_free(kept->renumbered);
    else
        linpred__release(kept->data.block);
    linpred__release(kept->place);
    linpred__release(kept->column);
    linpred__release(kept->indices);
    linpred__release(kept->start);
    linpred__release(kept->decimals);
    *kept = (linpred__without_empty_columns){0};
}
