#include "data/drop_empty_columns.h"

#include "core/error.h"
#include "core/memory.h"

enum { MOST = 2 }; /* one column in so many must be empty */

struct renumbering {
    const linpred_data *data;
    const double *hint;
    linpred__block *block;
    unsigned char *occurs; /* an entry may be 0, so its size does not say */
    int32_t *place;
};

static void mark_block(void *context, int64_t i)
{
    const struct renumbering *work = context;
    const linpred__block *block = &work->data->block[i];
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++)
        __atomic_store_n(&work->occurs[block->indices[k]], 1, __ATOMIC_RELAXED);
}

static void renumber_block(void *context, int64_t i)
{
    const struct renumbering *work = context;
    const linpred__block *block = &work->data->block[i];
    int32_t *to = (int32_t *)work->block[i].indices;
    for (int64_t k = block->start[0]; k < block->start[block->rows]; k++)
        to[k] = work->place[block->indices[k]];
}

/* The columns that stay, in their order. */
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

linpred_status linpred__drop_empty_columns(const linpred_data *data, const double *hint, linpred__pool *pool,
                                           linpred__without_empty_columns *narrow, linpred_error *error)
{
    *narrow = (linpred__without_empty_columns){0};
    int32_t empty = 0;
    for (int32_t j = 0; data->layout == LINPRED__SPARSE && j < data->columns; j++)
        empty += hint[j] == 0.0;
    if (empty == 0 || empty == data->columns || empty < data->columns / MOST)
        return LINPRED_OK;
    struct renumbering work = {.data = data, .hint = hint};
    work.occurs = linpred__calloc((size_t)data->columns, 1);
    work.place = linpred__alloc((size_t)data->columns, sizeof *work.place);
    work.block = linpred__alloc((size_t)data->blocks, sizeof *work.block);
    narrow->column = linpred__alloc((size_t)data->columns, sizeof *narrow->column);
    narrow->indices = linpred__alloc((size_t)data->entries, sizeof *narrow->indices);
    narrow->data = *data;
    narrow->data.block = work.block;
    linpred_status status = LINPRED_OK;
    if (!work.occurs || !work.place || !work.block || !narrow->column || !narrow->indices) {
        status = linpred__no_memory(error);
    } else {
        linpred__pool_run(pool, data->blocks, mark_block, &work);
        narrow->data.columns = number_columns(&work, narrow->column);
        int64_t at = 0;
        for (int64_t i = 0; i < data->blocks; i++) {
            const linpred__block *block = &data->block[i];
            work.block[i] = *block;
            work.block[i].columns = narrow->data.columns;
            work.block[i].indices = narrow->indices + at - block->start[0];
            at += block->start[block->rows] - block->start[0];
        }
        linpred__pool_run(pool, data->blocks, renumber_block, &work);
    }
    linpred__release(work.occurs);
    linpred__release(work.place);
    if (status != LINPRED_OK)
        linpred__without_empty_columns_close(narrow);
    return status;
}

void linpred__without_empty_columns_close(linpred__without_empty_columns *narrow)
{
    linpred__release(narrow->data.block);
    linpred__release(narrow->column);
    linpred__release(narrow->indices);
    *narrow = (linpred__without_empty_columns){0};
}
