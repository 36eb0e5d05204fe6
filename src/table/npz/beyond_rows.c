/* The rows of archives as rows that stay in files: gives them to data that was encoded without features, looks whether
 * they are those that were written, and finds what their numbers mean. */
#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "table/npz/beyond.h"

/* What the data owns beside what encoding made. */
struct beyond_store {
    void (*release)(void *context);
    void *context;
    linpred__stored *stored;
    linpred__decimals *decimals;
    int64_t *start; /* sparse: where each row begins */
};

static void release_beyond(void *context)
{
    struct beyond_store *store = context;
    if (store->release)
        store->release(store->context);
    linpred__stored_close(store->stored);
    linpred__release(store->decimals);
    linpred__release(store->start);
    linpred__release(store);
}

static linpred__array_sums stated_sums(const linpred__npz_array *array)
{
    return array->member ? (linpred__array_sums){.whole = array->member->checksum, .before = array->header_checksum}
                         : (linpred__array_sums){0};
}

/* Opens the rows; the descriptors of the archives then belong to them. */
static linpred_status store_rows(const linpred__beyond *work, const linpred_data *data, const int64_t *start,
                                 linpred__stored **stored, linpred_error *error)
{
    linpred__archives *archives = work->archives;
    linpred__stored_file *file = linpred__calloc((size_t)archives->count, sizeof *file);
    if (!file)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < archives->count; i++) {
        linpred__archive *archive = &archives->archive[i];
        file[i] = (linpred__stored_file){.descriptor = archive->descriptor,
                                         .name = archive->path,
                                         .first_row = archive->first_row,
                                         .rows = archive->rows,
                                         .values = archive->values.numbers,
                                         .indices = archive->indices.numbers,
                                         .value_sums = stated_sums(&archive->values),
                                         .index_sums = stated_sums(&archive->indices)};
        archive->descriptor = -1;
    }
    linpred_status status = linpred__stored_open(&(linpred__stored_files){.file = file,
                                                                          .files = archives->count,
                                                                          .name = work->archives->name,
                                                                          .columns = data->columns,
                                                                          .memory = work->memory,
                                                                          .cache = linpred__cache_beside(work->memory),
                                                                          .start = start},
                                                 stored, error);
    linpred__release(file);
    return status;
}

/* What the columns need, as all archives say; *needs is NULL if one does not. */
static linpred_status read_all_needs(const linpred__archives *archives, int32_t columns, linpred__need **needs,
                                     linpred_error *error)
{
    linpred__need *found = linpred__calloc((size_t)columns, sizeof *found);
    linpred_status status = found ? LINPRED_OK : linpred__no_memory(error);
    bool stated = true;
    for (int64_t i = 0; i < archives->count && stated && status == LINPRED_OK; i++)
        status = linpred__npz_read_needs(&archives->archive[i].zip, archives->archive[i].columns.features, found,
                                         &stated, error);
    bool kept = stated && status == LINPRED_OK;
    if (!kept)
        linpred__release(found);
    *needs = kept ? found : NULL;
    return status;
}

/* Are the rows those that were written, and are they finite? If the archives say that no value is missing, and one
   process reads all rows, that is found out as they are read for something else. Several processes look at once, each
   at its share. */
static linpred_status look_at_rows(const linpred__beyond *work, const linpred_data *data, linpred_error *error)
{
    linpred__need *needs;
    bool finite = true;
    if (work->archives->columns.missing == 0 && !linpred__comm_get()) {
        linpred_status status = read_all_needs(work->archives, data->columns, &needs, error);
        return status == LINPRED_OK ? linpred__look_first(data, needs, error) : status;
    }
    linpred_status status = linpred__look_now(data, work->request->pool, &finite, error);
    if (status != LINPRED_OK || finite)
        return status;
    *work->unfit = true;
    return LINPRED_ERROR_MEMORY;
}

linpred_status linpred__beyond_add_rows(const linpred__beyond *work, const linpred__meaning *meaning, int64_t *start,
                                        linpred_data *data, linpred_error *error)
{
    struct beyond_store *store = linpred__calloc(1, sizeof *store);
    linpred_status status = store ? store_rows(work, data, start, &store->stored, error) : linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred__release(store);
        linpred__release(start);
        return status;
    }
    store->start = start;
    store->release = data->release;
    store->context = data->context;
    data->release = release_beyond;
    data->context = store;
    data->stored = store->stored;
    status = look_at_rows(work, data, error);
    linpred__meaning stated = *meaning;
    stated.stated = linpred__stated_needs(data);
    if (status == LINPRED_OK)
        status = linpred__find_meaning(&stated, data, work->request->pool, &store->decimals, error);
    if (status == LINPRED_OK && store->decimals)
        linpred__set_decimals(data, store->decimals);
    return status == LINPRED_OK ? linpred__stored_check(data, error) : status;
}
