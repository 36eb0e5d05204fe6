/* Pieces cut from chunks: see arena.h. In front of each piece stands the chunk that it was cut from. */
#include "core/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/limits.h"
#include "core/memory.h"

enum {
    LINE = 64,                 /* a line of the cache */
    CHUNK_SHARE = 8,           /* a chunk is an eighth of what was taken before: so much may be wasted at the end */
    CHUNK_MAX_BYTES = 1 << 25, /* 32 MB are 16 huge pages: larger chunks would not make passes faster */
    MANY_BYTES = 1 << 24       /* if 16 MB were taken, a chunk is large, so that it holds a huge page */
};

/* AddressSanitizer sees what lies outside a piece only if it is a chunk of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define PIECES_APART true
#elif defined(__has_feature)
#define PIECES_APART __has_feature(address_sanitizer)
#else
#define PIECES_APART false
#endif

typedef struct linpred__chunk {
    size_t bytes; /* behind this struct */
    size_t used;  /* of them */
    size_t live;  /* pieces that were not released */
    void *memory; /* what the allocator gave: this struct lies on the line before the bytes */
} arena_chunk;

typedef struct piece_head {
    arena_chunk *from;
    size_t bytes; /* of the piece with this head, a multiple of LINE */
} piece_head;

_Static_assert(sizeof(arena_chunk) <= LINE && sizeof(piece_head) <= LINE, "heads take one line");

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of all arenas: a piece is cut for thousands of rows */

static char *first_byte(arena_chunk *c)
{
    return (char *)c + LINE;
}

static piece_head *head_of(void *piece)
{
    return (piece_head *)(void *)((char *)piece - LINE);
}

static arena_chunk *new_chunk(size_t bytes)
{
    char *memory = linpred__alloc(bytes + 2 * (size_t)LINE, 1);
    if (!memory)
        return NULL;
    arena_chunk *c = (arena_chunk *)(void *)(memory + (LINE - (uintptr_t)memory % LINE) % LINE);
    *c = (arena_chunk){.bytes = bytes, .memory = memory};
    return c;
}

static size_t chunk_bytes(const linpred__arena *arena, size_t piece)
{
    size_t wanted = arena->taken / CHUNK_SHARE;
    if (wanted < LINPRED__LARGE_BYTES && arena->taken >= MANY_BYTES)
        wanted = LINPRED__LARGE_BYTES;
    if (wanted > CHUNK_MAX_BYTES)
        wanted = CHUNK_MAX_BYTES;
    return wanted > piece && !PIECES_APART ? wanted : piece;
}

static void leave_chunk(linpred__arena *arena)
{
    if (arena->current && arena->current->live == 0)
        linpred__release(arena->current->memory);
    arena->current = NULL;
}

/* The caller holds the mutex. `bytes` are those of the piece with its head. */
static bool open_chunk(linpred__arena *arena, size_t bytes)
{
    leave_chunk(arena);
    arena->current = new_chunk(chunk_bytes(arena, bytes));
    return arena->current != NULL;
}

void *linpred__arena_alloc(linpred__arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 8 * (size_t)LINE)
        return linpred__alloc(SIZE_MAX, 1); /* which refuses, and notes it for the message */
    bytes = (bytes + LINE - 1) / LINE * LINE;
    char *piece = NULL;
    pthread_mutex_lock(&mutex);
    const arena_chunk *at = arena->current;
    arena_chunk *from =
        (at && at->bytes - at->used >= bytes + LINE) || open_chunk(arena, bytes + LINE) ? arena->current : NULL;
    if (from) {
        piece = first_byte(from) + from->used + LINE;
        from->used += bytes + LINE;
        from->live++;
        arena->taken += bytes + LINE;
    }
    pthread_mutex_unlock(&mutex);
    if (piece) /* the first touch of a huge page takes long, and nobody else waits for it */
        *head_of(piece) = (piece_head){from, bytes};
    return piece;
}

/* Where a piece is alone in its chunk, it moves to one that fits; else what is left of it is cut from anew. */
void *linpred__arena_shorten(linpred__arena *arena, void *piece, size_t count, size_t size)
{
    size_t bytes = (count * size + LINE - 1) / LINE * LINE;
    pthread_mutex_lock(&mutex);
    piece_head *head = head_of(piece);
    arena_chunk *old = head->from;
    bool last = (char *)piece + head->bytes == first_byte(old) + old->used;
    arena_chunk *fitting = last && old->live == 1 && bytes < head->bytes / 2 ? new_chunk(bytes + LINE) : NULL;
    if (fitting) {
        char *moved = first_byte(fitting) + LINE;
        memcpy(moved, piece, bytes);
        *head_of(moved) = (piece_head){fitting, bytes};
        fitting->used = fitting->bytes;
        fitting->live = 1;
        arena->current = arena->current == old ? NULL : arena->current;
        linpred__release(old->memory);
        piece = moved;
    } else if (last && bytes < head->bytes) {
        old->used -= head->bytes - bytes;
        head->bytes = bytes;
    }
    pthread_mutex_unlock(&mutex);
    return piece;
}

void linpred__arena_release(linpred__arena *arena, void *piece)
{
    if (!piece)
        return;
    pthread_mutex_lock(&mutex);
    arena_chunk *c = head_of(piece)->from;
    if (--c->live == 0) {
        if (c == arena->current)
            c->used = 0;
        else
            linpred__release(c->memory);
    }
    pthread_mutex_unlock(&mutex);
}

void linpred__arena_close(linpred__arena *arena)
{
    pthread_mutex_lock(&mutex);
    leave_chunk(arena);
    arena->taken = 0;
    pthread_mutex_unlock(&mutex);
}
