/* Threads read parts into buffers in turn; workers take them in the same order. A buffer is free again when its worker
 * gives it back. One thread reads through the system's cache, where the system itself reads ahead; several read past
 * it (direct_read.c). */
#include "data/stored.h"

#include <math.h>
#include <pthread.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"

enum place_state { PLACE_FREE, PLACE_BEING_READ, PLACE_READY, PLACE_TAKEN };

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
    linpred__rooms rooms; /* one for each place */
    bool once;            /* the next pass will not find the rows in the system's cache */
    bool direct;          /* so they are read past it */
    int64_t end;          /* blocks from here on are not read */
    int64_t next_read;    /* the block with which the next part to be read begins */
    int64_t next_taken;   /* the same of the next part to be handed out */
    bool stopped;
    pthread_t reader[LINPRED__READERS];
    int readers;           /* threads that run */
    pthread_mutex_t mutex; /* guards all but what lies in places that are taken or being read */
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

/* How many of the blocks follow one another in the files, from the first on. */
static int64_t length_of_run(const linpred__block *block, int64_t blocks)
{
    int64_t run = 1;
    while (run < blocks && block[run].first_row == block[run - 1].first_row + block[run - 1].rows)
        run++;
    return run;
}

/* The bytes of a room for blocks that follow one another. */
static size_t room_of_run(const linpred__read_ahead *ahead, const linpred__block *block, int64_t run)
{
    int64_t end = block[run - 1].first_row + block[run - 1].rows;
    return linpred__stored_room(ahead->data, block->first_row, end - block->first_row);
}

/* The system reads ahead in the order of the file alone, so whoever reads a sample of the blocks through its cache
   announces what is wanted next. */
static void announce_later_block(const linpred__read_ahead *ahead, int64_t i)
{
    int64_t later = i + LINPRED__READS_ANNOUNCED;
    const linpred__block *block = ahead->data->block;
    if (later < ahead->end && length_of_run(&block[later - 1], 2) == 1)
        linpred__stored_announce(ahead->data, block[later].first_row, block[later].rows);
}

/* Consecutive blocks are read in one piece; a sample of blocks is not consecutive. */
static void read_part(const linpred__read_ahead *ahead, struct read_place *place)
{
    char *room = ahead->rooms.first + (size_t)place->part.place * ahead->rooms.bytes;
    int64_t runs = 0, run = 0;
    for (int64_t i = 0; i < place->part.blocks; i += run, runs++) {
        const linpred__block *from = &ahead->data->block[place->part.first + i];
        linpred__rows_held *held = &place->held[runs];
        run = length_of_run(from, place->part.blocks - i);
        if (!ahead->direct)
            announce_later_block(ahead, place->part.first + i);
        held->alone = run < place->part.blocks;
        held->once = ahead->once;
        held->later = true;
        held->room = room;
        room += room_of_run(ahead, from, run);
        linpred__stored_read(ahead->data, from, run, held, &place->part.block[i]);
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
        place->state = PLACE_BEING_READ;
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

/* The bytes of a place's room: all parts fit into it. */
static size_t largest_room(const linpred__read_ahead *ahead)
{
    size_t largest = 0;
    for (int64_t first = ahead->next_read, blocks; first < ahead->end; first += blocks) {
        size_t room = 0;
        blocks = length_of_part(ahead, first);
        for (int64_t i = 0, run; i < blocks; i += run) {
            run = length_of_run(&ahead->data->block[first + i], blocks - i);
            room += room_of_run(ahead, &ahead->data->block[first + i], run);
        }
        largest = room > largest ? room : largest;
    }
    return largest;
}

static bool make_places(linpred__read_ahead *ahead)
{
    size_t blocks = (size_t)ahead->part_blocks;
    ahead->place = linpred__calloc((size_t)ahead->places, sizeof *ahead->place);
    bool ready = ahead->place && linpred__rooms_open(&ahead->rooms, (size_t)ahead->places, largest_room(ahead));
    for (int i = 0; i < ahead->places && ready; i++) {
        struct read_place *place = &ahead->place[i];
        place->part.place = i;
        place->part.block = linpred__alloc(blocks, sizeof *place->part.block);
        place->held = linpred__calloc(blocks, sizeof *place->held);
        ready = place->part.block && place->held;
    }
    return ready;
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
    ahead->direct = ahead->once && linpred__stored_is_direct(data);
    divide_memory(ahead, workers);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    int readers = ahead->direct ? LINPRED__READERS : 1;
    bool ready = make_places(ahead);
    while (ready && ahead->readers < readers) {
        ready = pthread_create(&ahead->reader[ahead->readers], NULL, read_parts, ahead) == 0;
        ahead->readers += ready;
    }
    if (ahead->readers == 0) {
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
    for (int i = 0; i < ahead->readers; i++)
        pthread_join(ahead->reader[i], NULL);
    for (int i = 0; ahead->place && i < ahead->places; i++) {
        struct read_place *place = &ahead->place[i];
        for (int64_t k = 0; place->held && k < ahead->part_blocks; k++)
            linpred__rows_held_clear(&place->held[k]);
        linpred__release(place->part.block);
        linpred__release(place->held);
    }
    pthread_mutex_destroy(&ahead->mutex);
    pthread_cond_destroy(&ahead->changed);
    linpred__release(ahead->rooms.memory);
    linpred__release(ahead->place);
    linpred__release(ahead);
}
