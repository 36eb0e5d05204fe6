/* One thread reads parts into buffers in turn; workers take them in the same order. A buffer is free again when its
 * worker gives it back. */
#include "data/stored.h"

#include <math.h>
#include <pthread.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"

enum place_state { PLACE_FREE, PLACE_READY, PLACE_TAKEN };

struct read_place {
    enum place_state state;
    linpred__part part;
    linpred__rows_held *held; /* of each run of consecutive blocks */
};

struct linpred__read_ahead {
    const linpred_data *data;
    int64_t segment_blocks; /* blocks of a segment */
    int64_t part_blocks;    /* blocks of a part; a segment's last part may have fewer */
    struct read_place *place;
    int places;
    bool once;          /* the next pass will not find the rows in the system's cache */
    int64_t end;        /* blocks from here on are not read */
    int64_t next_read;  /* the block with which the next part to be read begins */
    int64_t next_taken; /* the same of the next part to be handed out */
    bool stopped;
    bool reading; /* the thread runs */
    pthread_t reader;
    pthread_mutex_t mutex; /* guards all but what lies in places that are taken, or free and being read */
    pthread_cond_t changed;
};

/* The blocks of the part that begins with block `first`. */
static int64_t length_of_part(const linpred__read_ahead *ahead, int64_t first)
{
    int64_t segment_left = ahead->segment_blocks - first % ahead->segment_blocks;
    int64_t all_left = ahead->end - first, length = ahead->part_blocks;
    length = length < segment_left ? length : segment_left;
    return length < all_left ? length : all_left;
}

static bool follows(const linpred__block *block)
{
    return block->first_row == block[-1].first_row + block[-1].rows;
}

/* Consecutive blocks are read in one piece; a sample of blocks is not consecutive. The system reads ahead in the order
   of the file alone, so a sample announces what it wants next. */
static void read_part(const linpred__read_ahead *ahead, struct read_place *place)
{
    int64_t runs = 0, run = 0;
    for (int64_t i = 0; i < place->part.blocks; i += run) {
        const linpred__block *from = &ahead->data->block[place->part.first + i];
        const linpred__block *soon = from + LINPRED__READS_ANNOUNCED;
        run = 1;
        while (i + run < place->part.blocks && follows(&from[run]))
            run++;
        if (place->part.first + i + LINPRED__READS_ANNOUNCED < ahead->end && !follows(soon))
            linpred__stored_announce(ahead->data, soon->first_row, soon->rows);
        place->held[runs].alone = i > 0 || run < place->part.blocks;
        place->held[runs].once = ahead->once;
        place->held[runs].later = true;
        linpred__stored_read(ahead->data, from, run, &place->held[runs++], &place->part.block[i]);
    }
}

static void *read_parts(void *context)
{
    linpred__read_ahead *ahead = context;
    pthread_mutex_lock(&ahead->mutex);
    while (!ahead->stopped && ahead->next_read < ahead->end) {
        struct read_place *place = NULL;
        for (int i = 0; i < ahead->places && !place; i++)
            place = ahead->place[i].state == PLACE_FREE ? &ahead->place[i] : NULL;
        if (!place) {
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
            continue;
        }
        place->part.first = ahead->next_read;
        place->part.blocks = length_of_part(ahead, ahead->next_read);
        ahead->next_read += place->part.blocks;
        pthread_mutex_unlock(&ahead->mutex);
        read_part(ahead, place);
        pthread_mutex_lock(&ahead->mutex);
        place->state = PLACE_READY;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

bool linpred__read_ahead_take(linpred__read_ahead *ahead, linpred__part *part)
{
    bool found = false;
    pthread_mutex_lock(&ahead->mutex);
    while (!found && !ahead->stopped && ahead->next_taken < ahead->end) {
        for (int i = 0; i < ahead->places && !found; i++)
            if (ahead->place[i].state == PLACE_READY && ahead->place[i].part.first == ahead->next_taken) {
                ahead->place[i].state = PLACE_TAKEN;
                *part = ahead->place[i].part;
                ahead->next_taken += part->blocks;
                found = true;
            }
        if (!found)
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
    }
    if (found) /* others may wait for the part behind it */
        pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    return found;
}

void linpred__read_ahead_give_back(linpred__read_ahead *ahead, const linpred__part *part)
{
    pthread_mutex_lock(&ahead->mutex);
    ahead->place[part->place].state = PLACE_FREE;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
}

void linpred__read_ahead_stop(linpred__read_ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    ahead->stopped = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
}

/* How many blocks a part has, and how many workers have buffers: as memory allows, and at least one of each. */
static void divide_memory(linpred__read_ahead *ahead, int64_t *workers)
{
    const linpred_data *data = ahead->data;
    double block = (double)data->block_rows * linpred__stored_row_bytes(data);
    double blocks = fmax(linpred__stored_memory(data) / fmax(block, 1.0), 1.0 + LINPRED__BLOCKS_AHEAD);
    double segments = floor(blocks / (double)ahead->segment_blocks) - LINPRED__BLOCKS_AHEAD, spare = 0.0;
    ahead->part_blocks = ahead->segment_blocks;
    if (segments >= 1.0) {
        *workers = (double)*workers <= segments ? *workers : (int64_t)segments;
        spare = fmin(segments - (double)*workers, LINPRED__BLOCKS_SPARE);
    } else {
        *workers = 1;
        ahead->part_blocks = (int64_t)(blocks / (1.0 + LINPRED__BLOCKS_AHEAD));
    }
    if (ahead->part_blocks > data->blocks)
        ahead->part_blocks = data->blocks;
    ahead->places = (int)*workers + LINPRED__BLOCKS_AHEAD + (int)spare;
}

linpred_status linpred__read_ahead_open(const linpred_data *data, linpred__share share, int64_t segment_blocks,
                                        int64_t *workers, linpred__read_ahead **out, linpred_error *error)
{
    linpred__read_ahead *ahead = linpred__calloc(1, sizeof *ahead);
    if (!ahead)
        return linpred__no_memory(error);
    ahead->data = data;
    ahead->end = share.to;
    ahead->next_read = ahead->next_taken = share.from;
    ahead->segment_blocks = segment_blocks;
    ahead->once = (double)((share.to - share.from) * data->block_rows) * linpred__stored_row_bytes(data) >
                  linpred__stored_cache(data);
    divide_memory(ahead, workers);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    size_t blocks = (size_t)ahead->part_blocks;
    ahead->place = linpred__calloc((size_t)ahead->places, sizeof *ahead->place);
    bool ready = ahead->place != NULL;
    for (int i = 0; i < ahead->places && ready; i++) {
        struct read_place *place = &ahead->place[i];
        place->part.place = i;
        place->part.block = linpred__alloc(blocks, sizeof *place->part.block);
        place->held = linpred__calloc(blocks, sizeof *place->held);
        ready = place->part.block && place->held;
    }
    ahead->reading = ready && pthread_create(&ahead->reader, NULL, read_parts, ahead) == 0;
    if (!ahead->reading) {
        linpred__read_ahead_close(ahead);
        return linpred__no_memory(error);
    }
    *out = ahead;
    return LINPRED_OK;
}

void linpred__read_ahead_close(linpred__read_ahead *ahead)
{
    if (!ahead)
        return;
    linpred__read_ahead_stop(ahead);
    if (ahead->reading)
        pthread_join(ahead->reader, NULL);
    for (int i = 0; ahead->place && i < ahead->places; i++) {
        struct read_place *place = &ahead->place[i];
        for (int64_t k = 0; place->held && k < ahead->part_blocks; k++)
            linpred__rows_held_clear(&place->held[k]);
        linpred__release(place->part.block);
        linpred__release(place->held);
    }
    pthread_mutex_destroy(&ahead->mutex);
    pthread_cond_destroy(&ahead->changed);
    linpred__release(ahead->place);
    linpred__release(ahead);
}
