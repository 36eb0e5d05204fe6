/* Data of npz archives that are larger than memory: the rows stay in the files (data/stored.h). Targets and weights are
 * read, and encoded as those of any table; features must be the numbers of the files as they are.
 */
#include "table/npz/beyond.h"

#include <sys/stat.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/recipe/encode.h"
#include "table/recipe/make.h"

/* What was made of the archives so far. */
typedef struct dense_beyond {
    linpred__beyond work;
    const linpred_options *options;
    linpred__table *head;    /* the columns of the archives, without rows */
    linpred__recipe *recipe; /* of the data */
    linpred__roles roles;    /* of the columns of `head` */
} dense_beyond;

/* The rows cannot be used as they are in the files. */
static linpred_status find_unfit(const dense_beyond *dense)
{
    *dense->work.unfit = true;
    return LINPRED_ERROR_MEMORY;
}

/* Encodes targets and weights alone: by the recipe without its features. Takes the table over. */
static linpred_status encode_thin(const dense_beyond *dense, linpred__table *thin, linpred__roles *roles,
                                  linpred_data **data, linpred_error *error)
{
    const linpred__beyond_request *request = dense->work.request;
    linpred__recipe *bare = linpred__alloc(1, sizeof *bare);
    int32_t none = 0;
    if (!bare) {
        linpred__table_free(thin);
        return linpred__no_memory(error);
    }
    *bare = *dense->recipe;
    bare->references = 2; /* one for the data; nothing that it points to is freed with it */
    bare->sources = bare->features = bare->terms = 0;
    bare->source = NULL;
    bare->decimals = NULL;
    roles->source = &none;
    linpred_status status = linpred__encode(thin, bare, roles, request->policy, request->pool, data, error);
    roles->source = NULL;
    if (status == LINPRED_OK)
        (*data)->recipe = linpred__recipe_share(dense->recipe);
    linpred__release(bare);
    return status;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

/* Gives the data its features, which lie in the files. */
static linpred_status add_features(const dense_beyond *dense, linpred_data *data, linpred_error *error)
{
    const double *target = data->block[0].target, *weight = data->block[0].weight;
    int32_t columns = dense->work.archives->columns.features;
    data->columns = columns;
    data->entries = data->rows * columns;
    data->block_rows = linpred__block_rows(columns);
    if (data->block_rows > dense->head->block_rows)
        data->block_rows = dense->head->block_rows;
    linpred__release(data->block);
    data->block = NULL;
    linpred_status status = linpred__data_make_blocks(data, error);
    for (int64_t i = 0; status == LINPRED_OK && i < data->blocks; i++) {
        linpred__block *block = &data->block[i];
        block->target = target + block->first_row;
        block->weight = weight ? weight + block->first_row : NULL;
        block->stride = columns;
        block->filled = true;
    }
    const linpred__meaning meaning = {.decimal = dense->head->decimal,
                                      .column = dense->head->column,
                                      .recipe = dense->recipe,
                                      .roles = &dense->roles,
                                      .by_model = dense->work.request->policy.by_model};
    return status == LINPRED_OK ? linpred__beyond_add_rows(&dense->work, &meaning, NULL, data, error) : status;
}

/* The column of the head that is column i of the archives. */
static int32_t column_at(const linpred__npz_columns *columns, int32_t i)
{
    return columns->column ? columns->column[i] : i;
}

/* Whether target and weights are the arrays of that name, and nothing asks for means, texts or columns kept. */
static bool is_plain_beside(const dense_beyond *dense, const bool *chosen)
{
    const linpred__table *head = dense->head;
    const linpred__npz_columns *columns = &dense->work.archives->columns;
    int32_t weights = columns->weights ? column_at(columns, columns->features) : -1;
    int32_t target = columns->target ? column_at(columns, columns->features + columns->weights) : -1;
    bool plain = dense->work.request->policy.missing != LINPRED_MISSING_MEAN && !dense->work.request->keeps &&
                 (dense->roles.weights < 0 || dense->roles.weights == weights) &&
                 (dense->roles.target < 0 || dense->roles.target == target);
    for (int32_t i = 0; i < head->columns; i++)
        plain = plain && (!chosen[i] || head->column[i].type == LINPRED_COLUMN_NUMBER);
    return plain;
}

/* Whether the features are all columns of the array as they are. */
static bool are_plain_features(const dense_beyond *dense)
{
    const linpred__recipe *recipe = dense->recipe;
    const linpred__npz_columns *columns = &dense->work.archives->columns;
    bool plain = recipe->sources == columns->features;
    for (int32_t k = 0; plain && k < recipe->sources; k++)
        plain = dense->roles.source[k] == column_at(columns, k) &&
                linpred__recipe_source(recipe, k).type == LINPRED_COLUMN_NUMBER;
    return plain;
}

/* Data by the recipe, whose features are found; `thin` is taken over. */
static linpred_status make_data(const dense_beyond *dense, linpred__table *thin, linpred__roles *thin_roles,
                                linpred_data **out, linpred_error *error)
{
    linpred_data *data = NULL;
    linpred_status status = encode_thin(dense, thin, thin_roles, &data, error);
    if (status == LINPRED_OK && data->source_row) /* rows of weight 0 are left out */
        status = find_unfit(dense);
    if (status == LINPRED_OK)
        status = add_features(dense, data, error);
    if (status == LINPRED_OK && !dense->work.request->recipe &&
        !linpred__recipe_keep_decimals(dense->recipe, data->decimals))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred_data_free(data);
        return status;
    }
    *out = data;
    return LINPRED_OK;
}

/* Finds the roles of the columns, makes the recipe of a fit or matches that of a model, and makes the data. */
static linpred_status load_beyond(dense_beyond *dense, linpred_data **data, linpred_error *error)
{
    const linpred__beyond_request *request = dense->work.request;
    bool *chosen = linpred__calloc((size_t)dense->head->columns, sizeof *chosen);
    linpred__table *thin = NULL;
    linpred_status status = chosen ? LINPRED_OK : linpred__no_memory(error);
    dense->roles = (linpred__roles){.labels = request->labels, .fresh = !request->recipe};
    if (status == LINPRED_OK && request->recipe)
        status = linpred__recipe_match(request->recipe, dense->head, request->labels, request->policy.missing, false,
                                       &dense->roles, error);
    else if (status == LINPRED_OK)
        status = linpred__choose_roles(dense->head, dense->options, &dense->roles, chosen, error);
    bool weights = dense->roles.weights >= 0, target = dense->roles.target >= 0;
    linpred__roles thin_roles = {.target = target ? weights : -1,
                                 .weights = weights ? 0 : -1,
                                 .labels = dense->roles.labels,
                                 .fresh = dense->roles.fresh};
    if (status == LINPRED_OK && !is_plain_beside(dense, chosen))
        status = find_unfit(dense);
    if (status == LINPRED_OK)
        status =
            linpred__archives_thin(dense->work.archives, &dense->roles, request->pool, dense->work.unfit, &thin, error);
    if (status == LINPRED_OK && request->recipe)
        dense->recipe = linpred__recipe_share(request->recipe);
    else if (status == LINPRED_OK)
        status = linpred__recipe_make_beyond(&(linpred__recipe_tables){dense->head, &dense->roles, thin, &thin_roles},
                                             chosen, dense->options, &dense->recipe, error);
    if (status == LINPRED_OK && !are_plain_features(dense))
        status = find_unfit(dense);
    if (status == LINPRED_OK) {
        status = make_data(dense, thin, &thin_roles, data, error);
        if (status == LINPRED_OK)
            linpred__warn_of_features(*data, dense->head, dense->recipe, &dense->roles);
    } else
        linpred__table_free(thin);
    linpred__recipe_release(dense->recipe);
    linpred__roles_clear(&dense->roles);
    linpred__release(chosen);
    return status;
}

/* ---- the archives ------------------------------------------------------------------------------------------------ */

/* Makes data of archives that are larger than memory, or of files of which such are made first. */
static linpred_status use_archives(const linpred__beyond *work, const char *path, bool archived, linpred_data **data,
                                   linpred_error *error)
{
    linpred_status status = archived
                                ? linpred__archives_heads(work->archives, path, work->request->read, work->unfit, error)
                                : linpred__archives_make(work, path, error);
    if (status != LINPRED_OK)
        return status;
    if (work->archives->head->layout == LINPRED__SPARSE)
        return linpred__npz_sparse_beyond(work, data, error);
    dense_beyond dense = {.work = *work, .options = work->request->read->options, .head = work->archives->head};
    return load_beyond(&dense, data, error);
}

/* The bytes of all files; those that are not there have none. */
static double bytes_of_files(const char *path, const linpred_options *options)
{
    double bytes = 0.0;
    struct stat about;
    for (size_t i = 0; i <= options->files; i++)
        if (stat(i == 0 ? path : options->file[i - 1], &about) == 0)
            bytes += (double)about.st_size;
    return bytes;
}

linpred_status linpred__npz_beyond(const char *path, const linpred__beyond_request *request, linpred_data **data,
                                   linpred__spill **spill, linpred_error *error)
{
    bool unfit = false;
    const linpred_options *options = request->read->options;
    linpred__archives archives = {0};
    linpred__beyond work = {.request = request, .archives = &archives, .unfit = &unfit};
    linpred_status status = linpred__archives_find(path, options, &archives, error);
    /* Processes may find other files, or other amounts of memory free, but all must decide alike. So each asks,
       whatever it found. */
    bool archived = linpred__comm_agree(archives.count > 0);
    bool divided = archived || (linpred__comm_get() && options->files > 0);
    /* To ask how much memory is free takes as long as a small fit; --memory is judged for every file. */
    if (status == LINPRED_OK && (divided || options->memory))
        status = linpred__memory_limit(options, &work.memory, error);
    double bytes = bytes_of_files(path, options);
    bool beyond = linpred__comm_agree(status == LINPRED_OK && divided && bytes > work.memory);
    archives.past_cache = beyond && bytes > linpred__cache_beside(work.memory);
    if (status == LINPRED_OK && beyond)
        status = !archived || archives.count > 0
                     ? use_archives(&work, path, archived, data, error)
                     : linpred__fail(error, LINPRED_ERROR_FILE,
                                     "%s: not every process can open all archives; put them into a "
                                     "folder that all machines see",
                                     path);
    if (unfit)
        status = linpred__spill_beside(path, work.memory, spill, error);
    linpred__archives_close(&archives);
    return status;
}
