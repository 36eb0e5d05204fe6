/* Memory for the rows of a table: pieces cut from large chunks, which the system can hold in huge pages. A pass over
 * rows in pages of 4 KB waits for their translation; in pages of 2 MB it does not.
 *
 * Chunks come from the replaceable allocator and grow with the table, so that a small one takes little. A chunk is
 * given back once all of its pieces are released. All functions may be called from several threads. An arena of zeros
 * is empty.
 */
#ifndef LINPRED_CORE_ARENA_H
#define LINPRED_CORE_ARENA_H

#include <stddef.h>

typedef struct linpred__arena {
    struct linpred__chunk *current; /* the chunk that pieces are cut from; NULL: none yet */
    size_t taken;                   /* bytes of all pieces that were cut */
} linpred__arena;

/* A piece of count times size bytes, not initialised, on a line of the cache; NULL if memory ran out. */
void *linpred__arena_alloc(linpred__arena *arena, size_t count, size_t size);
/* Makes a piece shorter, and says where it lies now. */
void *linpred__arena_shorten(linpred__arena *arena, void *piece, size_t count, size_t size);
void linpred__arena_release(linpred__arena *arena, void *piece);
/* Gives back what is held beside the pieces. The arena is then empty. Pieces that were not released stay. */
void linpred__arena_close(linpred__arena *arena);

#endif
