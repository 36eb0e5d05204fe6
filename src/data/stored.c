/* Rows in a file: see stored.h. Each thread that looks at single blocks or rows has a few places of its own, which are
 * used in turn. */
#define _FILE_OFFSET_BITS 64
#include "data/stored.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"

/* A block, or one row, that a thread looks at. */
struct place {
    linpred__block block;
    double *values;
    size_t capacity;
};

struct looker {
    pthread_t thread;
    struct place block[LINPRED__BLOCKS_HELD], row[LINPRED__ROWS_HELD];
    unsigned next_block, next_row; /* the places that are used next */
    struct looker *next;
};

struct linpred__stored {
    int descriptor;
    char *name;
    uint64_t at;
    double memory;
    struct stat about;     /* of the file when it was opened */
    _Atomic int failure;   /* an error number; -1: the file has changed; -2: memory ran out; 0: none */
    pthread_mutex_t mutex; /* guards the list of lookers */
    struct looker *lookers;
};

enum { CHANGED = -1, OUT_OF_MEMORY = -2 };

linpred_status linpred__stored_open(int descriptor, const char *name, uint64_t at, double memory, linpred__stored **out,
                                    linpred_error *error)
{
    linpred__stored *stored = linpred__calloc(1, sizeof *stored);
    char *copy = linpred__copy_text(name, strlen(name));
    if (!stored || !copy || fstat(descriptor, &stored->about) != 0) {
        linpred__release(stored);
        linpred__release(copy);
        close(descriptor);
        return linpred__no_memory(error);
    }
    stored->descriptor = descriptor;
    stored->name = copy;
    stored->at = at;
    stored->memory = memory;
    pthread_mutex_init(&stored->mutex, NULL);
    *out = stored;
    return LINPRED_OK;
}

void linpred__stored_close(linpred__stored *stored)
{
    if (!stored)
        return;
    for (struct looker *looker = stored->lookers; looker;) {
        struct looker *next = looker->next;
        for (int i = 0; i < LINPRED__BLOCKS_HELD; i++)
            linpred__release(looker->block[i].values);
        for (int i = 0; i < LINPRED__ROWS_HELD; i++)
            linpred__release(looker->row[i].values);
        linpred__release(looker);
        looker = next;
    }
    pthread_mutex_destroy(&stored->mutex);
    close(stored->descriptor);
    linpred__release(stored->name);
    linpred__release(stored);
}

/* Reads rows; what cannot be read becomes zeros. */
static void read_stored_rows(linpred__stored *stored, int64_t first, int64_t rows, int32_t columns, double *values)
{
    char *to = (char *)values;
    size_t row = (size_t)columns * sizeof *values, left = (size_t)rows * row;
    uint64_t at = stored->at + (uint64_t)first * row;
    while (left > 0) {
        ssize_t got = pread(stored->descriptor, to, left, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            atomic_store(&stored->failure, got < 0 ? errno : CHANGED);
            memset(to, 0, left);
            return;
        }
        to += got;
        at += (uint64_t)got;
        left -= (size_t)got;
    }
}

void linpred__stored_read(const linpred_data *data, const linpred__block *block, double *values)
{
    read_stored_rows(data->stored, block->first_row, block->rows, block->columns, values);
}

double linpred__stored_memory(const linpred_data *data)
{
    return data->stored->memory;
}

/* The looker of this thread; NULL if out of memory. */
static struct looker *looker_of(linpred__stored *stored)
{
    pthread_t self = pthread_self();
    pthread_mutex_lock(&stored->mutex);
    struct looker *looker = stored->lookers;
    while (looker && !pthread_equal(looker->thread, self))
        looker = looker->next;
    if (!looker && (looker = linpred__calloc(1, sizeof *looker)) != NULL) {
        looker->thread = self;
        looker->next = stored->lookers;
        stored->lookers = looker;
    }
    pthread_mutex_unlock(&stored->mutex);
    return looker;
}

/* Fills a place with rows of a block; NULL if out of memory. */
static const linpred__block *fill_place(linpred__stored *stored, struct place *place, const linpred__block *from,
                                        int32_t first, int32_t rows)
{
    size_t numbers = (size_t)rows * (size_t)from->columns + 1;
    if (!linpred__grow(&place->values, &place->capacity, numbers, sizeof *place->values)) {
        atomic_store(&stored->failure, OUT_OF_MEMORY);
        return NULL;
    }
    read_stored_rows(stored, from->first_row + first, rows, from->columns, place->values);
    place->block = *from;
    place->block.first_row = from->first_row + first;
    place->block.rows = rows;
    place->block.values = place->values;
    place->block.target = from->target + first;
    place->block.weight = from->weight ? from->weight + first : NULL;
    return &place->block;
}

/* Memory ran out: a block without rows, or with a row of no columns. The data is broken, so that nobody trusts it. */
static const linpred__block *no_place(linpred__stored *stored)
{
    static const double zero = 0.0;
    static const linpred__block empty = {.layout = LINPRED__DENSE, .values = &zero, .target = &zero};
    atomic_store(&stored->failure, OUT_OF_MEMORY);
    return &empty;
}

const linpred__block *linpred__stored_block(const linpred_data *data, const linpred__block *block)
{
    linpred__stored *stored = data->stored;
    struct looker *looker = looker_of(stored);
    for (int i = 0; looker && i < LINPRED__BLOCKS_HELD; i++) {
        const linpred__block *held = &looker->block[i].block;
        if (held->values && held->first_row == block->first_row && held->target == block->target &&
            held->decimals == block->decimals)
            return held;
    }
    const linpred__block *made =
        looker ? fill_place(stored, &looker->block[looker->next_block++ % LINPRED__BLOCKS_HELD], block, 0, block->rows)
               : NULL;
    return made ? made : no_place(stored);
}

const linpred__block *linpred__stored_row(const linpred_data *data, int64_t row)
{
    linpred__stored *stored = data->stored;
    const linpred__block *block = &data->block[row / data->block_rows];
    struct looker *looker = looker_of(stored);
    int32_t r = (int32_t)(row % data->block_rows);
    const linpred__block *made =
        looker ? fill_place(stored, &looker->row[looker->next_row++ % LINPRED__ROWS_HELD], block, r, 1) : NULL;
    return made ? made : no_place(stored);
}

linpred_status linpred__stored_check(const linpred_data *data, linpred_error *error)
{
    linpred__stored *stored = data->stored;
    struct stat now;
    if (!stored)
        return LINPRED_OK;
    if (fstat(stored->descriptor, &now) != 0 || now.st_size != stored->about.st_size ||
        now.st_mtim.tv_sec != stored->about.st_mtim.tv_sec || now.st_mtim.tv_nsec != stored->about.st_mtim.tv_nsec)
        atomic_store(&stored->failure, CHANGED);
    int failure = atomic_load(&stored->failure);
    if (failure == 0)
        return LINPRED_OK;
    if (failure == OUT_OF_MEMORY)
        return linpred__no_memory(error);
    if (failure == CHANGED)
        return linpred__fail(error, LINPRED_ERROR_FILE,
                             "%s: the file was changed while its rows were read; begin again when it is complete",
                             stored->name);
    return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", stored->name, strerror(failure));
}

linpred_status linpred__stored_refuse(const linpred_data *data, const char *what, linpred_error *error)
{
    char needed[LINPRED__BYTES_TEXT], allowed[LINPRED__BYTES_TEXT];
    if (!data->stored)
        return LINPRED_OK;
    return linpred__fail(
        error, LINPRED_ERROR_MEMORY,
        "%s: %s needs the rows in memory, which take %s, but rows may take %s: raise --memory, or use a "
        "machine with more",
        data->stored->name, what, linpred__bytes_text((double)data->entries * (double)sizeof(double), needed),
        linpred__bytes_text(data->stored->memory, allowed));
}
