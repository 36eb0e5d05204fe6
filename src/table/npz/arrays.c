/* The arrays of an npz archive: where their numbers begin, and what the recipe says of them. */
#include <string.h>
#include <zlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/npz/npz.h"

static linpred_status no_member(const linpred__zip *zip, const char *name, linpred_error *error)
{
    return linpred__fail(
        error, LINPRED_ERROR_INPUT,
        "%s: the npz archive has no array '%s', so that linpred convert has not written it; one matrix "
        "can be read from an npy file",
        zip->name, name);
}

linpred_status linpred__npz_find(const linpred__zip *zip, const char *name, const char *type, uint64_t count,
                                 linpred__npz_array *array, linpred_error *error)
{
    enum { HEAD = 10, LONGEST = 1 << 10 };
    const linpred__zip_member *member = linpred__zip_find(zip, name);
    unsigned char head[LONGEST + 1];
    if (!member)
        return no_member(zip, name, error);
    size_t known = member->bytes < LONGEST ? (size_t)member->bytes : (size_t)LONGEST;
    linpred_status status = linpred__zip_get(zip, member->begins, head, known, error);
    if (status != LINPRED_OK)
        return status;
    size_t length = known >= HEAD ? HEAD + (head[8] | (size_t)head[9] << 8) : 0;
    uint64_t item = (uint64_t)(type[2] - '0'), bytes;
    head[known] = '\0';
    bool right = known >= HEAD && memcmp(head, "\x93NUMPY\x01", 7) == 0 && length <= known;
    if (right)
        head[length - 1] = '\0';
    right = right && strstr((char *)head + HEAD, type) && strstr((char *)head + HEAD, "'fortran_order': False") &&
            !__builtin_mul_overflow(item, count, &bytes) && member->bytes - length == bytes;
    if (!right)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "%s: the array '%s' is not the one that the recipe speaks of: it must hold %llu numbers of "
            "type %s; convert the source again",
            zip->name, name, (unsigned long long)count, type);
    head[length - 1] = '\n';
    *array = (linpred__npz_array){member->begins + length, bytes, (uint32_t)crc32(0, head, (uInt)length), member};
    return LINPRED_OK;
}

linpred_status linpred__npz_open(int descriptor, uint64_t size, linpred__zip *zip, linpred__table *table,
                                 linpred__npz_columns *columns, linpred_error *error)
{
    *zip = (linpred__zip){.descriptor = descriptor, .name = table->name};
    table->archived = true;
    linpred_status status = linpred__zip_open(zip, size, error);
    if (status != LINPRED_OK)
        return status;
    enum { HEADER = 128 }; /* the npy header of a text: one line, padded */
    const linpred__zip_member *member = linpred__zip_find(zip, "recipe");
    if (!member || member->bytes <= HEADER)
        return no_member(zip, "recipe", error);
    size_t bytes = (size_t)member->bytes;
    char *text = linpred__alloc(bytes, 1);
    if (!text)
        return linpred__no_memory(error);
    status = linpred__zip_get(zip, member->begins, text, bytes, error);
    size_t from = 10 + ((unsigned char)text[8] | (size_t)(unsigned char)text[9] << 8);
    if (status == LINPRED_OK && crc32_z(0, (const unsigned char *)text, bytes) != member->checksum)
        status = linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array 'recipe' was damaged: its checksum differs",
                               table->name);
    if (status == LINPRED_OK)
        status = from < bytes ? linpred__npz_head(text + from, bytes - from, table, columns, error)
                              : no_member(zip, "recipe", error);
    linpred__release(text);
    return status;
}

linpred_status linpred__npz_damaged(const linpred__zip *zip, const char *name, linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the array '%s' was damaged or changed: its checksum differs",
                         zip->name, name);
}

size_t linpred__npz_code_points(const char *text, uint32_t *points)
{
    size_t count = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; count++) {
        int more = *at < 0x80 ? 0 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : 3;
        uint32_t point = more == 0 ? *at : *at & (0x3Fu >> more);
        for (at++; more > 0 && *at; more--, at++)
            point = point << 6 | (*at & 0x3Fu);
        if (points)
            points[count] = point;
    }
    return count;
}
