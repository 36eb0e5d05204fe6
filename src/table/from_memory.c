/* Data of what the caller has in memory: arrays, which are borrowed, and frames, which are copied.
 *
 * A frame becomes a linpred__table, as if it had been read from a typed file; what follows is the same as for a file.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "table/cells/dictionary.h"
#include "table/recipe/encode.h"
#include "table/cells/typed.h"

/* Whether a text can be a name or a level: it is UTF-8. */
static linpred_status check_text(const char *text, const char *what, int32_t index, linpred_error *error)
{
    if (!text)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s %d is NULL", what, index + 1);
    if (!linpred__is_utf8(text, strlen(text)))
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s %d is not UTF-8 text", what, index + 1);
    return LINPRED_OK;
}

/* Fails unless all texts are UTF-8 and different. */
static linpred_status check_texts(const char *const *text, int32_t count, const char *what, linpred_error *error)
{
    linpred__dictionary seen = {0};
    linpred_status status = LINPRED_OK;
    for (int32_t i = 0; status == LINPRED_OK && i < count; i++) {
        status = check_text(text[i], what, i, error);
        int32_t number = status == LINPRED_OK ? linpred__dictionary_add(&seen, text[i], strlen(text[i])) : i;
        if (number < 0)
            status = linpred__no_memory(error);
        else if (number < i)
            status = linpred__fail(error, LINPRED_ERROR_INPUT, "%s %d and %d are the same, '%.60s'", what, number + 1,
                                   i + 1, text[i]);
    }
    linpred__dictionary_free(&seen);
    return status;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* Whether some target is neither -1 nor +1. The targets are then real numbers, not labels. */
static bool has_real_labels(const linpred_data *data)
{
    for (int64_t i = 0; i < data->blocks; i++) {
        int32_t count[2];
        linpred__count_labels(&data->block[i], count);
        if (count[0] + count[1] < data->block[i].rows)
            return true;
    }
    return false;
}

static linpred_status check_array_names(const linpred_arrays *arrays, linpred_error *error)
{
    linpred_status status =
        arrays->names ? check_texts(arrays->names, arrays->columns, "the name of column", error) : LINPRED_OK;
    if (status == LINPRED_OK && arrays->target)
        status = check_text(arrays->target, "the name of target", 0, error);
    if (status == LINPRED_OK && !arrays->label[0] != !arrays->label[1])
        status = linpred__fail(error, LINPRED_ERROR_USAGE, "what one label stands for is given, but not the other");
    if (status == LINPRED_OK && arrays->label[0])
        status = check_texts(arrays->label, 2, "what is said of label", error);
    return status;
}

linpred_status linpred_data_from_arrays(const linpred_arrays *arrays, linpred_data **out, linpred_error *error)
{
    LINPRED__NEEDS(arrays, out);
    linpred_data *data = NULL;
    linpred_arrays known = {0};
    linpred_status status = linpred__data_of_arrays(arrays, &data, error);
    if (status == LINPRED_OK)
        status = linpred__struct_read(&known, sizeof known, arrays, "linpred_arrays", error);
    if (status == LINPRED_OK)
        status = check_array_names(&known, error);
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    linpred__array_names names = {known.names, known.target, {known.label[0], known.label[1]}};
    data->recipe = linpred__recipe_of_arrays(data->columns, &names, has_real_labels(data), 1);
    data->release_recipe = linpred__recipe_release;
    if (!data->recipe) {
        linpred_data_free(data);
        return linpred__no_memory(error);
    }
    *out = data;
    return LINPRED_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Reads the caller's columns, whose structs may be older or newer than ours. The caller releases *columns. */
static linpred_status read_columns(const linpred_frame *given, linpred_frame_column **columns, linpred_error *error)
{
    linpred_frame_column *known = linpred__calloc((size_t)given->columns, sizeof *known);
    linpred_status status = known ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t c = 0; status == LINPRED_OK && c < given->columns; c++) {
        if (!given->column[c])
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "column %d of the frame is NULL", c + 1);
        else
            status = linpred__struct_read(&known[c], sizeof known[c], given->column[c], "linpred_frame_column", error);
        if (status == LINPRED_OK)
            status = check_text(known[c].name, "the name of column", c, error);
        if (status == LINPRED_OK && known[c].levels)
            status = check_texts(known[c].levels, known[c].level_count, "level", error);
        if (status == LINPRED_OK && (!known[c].values || known[c].level_count < 0 || known[c].stride < 0))
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "column %d (%.60s) has no values, or its shape is wrong",
                                   c + 1, known[c].name);
    }
    if (status == LINPRED_OK)
        *columns = known;
    else
        linpred__release(known);
    return status;
}

/* Copies one column into the blocks. A level is a whole number below level_count; a number is finite; NaN is missing.
 */
static linpred_status copy_cells(linpred__table *table, int32_t c, const linpred_frame_column *from,
                                 linpred_error *error)
{
    linpred__column *column = &table->column[c];
    bool unused = column->use == LINPRED__UNUSED; /* its cells are not judged, and are 0 */
    int64_t stride = from->stride ? from->stride : 1;
    for (int64_t row = 0; row < table->rows; row++) {
        double value = unused ? 0.0 : from->values[row * stride];
        if (isnan(value))
            linpred__typed_missing(column, row + 1);
        else if (isinf(value))
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, c + 1,
                                    "%s: row %" PRId64 ", column %d (%.60s) is not a finite number", table->name,
                                    row + 1, c + 1, column->name);
        else if (from->levels && !unused && !(value >= 0.0 && value < from->level_count && value == floor(value)))
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, row + 1, c + 1,
                                    "%s: row %" PRId64 ", column %d (%.60s): there is no level %g", table->name,
                                    row + 1, c + 1, column->name, value);
        *linpred__table_cell(table, row, c) = value;
    }
    column->type = unused || column->missing == table->rows ? LINPRED_COLUMN_EMPTY
                   : from->levels                           ? LINPRED_COLUMN_TEXT
                                                            : LINPRED_COLUMN_NUMBER;
    return LINPRED_OK;
}

/* Copies the levels that occur, and numbers the cells anew: a level without a row is none. */
static linpred_status copy_levels(linpred__table *table, int32_t c, const linpred_frame_column *from,
                                  linpred_error *error)
{
    linpred__column *column = &table->column[c];
    int32_t *number = linpred__alloc((size_t)from->level_count, sizeof *number);
    linpred__dictionary levels = {0};
    linpred_status status = number ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t k = 0; number && k < from->level_count; k++)
        number[k] = -1;
    for (int64_t row = 0; status == LINPRED_OK && row < table->rows; row++) {
        double *cell = linpred__table_cell(table, row, c);
        if (isnan(*cell))
            continue;
        int32_t k = (int32_t)*cell;
        if (number[k] < 0)
            number[k] = linpred__dictionary_add(&levels, from->levels[k], strlen(from->levels[k]));
        if (number[k] < 0)
            status = linpred__no_memory(error);
        *cell = number[k];
    }
    if (status == LINPRED_OK && !linpred__column_name_levels(column, &levels))
        status = linpred__no_memory(error);
    linpred__dictionary_free(&levels);
    linpred__release(number);
    column->typed_text = true;
    return status;
}

static linpred_status fill_table(linpred__table *table, const linpred_frame_column *from,
                                 const linpred__read_request *request, linpred_error *error)
{
    bool *as_text = NULL;
    size_t capacity = 0;
    linpred_status status = linpred__typed_columns(table, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++)
        status = linpred__typed_name(table, c, from[c].name, strlen(from[c].name), error);
    if (status == LINPRED_OK)
        status = linpred__typed_check_names(table, error);
    if (status == LINPRED_OK)
        status = linpred__typed_as_text(table, request, &as_text, error);
    if (status == LINPRED_OK && !linpred__table_add_blocks(table, &capacity, table->rows))
        status = linpred__no_memory(error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++) {
        if (as_text[c] && !from[c].levels && !linpred__typed_refuse(&table->column[c], 0, "it holds numbers, not text"))
            status = linpred__no_memory(error);
        if (status == LINPRED_OK)
            status = copy_cells(table, c, &from[c], error);
        if (status == LINPRED_OK && table->column[c].type == LINPRED_COLUMN_TEXT)
            status = copy_levels(table, c, &from[c], error);
    }
    linpred__release(as_text);
    if (status == LINPRED_OK)
        linpred__typed_trim(table);
    return status;
}

linpred_status linpred__table_of_frame(const linpred_frame *given, const linpred__read_request *request,
                                       linpred__table **out, linpred_error *error)
{
    linpred_frame known;
    linpred_frame_column *columns = NULL;
    linpred_status status = linpred__struct_read(&known, sizeof known, given, "linpred_frame", error);
    if (status == LINPRED_OK && (known.rows < 1 || known.columns < 1 || !known.column))
        status = linpred__fail(error, LINPRED_ERROR_INPUT, "there are no rows, or no columns");
    if (status == LINPRED_OK)
        status = read_columns(&known, &columns, error);
    if (status != LINPRED_OK)
        return status;
    const char *name = known.name ? known.name : "frame";
    linpred__table *table = linpred__calloc(1, sizeof *table);
    if (table)
        table->name = linpred__copy_text(name, strlen(name));
    if (table && table->name) {
        table->rows = known.rows;
        table->columns = known.columns;
        table->row_names = table->index_base = table->weights = -1;
        memcpy(table->format, "frame in memory", sizeof "frame in memory");
        status = fill_table(table, columns, request, error);
    } else {
        status = linpred__no_memory(error);
    }
    linpred__release(columns);
    if (status == LINPRED_OK)
        *out = table;
    else
        linpred__table_free(table);
    return status;
}
