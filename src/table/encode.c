#include "table/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"

/* What the finished data owns. */
struct store {
    linpred__table *table;
    double *target;
    double *weight;
    double **wide;
};

struct work {
    linpred__table *table;
    const linpred__recipe *recipe;
    const linpred__parts *parts;
    linpred_unknown_level unknown;
    int32_t **level_map; /* for each source: level of the table -> level of the recipe, -1: unknown. NULL for numbers */
    signed char *label_map; /* text labels: level of the table -> -1, +1, 0: neither */
    int32_t *column_map;    /* sparse: column of the table -> feature, -1: not used */
    bool as_is;             /* the features are whole number columns side by side: nothing needs to be written */
    bool in_place;          /* every source gives at most one feature, in the file's order: a row fits where its columns were */
    double *target;
    double *weight;
    bool *keep;             /* NULL: all rows */
    int64_t bad_row;        /* the first row with a label or weight that cannot be, -1: none */
    double **wide;          /* new blocks where features do not fit in place */
    bool out_of_memory;
    int64_t unused; /* entries of a LIBSVM file beyond the last feature of the recipe */
};

static void release_store(void *context)
{
    struct store *store = context;
    for (int64_t b = 0; store->wide && b < store->table->blocks; b++)
        linpred__release(store->wide[b]);
    linpred__release(store->wide);
    linpred__table_free(store->table);
    linpred__release(store->target);
    linpred__release(store->weight);
    linpred__release(store);
}

/* ---- maps from the table's levels and columns -------------------------------------------------------------------- */

static int compare_level(const void *key, const void *level)
{
    return strcmp(key, *(char *const *)level);
}

static linpred_status map_source(struct work *work, int32_t k, linpred_error *error)
{
    const linpred__source *source = &work->recipe->source[k];
    const linpred__column *column = &work->table->column[work->parts->source[k]];
    if (source->type != LINPRED_COLUMN_TEXT)
        return LINPRED_OK;
    int32_t *map = work->level_map[k] = linpred__alloc((size_t)column->levels, sizeof *map);
    if (!map)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < column->levels; i++) {
        char **found =
            bsearch(column->level[i], source->level, (size_t)source->levels, sizeof *source->level, compare_level);
        map[i] = found ? (int32_t)(found - source->level) : -1;
        if (!found && work->unknown == LINPRED_UNKNOWN_FAIL)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, work->parts->source[k] + 1,
                                    "%s: column '%.60s' has the value '%.60s', which training did not see; "
                                    "--unknown-level zero takes all its indicators as 0",
                                    work->table->name, source->name, column->level[i]);
    }
    if (source->levels > 2)
        work->in_place = false;
    return LINPRED_OK;
}

static linpred_status map_labels(struct work *work, linpred_error *error)
{
    int32_t target = work->parts->target;
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

static linpred_status make_maps(struct work *work, linpred_error *error)
{
    const linpred__recipe *recipe = work->recipe;
    if (work->table->layout == LINPRED__SPARSE) {
        work->column_map = linpred__alloc((size_t)work->table->columns, sizeof(int32_t));
        if (!work->column_map)
            return linpred__no_memory(error);
        for (int32_t i = 0; i < work->table->columns; i++)
            work->column_map[i] = -1;
        for (int32_t k = 0; k < recipe->sources; k++)
            if (work->parts->source[k] >= 0 && work->parts->source[k] < work->table->columns)
                work->column_map[work->parts->source[k]] = k;
        return LINPRED_OK;
    }
    work->level_map = linpred__calloc((size_t)recipe->sources, sizeof *work->level_map);
    if (!work->level_map)
        return linpred__no_memory(error);
    linpred_status status = map_labels(work, error);
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++) {
        status = map_source(work, k, error);
        if (k > 0 && work->parts->source[k] < work->parts->source[k - 1])
            work->in_place = false; /* a feature would be written where another still has to be read */
    }
    return status;
}

static bool can_stay(const struct work *work)
{
    for (int32_t k = 0; k < work->recipe->sources; k++) {
        int32_t column = work->parts->source[k];
        if (work->recipe->source[k].type != LINPRED_COLUMN_NUMBER || work->table->column[column].missing > 0 ||
            column != work->parts->source[0] + k)
            return false;
    }
    return true;
}

/* ---- one block -------------------------------------------------------------------------------------------------------- */

static double label_of(const struct work *work, double cell)
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

/* The first bad row of all, whichever thread finds it. */
static void note_bad_row(struct work *work, int64_t row)
{
    int64_t seen = __atomic_load_n(&work->bad_row, __ATOMIC_RELAXED);
    while ((seen < 0 || row < seen) &&
           !__atomic_compare_exchange_n(&work->bad_row, &seen, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Label and weight of a row, whether it is to be kept, and whether they are ones that cannot be. */
static bool encode_label(struct work *work, const double *cell, int64_t row, bool *bad)
{
    const linpred__parts *parts = work->parts;
    if (parts->weights >= 0) {
        double weight = cell[parts->weights];
        work->weight[row] = weight;
        if (isnan(weight) || weight == 0.0)
            return false;
        *bad = weight < 0.0;
    }
    if (parts->target < 0)
        return true;
    if (isnan(cell[parts->target]))
        return false;
    work->target[row] = label_of(work, cell[parts->target]);
    *bad = *bad || (work->target[row] == 0.0 && !work->recipe->real_target);
    return true;
}

/* Features of one row into `out`, which may be the row itself: a feature never stands right of its column. False if the
   row has a missing value and is to be dropped. */
static bool encode_row(const struct work *work, const double *cell, double *out)
{
    const linpred__recipe *recipe = work->recipe;
    bool whole = true;
    int32_t feature = 0;
    for (int32_t k = 0; k < recipe->sources; k++) {
        const linpred__source *source = &recipe->source[k];
        double value = cell[work->parts->source[k]];
        if (source->type == LINPRED_COLUMN_NUMBER) {
            if (isnan(value)) {
                whole = whole && !isnan(source->mean);
                value = source->mean;
            }
            out[feature++] = value;
            continue;
        }
        whole = whole && !isnan(value);
        int32_t level = isnan(value) ? -1 : work->level_map[k][(int64_t)value];
        for (int32_t l = 1; l < source->levels; l++)
            out[feature++] = l == level ? 1.0 : 0.0;
    }
    return whole;
}

static void encode_dense_block(void *context, int64_t b)
{
    struct work *work = context;
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
        bool keep = encode_label(work, cell, row, &bad);
        if (!work->as_is)
            keep = encode_row(work, cell, out + r * stride) && keep;
        if (keep && bad)
            note_bad_row(work, row);
        if (work->keep)
            work->keep[row] = keep;
    }
    if (!work->in_place) {
        if (!work->table->mapping)
            linpred__release(block->values);
        block->values = NULL;
        work->wide[b] = out;
    }
}

static void encode_sparse_block(void *context, int64_t b)
{
    struct work *work = context;
    linpred__table_block *block = &work->table->block[b];
    int64_t kept = 0, unused = 0;
    int64_t from = 0;
    int32_t last = work->parts->source[work->recipe->sources - 1]; /* they ascend */
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = b * work->table->block_rows + r;
        work->target[row] = label_of(work, block->target[r]);
        if (work->target[row] == 0.0 && work->parts->labels && !work->recipe->real_target)
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

/* ---- from encoded blocks to data -------------------------------------------------------------------------------------- */

static linpred_status bad_row(const struct work *work, linpred_error *error)
{
    int64_t row = work->bad_row;
    if (work->weight && work->weight[row] < 0.0)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, work->parts->weights + 1,
                                "%s: row %lld has the weight %g; weights cannot be negative", work->table->name,
                                (long long)row + 1, work->weight[row]);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, work->parts->target + 1,
                            "%s: the label of row %lld is neither '%.60s' nor '%.60s', the two that the model knows",
                            work->table->name, (long long)row + 1, work->recipe->label[0], work->recipe->label[1]);
}

/* Where row `row` of the encoded table stands. */
static double *row_at(const struct work *work, int64_t row, int64_t stride)
{
    int64_t b = row / work->table->block_rows;
    double *block = work->in_place ? work->table->block[b].values : work->wide[b];
    return block + (row % work->table->block_rows) * stride;
}

/* Moves the rows that are kept together, in place, and notes where they came from. */
static linpred_status drop_rows(struct work *work, linpred_data *data, int64_t stride, linpred_error *error)
{
    int64_t kept = 0;
    for (int64_t row = 0; row < work->table->rows; row++)
        kept += work->keep[row];
    if (kept == work->table->rows)
        return LINPRED_OK;
    if (kept == 0 && work->parts->labels)
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
        if (to != row)
            memcpy(row_at(work, to, stride), row_at(work, row, stride), (size_t)stride * sizeof(double));
        work->target[to] = work->target[row];
        if (work->weight)
            work->weight[to] = work->weight[row];
        data->source_row[to++] = row;
    }
    data->rows = kept;
    return LINPRED_OK;
}

static linpred_status place_blocks(struct work *work, linpred_data *data, int64_t stride, linpred_error *error)
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
            data->entries += from->start[row % work->table->block_rows + block->rows] -
                             from->start[row % work->table->block_rows];
        } else {
            block->values = row_at(work, row, stride) + (work->as_is ? work->parts->source[0] : 0);
            block->stride = stride;
        }
    }
    if (data->layout == LINPRED__DENSE)
        data->entries = data->rows * data->columns;
    return LINPRED_OK;
}

static linpred_status encode_all(struct work *work, linpred__pool *pool, linpred_data *data, linpred_error *error)
{
    linpred__table *table = work->table;
    const linpred__recipe *recipe = work->recipe;
    linpred_status status = make_maps(work, error);
    if (status != LINPRED_OK)
        return status;
    bool sparse = table->layout == LINPRED__SPARSE;
    work->as_is = !sparse && can_stay(work);
    bool may_drop = !sparse && (recipe->missing == LINPRED_MISSING_DROP || work->parts->weights >= 0);
    work->target = linpred__calloc((size_t)table->rows, sizeof(double));
    if (work->parts->weights >= 0)
        work->weight = linpred__alloc((size_t)table->rows, sizeof(double));
    if (may_drop)
        work->keep = linpred__alloc((size_t)table->rows, sizeof(bool));
    if (!work->in_place)
        work->wide = linpred__calloc((size_t)table->blocks, sizeof *work->wide);
    if (!work->target || (work->parts->weights >= 0 && !work->weight) || (may_drop && !work->keep) ||
        (!work->in_place && !work->wide))
        return linpred__no_memory(error);
    linpred__pool_run(pool, table->blocks, sparse ? encode_sparse_block : encode_dense_block, work);
    if (work->out_of_memory)
        return linpred__no_memory(error);
    if (work->bad_row >= 0)
        return bad_row(work, error);
    int64_t stride = work->in_place ? table->columns : recipe->features;
    data->layout = table->layout;
    data->rows = data->rows_in_file = table->rows;
    data->columns = recipe->features;
    data->index_base = table->index_base;
    data->labelled = work->parts->target >= 0 || sparse;
    data->block_rows = linpred__block_rows(recipe->features);
    if (sparse || data->block_rows > table->block_rows)
        data->block_rows = table->block_rows;
    if (work->keep)
        status = drop_rows(work, data, stride, error);
    if (status == LINPRED_OK)
        status = place_blocks(work, data, stride, error);
    return status;
}

static void clear_work(struct work *work)
{
    for (int32_t k = 0; work->level_map && k < work->recipe->sources; k++)
        linpred__release(work->level_map[k]);
    linpred__release(work->level_map);
    linpred__release(work->label_map);
    linpred__release(work->column_map);
    linpred__release(work->keep);
}

linpred_status linpred__encode(linpred__table *table, linpred__recipe *recipe, const linpred__parts *parts,
                               linpred_unknown_level unknown, linpred__pool *pool, linpred_data **out,
                               linpred_error *error)
{
    struct work work = {
        .table = table, .recipe = recipe, .parts = parts, .unknown = unknown, .in_place = true, .bad_row = -1};
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
    *store = (struct store){table, work.target, work.weight, work.wide};
    data->release = release_store;
    data->context = store;
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    linpred__warn(data, table, recipe, parts, parts->fresh ? 0 : work.unused);
    data->recipe = linpred__recipe_share(recipe);
    data->release_recipe = linpred__recipe_release;
    *out = data;
    return LINPRED_OK;
}
