/* Writes npz archives: zip.h says which form they have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/error.h"
#include "table/npz/zip.h"

enum {
    ALIGNMENT = 64,      /* of numbers: as NumPy aligns them in npy files */
    LOCAL_BYTES = 30,    /* a local header without name and extra fields */
    LOCAL_CHECKSUM = 14, /* where the checksum stands in it */
    SIZES_BYTES = 20,    /* the extra field with both sizes in 64 bits */
    PLACES_BYTES = 28,   /* the extra field with sizes and place in 64 bits */
    PADDING_ID = 0xD935, /* the extra field of Android's zipalign, which pads too */
    PADDING_LEAST = 6,   /* its least length: identifier, length, alignment */
    VERSION = 45,        /* of the zip format: the first one with 64-bit sizes */
    NPY_HEAD = 10        /* bytes before the dictionary of an npy header of version 1 */
};

/* Bytes that are put together, each number with its lowest byte first. */
struct gathered {
    unsigned char at[LINPRED__NPY_HEADER];
    size_t count;
};

static void add_number(struct gathered *bytes, uint64_t number, int width)
{
    for (int i = 0; i < width; i++)
        bytes->at[bytes->count++] = (unsigned char)(number >> (8 * i));
}

static void add_bytes(struct gathered *bytes, const char *text, size_t count)
{
    memcpy(bytes->at + bytes->count, text, count);
    bytes->count += count;
}

linpred_status linpred__zip_put(const linpred__zip *zip, uint64_t at, const void *bytes, size_t count,
                                linpred_error *error)
{
    const char *from = bytes;
    while (count > 0) {
        ssize_t put = pwrite(zip->descriptor, from, count, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return linpred__fail(error, LINPRED_ERROR_FILE, "cannot write '%s': %s", zip->name,
                                 put < 0 ? strerror(errno) : "nothing was written");
        from += put;
        at += (uint64_t)put;
        count -= (size_t)put;
    }
    return LINPRED_OK;
}

/* The npy header of an array: its dictionary, blanks, and a line feed. */
static void make_npy_header(const char *type, const char *shape, struct gathered *made)
{
    char dictionary[200];
    int length =
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    size_t whole = (NPY_HEAD + (size_t)length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    made->count = 0;
    add_bytes(made, "\x93NUMPY\x01", 7);
    add_number(made, 0, 1);
    add_number(made, whole - NPY_HEAD, 2);
    add_bytes(made, dictionary, (size_t)length);
    while (made->count < whole - 1)
        add_number(made, ' ', 1);
    add_number(made, '\n', 1);
}

size_t linpred__npy_header_make(const char *type, const char *shape, unsigned char header[LINPRED__NPY_HEADER])
{
    struct gathered made;
    make_npy_header(type, shape, &made);
    memcpy(header, made.at, made.count);
    return made.count;
}

/* What a local header and an entry of the directory have in common. */
static void add_about(struct gathered *bytes, const linpred__zip_member *member, size_t extra)
{
    add_number(bytes, VERSION, 2);
    add_number(bytes, 0, 2); /* flags */
    add_number(bytes, 0, 2); /* stored, not packed */
    add_number(bytes, 0, 2); /* 1 January 1980, 0 o'clock: the same rows give the same file */
    add_number(bytes, 0x21, 2);
    add_number(bytes, member->checksum, 4);
    add_number(bytes, 0xFFFFFFFFu, 4); /* both sizes stand in the extra field */
    add_number(bytes, 0xFFFFFFFFu, 4);
    add_number(bytes, strlen(member->name), 2);
    add_number(bytes, extra, 2);
}

linpred_status linpred__zip_add(linpred__zip *zip, const char *name, const char *type, const char *shape,
                                uint64_t count, linpred_error *error)
{
    struct gathered npy, local = {.count = 0};
    linpred__zip_member *member = &zip->member[zip->members++];
    make_npy_header(type, shape, &npy);
    snprintf(member->name, sizeof member->name, "%s.npy", name);
    member->header = zip->end;
    member->bytes = npy.count + count;
    member->checksum = (uint32_t)crc32(0, npy.at, (uInt)npy.count);
    uint64_t least = member->header + LOCAL_BYTES + strlen(member->name) + SIZES_BYTES + PADDING_LEAST;
    member->begins = (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    member->numbers = member->begins + npy.count;
    size_t padding = PADDING_LEAST + (size_t)(member->begins - least);
    add_number(&local, 0x04034B50, 4);
    add_about(&local, member, SIZES_BYTES + padding);
    add_bytes(&local, member->name, strlen(member->name));
    add_number(&local, 1, 2);
    add_number(&local, 16, 2);
    add_number(&local, member->bytes, 8);
    add_number(&local, member->bytes, 8);
    add_number(&local, PADDING_ID, 2);
    add_number(&local, padding - 4, 2);
    add_number(&local, ALIGNMENT, 2);
    while (local.count < member->begins - member->header)
        add_number(&local, 0, 1);
    zip->end = member->begins + member->bytes;
    linpred_status status = linpred__zip_put(zip, member->header, local.at, local.count, error);
    return status == LINPRED_OK ? linpred__zip_put(zip, member->begins, npy.at, npy.count, error) : status;
}

linpred_status linpred__zip_seal(linpred__zip *zip, uint32_t checksum, linpred_error *error)
{
    linpred__zip_member *member = &zip->member[zip->members - 1];
    struct gathered patch = {.count = 0};
    uint64_t numbers = member->begins + member->bytes - member->numbers;
    member->checksum = (uint32_t)crc32_combine(member->checksum, checksum, (z_off_t)numbers);
    add_number(&patch, member->checksum, 4);
    return linpred__zip_put(zip, member->header + LOCAL_CHECKSUM, patch.at, patch.count, error);
}

static void make_entry(const linpred__zip_member *member, struct gathered *made)
{
    made->count = 0;
    add_number(made, 0x02014B50, 4);
    add_number(made, VERSION, 2); /* made by */
    add_about(made, member, PLACES_BYTES);
    add_number(made, 0, 2); /* length of a comment */
    add_number(made, 0, 2); /* disk */
    add_number(made, 0, 2); /* attributes */
    add_number(made, 0, 4);
    add_number(made, 0xFFFFFFFFu, 4); /* the place stands in the extra field */
    add_bytes(made, member->name, strlen(member->name));
    add_number(made, 1, 2);
    add_number(made, 24, 2);
    add_number(made, member->bytes, 8);
    add_number(made, member->bytes, 8);
    add_number(made, member->header, 8);
}

/* The end of the directory in 64 bits, where that stands, and the end that old readers look for. */
static void make_end(const linpred__zip *zip, uint64_t from, uint64_t to, struct gathered *made)
{
    uint64_t members = (uint64_t)zip->members;
    made->count = 0;
    add_number(made, 0x06064B50, 4);
    add_number(made, 44, 8); /* bytes that follow */
    add_number(made, VERSION, 2);
    add_number(made, VERSION, 2);
    add_number(made, 0, 4);
    add_number(made, 0, 4);
    add_number(made, members, 8);
    add_number(made, members, 8);
    add_number(made, to - from, 8);
    add_number(made, from, 8);
    add_number(made, 0x07064B50, 4);
    add_number(made, 0, 4);
    add_number(made, to, 8);
    add_number(made, 1, 4);
    add_number(made, 0x06054B50, 4);
    add_number(made, 0, 2);
    add_number(made, 0, 2);
    add_number(made, members, 2);
    add_number(made, members, 2);
    add_number(made, 0xFFFFFFFFu, 4);
    add_number(made, 0xFFFFFFFFu, 4);
    add_number(made, 0, 2);
}

linpred_status linpred__zip_finish(linpred__zip *zip, linpred_error *error)
{
    uint64_t from = zip->end;
    struct gathered made;
    linpred_status status = LINPRED_OK;
    for (int i = 0; i < zip->members && status == LINPRED_OK; i++) {
        make_entry(&zip->member[i], &made);
        status = linpred__zip_put(zip, zip->end, made.at, made.count, error);
        zip->end += made.count;
    }
    make_end(zip, from, zip->end, &made);
    return status == LINPRED_OK ? linpred__zip_put(zip, zip->end, made.at, made.count, error) : status;
}
