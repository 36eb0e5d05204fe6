/* A table of the columns of an archive that are not features: the weights, then the target. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/npz/npz.h"

/* Reads one array of a number a row into a column of the table. Fails and sets *missing if a number is missing. */
static linpred_status read_column(const linpred__zip *zip, const char *name, linpred__table *thin, int32_t column,
                                  bool *missing, linpred_error *error)
{
    enum { AT_A_TIME = 1 << 17 }; /* 1 MB */
    linpred__npz_array array;
    linpred_status status = linpred__npz_find(zip, name, "<f8", (uint64_t)thin->rows, &array, error);
    double *values = status == LINPRED_OK ? linpred__alloc(AT_A_TIME, sizeof *values) : NULL;
    if (status == LINPRED_OK && !values)
        return linpred__no_memory(error);
    uLong checksum = status == LINPRED_OK ? array.header_checksum : 0;
    const linpred__column *about = &thin->column[column];
    bool text = about->type == LINPRED_COLUMN_TEXT, odd = false;
    for (int64_t first = 0; first < thin->rows && status == LINPRED_OK; first += AT_A_TIME) {
        int64_t count = thin->rows - first < AT_A_TIME ? thin->rows - first : AT_A_TIME;
        size_t bytes = (size_t)count * sizeof *values;
        status = linpred__zip_get(zip, array.numbers + (uint64_t)first * sizeof *values, values, bytes, error);
        if (status == LINPRED_OK)
            checksum = linpred__checksum((uint32_t)checksum, values, bytes);
        for (int64_t i = 0, run; i < count && status == LINPRED_OK; i += run) { /* rows of one block */
            double *cell = linpred__table_cell(thin, first + i, column);
            int64_t left = thin->block_rows - (first + i) % thin->block_rows;
            run = left < count - i ? left : count - i;
            for (int64_t k = 0; k < run; k++, cell += thin->columns) {
                double x = *cell = values[i + k];
                odd = odd | (text && !(x >= 0.0 && x < about->levels && x == floor(x)));
            }
        }
        odd = odd || (status == LINPRED_OK && !linpred__all_finite(values, (size_t)count));
    }
    linpred__release(values);
    if (status == LINPRED_OK && (uint32_t)checksum != array.member->checksum)
        return linpred__npz_damaged(zip, name, error);
    *missing = *missing || (status == LINPRED_OK && odd);
    return odd && status == LINPRED_OK ? LINPRED_ERROR_MEMORY : status;
}

/* Copies what the head says of a column. */
static bool copy_column(const linpred__column *from, linpred__column *to)
{
    *to = (linpred__column){.use = from->use, .type = from->type, .long_numbers = from->long_numbers};
    to->name = linpred__copy_text(from->name, strlen(from->name));
    to->level = from->levels > 0 ? linpred__calloc((size_t)from->levels, sizeof *to->level) : NULL;
    for (int32_t i = 0; to->level && i < from->levels; i++, to->levels++) {
        to->level[i] = linpred__copy_text(from->level[i], strlen(from->level[i]));
        if (!to->level[i])
            return false;
    }
    return to->name && (to->level || from->levels == 0);
}

linpred_status linpred__npz_thin(const linpred__zip *zip, const linpred__table *head, const linpred__roles *roles,
                                 bool *missing, linpred__table **out, linpred_error *error)
{
    bool weights = roles->weights >= 0, target = roles->target >= 0;
    linpred__table *thin = linpred__calloc(1, sizeof *thin);
    if (!thin)
        return linpred__no_memory(error);
    *thin = (linpred__table){.layout = LINPRED__DENSE,
                             .rows = head->rows,
                             .block_rows = head->block_rows,
                             .decimal = head->decimal,
                             .index_base = -1,
                             .row_names = -1,
                             .weights = -1,
                             .lines_are_rows = true,
                             .first_row_line = 1,
                             .has_names = true};
    int32_t columns = weights + target;
    int64_t blocks = (thin->rows - 1) / thin->block_rows + 1;
    thin->columns = columns > 0 ? columns : 1;
    thin->name = linpred__copy_text(head->name, strlen(head->name));
    thin->column = linpred__calloc((size_t)thin->columns, sizeof *thin->column);
    thin->block = linpred__calloc((size_t)blocks, sizeof *thin->block);
    bool ready = thin->name && thin->column && thin->block;
    if (ready && weights)
        ready = copy_column(&head->column[roles->weights], &thin->column[0]);
    if (ready && target)
        ready = copy_column(&head->column[roles->target], &thin->column[weights]);
    for (; ready && thin->blocks < blocks; thin->blocks++) {
        linpred__table_block *block = &thin->block[thin->blocks];
        int64_t left = thin->rows - thin->blocks * thin->block_rows;
        block->rows = left < thin->block_rows ? (int32_t)left : thin->block_rows;
        size_t row_bytes = (size_t)thin->columns * sizeof *block->values;
        block->values = linpred__table_alloc(thin, (size_t)block->rows, row_bytes);
        ready = block->values != NULL;
        if (ready)
            memset(block->values, 0, (size_t)block->rows * row_bytes);
    }
    linpred_status status = ready ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && weights)
        status = read_column(zip, "weights", thin, 0, missing, error);
    if (status == LINPRED_OK && target)
        status = read_column(zip, "target", thin, weights, missing, error);
    if (status != LINPRED_OK) {
        linpred__table_free(thin);
        return status;
    }
    *out = thin;
    return LINPRED_OK;
}
