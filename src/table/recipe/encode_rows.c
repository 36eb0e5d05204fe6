/* Encodes the rows of a block. First maps are made from levels and columns of the table to those of the recipe; then
 * each row is encoded by the maps. */
#include "table/recipe/encode_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

/* ---- maps from the table to the recipe --------------------------------------------------------------------------- */

static int compare_level(const void *key, const void *level)
{
    return strcmp(key, *(char *const *)level);
}

/* Reports a level that the recipe does not have, with the line of the first row that has it. */
static linpred_status unknown_level(const linpred__encoding *work, int32_t k, int32_t level, linpred_error *error)
{
    const linpred__table *table = work->table;
    int32_t column = work->roles->source[k];
    int64_t row = 0;
    while (row + 1 < table->rows &&
           table->block[row / table->block_rows].values[row % table->block_rows * table->columns + column] != level)
        row++;
    char at[LINPRED__LINE_TEXT];
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, linpred__table_line(table, row), column + 1,
                            "%s%s: column '%.60s' has the value '%.60s', which was not in the data of the fit; "
                            "--unknown-level zero sets all indicators of the column to 0",
                            table->name, linpred__table_line_text(table, row, at),
                            linpred__recipe_source(work->recipe, k).name, table->column[column].level[level]);
}

/* Maps the levels of source k, if it is a text column. */
static linpred_status map_source(linpred__encoding *work, int32_t k, linpred_error *error)
{
    linpred__recipe_column source = linpred__recipe_source(work->recipe, k);
    const linpred__column *column = &work->table->column[work->roles->source[k]];
    if (source.type != LINPRED_COLUMN_TEXT)
        return LINPRED_OK;
    int32_t *map = work->level_map[k] = linpred__alloc((size_t)column->levels, sizeof *map);
    if (!map)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < column->levels; i++) {
        char **found =
            bsearch(column->level[i], source.level, (size_t)source.levels, sizeof *source.level, compare_level);
        map[i] = found ? (int32_t)(found - source.level) : -1;
        if (!found && work->unknown == LINPRED_UNKNOWN_FAIL)
            return unknown_level(work, k, i, error);
    }
    if (source.levels > 2)
        work->in_place = false;
    return LINPRED_OK;
}

/* Maps the levels of a text target. */
static linpred_status map_labels(linpred__encoding *work, linpred_error *error)
{
    int32_t target = work->roles->target;
    if (target >= 0 && work->recipe->real_target && work->table->column[target].type == LINPRED_COLUMN_TEXT)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, target + 1,
                                "%s: column '%.60s' holds text, but the model predicts numbers", work->table->name,
                                work->recipe->target);
    if (target < 0 || work->table->column[target].type != LINPRED_COLUMN_TEXT)
        return LINPRED_OK;
    const linpred__column *column = &work->table->column[target];
    work->label_map = linpred__calloc((size_t)column->levels, 1);
    if (!work->label_map)
        return linpred__no_memory(error);
    for (int32_t i = 0; work->recipe->target_type == LINPRED_COLUMN_TEXT && i < column->levels; i++)
        for (int sign = 0; sign < 2; sign++)
            if (strcmp(column->level[i], work->recipe->label[sign]) == 0)
                work->label_map[i] = sign ? 1 : -1;
    return LINPRED_OK;
}

linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error)
{
    const linpred__recipe *recipe = work->recipe;
    if (work->table->layout == LINPRED__SPARSE) {
        work->column_map = linpred__alloc((size_t)work->table->columns, sizeof(int32_t));
        if (!work->column_map)
            return linpred__no_memory(error);
        for (int32_t i = 0; i < work->table->columns; i++)
            work->column_map[i] = -1;
        for (int32_t k = 0; k < recipe->sources; k++)
            if (work->roles->source[k] >= 0 && work->roles->source[k] < work->table->columns)
                work->column_map[work->roles->source[k]] = k;
        return LINPRED_OK;
    }
    work->level_map = linpred__calloc((size_t)recipe->sources, sizeof *work->level_map);
    if (!work->level_map)
        return linpred__no_memory(error);
    linpred_status status = map_labels(work, error);
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++) {
        status = map_source(work, k, error);
        if (k > 0 && work->roles->source[k] < work->roles->source[k - 1])
            work->in_place = false; /* in place, a feature would overwrite a column that is still to be read */
    }
    return status;
}

bool linpred__encode_can_stay(const linpred__encoding *work)
{
    for (int32_t k = 0; k < work->recipe->sources; k++) {
        int32_t column = work->roles->source[k];
        if (linpred__recipe_source(work->recipe, k).type != LINPRED_COLUMN_NUMBER ||
            work->table->column[column].missing > 0 || column != work->roles->source[0] + k)
            return false;
    }
    return true;
}

bool linpred__encode_has_gaps(const linpred__encoding *work)
{
    bool missing = false;
    for (int32_t i = 0; i < work->table->columns; i++)
        missing = missing || work->table->column[i].missing > 0;
    return missing && work->in_place && work->table->columns > work->recipe->features;
}

/* ---- one block --------------------------------------------------------------------------------------------------- */

/* The target of a cell: -1, +1, the number itself for real targets, or 0 if the cell is no label of the recipe. */
static double label_of(const linpred__encoding *work, double cell)
{
    const linpred__recipe *recipe = work->recipe;
    if (recipe->real_target)
        return cell;
    if (work->label_map)
        return work->label_map[(int64_t)cell];
    if (recipe->target_type == LINPRED_COLUMN_NUMBER)
        return cell == recipe->label_value[1] ? 1.0 : cell == recipe->label_value[0] ? -1.0 : 0.0;
    return 0.0;
}

/* Keeps the smallest bad row that any thread finds. */
static void note_bad_row(linpred__encoding *work, int64_t row)
{
    int64_t seen = __atomic_load_n(&work->bad_row, __ATOMIC_RELAXED);
    while ((seen < 0 || row < seen) &&
           !__atomic_compare_exchange_n(&work->bad_row, &seen, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

bool linpred__encode_label(linpred__encoding *work, const double *cell, int64_t row, bool *bad)
{
    const linpred__roles *roles = work->roles;
    if (roles->weights >= 0) {
        double weight = cell[roles->weights];
        work->weight[row] = weight;
        if (isnan(weight) || weight == 0.0)
            return false;
        *bad = weight < 0.0;
    }
    if (roles->target < 0)
        return true;
    if (isnan(cell[roles->target]))
        return false;
    work->target[row] = label_of(work, cell[roles->target]);
    *bad = *bad || (work->target[row] == 0.0 && !work->recipe->real_target);
    return true;
}

void linpred__encode_keep(linpred__encoding *work, int64_t row, bool keep, bool bad)
{
    if (keep && bad)
        note_bad_row(work, row);
    if (work->keep)
        work->keep[row] = keep;
}

/* Writes the features of a row into `out`, which may be the row itself: a feature is never written to the right of its
   column. False if a value is missing and no mean replaces it. */
static bool encode_row(const linpred__encoding *work, const double *cell, double *out)
{
    const linpred__recipe *recipe = work->recipe;
    bool whole = true;
    int32_t feature = 0;
    for (int32_t k = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        double value = cell[work->roles->source[k]];
        if (source.type == LINPRED_COLUMN_NUMBER) {
            if (isnan(value)) {
                whole = whole && !isnan(source.mean);
                value = source.mean;
            }
            out[feature++] = value;
            continue;
        }
        whole = whole && !isnan(value);
        int32_t level = isnan(value) ? -1 : work->level_map[k][(int64_t)value];
        for (int32_t l = 1; l < source.levels; l++)
            out[feature++] = l == level ? 1.0 : 0.0;
    }
    return whole;
}

/* Replaces NaN by 0 in the cells beside the features of a row that is encoded in place. Loops over a row read whole
   vectors and may read these cells, multiplied by 0. */
static void fill_gaps(const linpred__encoding *work, double *row)
{
    int32_t first = work->as_is ? work->roles->source[0] : 0;
    for (int32_t i = 0; i < work->table->columns; i++)
        if ((i < first || i >= first + work->recipe->features) && isnan(row[i]))
            row[i] = 0.0;
}

void linpred__encode_dense_block(void *context, int64_t b)
{
    linpred__encoding *work = context;
    linpred__table_block *block = &work->table->block[b];
    int32_t columns = work->table->columns;
    int32_t features = work->recipe->features;
    double *out = block->values;
    int64_t stride = columns;
    if (!work->in_place) {
        stride = features;
        out = linpred__alloc((size_t)block->rows * (size_t)features, sizeof(double));
        if (!out) {
            __atomic_store_n(&work->out_of_memory, true, __ATOMIC_RELAXED);
            return;
        }
    }
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = b * work->table->block_rows + r;
        const double *cell = block->values + (int64_t)r * columns;
        bool bad = false;
        bool keep = linpred__encode_label(work, cell, row, &bad);
        if (!work->as_is)
            keep = encode_row(work, cell, out + r * stride) && keep;
        if (work->has_gaps)
            fill_gaps(work, out + r * stride);
        linpred__encode_keep(work, row, keep, bad);
    }
    if (!work->in_place) {
        if (!work->table->mapping)
            linpred__release(block->values);
        block->values = NULL;
        work->new_values[b] = out;
    }
}

void linpred__encode_sparse_block(void *context, int64_t b)
{
    linpred__encoding *work = context;
    linpred__table_block *block = &work->table->block[b];
    int64_t kept = 0, unused = 0;
    int64_t from = 0;
    int32_t last = work->roles->source[work->recipe->sources - 1]; /* the largest column, because they ascend */
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = b * work->table->block_rows + r;
        work->target[row] = label_of(work, block->target[r]);
        if (work->target[row] == 0.0 && work->roles->labels && !work->recipe->real_target)
            note_bad_row(work, row);
        int64_t end = block->start[r + 1];
        for (int64_t k = from; k < end; k++) {
            int32_t feature = work->column_map[block->indices[k]];
            if (feature >= 0) {
                block->indices[kept] = feature;
                block->values[kept++] = block->values[k];
            } else {
                unused += block->indices[k] > last;
            }
        }
        from = end;
        block->start[r + 1] = kept;
    }
    __atomic_add_fetch(&work->unused, unused, __ATOMIC_RELAXED);
}
