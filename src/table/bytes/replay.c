/* Keeps the bytes of a stream: see replay.h. */
#define _GNU_SOURCE
#include "table/bytes/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/memory.h"
#include "table/limits.h"

/* Opens a file without a name; false if that cannot be done. It may take half of what is free. */
static bool open_file(linpred__replay *replay)
{
    char path[4096];
    struct statvfs disk;
    struct rlimit limit;
    const char *folder = getenv("TMPDIR");
    int length = snprintf(path, sizeof path, "%s/linpred-XXXXXX", folder && *folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path)
        return false;
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor < 0)
        return false;
    unlink(path);
    if (fstatvfs(descriptor, &disk) != 0) {
        close(descriptor);
        return false;
    }
    double most = (double)disk.f_bavail * (double)disk.f_frsize / 2;
    /* Beyond the limit of the process, writing would be a signal. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur < most)
        most = (double)limit.rlim_cur;
    replay->most = (int64_t)most;
    replay->descriptor = descriptor;
    replay->in_file = true;
    return true;
}

static bool write_file(const linpred__replay *replay, int64_t at, const char *from, size_t bytes)
{
    if (at + (int64_t)bytes > replay->most)
        return false;
    while (bytes > 0) {
        ssize_t done = pwrite(replay->descriptor, from, bytes, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Moves what is in memory to a file. */
static bool move_to_file(linpred__replay *replay)
{
    if (!open_file(replay) || !write_file(replay, 0, replay->memory, (size_t)replay->bytes))
        return false;
    linpred__release(replay->memory);
    replay->memory = NULL;
    replay->capacity = 0;
    return true;
}

bool linpred__replay_add(linpred__replay *replay, const char *from, size_t bytes)
{
    size_t all = (size_t)replay->bytes + bytes;
    bool fits = !replay->in_file && all <= LINPRED__MAX_KEPT_BYTES;
    bool done = fits ? linpred__grow(&replay->memory, &replay->capacity, all, 1)
                     : (replay->in_file || move_to_file(replay)) && write_file(replay, replay->bytes, from, bytes);
    if (!done) {
        linpred__replay_clear(replay);
        return false;
    }
    if (fits)
        memcpy(replay->memory + replay->bytes, from, bytes);
    replay->bytes += (int64_t)bytes;
    return true;
}

bool linpred__replay_read(const linpred__replay *replay, int64_t at, char *to, size_t bytes)
{
    if (!replay->in_file) {
        memcpy(to, replay->memory + at, bytes);
        return true;
    }
    while (bytes > 0) {
        ssize_t done = pread(replay->descriptor, to, bytes, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        to += done;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

void linpred__replay_clear(linpred__replay *replay)
{
    linpred__release(replay->memory);
    if (replay->in_file)
        close(replay->descriptor);
    *replay = (linpred__replay){0};
}
