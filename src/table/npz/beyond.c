/* Data of an npz archive that is larger than memory: the rows stay in the file (data/stored.h). Targets and weights are
 * read, and encoded as those of any table; features must be the numbers of the file as they are.
 */
#define _FILE_OFFSET_BITS 64
#include "table/npz/beyond.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/stored.h"
#include "data/tree.h"
#include "table/limits.h"
#include "table/npz/npz.h"
#include "table/recipe/encode.h"
#include "table/recipe/encode_rows.h"
#include "table/recipe/make.h"

/* What is asked of the archive, and what was made of it so far. */
typedef struct beyond {
    const linpred_options *options;
    linpred__pool *pool;
    linpred__zip zip;
    linpred__table *head; /* the columns of the archive, without rows */
    linpred__npz_columns columns;
    linpred__recipe *recipe; /* of the data */
    linpred__roles roles;    /* of the columns of `head` */
    linpred__policy policy;
    double memory; /* what rows may take */
    bool *unfit;   /* set if the rows cannot stay in the file as they are */
} beyond;

/* What the data owns beside what encoding made. */
struct beyond_store {
    void (*release)(void *context);
    void *context;
    linpred__stored *stored;
    linpred__decimals *decimals;
};

static void release_beyond(void *context)
{
    struct beyond_store *store = context;
    store->release(store->context);
    linpred__stored_close(store->stored);
    linpred__release(store->decimals);
    linpred__release(store);
}

/* The rows cannot be used as they are in the file. */
static linpred_status find_unfit(const beyond *work)
{
    *work->unfit = true;
    return LINPRED_ERROR_MEMORY;
}

/* Encodes targets and weights alone: by the recipe without its features. Takes the table over. */
static linpred_status encode_thin(const beyond *work, linpred__table *thin, linpred__roles *roles, linpred_data **data,
                                  linpred_error *error)
{
    linpred__recipe *bare = linpred__alloc(1, sizeof *bare);
    int32_t none = 0;
    if (!bare) {
        linpred__table_free(thin);
        return linpred__no_memory(error);
    }
    *bare = *work->recipe;
    bare->references = 2; /* one for the data; nothing that it points to is freed with it */
    bare->sources = bare->features = bare->terms = 0;
    bare->source = NULL;
    bare->decimals = NULL;
    roles->source = &none;
    linpred_status status = linpred__encode(thin, bare, roles, work->policy, work->pool, data, error);
    roles->source = NULL;
    if (status == LINPRED_OK)
        (*data)->recipe = linpred__recipe_share(work->recipe);
    linpred__release(bare);
    return status;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

/* Gives the data its features, which lie in the file. */
static linpred_status add_features(const beyond *work, int descriptor, linpred_data *data, linpred_error *error)
{
    linpred__npz_array features;
    const double *target = data->block[0].target, *weight = data->block[0].weight;
    int32_t columns = work->columns.features;
    linpred_status status =
        linpred__npz_find(&work->zip, "features", "<f8", (uint64_t)data->rows * (uint64_t)columns, &features, error);
    int own = status == LINPRED_OK ? dup(descriptor) : -1;
    struct beyond_store *store = linpred__calloc(1, sizeof *store);
    if (status == LINPRED_OK && (own < 0 || !store))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__stored_open(&(linpred__stored_file){.descriptor = own,
                                                              .name = work->head->name,
                                                              .values = features.numbers,
                                                              .columns = columns,
                                                              .memory = work->memory,
                                                              .cache = linpred__cache_beside(work->memory)},
                                      &store->stored, error);
    else if (own >= 0)
        close(own);
    if (status != LINPRED_OK) {
        linpred__release(store);
        return status;
    }
    store->release = data->release;
    store->context = data->context;
    data->release = release_beyond;
    data->context = store;
    data->columns = columns;
    data->entries = data->rows * columns;
    data->block_rows = linpred__block_rows(columns);
    if (data->block_rows > work->head->block_rows)
        data->block_rows = work->head->block_rows;
    linpred__release(data->block);
    data->block = NULL;
    status = linpred__data_make_blocks(data, error);
    for (int64_t i = 0; status == LINPRED_OK && i < data->blocks; i++) {
        linpred__block *block = &data->block[i];
        block->target = target + block->first_row;
        block->weight = weight ? weight + block->first_row : NULL;
        block->stride = columns;
        block->filled = true;
    }
    data->stored = store->stored;
    return status;
}

/* What the first pass finds out. Its state is the number of blocks with a number that is not finite. */
struct first_pass {
    int32_t block_rows; /* of the data */
    uint32_t *checksum; /* of the values of each block */
};

static void look_first(void *context, void *state, const linpred__block *block)
{
    struct first_pass *search = context;
    double *unfit = state;
    int64_t cells = (int64_t)block->rows * block->columns;
    search->checksum[block->first_row / search->block_rows] =
        linpred__checksum(0, block->values, (size_t)cells * sizeof(double));
    *unfit += !linpred__all_finite(block->values, (size_t)cells);
}

/* Are the rows those that were written, and are they finite? If the archive says that none is missing, that is found
   out as they are read for something else. Else they are read for it. */
static linpred_status read_first(const beyond *work, const linpred_data *data, linpred_error *error)
{
    linpred__npz_array features;
    struct first_pass search = {data->block_rows, linpred__alloc((size_t)data->blocks, sizeof(uint32_t))};
    double unfit = 0.0;
    linpred__visitor visitor = {sizeof unfit, NULL, look_first, NULL, NULL, &search, linpred__whole_state};
    linpred_status status = linpred__npz_find(&work->zip, "features", "<f8", (uint64_t)data->entries, &features, error);
    if (status == LINPRED_OK && linpred__looks_later(&work->columns)) {
        linpred__need *needs;
        linpred__release(search.checksum);
        status = linpred__npz_read_needs(&work->zip, data->columns, &needs, error);
        return status == LINPRED_OK
                   ? linpred__look_first(data, linpred__npz_sums(&features), (linpred__array_sums){0}, needs, error)
                   : status;
    }
    if (status == LINPRED_OK)
        status = search.checksum ? linpred__pass_all(data, work->pool, &visitor, (void *[]){&unfit}, 1,
                                                     linpred__cut_small(data), error)
                                 : linpred__no_memory(error);
    if (status == LINPRED_OK)
        linpred__share_blocks(data, linpred__cut_small(data), search.checksum, sizeof *search.checksum);
    uLong whole = status == LINPRED_OK ? features.header_checksum : 0;
    for (int64_t i = 0; status == LINPRED_OK && i < data->blocks; i++)
        whole = crc32_combine(whole, search.checksum[i],
                              (z_off_t)((size_t)data->block[i].rows * (size_t)data->columns * sizeof(double)));
    linpred__release(search.checksum);
    if (status == LINPRED_OK && (uint32_t)whole != features.member->checksum)
        status = linpred__npz_damaged(&work->zip, "features", error);
    if (status == LINPRED_OK && unfit > 0.0)
        status = find_unfit(work);
    return status;
}

/* What the numbers mean: as for a table in memory. */
static linpred_status find_dense_meaning(const beyond *work, linpred_data *data, linpred_error *error)
{
    struct beyond_store *store = data->context;
    const linpred__meaning meaning = {work->head->decimal, work->head->column,    work->recipe,
                                      &work->roles,        work->policy.by_model, linpred__stated_needs(data)};
    linpred_status status = linpred__find_meaning(&meaning, data, work->pool, &store->decimals, error);
    if (status == LINPRED_OK && store->decimals)
        linpred__set_decimals(data, store->decimals);
    return status;
}

/* Whether target and weights are the arrays of that name, and nothing asks for means, texts or columns kept. */
static bool is_plain_beside(const beyond *work, const bool *chosen)
{
    const linpred__table *head = work->head;
    int32_t weights = work->columns.weights ? work->columns.features : -1;
    int32_t target = work->columns.target ? work->columns.features + work->columns.weights : -1;
    bool plain = work->policy.missing != LINPRED_MISSING_MEAN && !work->options->keep &&
                 (work->roles.weights < 0 || work->roles.weights == weights) &&
                 (work->roles.target < 0 || work->roles.target == target);
    for (int32_t i = 0; i < head->columns; i++)
        plain = plain && (!chosen[i] || head->column[i].type == LINPRED_COLUMN_NUMBER);
    return plain;
}

/* Whether the features are all columns of the array as they are. */
static bool are_plain_features(const beyond *work)
{
    const linpred__recipe *recipe = work->recipe;
    bool plain = recipe->sources == work->columns.features;
    for (int32_t k = 0; plain && k < recipe->sources; k++)
        plain = work->roles.source[k] == k && linpred__recipe_source(recipe, k).type == LINPRED_COLUMN_NUMBER;
    return plain;
}

/* Data by the recipe, whose features are found; `thin` is taken over. */
static linpred_status make_data(const beyond *work, int descriptor, linpred__table *thin, linpred__roles *thin_roles,
                                linpred_data **out, linpred_error *error)
{
    linpred_data *data = NULL;
    linpred_status status = encode_thin(work, thin, thin_roles, &data, error);
    if (status == LINPRED_OK && data->source_row) /* rows of weight 0 are left out */
        status = find_unfit(work);
    if (status == LINPRED_OK)
        status = add_features(work, descriptor, data, error);
    if (status == LINPRED_OK)
        status = read_first(work, data, error);
    if (status == LINPRED_OK)
        status = find_dense_meaning(work, data, error);
    if (status == LINPRED_OK)
        status = linpred__stored_check(data, error);
    if (status == LINPRED_OK && !work->policy.by_model && !linpred__recipe_keep_decimals(work->recipe, data->decimals))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    *out = data;
    return LINPRED_OK;
}

/* Finds the roles of the columns, makes the recipe of a fit or matches that of a model, and makes the data. */
static linpred_status load_beyond(beyond *work, const linpred__beyond_request *request, int descriptor,
                                  linpred_data **data, linpred_error *error)
{
    bool *chosen = linpred__calloc((size_t)work->head->columns, sizeof *chosen);
    linpred__table *thin = NULL;
    linpred_status status = chosen ? LINPRED_OK : linpred__no_memory(error);
    work->roles = (linpred__roles){.labels = request->labels, .fresh = !request->recipe};
    if (status == LINPRED_OK && request->recipe)
        status = linpred__recipe_match(request->recipe, work->head, request->labels, request->policy.missing, false,
                                       &work->roles, error);
    else if (status == LINPRED_OK)
        status = linpred__choose_roles(work->head, work->options, &work->roles, chosen, error);
    bool weights = work->roles.weights >= 0, target = work->roles.target >= 0;
    linpred__roles thin_roles = {.target = target ? weights : -1,
                                 .weights = weights ? 0 : -1,
                                 .labels = work->roles.labels,
                                 .fresh = work->roles.fresh};
    if (status == LINPRED_OK && !is_plain_beside(work, chosen))
        status = find_unfit(work);
    if (status == LINPRED_OK)
        status = linpred__npz_thin(&work->zip, work->head, &work->roles, work->unfit, &thin, error);
    if (status == LINPRED_OK && request->recipe)
        work->recipe = linpred__recipe_share(request->recipe);
    else if (status == LINPRED_OK)
        status = linpred__recipe_make_beyond(&(linpred__recipe_tables){work->head, &work->roles, thin, &thin_roles},
                                             chosen, work->options, &work->recipe, error);
    if (status == LINPRED_OK && !are_plain_features(work))
        status = find_unfit(work);
    if (status == LINPRED_OK) {
        status = make_data(work, descriptor, thin, &thin_roles, data, error);
        if (status == LINPRED_OK)
            linpred__warn_of_features(*data, work->head, work->recipe, &work->roles);
    } else
        linpred__table_free(thin);
    linpred__recipe_release(work->recipe);
    linpred__roles_clear(&work->roles);
    linpred__release(chosen);
    return status;
}

/* ---- the archive ------------------------------------------------------------------------------------------------- */

/* Makes data of an archive that is larger than memory. */
static linpred_status use_archive(beyond *work, const linpred__beyond_request *request, int descriptor, uint64_t size,
                                  linpred_data **data, linpred_error *error)
{
    linpred__table *head = work->head;
    head->index_base = head->row_names = head->weights = -1;
    linpred_status status = linpred__npz_open(descriptor, size, &work->zip, head, &work->columns, error);
    if (status == LINPRED_OK && head->layout == LINPRED__SPARSE) {
        linpred__sparse_beyond ask = {request, &work->zip, &work->columns, descriptor, work->memory, work->unfit};
        head->lines_are_rows = true;
        head->first_row_line = 1;
        work->head = NULL;
        return linpred__npz_sparse_beyond(&ask, head, data, error);
    }
    if (status != LINPRED_OK)
        return status;
    head->weights = work->columns.weights ? work->columns.features : -1;
    status = linpred__npz_choose(head, request->read, error);
    return status == LINPRED_OK ? load_beyond(work, request, descriptor, data, error) : status;
}

linpred_status linpred__npz_beyond(const char *path, const linpred__beyond_request *request, linpred_data **data,
                                   linpred__spill **spill, linpred_error *error)
{
    bool unfit = false;
    beyond work = {
        .options = request->read->options, .pool = request->pool, .policy = request->policy, .unfit = &unfit};
    struct stat about;
    char magic[4] = "";
    linpred_status status = linpred__memory_limit(work.options, &work.memory, error);
    if (status != LINPRED_OK)
        return status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool large = descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
                 (double)about.st_size > work.memory && pread(descriptor, magic, 4, 0) == 4 &&
                 memcmp(magic, "PK\003\004", 4) == 0;
    work.head = large ? linpred__calloc(1, sizeof *work.head) : NULL;
    if (work.head)
        work.head->name = linpred__copy_text(path, strlen(path));
    if (large && (!work.head || !work.head->name))
        status = linpred__no_memory(error);
    if (large && status == LINPRED_OK)
        status = use_archive(&work, request, descriptor, (uint64_t)about.st_size, data, error);
    if (unfit)
        status = linpred__spill_beside(path, work.memory, spill, error);
    linpred__table_free(work.head);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}
