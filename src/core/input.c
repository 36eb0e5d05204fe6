/* Bytes from a file, standard input, gzip or zstd.
 *
 * The first bytes tell what a stream is: 1f 8b 08 is gzip, 28 b5 2f fd or a skippable frame is zstd, and everything
 * else is plain. A gzip file may have several members and a zstd file several frames; together they make one stream.
 * The last one must be complete, and nothing else may follow it.
 */
#define _GNU_SOURCE
#include "core/input.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/memory.h"

enum {
    NAME = 256 /* bytes of the name for messages, which hold more than a name */
};

typedef enum kind { PLAIN, GZIP, ZSTANDARD } kind;

struct linpred__input {
    char name[NAME]; /* for messages */
    int descriptor;
    bool owned;            /* close() is ours; false for standard input */
    kind kind;             /* plain, gzip or zstd */
    bool regular;          /* a regular file that was opened by its path */
    int64_t size;          /* bytes of a regular file, else -1 */
    struct timespec began; /* when the stream was opened */
    double seconds;        /* time that reading may take; INFINITY: no limit */

    /* The bytes raw[raw_at .. raw_end) were read from the file and are not used yet. */
    unsigned char *raw; /* LINPRED__INPUT_BYTES bytes */
    size_t raw_at;
    size_t raw_end;
    bool raw_ended; /* the end of the file was reached */

    bool inside;             /* a gzip member or zstd frame has begun and not ended */
    bool inflating;          /* `gzip` must be ended when the stream is closed */
    z_stream gzip;           /* zlib's state */
    ZSTD_DStream *zstandard; /* zstd's state, or NULL */
};

/* Sets the name for messages. A long path keeps its end, which says more than its beginning. */
static void set_name(char name[NAME], const char *path)
{
    if (strcmp(path, "-") == 0) {
        strcpy(name, "standard input");
        return;
    }
    enum { KEPT = NAME - 8 };
    size_t bytes = strlen(path);
    const char *from = bytes > KEPT ? path + bytes - KEPT : path;
    while (from > path && ((unsigned char)*from & 0xC0u) == 0x80u)
        from++;
    size_t at = 0;
    if (from > path)
        at = strlen(strcpy(name, "…"));
    bool clean = linpred__is_utf8(from, strlen(from));
    for (; *from; from++) {
        unsigned char c = (unsigned char)*from;
        name[at++] = c < 0x20 || c == 0x7F || (c >= 0x80 && !clean) ? '?' : *from;
    }
    name[at] = '\0';
}

static linpred_status broken(const linpred__input *input, linpred_error *error, const char *what)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the %s stream %s", input->name,
                         input->kind == GZIP ? "gzip" : "zstd", what);
}

/* Waits until a pipe or device has bytes, and fails when the time is up. */
static linpred_status wait_for_bytes(const linpred__input *input, linpred_error *error)
{
    for (;;) {
        double left = input->seconds - linpred__seconds_since(&input->began);
        struct pollfd ready = {.fd = input->descriptor, .events = POLLIN};
        int found = left > 0.0 ? poll(&ready, 1, (int)fmin(ceil(1e3 * left), 1e6)) : 0;
        if (found > 0 || (found < 0 && errno != EINTR))
            return LINPRED_OK; /* there are bytes, or an error that read() will report */
        if (left <= 0.0)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "%s: not all was read within --max-seconds %g: give it more time", input->name,
                                 input->seconds);
    }
}

/* Reads until the buffer is full or the file ends. */
static linpred_status read_file(linpred__input *input, void *buffer, size_t capacity, size_t *bytes,
                                linpred_error *error)
{
    size_t have = 0;
    while (have < capacity && !input->raw_ended) {
        linpred_status status = isinf(input->seconds) ? LINPRED_OK : wait_for_bytes(input, error);
        if (status != LINPRED_OK)
            return status;
        ssize_t got = read(input->descriptor, (char *)buffer + have, capacity - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", input->name, strerror(errno));
        if (got == 0)
            input->raw_ended = true;
        have += (size_t)got;
    }
    *bytes = have;
    return LINPRED_OK;
}

static linpred_status refill(linpred__input *input, linpred_error *error)
{
    input->raw_at = 0;
    input->raw_end = 0;
    return read_file(input, input->raw, LINPRED__INPUT_BYTES, &input->raw_end, error);
}

static kind recognise(const unsigned char *text, size_t bytes)
{
    if (bytes >= 2 && text[0] == 0x1F && text[1] == 0x8B && (bytes == 2 || text[2] == 0x08))
        return GZIP;
    if (bytes >= 4 && text[0] == 0x28 && text[1] == 0xB5 && text[2] == 0x2F && text[3] == 0xFD)
        return ZSTANDARD;
    if (bytes >= 4 && (text[0] & 0xF0u) == 0x50 && text[1] == 0x2A && text[2] == 0x4D && text[3] == 0x18)
        return ZSTANDARD;
    return PLAIN;
}

/* Whether the bytes begin a zip archive whose first member is a NumPy array: an npz archive. */
static bool is_npz(const unsigned char *text, size_t bytes)
{
    enum { HEADER = 30, LENGTH = 26, ENDING = 4 }; /* of the local header; where it says how long the name is */
    size_t name = bytes >= HEADER ? text[LENGTH] | (size_t)text[LENGTH + 1] << 8 : 0;
    return name > ENDING && bytes >= HEADER + name && memcmp(text, "PK\x03\x04", 4) == 0 &&
           memcmp(text + HEADER + name - ENDING, ".npy", ENDING) == 0;
}

/* Recognises other packings, so that they are not read as text, and says how to unpack them. */
static linpred_status refuse_packed(const linpred__input *input, linpred_error *error)
{
    static const struct {
        size_t at;
        const char *magic;
        size_t bytes;
        const char *what;
        const char *advice;
    } packings[] = {
        {0,
         "\xFD"
         "7zXZ",
         6, "is packed by xz", "unpack it first: xz -dc FILE | linpred … -"}, /* the sixth byte is the NUL */
        {0, "PK\x03\x04", 4, "is a zip archive",
         "unpack it first: unzip -p FILE | linpred … - (a spreadsheet: save it as CSV)"},
        {4, "1AY&SY", 6, "is packed by bzip2", "unpack it first: bzip2 -dc FILE | linpred … -"},
    };
    if (is_npz(input->raw, input->raw_end))
        return LINPRED_OK;
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++)
        if (input->raw_end >= packings[i].at + packings[i].bytes &&
            memcmp(input->raw + packings[i].at, packings[i].magic, packings[i].bytes) == 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT, "%s %s, which linpred does not read; %s", input->name,
                                 packings[i].what, packings[i].advice);
    return LINPRED_OK;
}

static void *zlib_alloc(void *context, unsigned count, unsigned size)
{
    (void)context;
    return linpred__alloc(count, size);
}

static void zlib_free(void *context, void *memory)
{
    (void)context;
    linpred__release(memory);
}

static linpred_status start(linpred__input *input, linpred_error *error)
{
    linpred_status status = refill(input, error);
    if (status != LINPRED_OK)
        return status;
    input->kind = recognise(input->raw, input->raw_end);
    if (input->kind == GZIP) {
        input->gzip.zalloc = zlib_alloc;
        input->gzip.zfree = zlib_free;
        if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
            return linpred__no_memory(error);
        input->inflating = true;
    } else if (input->kind == ZSTANDARD) {
        input->zstandard = ZSTD_createDStream();
        if (!input->zstandard)
            return linpred__no_memory(error);
    }
    return input->kind == PLAIN ? refuse_packed(input, error) : LINPRED_OK;
}

linpred_status linpred__input_open(const char *path, double seconds, linpred__input **out, linpred_error *error)
{
    linpred__input *input = linpred__calloc(1, sizeof *input);
    if (!input)
        return linpred__no_memory(error);
    set_name(input->name, path);
    input->size = -1;
    input->began = linpred__now();
    input->owned = strcmp(path, "-") != 0;
    input->descriptor = input->owned ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    struct stat about;
    linpred_status status = LINPRED_OK;
    if (input->descriptor < 0 || fstat(input->descriptor, &about) != 0) {
        status = linpred__fail(error, LINPRED_ERROR_FILE, "cannot open '%s': %s", input->name, strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        status = linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", input->name, strerror(EISDIR));
    } else {
        /* Standard input may be a file whose position is not its beginning, so it is never mapped. */
        input->regular = input->owned && S_ISREG(about.st_mode);
        if (input->regular)
            input->size = about.st_size;
        input->seconds = S_ISREG(about.st_mode) || seconds > 1e9 ? (double)INFINITY : seconds;
        input->raw = linpred__alloc(LINPRED__INPUT_BYTES, 1);
        status = input->raw ? start(input, error) : linpred__no_memory(error);
    }
    if (status != LINPRED_OK) {
        linpred__input_close(input);
        return status;
    }
    *out = input;
    return LINPRED_OK;
}

static linpred_status read_plain(linpred__input *input, char *buffer, size_t capacity, size_t *bytes,
                                 linpred_error *error)
{
    size_t ahead = input->raw_end - input->raw_at;
    if (ahead > capacity)
        ahead = capacity;
    memcpy(buffer, input->raw + input->raw_at, ahead);
    input->raw_at += ahead;
    size_t more = 0;
    linpred_status status = read_file(input, buffer + ahead, capacity - ahead, &more, error);
    *bytes = ahead + more;
    return status;
}

/* Calls inflate once. *made is the number of bytes written to the buffer. */
static linpred_status step_gzip(linpred__input *input, char *buffer, size_t capacity, size_t *made,
                                linpred_error *error)
{
    z_stream *z = &input->gzip;
    if (!input->inside) {
        if (inflateReset(z) != Z_OK)
            return linpred__fail(error, LINPRED_ERROR_INTERNAL, "%s: zlib cannot start anew", input->name);
        input->inside = true;
    }
    size_t limit = capacity < (1u << 30) ? capacity : (1u << 30);
    z->next_in = input->raw + input->raw_at;
    z->avail_in = (unsigned)(input->raw_end - input->raw_at);
    z->next_out = (unsigned char *)buffer;
    z->avail_out = (unsigned)limit;
    int answer = inflate(z, Z_NO_FLUSH);
    input->raw_at = input->raw_end - z->avail_in;
    *made = limit - z->avail_out;
    if (answer == Z_STREAM_END)
        input->inside = false;
    else if (answer == Z_MEM_ERROR)
        return linpred__no_memory(error);
    else if (answer != Z_OK && answer != Z_BUF_ERROR)
        return broken(input, error, "is damaged, or something else follows it");
    return LINPRED_OK;
}

static linpred_status step_zstandard(linpred__input *input, char *buffer, size_t capacity, size_t *made,
                                     linpred_error *error)
{
    ZSTD_inBuffer in = {input->raw, input->raw_end, input->raw_at};
    ZSTD_outBuffer out = {buffer, capacity, 0};
    size_t answer = ZSTD_decompressStream(input->zstandard, &out, &in);
    if (ZSTD_isError(answer))
        return broken(input, error, "is damaged, or something else follows it");
    input->raw_at = in.pos;
    input->inside = answer != 0;
    *made = out.pos;
    return LINPRED_OK;
}

static linpred_status read_packed(linpred__input *input, char *buffer, size_t capacity, size_t *bytes,
                                  linpred_error *error)
{
    size_t have = 0;
    while (have < capacity) {
        if (input->raw_at == input->raw_end && !input->raw_ended) {
            linpred_status status = refill(input, error);
            if (status != LINPRED_OK)
                return status;
        }
        bool dry = input->raw_at == input->raw_end;
        if (dry && !input->inside)
            break;
        size_t made = 0;
        linpred_status status = input->kind == GZIP
                                    ? step_gzip(input, buffer + have, capacity - have, &made, error)
                                    : step_zstandard(input, buffer + have, capacity - have, &made, error);
        if (status != LINPRED_OK)
            return status;
        have += made;
        if (dry && made == 0 && input->inside)
            return broken(input, error, "is cut short: its end is missing, and nothing of it is used");
    }
    *bytes = have;
    return LINPRED_OK;
}

linpred_status linpred__input_read(linpred__input *input, char *buffer, size_t capacity, size_t *bytes,
                                   linpred_error *error)
{
    return input->kind == PLAIN ? read_plain(input, buffer, capacity, bytes, error)
                                : read_packed(input, buffer, capacity, bytes, error);
}

const char *linpred__input_name(const linpred__input *input)
{
    return input->name;
}

int linpred__input_descriptor(const linpred__input *input)
{
    return input->regular && input->kind == PLAIN ? input->descriptor : -1;
}

int64_t linpred__input_size(const linpred__input *input)
{
    return input->kind == PLAIN ? input->size : -1;
}

void linpred__input_close(linpred__input *input)
{
    if (!input)
        return;
    if (input->inflating)
        inflateEnd(&input->gzip);
    ZSTD_freeDStream(input->zstandard);
    if (input->owned && input->descriptor >= 0)
        close(input->descriptor);
    linpred__release(input->raw);
    linpred__release(input);
}
