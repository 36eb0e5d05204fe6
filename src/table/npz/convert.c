/* linpred_convert: reads a file once and writes its rows for other programs, and for fits beyond memory.
 *
 * The table lies in a spill beside the output, so that memory is bounded whatever its size. The output gets its name
 * once it is complete.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/limits.h"
#include "table/npz/beyond.h"
#include "table/npz/npz.h"
#include "table/recipe/encode.h"
#include "table/recipe/make.h"

/* Lists the columns that are written: features in the order of the file, weights, target. */
static linpred_status list_columns(const linpred__table *table, const linpred_options *options,
                                   linpred__npz_columns *columns, linpred_error *error)
{
    bool sparse = table->layout == LINPRED__SPARSE;
    linpred__roles roles = {.labels = true, .fresh = true};
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    columns->column = linpred__alloc((size_t)table->columns, sizeof *columns->column);
    linpred_status status = chosen && columns->column ? linpred__choose_roles(table, options, &roles, chosen, error)
                                                      : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__check_usable(table, &roles, chosen, error);
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++)
        if (chosen[i])
            columns->column[columns->features++] = i;
    linpred__release(chosen);
    if (status != LINPRED_OK)
        return status;
    if (sparse && columns->features < table->columns)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: sparse rows are converted with all columns; choose columns when you fit",
                             table->name);
    if (columns->features == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no column is left for features", table->name);
    columns->weights = roles.weights >= 0;
    columns->target = sparse || roles.target >= 0;
    if (columns->weights)
        columns->column[columns->features] = roles.weights;
    if (columns->target && !sparse)
        columns->column[columns->features + columns->weights] = roles.target;
    return LINPRED_OK;
}

/* A matrix of numbers has no place for text, missing values and sparse rows. */
static linpred_status check_matrix(const linpred__table *table, const linpred__npz_columns *columns,
                                   linpred_error *error)
{
    if (table->layout == LINPRED__SPARSE)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: an npy file cannot hold sparse rows; write to a .npz file", table->name);
    for (int32_t i = 0; i < columns->features + columns->weights + columns->target; i++) {
        const linpred__column *column = &table->column[columns->column[i]];
        if (column->type == LINPRED_COLUMN_TEXT || column->missing > 0)
            return linpred__fail(error, LINPRED_ERROR_USAGE,
                                 "%s: an npy file holds plain numbers, but column '%.60s' holds %s; write to a .npz "
                                 "file",
                                 table->name, column->name,
                                 column->type == LINPRED_COLUMN_TEXT ? "text" : "missing values");
    }
    return LINPRED_OK;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t bytes = strlen(path), length = strlen(ending);
    return bytes > length && strcasecmp(path + bytes - length, ending) == 0;
}

static linpred_status write_output(const linpred__table *table, const char *path, linpred__npz_target *to,
                                   linpred__pool *pool, linpred_error *error)
{
    linpred_output *output;
    linpred_status status = linpred_output_open(path, &output, error);
    if (status != LINPRED_OK)
        return status;
    to->descriptor = fileno(linpred_output_stream(output));
    to->name = path;
    if (lseek(to->descriptor, 0, SEEK_CUR) < 0)
        status =
            linpred__fail(error, LINPRED_ERROR_USAGE, "'%s' is no file: rows are written to their places in it", path);
    if (status == LINPRED_OK)
        status = linpred__npz_write(table, to, pool, error);
    if (status == LINPRED_OK)
        return linpred_output_commit(output, error);
    linpred_output_discard(output);
    return status;
}

static linpred_status convert_rows(linpred__table *table, const char *output, linpred__npz_target *to,
                                   linpred__pool *pool, linpred_shape *shape, linpred_error *error)
{
    linpred_status status = linpred__check_empty_columns(table, "convert", LINPRED__COLUMN_BYTES, error);
    if (status == LINPRED_OK)
        status = list_columns(table, to->options, &to->columns, error);
    if (status == LINPRED_OK && to->matrix)
        status = check_matrix(table, &to->columns, error);
    if (status == LINPRED_OK)
        status = write_output(table, output, to, pool, error);
    bool sparse = table->layout == LINPRED__SPARSE;
    *shape = (linpred_shape){
        .struct_size = sizeof *shape,
        .rows = table->rows,
        .columns = to->columns.features,
        .entries = sparse ? table->entries : table->rows * to->columns.features,
        .sparse = sparse,
        .weighted = to->columns.weights,
        .rows_in_file = table->rows,
        .index_base = table->index_base,
    };
    linpred__release(to->columns.column);
    return status;
}

linpred_status linpred_convert(const char *path, const linpred_options *options, const char *output,
                               linpred_shape *shape, linpred_error *error)
{
    LINPRED__NEEDS(path, options, output, shape);
    const linpred__scopes listens = LINPRED__FOR(READ) | LINPRED__FOR(CONVERT);
    linpred_status status = linpred__options_check_for(options, listens, "converting a file", error);
    if (status == LINPRED_OK && options->missing != LINPRED_MISSING_FAIL)
        status = linpred__fail(error, LINPRED_ERROR_USAGE,
                               "--missing has no meaning for converting a file: missing values stay missing, and a fit "
                               "says what is done about them");
    if (status == LINPRED_OK)
        status = linpred__struct_check(shape, "linpred_shape", error);
    linpred__npz_target to = {.matrix = ends_in(output, ".npy"), .options = options};
    if (status == LINPRED_OK && !to.matrix && !ends_in(output, ".npz"))
        status = linpred__fail(error, LINPRED_ERROR_USAGE,
                               "'%s': the name of the output must end in .npz, or in .npy for plain numbers", output);
    if (status != LINPRED_OK)
        return status;
    linpred__pool *pool;
    linpred__spill *spill;
    linpred__table *table;
    linpred_shape made = {0};
    linpred__fit_columns wanted = {options, true};
    status = linpred__pool_open((int)options->threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    double memory = LINPRED__SPILL_RESIDENT;
    if (options->memory)
        status = linpred__memory_limit(options, &memory, error);
    if (status == LINPRED_OK)
        status = linpred__spill_open(output, (size_t)fmin(memory, (double)(SIZE_MAX / 4)), &spill, error);
    if (status != LINPRED_OK) {
        linpred__pool_close(pool);
        return status;
    }
    linpred__read_request request = {
        .options = options, .choose = linpred__choose_uses, .context = &wanted, .spill = spill, .may_stay = true};
    status = linpred__table_read(path, &request, pool, &table, error);
    if (status == LINPRED_OK) {
        status = convert_rows(table, output, &to, pool, &made, error);
        linpred__table_free(table);
    }
    status = linpred__spill_failure(spill, status, error);
    linpred__spill_close(spill);
    linpred__pool_close(pool);
    if (status == LINPRED_OK)
        linpred__struct_fill(shape, &made, sizeof made);
    return status;
}
