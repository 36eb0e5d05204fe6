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
        if (strcmp(column->level[i], work->recipe->label[1]) == 0)
            work->label_map[i] = 1;
        else if (work->recipe->rest || strcmp(column->level[i], work->recipe->label[0]) == 0)
            work->label_map[i] = -1;
    return LINPRED_OK;
}

/* Features of sparse columns; false if out of memory. The map ends with the last column that is used: the file may have
   indices far beyond. */
static bool map_columns(linpred__encoding *work)
{
    const int32_t *source = work->roles->source;
    int32_t last = source[work->recipe->sources - 1]; /* the largest column, because they ascend */
    work->mapped = last < work->table->columns ? last + 1 : work->table->columns;
    work->column_map = linpred__alloc((size_t)work->mapped, sizeof *work->column_map);
    for (int32_t i = 0; work->column_map && i < work->mapped; i++)
        work->column_map[i] = -1;
    for (int32_t k = 0; work->column_map && k < work->recipe->sources; k++)
        if (source[k] >= 0 && source[k] < work->mapped)
            work->column_map[source[k]] = k;
    return work->column_map != NULL;
}

linpred_status linpred__encode_maps(linpred__encoding *work, linpred_error *error)
{
    const linpred__recipe *recipe = work->recipe;
    if (work->table->layout == LINPRED__SPARSE)
        return map_columns(work) ? LINPRED_OK : linpred__no_memory(error);
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
    if (recipe->target_type != LINPRED_COLUMN_NUMBER)
        return 0.0;
    int positive = cell == recipe->label_value[1], negative = recipe->rest | (cell == recipe->label_value[0]);
    return positive - (negative & !positive); /* no branch: labels cannot be guessed */
}

/* Notes a cell, unless an earlier one is noted. `row` is 0-based. */
static void note_cell(linpred__cell_found *found, int64_t row, int32_t column, double value)
{
    if (found->row == 0)
        *found = (linpred__cell_found){row + 1, column, value};
}

linpred__fate linpred__encode_label(linpred__encoding *work, const double *cell, int64_t row, linpred__cell_found *bad)
{
    const linpred__roles *roles = work->roles;
    if (roles->weights >= 0) {
        double weight = cell[roles->weights];
        work->weight[row] = weight;
        if (weight == 0.0)
            return LINPRED__ROW_WEIGHTLESS;
        if (isnan(weight))
            return LINPRED__ROW_MISSING;
        if (weight < 0.0)
            note_cell(bad, row, roles->weights, weight);
    }
    if (roles->target < 0)
        return LINPRED__ROW_KEPT;
    if (isnan(cell[roles->target]))
        return LINPRED__ROW_MISSING;
    work->target[row] = label_of(work, cell[roles->target]);
    if (work->target[row] == 0.0 && !work->recipe->real_target)
        note_cell(bad, row, roles->target, cell[roles->target]);
    return LINPRED__ROW_KEPT;
}

double linpred__encode_number(const linpred__encoding *work, const linpred__recipe_column *source, double value,
                              linpred__lacks *lacks)
{
    if (!isnan(value))
        return value;
    bool fill = work->policy.missing == LINPRED_MISSING_MEAN && !isnan(source->mean);
    *(fill ? &lacks->filled : &lacks->missing) = true;
    return fill ? source->mean : 0.0;
}

int32_t linpred__encode_level(const linpred__encoding *work, int32_t k, double value, linpred__lacks *lacks)
{
    if (isnan(value)) {
        lacks->missing = true;
        return -1;
    }
    int32_t level = work->level_map[k][(int64_t)value];
    if (level < 0 && lacks->unknown_column == 0) {
        lacks->unknown_column = work->roles->source[k] + 1;
        lacks->unknown = value;
    }
    return level;
}

/* Writes the features of a row into `out`, which may be the row itself: a feature is never written to the right of its
   column. */
static linpred__lacks encode_row(const linpred__encoding *work, const double *cell, double *out)
{
    const linpred__recipe *recipe = work->recipe;
    linpred__lacks lacks = {0};
    int32_t feature = 0;
    for (int32_t k = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        double value = cell[work->roles->source[k]];
        if (source.type == LINPRED_COLUMN_NUMBER) {
            out[feature++] = linpred__encode_number(work, &source, value, &lacks);
            continue;
        }
        int32_t level = linpred__encode_level(work, k, value, &lacks);
        for (int32_t l = 1; l < source.levels; l++)
            out[feature++] = l == level ? 1.0 : 0.0;
    }
    return lacks;
}

/* Decides what becomes of a row that label and weight do not drop. */
static linpred__fate judge_features(const linpred__encoding *work, int64_t row, const linpred__lacks *lacks,
                                    linpred__block_found *found, linpred__cell_found *bad)
{
    bool fails = work->policy.unknown == LINPRED_UNKNOWN_FAIL;
    if (lacks->unknown_column > 0 && !fails) {
        note_cell(&found->unknown, row, lacks->unknown_column - 1, lacks->unknown);
        found->unknown_rows++;
    }
    if (lacks->missing)
        return LINPRED__ROW_MISSING;
    if (lacks->unknown_column > 0) {
        if (fails)
            note_cell(bad, row, lacks->unknown_column - 1, lacks->unknown);
        if (work->policy.unknown == LINPRED_UNKNOWN_DROP)
            return LINPRED__ROW_UNKNOWN;
        found->unknown_as_zero += !fails;
    }
    found->filled += lacks->filled;
    return LINPRED__ROW_KEPT;
}

linpred__fate linpred__encode_judge(linpred__encoding *work, int64_t b, int64_t row, linpred__fate fate,
                                    const linpred__cell_found *bad, const linpred__lacks *lacks)
{
    linpred__block_found *found = &work->found[b];
    linpred__cell_found worst = *bad;
    if (fate == LINPRED__ROW_KEPT)
        fate = judge_features(work, row, lacks, found, &worst);
    if (fate == LINPRED__ROW_KEPT && worst.row > 0)
        note_cell(&found->bad, row, worst.column, worst.value);
    if (work->fate)
        work->fate[row] = (unsigned char)fate;
    return fate;
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
        out = linpred__table_alloc(work->table, (size_t)block->rows * (size_t)features, sizeof(double));
        if (!out) {
            work->found[b].out_of_memory = true;
            return;
        }
    }
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = b * work->table->block_rows + r;
        const double *cell = block->values + (int64_t)r * columns;
        linpred__cell_found bad = {0};
        linpred__lacks lacks = {0};
        linpred__fate fate = linpred__encode_label(work, cell, row, &bad);
        if (!work->as_is)
            lacks = encode_row(work, cell, out + r * stride);
        if (work->has_gaps)
            fill_gaps(work, out + r * stride);
        linpred__encode_judge(work, b, row, fate, &bad, &lacks);
    }
    if (work->table->spill)
        linpred__spill_trim(work->table->spill);
    if (!work->in_place) {
        linpred__table_release_values(work->table, block);
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
            note_cell(&work->found[b].bad, row, -1, block->target[r]);
        int64_t end = block->start[r + 1];
        for (int64_t k = from; k < end; k++) {
            int32_t column = block->indices[k], feature = column < work->mapped ? work->column_map[column] : -1;
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
    work->found[b].unused = unused;
    if (work->table->spill)
        linpred__spill_trim(work->table->spill);
}
