/* Data of an npz archive of sparse rows that is larger than memory. Targets, and where each row begins, are read; the
 * table of the archive is encoded without its entries, and the data then takes them from the file.
 */
#define _FILE_OFFSET_BITS 64
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/stored.h"
#include "data/tree.h"
#include "table/npz/beyond.h"
#include "table/recipe/encode.h"
#include "table/recipe/encode_rows.h"

/* What the data owns beside what encoding made. */
struct sparse_store {
    void (*release)(void *context);
    void *context;
    linpred__stored *stored;
    linpred__decimals *decimals;
    int64_t *start; /* where each row begins */
};

static void release_sparse(void *context)
{
    struct sparse_store *store = context;
    if (store->release)
        store->release(store->context);
    linpred__stored_close(store->stored);
    linpred__release(store->decimals);
    linpred__release(store->start);
    linpred__release(store);
}

/* ---- what is read at once ---------------------------------------------------------------------------------------- */

/* Reads where rows begin. */
static linpred_status read_row_starts(const linpred__zip *zip, const linpred__table *table, int64_t **out,
                                      linpred_error *error)
{
    linpred__npz_array array;
    size_t count = (size_t)table->rows + 1;
    linpred_status status = linpred__npz_find(zip, "indptr", "<i8", count, &array, error);
    int64_t *start = status == LINPRED_OK ? linpred__alloc(count, sizeof *start) : NULL;
    if (status == LINPRED_OK && !start)
        return linpred__no_memory(error);
    *out = start;
    if (status == LINPRED_OK)
        status = linpred__zip_get(zip, array.numbers, start, count * sizeof *start, error);
    if (status != LINPRED_OK)
        return status;
    bool right = start[0] == 0 && start[table->rows] == table->entries;
    for (int64_t r = 0; r < table->rows; r++)
        right = right && start[r] <= start[r + 1];
    uLong sum = crc32_z(array.header_checksum, (const unsigned char *)start, count * sizeof *start);
    return right && (uint32_t)sum == array.member->checksum ? LINPRED_OK : linpred__npz_damaged(zip, "indptr", error);
}

/* Gives the table its rows: targets, and no entries. Sets *unfit if a target is not finite. */
static linpred_status add_empty_rows(const linpred__zip *zip, linpred__table *table, bool *unfit, linpred_error *error)
{
    linpred__npz_array array;
    int64_t blocks = (table->rows - 1) / table->block_rows + 1;
    linpred_status status = linpred__npz_find(zip, "target", "<f8", (uint64_t)table->rows, &array, error);
    table->block = status == LINPRED_OK ? linpred__calloc((size_t)blocks, sizeof *table->block) : NULL;
    if (!table->block)
        return status == LINPRED_OK ? linpred__no_memory(error) : status;
    uLong sum = array.header_checksum;
    for (; table->blocks < blocks && status == LINPRED_OK; table->blocks++) {
        linpred__table_block *block = &table->block[table->blocks];
        int64_t first = table->blocks * table->block_rows, left = table->rows - first;
        block->rows = left < table->block_rows ? (int32_t)left : table->block_rows;
        size_t bytes = (size_t)block->rows * sizeof *block->target;
        block->target = linpred__table_alloc(table, bytes, 1);
        block->start = linpred__table_alloc(table, (size_t)block->rows + 1, sizeof *block->start);
        block->values = linpred__table_alloc(table, 1, sizeof *block->values);
        block->indices = linpred__table_alloc(table, 1, sizeof *block->indices);
        if (block->start)
            memset(block->start, 0, ((size_t)block->rows + 1) * sizeof *block->start);
        if (!block->target || !block->start || !block->values || !block->indices)
            status = linpred__no_memory(error);
        else
            status = linpred__zip_get(zip, array.numbers + (uint64_t)first * sizeof *block->target, block->target,
                                      bytes, error);
        for (int32_t r = 0; status == LINPRED_OK && r < block->rows; r++)
            *unfit = *unfit || !isfinite(block->target[r]);
        if (status == LINPRED_OK)
            sum = crc32_z(sum, (const unsigned char *)block->target, bytes);
    }
    if (status == LINPRED_OK && (uint32_t)sum != array.member->checksum)
        status = linpred__npz_damaged(zip, "target", error);
    return status == LINPRED_OK && *unfit ? LINPRED_ERROR_MEMORY : status;
}

/* ---- the entries ------------------------------------------------------------------------------------------------- */

/* The archive's arrays of entries, and what the first pass finds out about them. */
struct entries_seen {
    linpred__npz_array values, indices;
    int32_t block_rows;                  /* of the data */
    uint32_t *value_sums, *indices_sums; /* checksums of each block */
    bool unfit;                          /* a number is not finite */
};

static void look_at_first(void *context, void *state, const linpred__block *block)
{
    struct entries_seen *seen = context;
    double *unfit = state;
    int64_t from = block->start[0], count = block->start[block->rows] - from, at = block->first_row / seen->block_rows;
    bool finite = true;
    for (int64_t k = from; k < from + count; k++)
        finite = finite && isfinite(block->values[k]);
    *unfit += !finite;
    seen->value_sums[at] = linpred__checksum(0, block->values + from, (size_t)count * sizeof(double));
    seen->indices_sums[at] = linpred__checksum(0, block->indices + from, (size_t)count * sizeof(int32_t));
}

/* Whether the checksums of the blocks together are that of the member. */
static bool is_undamaged(const linpred__npz_array *array, const uint32_t *sum, const linpred_data *data,
                         const int64_t *start, size_t item)
{
    uLong whole = array->header_checksum;
    for (int64_t i = 0; i < data->blocks; i++) {
        int64_t first = data->block[i].first_row, items = start[first + data->block[i].rows] - start[first];
        if (items > 0)
            whole = crc32_combine(whole, sum[i], (z_off_t)((size_t)items * item));
    }
    return (uint32_t)whole == array->member->checksum;
}

/* Reads all entries once: are they those that were written, and are they finite? */
static linpred_status read_all_entries(const linpred__sparse_beyond *ask, const linpred_data *data,
                                       struct entries_seen *seen, linpred_error *error)
{
    const struct sparse_store *store = data->context;
    double unfit = 0.0; /* blocks with a number that is not finite */
    linpred__visitor visitor = {
        .state_bytes = sizeof unfit, .block = look_at_first, .context = seen, .pieces = linpred__whole_state};
    seen->block_rows = data->block_rows;
    seen->value_sums = linpred__calloc(2 * (size_t)data->blocks, sizeof *seen->value_sums);
    if (!seen->value_sums)
        return linpred__no_memory(error);
    seen->indices_sums = seen->value_sums + data->blocks;
    linpred__cut cut = linpred__cut_small(data);
    linpred_status status = linpred__pass_all(data, ask->request->pool, &visitor, (void *[]){&unfit}, 1, cut, error);
    if (status == LINPRED_OK) {
        linpred__share_blocks(data, cut, seen->value_sums, sizeof *seen->value_sums);
        linpred__share_blocks(data, cut, seen->indices_sums, sizeof *seen->indices_sums);
        seen->unfit = unfit > 0.0;
    }
    if (status == LINPRED_OK && !is_undamaged(&seen->values, seen->value_sums, data, store->start, sizeof(double)))
        status = linpred__npz_damaged(ask->zip, "data", error);
    if (status == LINPRED_OK && !is_undamaged(&seen->indices, seen->indices_sums, data, store->start, sizeof(int32_t)))
        status = linpred__npz_damaged(ask->zip, "indices", error);
    linpred__release(seen->value_sums);
    return status;
}

/* Gives the data the entries of the file. Takes `start` over, also on failure. */
static linpred_status add_entries(const linpred__sparse_beyond *ask, int32_t columns, int64_t entries, int64_t *start,
                                  linpred_data *data, linpred_error *error)
{
    struct entries_seen seen = {.unfit = false};
    struct sparse_store *store = linpred__calloc(1, sizeof *store);
    int own = dup(ask->descriptor);
    linpred_status status = store && own >= 0 ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__npz_find(ask->zip, "data", "<f8", (uint64_t)entries, &seen.values, error);
    if (status == LINPRED_OK)
        status = linpred__npz_find(ask->zip, "indices", "<i4", (uint64_t)entries, &seen.indices, error);
    if (status == LINPRED_OK)
        status = linpred__stored_open(&(linpred__stored_file){.descriptor = own,
                                                              .name = ask->zip->name,
                                                              .values = seen.values.numbers,
                                                              .columns = columns,
                                                              .memory = ask->memory,
                                                              .cache = linpred__cache_beside(ask->memory),
                                                              .start = start,
                                                              .indices = seen.indices.numbers},
                                      &store->stored, error);
    else if (own >= 0)
        close(own);
    if (status != LINPRED_OK) {
        linpred__release(store);
        linpred__release(start);
        return status;
    }
    store->start = start;
    store->release = data->release;
    store->context = data->context;
    data->release = release_sparse;
    data->context = store;
    data->stored = store->stored;
    data->entries = entries;
    if (linpred__looks_later(ask->columns)) {
        linpred__need *needs;
        status = linpred__npz_read_needs(ask->zip, columns, &needs, error);
        return status == LINPRED_OK ? linpred__look_first(data, linpred__npz_sums(&seen.values),
                                                          linpred__npz_sums(&seen.indices), needs, error)
                                    : status;
    }
    status = read_all_entries(ask, data, &seen, error);
    *ask->unfit = *ask->unfit || (status == LINPRED_OK && seen.unfit);
    return status == LINPRED_OK && seen.unfit ? LINPRED_ERROR_MEMORY : status;
}

/* What the numbers mean: as for a table in memory. `decimal`: those of the table are decimals. */
static linpred_status find_sparse_meaning(const linpred__sparse_beyond *ask, const linpred__recipe *recipe,
                                          const linpred__roles *roles, bool decimal, linpred_data *data,
                                          linpred_error *error)
{
    struct sparse_store *store = data->context;
    const linpred__meaning meaning = {
        decimal, NULL, recipe, roles, ask->request->policy.by_model, linpred__stated_needs(data)};
    linpred_status status = linpred__find_meaning(&meaning, data, ask->request->pool, &store->decimals, error);
    if (status == LINPRED_OK && store->decimals)
        linpred__set_decimals(data, store->decimals);
    return status;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

/* Encodes the table without entries and adds them. Takes table and starts over. */
static linpred_status encode_sparse(const linpred__sparse_beyond *ask, linpred__recipe *recipe,
                                    const linpred__roles *roles, linpred__table *table, int64_t *start,
                                    linpred_data **out, linpred_error *error)
{
    const linpred__beyond_request *request = ask->request;
    int64_t entries = table->entries;
    int32_t columns = table->columns;
    bool decimal = table->decimal;
    linpred_data *data = NULL;
    linpred_status status = linpred__encode(table, recipe, roles, request->policy, request->pool, &data, error);
    if (status == LINPRED_OK)
        status = add_entries(ask, columns, entries, start, data, error);
    else
        linpred__release(start);
    if (status == LINPRED_OK)
        status = find_sparse_meaning(ask, recipe, roles, decimal, data, error);
    if (status == LINPRED_OK)
        status = linpred__stored_check(data, error);
    if (status == LINPRED_OK && !request->recipe && !linpred__recipe_keep_decimals(recipe, data->decimals))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        linpred_data_free(data);
    else
        *out = data;
    return status;
}

linpred_status linpred__npz_sparse_beyond(const linpred__sparse_beyond *ask, linpred__table *table, linpred_data **data,
                                          linpred_error *error)
{
    const linpred__beyond_request *request = ask->request;
    const linpred_options *options = request->read->options;
    linpred__recipe *recipe = NULL;
    linpred__roles roles = {0};
    int64_t *start = NULL;
    linpred_status status = read_row_starts(ask->zip, table, &start, error);
    if (status == LINPRED_OK)
        status = add_empty_rows(ask->zip, table, ask->unfit, error);
    if (status == LINPRED_OK && request->recipe) {
        recipe = linpred__recipe_share(request->recipe);
        status = linpred__recipe_match(recipe, table, request->labels, request->policy.missing,
                                       options->index_base == LINPRED_INDEX_AUTO, &roles, error);
    } else if (status == LINPRED_OK) {
        status = linpred__recipe_make(table, options, request->labels, &recipe, &roles, error);
    }
    if (status == LINPRED_OK) {
        bool plain = !options->keep && recipe->sources >= table->columns;
        for (int32_t k = 0; plain && k < recipe->sources; k++)
            plain = roles.source[k] == k;
        *ask->unfit = !plain;
        status = plain ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    }
    if (status == LINPRED_OK) {
        status = encode_sparse(ask, recipe, &roles, table, start, data, error);
    } else {
        linpred__table_free(table);
        linpred__release(start);
    }
    linpred__roles_clear(&roles);
    if (recipe)
        linpred__recipe_release(recipe);
    return status;
}
