/* Rows in a file: see stored.h. Each thread that looks at single blocks or rows has a few places of its own, which are
 * used in turn. What the bytes of the file become is in stored_rows.c. */
#include "data/stored.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

/* Opens a file again, for rows that are read alone. Of very many files none is. */
static void open_single(linpred__stored_file *file, bool many)
{
    file->single = many ? -1 : linpred__open_again(file->descriptor, false);
    if (file->single >= 0)
        posix_fadvise(file->single, 0, 0, POSIX_FADV_RANDOM);
}

/* The same for files that the system's cache cannot keep. What was read of targets is not read again. */
static void open_direct(linpred__stored_file *file, bool many)
{
    file->direct = many ? -1 : linpred__open_again(file->descriptor, true);
    posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_DONTNEED);
}

static void close_files(const linpred__stored_files *all)
{
    for (int64_t i = 0; all->file && i < all->files; i++) {
        close(all->file[i].descriptor);
        if (all->file[i].single >= 0)
            close(all->file[i].single);
        if (all->file[i].direct >= 0)
            close(all->file[i].direct);
        linpred__release((char *)all->file[i].name);
    }
    linpred__release(all->file);
    linpred__release((char *)all->name);
}

linpred_status linpred__stored_open(const linpred__stored_files *all, linpred__stored **out, linpred_error *error)
{
    linpred__stored *stored = linpred__calloc(1, sizeof *stored);
    linpred__stored_files copy = *all;
    double bytes = 0.0;
    bool many = all->files > LINPRED__FILES_AGAIN;
    copy.name = linpred__copy_text(all->name, strlen(all->name));
    copy.file = linpred__alloc((size_t)all->files, sizeof *copy.file);
    bool whole = stored && copy.name && copy.file;
    for (int64_t i = 0; i < all->files; i++) {
        linpred__stored_file *file = copy.file ? &copy.file[i] : NULL;
        if (!file) {
            close(all->file[i].descriptor);
            continue;
        }
        *file = all->file[i];
        file->name = linpred__copy_text(file->name, strlen(file->name));
        file->direct = -1;
        open_single(file, many);
        posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
        whole = whole && file->name && fstat(file->descriptor, &file->about) == 0;
        bytes += whole ? (double)file->about.st_size : 0.0;
    }
    if (!whole) {
        close_files(&copy);
        linpred__release(stored);
        return linpred__no_memory(error);
    }
    for (int64_t i = 0; bytes > all->cache && i < all->files; i++)
        open_direct(&copy.file[i], many);
    stored->all = copy;
    pthread_mutex_init(&stored->mutex, NULL);
    *out = stored;
    return LINPRED_OK;
}

void linpred__stored_close(linpred__stored *stored)
{
    if (!stored)
        return;
    for (linpred__looker *looker = stored->lookers; looker;) {
        linpred__looker *next = looker->next;
        for (int i = 0; i < LINPRED__BLOCKS_HELD; i++)
            linpred__rows_held_clear(&looker->block[i].held);
        for (int i = 0; i < LINPRED__ROWS_HELD; i++)
            linpred__rows_held_clear(&looker->row[i].held);
        linpred__release(looker);
        looker = next;
    }
    pthread_mutex_destroy(&stored->mutex);
    linpred__first_look_free(stored->look);
    close_files(&stored->all);
    linpred__release(stored);
}

/* ---- rows made from others --------------------------------------------------------------------------------------- */

static void release_derived(void *context)
{
    linpred__stored *stored = context;
    linpred__release(stored->view.context);
    linpred__stored_close(stored);
}

linpred_status linpred__data_derive(const linpred__stored_view *view, linpred_data **out, linpred_error *error)
{
    const linpred_data *under = view->under;
    linpred__stored *stored = linpred__calloc(1, sizeof *stored);
    linpred_data *data = linpred__alloc(1, sizeof *data);
    linpred__block *block = linpred__alloc((size_t)under->blocks, sizeof *block);
    if (!stored || !data || !block) {
        linpred__release(stored);
        linpred__release(data);
        linpred__release(block);
        linpred__release(view->context);
        return linpred__no_memory(error);
    }
    stored->view = *view;
    pthread_mutex_init(&stored->mutex, NULL);
    *data = *under;
    data->layout = view->layout;
    data->columns = view->columns;
    data->entries = view->layout == LINPRED__SPARSE ? under->entries : under->rows * view->columns;
    data->block = block;
    data->stored = stored;
    data->release = release_derived;
    data->context = stored;
    data->source_row = NULL;
    data->recipe = NULL;
    data->decimals = NULL;
    for (int64_t i = 0; i < under->blocks; i++) {
        block[i] = under->block[i];
        block[i].layout = view->layout;
        block[i].columns = view->columns;
        block[i].stride = view->columns;
        block[i].decimals = NULL;
    }
    *out = data;
    return LINPRED_OK;
}

/* The stored rows of the files, of which this may be a view of a view. */
static linpred__stored *root_of(linpred__stored *stored)
{
    while (stored->view.under)
        stored = stored->view.under->stored;
    return stored;
}

double linpred__stored_memory(const linpred_data *data)
{
    return root_of(data->stored)->all.memory;
}

double linpred__stored_cache(const linpred_data *data)
{
    return root_of(data->stored)->all.cache;
}

bool linpred__stored_is_direct(const linpred_data *data)
{
    return root_of(data->stored)->all.file[0].direct >= 0;
}

/* ---- single blocks and rows -------------------------------------------------------------------------------------- */

/* The looker of this thread; NULL if out of memory. */
static linpred__looker *looker_of(linpred__stored *stored)
{
    pthread_t self = pthread_self();
    pthread_mutex_lock(&stored->mutex);
    linpred__looker *looker = stored->lookers;
    while (looker && !pthread_equal(looker->thread, self))
        looker = looker->next;
    if (!looker && (looker = linpred__calloc(1, sizeof *looker)) != NULL) {
        looker->thread = self;
        looker->last_row = -2;
        looker->next = stored->lookers;
        stored->lookers = looker;
    }
    pthread_mutex_unlock(&stored->mutex);
    return looker;
}

/* Memory ran out: a block without rows, or with a row of no columns. The data is broken, so that nobody trusts it. */
static const linpred__block *no_place(linpred__stored *stored)
{
    static const double zero = 0.0;
    static const int64_t starts[2] = {0, 0};
    static const int32_t index = 0;
    static const linpred__block empty = {
        .layout = LINPRED__DENSE, .values = &zero, .target = &zero, .start = starts, .indices = &index};
    atomic_store(&stored->failure, LINPRED__STORED_NO_MEMORY);
    return &empty;
}

static const linpred__block *block_of_looker(const linpred_data *data, const linpred__block *block,
                                             linpred__looker *looker)
{
    for (int i = 0; i < LINPRED__BLOCKS_HELD; i++) {
        const linpred__block *held = &looker->block[i].block;
        if (held->values && held->first_row == block->first_row && held->rows == block->rows &&
            held->target == block->target && held->decimals == block->decimals)
            return held;
    }
    linpred__place *place = &looker->block[looker->next_block++ % LINPRED__BLOCKS_HELD];
    int64_t ahead = block->first_row - looker->next_first; /* threads that share blocks skip those of others */
    place->held.alone = ahead < 0 || ahead > (int64_t)LINPRED__BLOCKS_SKIPPED * data->block_rows;
    looker->next_first = block->first_row + block->rows;
    linpred__stored_read(data, block, 1, &place->held, &place->block);
    return &place->block;
}

const linpred__block *linpred__stored_block(const linpred_data *data, const linpred__block *block)
{
    linpred__looker *looker = looker_of(data->stored);
    return looker ? block_of_looker(data, block, looker) : no_place(data->stored);
}

/* Row r of a block as a block of its own. */
static linpred__block row_of_block(const linpred__block *block, int32_t r)
{
    linpred__block row = *block;
    row.first_row += r;
    row.rows = 1;
    row.target = block->target ? block->target + r : NULL;
    row.weight = block->weight ? block->weight + r : NULL;
    return row;
}

/* A copy of row r of a block that was read. */
static bool copy_row(const linpred__block *block, int32_t r, linpred__place *place)
{
    linpred__entries entries = linpred__entries_of(block, r);
    linpred__rows_held *held = &place->held;
    if (!linpred__rows_held_grow(held, entries.count, block->layout == LINPRED__SPARSE ? 1 : -1))
        return false;
    place->block = row_of_block(block, r);
    memcpy(held->values, entries.values, (size_t)entries.count * sizeof(double));
    place->block.values = held->values;
    if (entries.indices) {
        memcpy(held->indices, entries.indices, (size_t)entries.count * sizeof(int32_t));
        held->start[0] = 0;
        held->start[1] = entries.count;
        place->block.start = held->start;
        place->block.indices = held->indices;
    }
    return true;
}

const linpred__block *linpred__stored_row(const linpred_data *data, int64_t row)
{
    const linpred__block *block = &data->block[row / data->block_rows];
    linpred__looker *looker = looker_of(data->stored);
    int32_t r = (int32_t)(row % data->block_rows);
    if (!looker)
        return no_place(data->stored);
    linpred__place *place = &looker->row[looker->next_row++ % LINPRED__ROWS_HELD];
    bool in_order = row >= looker->last_row && row - looker->last_row <= data->block_rows / LINPRED__STEPS_A_BLOCK;
    looker->last_row = row;
    if (!in_order) {
        linpred__block one = row_of_block(block, r);
        place->held.alone = true;
        linpred__stored_read(data, &one, 1, &place->held, &place->block);
        return &place->block;
    }
    /* Whoever goes from row to row, or by small steps, gets them from the block that they are in. */
    const linpred__block *whole = block_of_looker(data, block, looker);
    return r < whole->rows && copy_row(whole, r, place) ? &place->block : no_place(data->stored);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

/* The first look found that rows are not those that were written. */
static linpred_status fail_as_damaged(const linpred__stored *root, int failure, linpred_error *error)
{
    const char *values = root->all.start ? "data" : "features";
    const char *name = root->all.file[atomic_load(&root->failed)].name;
    if (failure == LINPRED__STORED_NOT_FINITE)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the array '%s' was damaged or changed: it holds a number that is not finite, but its "
                             "recipe says that none is missing",
                             name, values);
    if (failure == LINPRED__STORED_DAMAGED_DECIMALS)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the array 'decimals' or 'largest' was damaged or changed: it is not that of the "
                             "numbers; convert the source again",
                             root->all.name);
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array '%s' was damaged or changed: its checksum differs",
                         name, failure == LINPRED__STORED_DAMAGED_INDICES ? "indices" : values);
}

static bool has_changed(const linpred__stored_file *file)
{
    struct stat now;
    return fstat(file->descriptor, &now) != 0 || now.st_size != file->about.st_size ||
           now.st_mtim.tv_sec != file->about.st_mtim.tv_sec || now.st_mtim.tv_nsec != file->about.st_mtim.tv_nsec;
}

linpred_status linpred__stored_check(const linpred_data *data, linpred_error *error)
{
    int failure = 0;
    if (!data->stored)
        return LINPRED_OK;
    linpred__stored *root = root_of(data->stored);
    for (int64_t i = 0; i < root->all.files; i++)
        if (has_changed(&root->all.file[i])) { /* whatever else was found is of no account */
            atomic_store(&root->failed, i);
            atomic_store(&root->failure, LINPRED__STORED_CHANGED);
        }
    for (linpred__stored *stored = data->stored; stored && failure == 0;
         stored = stored->view.under ? stored->view.under->stored : NULL)
        failure = atomic_load(&stored->failure);
    if (failure == 0)
        return LINPRED_OK;
    if (failure == LINPRED__STORED_NO_MEMORY)
        return linpred__no_memory(error);
    const char *name = root->all.file[atomic_load(&root->failed)].name;
    if (failure == LINPRED__STORED_CHANGED)
        return linpred__fail(error, LINPRED_ERROR_FILE,
                             "%s: the file was changed while its rows were read; begin again when it is complete",
                             name);
    if (failure < 0)
        return fail_as_damaged(root, failure, error);
    return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", name, strerror(failure));
}

static linpred_status refuse(const linpred_data *data, const char *what, double bytes, linpred_error *error)
{
    char needed[LINPRED__BYTES_TEXT], allowed[LINPRED__BYTES_TEXT];
    return linpred__fail(
        error, LINPRED_ERROR_MEMORY,
        "%s: %s needs the rows in memory, which take %s, but rows may take %s: raise --memory, or use a "
        "machine with more",
        root_of(data->stored)->all.name, what, linpred__bytes_text(bytes, needed),
        linpred__bytes_text(linpred__stored_memory(data), allowed));
}

linpred_status linpred__stored_refuse(const linpred_data *data, const char *what, linpred_error *error)
{
    if (!data->stored)
        return LINPRED_OK;
    return refuse(data, what, (double)data->rows * linpred__stored_row_bytes(data), error);
}

linpred_status linpred__stored_refuse_bytes(const linpred_data *data, const char *what, double bytes,
                                            linpred_error *error)
{
    if (!data->stored || bytes <= fmax(linpred__stored_memory(data), LINPRED__ROWS_ANYHOW))
        return LINPRED_OK;
    return refuse(data, what, bytes, error);
}
