/* Reads the directory of an npz archive. Members that are packed are refused when they are looked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "table/npz/zip.h"

enum { LOCAL_BYTES = 30, DIRECTORY_BYTES = 46, LOCATOR_BYTES = 20, END64_BYTES = 56, END_BYTES = 22, FIELD_BYTES = 4 };

linpred_status linpred__zip_get(const linpred__zip *zip, uint64_t at, void *bytes, size_t count, linpred_error *error)
{
    char *to = bytes;
    while (count > 0) {
        ssize_t got = pread(zip->descriptor, to, count, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read '%s': %s", zip->name, strerror(errno));
        if (got == 0)
            return linpred__fail(error, LINPRED_ERROR_FILE,
                                 "%s: the file ends at byte %llu, before its last number; "
                                 "it was cut or is being written",
                                 zip->name, (unsigned long long)at);
        to += got;
        at += (uint64_t)got;
        count -= (size_t)got;
    }
    return LINPRED_OK;
}

static uint64_t number_at(const unsigned char *bytes, int width)
{
    uint64_t number = 0;
    for (int i = width - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static linpred_status broken_archive(const linpred__zip *zip, linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "%s: the directory of the npz archive cannot be read: the file was cut or changed", zip->name);
}

/* Replaces what a 32-bit field could not hold by what the extra field says. */
static void read_places(const unsigned char *extra, size_t bytes, uint64_t *whole, uint64_t *packed, uint64_t *header)
{
    uint64_t *const field[] = {whole, packed, header};
    while (bytes >= FIELD_BYTES) {
        size_t length = (size_t)number_at(extra + 2, 2);
        if (length > bytes - FIELD_BYTES)
            return;
        const unsigned char *at = extra + FIELD_BYTES;
        if (number_at(extra, 2) == 1)
            for (int i = 0; i < 3 && length >= 8; i++)
                if (*field[i] == 0xFFFFFFFFu) {
                    *field[i] = number_at(at, 8);
                    at += 8;
                    length -= 8;
                }
        length = (size_t)number_at(extra + 2, 2) + FIELD_BYTES;
        extra += length;
        bytes -= length;
    }
}

/* Reads one entry of the directory at *at, and moves *at behind it. */
static linpred_status read_entry(linpred__zip *zip, uint64_t size, uint64_t *at, linpred_error *error)
{
    unsigned char head[DIRECTORY_BYTES], text[512], local[LOCAL_BYTES];
    if (size < DIRECTORY_BYTES || *at > size - DIRECTORY_BYTES)
        return broken_archive(zip, error);
    linpred_status status = linpred__zip_get(zip, *at, head, sizeof head, error);
    if (status != LINPRED_OK)
        return status;
    size_t name = (size_t)number_at(head + 28, 2), extra = (size_t)number_at(head + 30, 2);
    if (number_at(head, 4) != 0x02014B50 || name + extra > sizeof text || name == 0)
        return broken_archive(zip, error);
    status = linpred__zip_get(zip, *at + DIRECTORY_BYTES, text, name + extra, error);
    if (status != LINPRED_OK)
        return status;
    *at += DIRECTORY_BYTES + name + extra + number_at(head + 32, 2);
    uint64_t packed = number_at(head + 20, 4), whole = number_at(head + 24, 4), header = number_at(head + 42, 4);
    read_places(text + name, extra, &whole, &packed, &header);
    if (name >= LINPRED__ZIP_NAME || zip->members == LINPRED__ZIP_MEMBERS)
        return LINPRED_OK; /* none of ours */
    if (number_at(head + 10, 2) != 0 || packed != whole)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: '%.*s' is packed; linpred convert writes arrays as they are, as numpy.savez does",
                             zip->name, (int)name, (const char *)text);
    if (header > size - LOCAL_BYTES)
        return broken_archive(zip, error);
    status = linpred__zip_get(zip, header, local, sizeof local, error);
    if (status != LINPRED_OK)
        return status;
    uint64_t begins = header + LOCAL_BYTES + number_at(local + 26, 2) + number_at(local + 28, 2);
    if (number_at(local, 4) != 0x04034B50 || begins > size || whole > size - begins)
        return broken_archive(zip, error);
    linpred__zip_member *member = &zip->member[zip->members++];
    *member = (linpred__zip_member){.header = header, .begins = begins, .bytes = whole};
    member->checksum = (uint32_t)number_at(head + 16, 4);
    memcpy(member->name, text, name);
    return LINPRED_OK;
}

linpred_status linpred__zip_open(linpred__zip *zip, uint64_t size, linpred_error *error)
{
    unsigned char end[LOCATOR_BYTES + END_BYTES], end64[END64_BYTES];
    if (size < sizeof end)
        return broken_archive(zip, error);
    linpred_status status = linpred__zip_get(zip, size - sizeof end, end, sizeof end, error);
    if (status != LINPRED_OK)
        return status;
    const unsigned char *old = end + LOCATOR_BYTES;
    if (number_at(old, 4) != 0x06054B50)
        return broken_archive(zip, error);
    uint64_t entries = number_at(old + 10, 2), at = number_at(old + 16, 4);
    if (number_at(end, 4) == 0x07064B50) {
        uint64_t place = number_at(end + 8, 8);
        if (size < END64_BYTES || place > size - END64_BYTES)
            return broken_archive(zip, error);
        status = linpred__zip_get(zip, place, end64, sizeof end64, error);
        if (status != LINPRED_OK)
            return status;
        if (number_at(end64, 4) != 0x06064B50)
            return broken_archive(zip, error);
        entries = number_at(end64 + 32, 8);
        at = number_at(end64 + 48, 8);
    }
    for (uint64_t i = 0; i < entries && status == LINPRED_OK; i++)
        status = read_entry(zip, size, &at, error);
    return status;
}

const linpred__zip_member *linpred__zip_find(const linpred__zip *zip, const char *name)
{
    char whole[LINPRED__ZIP_NAME];
    snprintf(whole, sizeof whole, "%s.npy", name);
    for (int i = 0; i < zip->members; i++)
        if (strcmp(zip->member[i].name, whole) == 0)
            return &zip->member[i];
    return NULL;
}
