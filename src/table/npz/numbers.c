/* Reads the arrays of archives that hold a number a row. Each thread takes the next piece that nobody has; the
 * checksums of the pieces are combined in order. A piece has the size of a huge page, so that two threads seldom touch
 * the same memory for the first time. Of files that the system's cache cannot keep, pieces are read past it: they are
 * read once, and to clear pages of the cache for them takes longer than to read them. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "data/stored.h"
#include "table/npz/archives.h"

enum { PIECE = 1 << 18 }; /* numbers: 2 MB */

struct number_reading {
    const linpred__archive *archive;
    linpred__npz_array array;
    int direct; /* the archive again, for reads past the system's cache; -1: it is not open */
    linpred__take_numbers *take;
    void *context;
    int64_t pieces;
    _Atomic int64_t next;  /* the piece that is read next */
    uint32_t *checksum;    /* of each piece */
    pthread_mutex_t mutex; /* guards what follows */
    linpred_status status;
    linpred_error error; /* of a piece that was not read */
};

static int64_t numbers_of_piece(const struct number_reading *reading, int64_t piece)
{
    int64_t left = reading->archive->rows - piece * PIECE;
    return left < PIECE ? left : PIECE;
}

static void note_failure(struct number_reading *reading, const linpred_error *error)
{
    pthread_mutex_lock(&reading->mutex);
    reading->status = error->status;
    reading->error = *error;
    pthread_mutex_unlock(&reading->mutex);
    atomic_store(&reading->next, reading->pieces);
}

/* Reads the numbers of a piece to their place in a room. */
static linpred_status read_piece(const struct number_reading *reading, int64_t piece, char *room, double **numbers,
                                 linpred_error *error)
{
    uint64_t from = reading->array.numbers + (uint64_t)(piece * PIECE) * sizeof **numbers;
    size_t bytes = (size_t)numbers_of_piece(reading, piece) * sizeof **numbers;
    *numbers = linpred__room_place(room, from, sizeof **numbers);
    size_t done = linpred__direct_read(reading->direct, from, bytes, *numbers);
    return linpred__zip_get(&reading->archive->zip, from + done, (char *)*numbers + done, bytes - done, error);
}

static void read_pieces(void *context, int64_t task)
{
    struct number_reading *reading = context;
    linpred_error error = {0};
    int64_t most = reading->archive->rows < PIECE ? reading->archive->rows : PIECE, piece;
    uint64_t begin = reading->array.numbers; /* all pieces begin as the first one does in its page */
    linpred__rooms room;
    (void)task;
    if (!linpred__rooms_open(&room, 1, linpred__room_bytes(begin, (size_t)most * sizeof(double)))) {
        linpred__no_memory(&error);
        note_failure(reading, &error);
        return;
    }
    while ((piece = atomic_fetch_add(&reading->next, 1)) < reading->pieces) {
        int64_t count = numbers_of_piece(reading, piece);
        double *numbers;
        if (read_piece(reading, piece, room.first, &numbers, &error) != LINPRED_OK) {
            note_failure(reading, &error);
            break;
        }
        reading->checksum[piece] = linpred__checksum(0, numbers, (size_t)count * sizeof *numbers);
        reading->take(reading->context, piece * PIECE, numbers, count);
    }
    linpred__release(room.memory);
}

linpred_status linpred__archive_numbers(const linpred__archives *archives, int64_t i, const char *name,
                                        linpred__pool *pool, linpred__take_numbers *take, void *context,
                                        linpred_error *error)
{
    const linpred__archive *archive = &archives->archive[i];
    struct number_reading reading = {
        .archive = archive, .take = take, .context = context, .pieces = (archive->rows + PIECE - 1) / PIECE};
    linpred_status status =
        linpred__npz_find(&archive->zip, name, "<f8", (uint64_t)archive->rows, &reading.array, error);
    if (status != LINPRED_OK)
        return status;
    reading.checksum = linpred__calloc((size_t)reading.pieces, sizeof *reading.checksum);
    if (!reading.checksum)
        return linpred__no_memory(error);
    reading.direct = archives->past_cache ? linpred__open_again(archive->descriptor, true) : -1;
    pthread_mutex_init(&reading.mutex, NULL);
    int64_t tasks = reading.pieces > 1 ? linpred__pool_threads(pool) : reading.pieces;
    linpred__pool_run(pool, tasks, read_pieces, &reading);
    pthread_mutex_destroy(&reading.mutex);
    if (reading.direct >= 0)
        close(reading.direct);
    uLong sum = reading.array.header_checksum;
    for (int64_t k = 0; k < reading.pieces; k++)
        sum =
            crc32_combine(sum, reading.checksum[k], (z_off_t)((size_t)numbers_of_piece(&reading, k) * sizeof(double)));
    linpred__release(reading.checksum);
    if (reading.status != LINPRED_OK) {
        *error = reading.error;
        return reading.status;
    }
    return (uint32_t)sum == reading.array.member->checksum ? LINPRED_OK
                                                           : linpred__npz_damaged(&archive->zip, name, error);
}
