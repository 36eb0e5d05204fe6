/* Columns of the file that predictions pass through, and the public calls that show them. */
#include "table/recipe/keep.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/cells/date.h"

static bool is_number_source(const linpred__recipe *recipe, const char *name)
{
    for (int32_t k = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        if (source.type == LINPRED_COLUMN_NUMBER && strcmp(source.name, name) == 0)
            return true;
    }
    return false;
}

linpred_status linpred__kept_as_text(const linpred__recipe *recipe, const char *keep, char **out, linpred_error *error)
{
    size_t room = strlen(keep) + 1, used = 0;
    char *list = linpred__alloc(room, 1), *item = linpred__alloc(room, 1);
    const char *at = keep;
    for (bool more = list && item; more;) {
        const char *from = at; /* the item as it is written, with doubled commas */
        size_t bytes;
        more = linpred__next_item(&at, item, &bytes);
        if (is_number_source(recipe, item))
            continue;
        size_t written = (size_t)(at - from) - more;
        if (used > 0)
            list[used++] = ',';
        memcpy(list + used, from, written);
        used += written;
        list[used] = '\0';
    }
    bool whole = list && item;
    linpred__release(item);
    if (!whole || used == 0) {
        linpred__release(list);
        list = NULL;
    }
    *out = list;
    return whole ? LINPRED_OK : linpred__no_memory(error);
}

/* Finds one column and adds it to roles->kept. */
static linpred_status find_one(const linpred__recipe *recipe, const linpred__table *table, const char *item,
                               size_t bytes, linpred__roles *roles, linpred_error *error)
{
    int32_t column;
    linpred_status status = linpred__find_column(table, item, bytes, "keep", &column, error);
    if (status != LINPRED_OK)
        return status;
    if (table->column[column].refusal)
        return linpred__refused_column(table, column, false, error);
    const char *name = table->column[column].name;
    if (strcmp(name, item) != 0 && is_number_source(recipe, name))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: column %d of --keep is a feature of the model; give its name, '%.60s'", table->name,
                             column + 1, name);
    for (int32_t k = 0; k < roles->kept_columns; k++)
        if (roles->kept[k] == column)
            return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --keep names column '%.60s' twice", table->name,
                                 name);
    roles->kept[roles->kept_columns++] = column;
    return LINPRED_OK;
}

linpred_status linpred__kept_find(const linpred__recipe *recipe, const linpred__table *table, const char *keep,
                                  linpred__roles *roles, linpred_error *error)
{
    if (!table->column)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --keep means nothing for a LIBSVM file", table->name);
    char *item = linpred__alloc(strlen(keep) + 1, 1);
    roles->kept = linpred__alloc((size_t)table->columns, sizeof *roles->kept);
    linpred_status status = item && roles->kept ? LINPRED_OK : linpred__no_memory(error);
    const char *at = keep;
    for (bool more = true; more && status == LINPRED_OK;) {
        size_t bytes;
        more = linpred__next_item(&at, item, &bytes);
        status = find_one(recipe, table, item, bytes, roles, error);
    }
    linpred__release(item);
    return status;
}

void linpred__kept_free(linpred__kept *kept, int32_t columns)
{
    for (int32_t k = 0; kept && k < columns; k++)
        linpred__release(kept[k].cell);
    linpred__release(kept);
}

bool linpred__kept_copy(const linpred__table *table, const linpred__roles *roles, linpred__kept **out)
{
    *out = NULL;
    if (roles->kept_columns == 0)
        return true;
    linpred__kept *kept = linpred__calloc((size_t)roles->kept_columns, sizeof *kept);
    for (int32_t k = 0; kept && k < roles->kept_columns; k++) {
        int32_t i = roles->kept[k];
        const linpred__column *column = &table->column[i];
        double *cell = linpred__alloc((size_t)table->rows, sizeof *cell);
        kept[k] = (linpred__kept){column->name, column->type == LINPRED_COLUMN_TEXT ? column->level : NULL, cell,
                                  column->use == LINPRED__USED_AS_DAYS};
        if (!cell) {
            linpred__kept_free(kept, k);
            return false;
        }
        for (int64_t b = 0; b < table->blocks; b++)
            for (int32_t r = 0; r < table->block[b].rows; r++)
                *cell++ = table->block[b].values[(int64_t)r * table->columns + i];
    }
    *out = kept;
    return kept != NULL;
}

/* ---- the public calls -------------------------------------------------------------------------------------------- */

const char *linpred_data_kept(const linpred_data *data, int32_t index)
{
    return data && index >= 0 && index < data->kept_columns ? data->kept[index].name : NULL;
}

const char *linpred_data_kept_cell(const linpred_data *data, int32_t index, int64_t file_row, char *buffer)
{
    if (!data || !buffer || index < 0 || index >= data->kept_columns || file_row < 1 || file_row > data->rows_in_file)
        return NULL;
    const linpred__kept *kept = &data->kept[index];
    double cell = kept->cell[file_row - 1];
    if (isnan(cell))
        return NULL;
    if (kept->level)
        return kept->level[(int64_t)cell];
    if (!kept->days || !linpred__date_write(cell, buffer))
        linpred__number_write(cell, buffer);
    return buffer;
}
