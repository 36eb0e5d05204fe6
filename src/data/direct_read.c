/* Reads past the system's cache (O_DIRECT): the disk writes to the caller's memory, so that no processor copies. Files
 * that a pass reads again before the cache could keep them are read so, by several threads at a time: nobody reads
 * ahead for such reads.
 *
 * The system reads whole sectors so, to memory that begins as they do. Bytes of a file that begin in the middle of a
 * sector are read with what is before them: the memory has the same distance to a multiple of DIRECT_BYTES as the
 * bytes have in the file, and room for the sectors on both sides. Whatever a file system refuses is left to ordinary
 * reads, and so is the end of the file, if it was cut: they know what to say.
 */
#define _GNU_SOURCE /* O_DIRECT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/memory.h"
#include "data/stored.h"

enum {
    DIRECT_BYTES = 4096, /* sectors have no more */
    HUGE_PAGE = 1 << 21
};

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

int linpred__open_again(int descriptor, bool direct)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (direct && O_DIRECT == 0)
        return -1;
    return open(path, O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
}

size_t linpred__direct_read(int descriptor, uint64_t at, size_t bytes, void *items)
{
    size_t before = (size_t)(at % DIRECT_BYTES), done = 0;
    size_t whole = linpred__room_bytes(at, bytes);
    char *memory = (char *)items - before;
    if (descriptor < 0 || bytes == 0 || (uintptr_t)memory % DIRECT_BYTES != 0)
        return 0;
    while (done < before + bytes) {
        ssize_t got = pread(descriptor, memory + done, whole - done, (off_t)(at - before + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    if (done <= before)
        return 0;
    return done - before < bytes ? done - before : bytes;
}

/* ---- room for such reads ----------------------------------------------------------------------------------------- */

size_t linpred__room_bytes(uint64_t at, size_t bytes)
{
    size_t before = (size_t)(at % DIRECT_BYTES);
    return (before + bytes + DIRECT_BYTES - 1) / DIRECT_BYTES * DIRECT_BYTES;
}

void *linpred__room_place(char *room, uint64_t at, size_t item)
{
    return room + (at % item == 0 ? at % DIRECT_BYTES : 0);
}

bool linpred__rooms_open(linpred__rooms *rooms, size_t count, size_t bytes)
{
    size_t all, begin = HUGE_PAGE;
    rooms->bytes = linpred__room_bytes(0, bytes);
    if (__builtin_mul_overflow(count, rooms->bytes, &all) || all > SIZE_MAX - HUGE_PAGE)
        return false;
    if (all < HUGE_PAGE)
        begin = DIRECT_BYTES;
    rooms->memory = linpred__alloc(all + begin, 1);
    rooms->first = rooms->memory ? rooms->memory + (begin - (uintptr_t)rooms->memory % begin) : NULL;
    return rooms->memory != NULL;
}
