/* Memory in a file without a name: see spill.h. The file grows by chunks. A chunk is reserved on disk and mapped;
 * pieces are cut from it one after the other. */
#define _GNU_SOURCE
#include "core/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/memory.h"

enum {
    CHUNK_BYTES = 64 << 20,     /* one system call for 64 MB; a small table wastes address space and disk only */
    PIECE_ALIGNMENT = 64,       /* a line of the cache */
    WATCH_NANOSECONDS = 5000000 /* in 5 ms a process touches some 10 MB of new pages */
};

struct chunk {
    char *memory;
    size_t bytes;
};

struct linpred__spill {
    int descriptor;
    char *path;              /* of the file beside which it lies, for messages */
    size_t limit;            /* resident bytes of the process above which pages are given back */
    struct chunk *chunk;     /* in the order of the file */
    size_t chunks, capacity; /* length of `chunk`, used and allocated */
    size_t at;               /* the chunk that pieces are cut from */
    size_t used;             /* bytes of it that are taken */
    size_t kept_at;          /* what `at` and `used` go back to */
    size_t kept_used;        /* see `kept_at` */
    size_t file_bytes;       /* of all chunks */
    int failure;             /* the error number of the disk; 0: none */
    bool watching, ended;    /* the thread runs; it must end */
    pthread_t watcher;       /* gives pages back */
    pthread_mutex_t mutex;   /* guards the list of chunks and `ended` */
};

/* The resident bytes of this process; 0 if the system does not tell. */
static size_t resident_bytes(void)
{
    char text[128];
    unsigned long long size, resident;
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
    if (descriptor >= 0)
        close(descriptor);
    text[got > 0 ? got : 0] = '\0';
    return sscanf(text, "%llu %llu", &size, &resident) == 2 ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Pages of a shared mapping of a file are only unmapped by this: what was written stays in the file. */
static void give_pages_back(linpred__spill *spill)
{
    pthread_mutex_lock(&spill->mutex);
    for (size_t i = 0; i < spill->chunks; i++)
        (void)madvise(spill->chunk[i].memory, spill->chunk[i].bytes, MADV_DONTNEED);
    pthread_mutex_unlock(&spill->mutex);
}

void linpred__spill_trim(linpred__spill *spill)
{
    if (resident_bytes() > spill->limit)
        give_pages_back(spill);
}

static void *watch_pages(void *context)
{
    linpred__spill *spill = context;
    const struct timespec pause = {.tv_nsec = WATCH_NANOSECONDS};
    for (;;) {
        pthread_mutex_lock(&spill->mutex);
        bool ended = spill->ended;
        pthread_mutex_unlock(&spill->mutex);
        if (ended)
            return NULL;
        linpred__spill_trim(spill);
        nanosleep(&pause, NULL);
    }
}

/* Opens a file without a name in the folder of `path`. */
static int open_nameless(const char *path)
{
    char name[4096];
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    snprintf(name, sizeof name, "%.*s.", folder, path);
    int descriptor = open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return descriptor;
    snprintf(name, sizeof name, "%.*s.linpred-spill-%ld", folder, path, (long)getpid());
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        unlink(name);
    return descriptor;
}

static linpred_status open_spill(const char *path, size_t limit, linpred__spill **out, linpred_error *error)
{
    linpred__spill *spill = linpred__calloc(1, sizeof *spill);
    if (spill)
        spill->path = linpred__copy_text(path, strlen(path));
    if (!spill || !spill->path) {
        linpred__release(spill);
        return linpred__no_memory(error);
    }
    spill->descriptor = open_nameless(path);
    if (spill->descriptor < 0) {
        linpred_status status =
            linpred__fail(error, LINPRED_ERROR_FILE, "cannot write beside '%s': %s", path, strerror(errno));
        linpred__release(spill->path);
        linpred__release(spill);
        return status;
    }
    spill->limit = limit;
    pthread_mutex_init(&spill->mutex, NULL);
    spill->watching = pthread_create(&spill->watcher, NULL, watch_pages, spill) == 0;
    *out = spill;
    return LINPRED_OK;
}

linpred_status linpred__spill_open(const char *path, size_t resident, linpred__spill **out, linpred_error *error)
{
    return open_spill(path, resident_bytes() + resident, out, error);
}

linpred_status linpred__spill_open_beside(const linpred__spill *other, linpred__spill **out, linpred_error *error)
{
    return open_spill(other->path, other->limit, out, error);
}

void linpred__spill_close(linpred__spill *spill)
{
    if (!spill)
        return;
    pthread_mutex_lock(&spill->mutex);
    spill->ended = true;
    pthread_mutex_unlock(&spill->mutex);
    if (spill->watching)
        pthread_join(spill->watcher, NULL);
    for (size_t i = 0; i < spill->chunks; i++)
        munmap(spill->chunk[i].memory, spill->chunk[i].bytes);
    pthread_mutex_destroy(&spill->mutex);
    close(spill->descriptor);
    linpred__release(spill->chunk);
    linpred__release(spill->path);
    linpred__release(spill);
}

/* The caller holds the mutex. */
static bool add_chunk(linpred__spill *spill, size_t bytes)
{
    struct chunk made = {.bytes = bytes};
    int code = spill->chunks < LINPRED__MAX_CHUNKS
                   ? posix_fallocate(spill->descriptor, (off_t)spill->file_bytes, (off_t)bytes)
                   : EFBIG;
    if (code != 0) {
        spill->failure = code;
        return false;
    }
    made.memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, spill->descriptor, (off_t)spill->file_bytes);
    if (made.memory == MAP_FAILED)
        return false;
    bool grown = linpred__grow(&spill->chunk, &spill->capacity, spill->chunks + 1, sizeof *spill->chunk);
    if (grown)
        spill->chunk[spill->chunks++] = made;
    else
        munmap(made.memory, bytes);
    spill->file_bytes += grown ? bytes : 0;
    return grown;
}

void *linpred__spill_alloc(linpred__spill *spill, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 2)
        return NULL;
    bytes = (bytes + PIECE_ALIGNMENT) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    pthread_mutex_lock(&spill->mutex);
    while (spill->at < spill->chunks && spill->used + bytes > spill->chunk[spill->at].bytes) {
        spill->at++;
        spill->used = 0;
    }
    bool held = spill->at < spill->chunks || add_chunk(spill, bytes > CHUNK_BYTES ? bytes : (size_t)CHUNK_BYTES);
    char *piece = held ? spill->chunk[spill->at].memory + spill->used : NULL;
    spill->used += held ? bytes : 0;
    pthread_mutex_unlock(&spill->mutex);
    linpred__spill_trim(spill);
    return piece;
}

void linpred__spill_rewind(linpred__spill *spill)
{
    spill->at = spill->kept_at;
    spill->used = spill->kept_used;
}

void linpred__spill_keep(linpred__spill *spill)
{
    spill->kept_at = spill->at;
    spill->kept_used = spill->used;
}

linpred_status linpred__spill_failure(const linpred__spill *spill, linpred_status status, linpred_error *error)
{
    if (status == LINPRED_OK || spill->failure == 0)
        return status;
    char bytes[LINPRED__BYTES_TEXT];
    return linpred__fail(error, LINPRED_ERROR_FILE,
                         "cannot keep the table beside '%s' after %s: %s; free some space, or write to another disk",
                         spill->path, linpred__bytes_text((double)spill->file_bytes, bytes), strerror(spill->failure));
}
