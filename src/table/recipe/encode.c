/* Encodes a table: all blocks on all threads, then drops rows, then makes the blocks of the data. */
#include "table/recipe/encode.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/recipe/encode_rows.h"
#include "table/recipe/keep.h"

/* The memory that the finished data owns; the fields are those of linpred__encoding. */
struct store {
    linpred__table *table;
    double *target;
    double *weight;
    double **new_values;
    linpred__kept *kept;
    int32_t kept_columns; /* length of `kept` */
    linpred__decimals *decimals;
};

static void release_store(void *context)
{
    struct store *store = context;
    for (int64_t b = 0; store->new_values && b < store->table->blocks; b++)
        linpred__table_release(store->table, store->new_values[b]);
    linpred__release(store->new_values);
    linpred__kept_free(store->kept, store->kept_columns);
    linpred__table_free(store->table);
    linpred__release(store->target);
    linpred__release(store->weight);
    linpred__release(store->decimals);
    linpred__release(store);
}

/* The text of a cell: the level, or the number written into `buffer`. */
static const char *cell_text(const linpred__table *table, const linpred__cell_found *cell,
                             char buffer[LINPRED__NUMBER_BYTES])
{
    if (cell->column >= 0 && table->column[cell->column].type == LINPRED_COLUMN_TEXT)
        return table->column[cell->column].level[(int64_t)cell->value];
    linpred__number_write(cell->value, buffer);
    return buffer;
}

/* Whether the level of the cell is a marker that --missing drop takes for a missing value. */
static bool may_be_missing(const linpred__encoding *work, const linpred__cell_found *bad, const char *level)
{
    for (int32_t k = 0; k < work->recipe->sources; k++)
        if (work->roles->source[k] == bad->column) {
            linpred__recipe_column source = linpred__recipe_source(work->recipe, k);
            return linpred__recipe_marks_missing(work->recipe, &source, level);
        }
    return false;
}

/* Reports a cell that ends the encoding. */
static linpred_status report_bad(const linpred__encoding *work, const linpred__cell_found *bad, linpred_error *error)
{
    const linpred__table *table = work->table;
    int64_t row = bad->row - 1, line = linpred__table_line(table, row);
    char at[LINPRED__LINE_TEXT], number[LINPRED__NUMBER_BYTES], known[LINPRED__KNOWN_LEVEL];
    linpred__table_line_text(table, row, at);
    const char *text = cell_text(table, bad, number);
    if (bad->column >= 0 && bad->column == work->roles->weights)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, bad->column + 1,
                                "%s%s: row %lld has the weight %s; weights cannot be negative", table->name, at,
                                (long long)bad->row, text);
    char spelt[100] = "";
    for (int i = 0; i < 2 && bad->column == work->roles->target; i++)
        if (work->recipe->label[i] && linpred__nearly_same(text, work->recipe->label[i]))
            snprintf(spelt, sizeof spelt, "; '%.40s' has other capitals or blanks: write them alike",
                     work->recipe->label[i]);
    if (bad->column == work->roles->target)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, bad->column + 1,
                                "%s%s: row %lld has the label '%.60s', but the model knows '%.60s' and '%.60s' only%s",
                                table->name, at, (long long)bad->row, text, work->recipe->label[0],
                                work->recipe->label[1], spelt);
    bool several = work->unknown.count > 1;
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, line, bad->column + 1,
                            "%s%s: column '%.60s' has the value '%.60s', which was not in the data of the fit%s%s%s%s; "
                            "--unknown-level zero sets all indicators of the column to 0, --unknown-level drop %s%s",
                            table->name, at, table->column[bad->column].name, text,
                            linpred__known_level(work, bad->column, text, known), several ? " (all such values: " : "",
                            several ? work->unknown.text : "", several ? ")" : "",
                            work->roles->target < 0 ? "answers NA for the row" : "leaves the row out",
                            may_be_missing(work, bad, text) ? ", --missing drop takes it for a missing value" : "");
}

/* Joins what was found in the blocks. */
static linpred__block_found join_found(const linpred__encoding *work)
{
    linpred__block_found all = {0};
    for (int64_t b = 0; b < work->table->blocks; b++) {
        const linpred__block_found *found = &work->found[b];
        all.bad = all.bad.row > 0 ? all.bad : found->bad;
        all.unknown = all.unknown.row > 0 ? all.unknown : found->unknown;
        all.unknown_rows += found->unknown_rows;
        all.unknown_as_zero += found->unknown_as_zero;
        all.filled += found->filled;
        all.unused += found->unused;
        all.out_of_memory = all.out_of_memory || found->out_of_memory;
    }
    return all;
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
        kept += work->fate[row] == LINPRED__ROW_KEPT;
    if (kept == work->table->rows)
        return LINPRED_OK;
    if (kept == 0 && work->roles->labels)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no row is left: all have missing values%s or weight 0",
                             work->table->name, work->policy.unknown == LINPRED_UNKNOWN_DROP ? ", unknown levels" : "");
    data->source_row = linpred__alloc((size_t)kept, sizeof(int64_t));
    if (!data->source_row)
        return linpred__no_memory(error);
    int64_t to = 0;
    for (int64_t row = 0; row < work->table->rows; row++) {
        if (work->fate[row] != LINPRED__ROW_KEPT) {
            data->dropped_missing += work->fate[row] == LINPRED__ROW_MISSING;
            data->dropped_weightless += work->fate[row] == LINPRED__ROW_WEIGHTLESS;
            data->dropped_unknown += work->fate[row] == LINPRED__ROW_UNKNOWN;
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

/* Allocates what encoding needs; false if out of memory. The targets of a table that holds nothing else are encoded
   where they stand, if they follow one another. */
static bool open_work(linpred__encoding *work, bool may_drop)
{
    const linpred__table *table = work->table;
    size_t rows = (size_t)table->rows;
    bool weighted = work->roles->weights >= 0;
    work->targets_stay = table->in_a_row && table->columns == 1 && work->roles->target == 0;
    work->target = work->targets_stay ? table->in_a_row : linpred__calloc(rows, sizeof(double));
    work->found = linpred__calloc((size_t)table->blocks, sizeof *work->found);
    if (weighted)
        work->weight = linpred__alloc(rows, sizeof(double));
    if (may_drop)
        work->fate = linpred__calloc(rows, sizeof *work->fate);
    bool copies = !work->sparse && !work->in_place;
    if (copies)
        work->new_values = linpred__calloc((size_t)table->blocks, sizeof *work->new_values);
    return work->target && work->found && (!weighted || work->weight) && (!may_drop || work->fate) &&
           (!copies || work->new_values);
}

static linpred_status encode_all(linpred__encoding *work, linpred__pool *pool, linpred_data *data,
                                 linpred__block_found *found, linpred_error *error)
{
    linpred__table *table = work->table;
    const linpred__recipe *recipe = work->recipe;
    linpred_status status = linpred__encode_maps(work, error);
    if (status != LINPRED_OK)
        return status;
    linpred__list_unknown_levels(work);
    linpred__list_rest(work);
    bool from_sparse = table->layout == LINPRED__SPARSE;
    work->sparse = from_sparse || linpred__encode_many_levels(work);
    work->as_is = !work->sparse && linpred__encode_can_stay(work);
    work->has_gaps = !work->sparse && linpred__encode_has_gaps(work);
    bool may_drop = !from_sparse && (work->policy.missing == LINPRED_MISSING_DROP ||
                                     work->policy.unknown == LINPRED_UNKNOWN_DROP || work->roles->weights >= 0);
    if (!open_work(work, may_drop))
        return linpred__no_memory(error);
    linpred__pool_run(pool, table->blocks,
                      from_sparse    ? linpred__encode_sparse_block
                      : work->sparse ? linpred__encode_levels_block
                                     : linpred__encode_dense_block,
                      work);
    *found = join_found(work);
    if (found->out_of_memory)
        return linpred__no_memory(error);
    if (found->bad.row > 0)
        return report_bad(work, &found->bad, error);
    int64_t stride = work->in_place ? table->columns : recipe->features;
    data->layout = work->sparse ? LINPRED__SPARSE : LINPRED__DENSE;
    data->rows = data->rows_in_file = table->rows;
    data->columns = recipe->features;
    data->index_base = table->index_base;
    data->labelled = work->roles->target >= 0 || from_sparse;
    data->filled_missing = found->filled;
    data->unknown_as_zero = found->unknown_as_zero;
    data->block_rows = linpred__block_rows(recipe->features);
    if (work->sparse || data->block_rows > table->block_rows)
        data->block_rows = table->block_rows;
    if (work->fate)
        status = drop_rows(work, data, stride, error);
    if (status == LINPRED_OK)
        status = place_blocks(work, data, stride, error);
    if (status == LINPRED_OK && work->weight)
        status = linpred__data_check_weights(data, error);
    if (status == LINPRED_OK)
        status = linpred__find_meaning(&(linpred__meaning){work->table->decimal, work->table->column, work->recipe,
                                                           work->roles, work->policy.by_model, NULL},
                                       data, pool, &work->decimals, error);
    return status;
}

static void clear_work(linpred__encoding *work)
{
    for (int32_t k = 0; work->level_map && k < work->recipe->sources; k++)
        linpred__release(work->level_map[k]);
    linpred__release(work->level_map);
    linpred__release(work->label_map);
    linpred__release(work->column_map);
    linpred__release(work->fate);
    linpred__release(work->found);
}

linpred_status linpred__encode(linpred__table *table, linpred__recipe *recipe, const linpred__roles *roles,
                               linpred__policy policy, linpred__pool *pool, linpred_data **out, linpred_error *error)
{
    linpred__encoding work = {.table = table, .recipe = recipe, .roles = roles, .policy = policy, .in_place = true};
    linpred_data *data = linpred__calloc(1, sizeof *data);
    struct store *store = linpred__calloc(1, sizeof *store);
    linpred__block_found found = {0};
    linpred_status status;
    if (!store || !data || !linpred__kept_copy(table, roles, &store->kept)) /* before cells are overwritten */
        status = linpred__no_memory(error);
    else
        status = encode_all(&work, pool, data, &found, error);
    clear_work(&work);
    if (!store || !data) {
        linpred__table_free(table);
        linpred__release(store);
        linpred__release(data);
        return status;
    }
    double *target = work.targets_stay ? NULL : work.target;
    *store =
        (struct store){table, target, work.weight, work.new_values, store->kept, roles->kept_columns, work.decimals};
    data->release = release_store;
    data->context = store;
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    data->kept = store->kept;
    data->kept_columns = roles->kept_columns;
    linpred__set_decimals(data, work.decimals);
    linpred__warn(data, &work, &found);
    data->recipe = linpred__recipe_share(recipe);
    data->release_recipe = linpred__recipe_release;
    *out = data;
    return LINPRED_OK;
}
