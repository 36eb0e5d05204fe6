/* Data of npz archives of sparse rows that are larger than memory. Targets, and where each row begins, are read; the
 * table of the archives is encoded without its entries, and the data then takes them from the files.
 */
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/npz/beyond.h"
#include "table/recipe/encode.h"

/* ---- what is read at once ---------------------------------------------------------------------------------------- */

/* Reads where the rows of an archive begin, counted from `before` on. */
static linpred_status read_starts_of(const linpred__archive *archive, int64_t before, int64_t *start,
                                     linpred_error *error)
{
    linpred__npz_array array;
    size_t count = (size_t)archive->rows + 1;
    linpred_status status = linpred__npz_find(&archive->zip, "indptr", "<i8", count, &array, error);
    if (status == LINPRED_OK)
        status = linpred__zip_get(&archive->zip, array.numbers, start, count * sizeof *start, error);
    if (status != LINPRED_OK)
        return status;
    uLong sum = crc32_z(array.header_checksum, (const unsigned char *)start, count * sizeof *start);
    bool right = (uint32_t)sum == array.member->checksum && start[0] == 0 && start[archive->rows] == archive->entries;
    for (int64_t r = 0; r < archive->rows; r++)
        right = right && start[r] <= start[r + 1];
    if (!right)
        return linpred__npz_damaged(&archive->zip, "indptr", error);
    for (size_t i = 0; i < count; i++)
        start[i] += before;
    return LINPRED_OK;
}

/* Reads where all rows begin. */
static linpred_status read_row_starts(const linpred__archives *archives, int64_t **out, linpred_error *error)
{
    int64_t before = 0;
    int64_t *start = linpred__alloc((size_t)archives->head->rows + 1, sizeof *start);
    linpred_status status = start ? LINPRED_OK : linpred__no_memory(error);
    *out = start;
    for (int64_t i = 0; i < archives->count && status == LINPRED_OK; i++) {
        const linpred__archive *archive = &archives->archive[i];
        status = read_starts_of(archive, before, start + archive->first_row, error);
        before += archive->entries;
    }
    return status;
}

/* A table that takes the targets of an archive. */
struct sparse_targets {
    linpred__table *table;
    int64_t first_row; /* of the archive */
    atomic_bool odd;   /* a target is not finite */
};

static void take_targets_of(void *context, int64_t first, const double *numbers, int64_t count)
{
    struct sparse_targets *to = context;
    linpred__table *table = to->table;
    if (!linpred__all_finite(numbers, (size_t)count))
        atomic_store(&to->odd, true);
    for (int64_t i = 0, run; i < count; i += run) { /* rows of one block */
        int64_t row = to->first_row + first + i, r = row % table->block_rows, left = table->block_rows - r;
        run = left < count - i ? left : count - i;
        memcpy(table->block[row / table->block_rows].target + r, numbers + i, (size_t)run * sizeof *numbers);
    }
}

/* Makes the rows of the table, without entries. */
static bool add_empty_rows(linpred__table *table)
{
    int64_t blocks = (table->rows - 1) / table->block_rows + 1;
    table->block = linpred__calloc((size_t)blocks, sizeof *table->block);
    bool whole = table->block != NULL;
    for (; whole && table->blocks < blocks; table->blocks++) {
        linpred__table_block *block = &table->block[table->blocks];
        int64_t left = table->rows - table->blocks * table->block_rows;
        block->rows = left < table->block_rows ? (int32_t)left : table->block_rows;
        block->target = linpred__table_alloc(table, (size_t)block->rows, sizeof *block->target);
        block->start = linpred__table_alloc(table, (size_t)block->rows + 1, sizeof *block->start);
        block->values = linpred__table_alloc(table, 1, sizeof *block->values);
        block->indices = linpred__table_alloc(table, 1, sizeof *block->indices);
        if (block->start)
            memset(block->start, 0, ((size_t)block->rows + 1) * sizeof *block->start);
        whole = block->target && block->start && block->values && block->indices;
    }
    return whole;
}

/* Gives the table its rows: targets, and no entries. Fails and sets *unfit if a target is not finite. */
static linpred_status add_targets(const linpred__archives *archives, linpred__pool *pool, linpred__table *table,
                                  bool *unfit, linpred_error *error)
{
    linpred_status status = add_empty_rows(table) ? LINPRED_OK : linpred__no_memory(error);
    struct sparse_targets to = {.table = table};
    for (int64_t i = 0; i < archives->count && status == LINPRED_OK; i++) {
        to.first_row = archives->archive[i].first_row;
        status = linpred__archive_numbers(archives, i, "target", pool, take_targets_of, &to, error);
    }
    bool odd = status == LINPRED_OK && atomic_load(&to.odd);
    *unfit = *unfit || odd;
    return odd ? LINPRED_ERROR_MEMORY : status;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

/* Encodes the table without entries and adds them. Takes table and starts over. */
static linpred_status encode_sparse(const linpred__beyond *work, linpred__recipe *recipe, const linpred__roles *roles,
                                    linpred__table *table, int64_t *start, linpred_data **out, linpred_error *error)
{
    const linpred__beyond_request *request = work->request;
    const linpred__meaning meaning = {
        .decimal = table->decimal, .recipe = recipe, .roles = roles, .by_model = request->policy.by_model};
    int64_t entries = table->entries;
    linpred_data *data = NULL;
    linpred_status status = linpred__encode(table, recipe, roles, request->policy, request->pool, &data, error);
    if (status != LINPRED_OK) {
        linpred__release(start);
        return status;
    }
    data->entries = entries;
    status = linpred__beyond_add_rows(work, &meaning, start, data, error);
    if (status == LINPRED_OK && !request->recipe && !linpred__recipe_keep_decimals(recipe, data->decimals))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        linpred_data_free(data);
    else
        *out = data;
    return status;
}

linpred_status linpred__npz_sparse_beyond(const linpred__beyond *work, linpred_data **data, linpred_error *error)
{
    const linpred__beyond_request *request = work->request;
    const linpred_options *options = request->read->options;
    linpred__recipe *recipe = NULL;
    linpred__roles roles = {0};
    int64_t *start = NULL;
    linpred_status status = read_row_starts(work->archives, &start, error);
    linpred__table *table = work->archives->head;
    work->archives->head = NULL;
    if (status == LINPRED_OK)
        status = add_targets(work->archives, request->pool, table, work->unfit, error);
    if (status == LINPRED_OK && request->recipe) {
        recipe = linpred__recipe_share(request->recipe);
        status = linpred__recipe_match(recipe, table, request->labels, request->policy.missing,
                                       options->index_base == LINPRED_INDEX_AUTO, &roles, error);
    } else if (status == LINPRED_OK) {
        status = linpred__recipe_make(table, options, request->labels, &recipe, &roles, error);
    }
    if (status == LINPRED_OK) {
        bool plain = !request->keeps && recipe->sources >= table->columns;
        for (int32_t k = 0; plain && k < recipe->sources; k++)
            plain = roles.source[k] == k;
        *work->unfit = !plain;
        status = plain ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    }
    if (status == LINPRED_OK) {
        status = encode_sparse(work, recipe, &roles, table, start, data, error);
    } else {
        linpred__table_free(table);
        linpred__release(start);
    }
    linpred__roles_clear(&roles);
    if (recipe)
        linpred__recipe_release(recipe);
    return status;
}
