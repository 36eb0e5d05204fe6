/* The bytes of a stream that may have to be read again: in memory, and beyond LINPRED__MAX_KEPT_BYTES in a temporary
 * file without a name, in the folder TMPDIR or /tmp. */
#ifndef LINPRED_TABLE_REPLAY_H
#define LINPRED_TABLE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct linpred__replay {
    int64_t bytes; /* kept in all */
    char *memory;  /* they, if they are not in the file */
    size_t capacity;
    bool in_file;
    int descriptor; /* of the file */
    int64_t most;   /* bytes that the file may have, so that others find room on the disk */
} linpred__replay;

/* Keeps more bytes. False if there is no room for them; nothing is kept then. */
bool linpred__replay_add(linpred__replay *replay, const char *from, size_t bytes);
/* Copies the bytes from `at` on. False if the file cannot be read. */
bool linpred__replay_read(const linpred__replay *replay, int64_t at, char *to, size_t bytes);
/* Keeps nothing any more. */
void linpred__replay_clear(linpred__replay *replay);

#endif
