/* What the columns of an archive need (data/decimals.h), as two arrays: `decimals`, 23 where a column has none, and
 * `largest`, the largest |x|. Who reads rows beyond memory need not look at all of them first. */
#include <stdio.h>
#include <string.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "table/npz/beyond.h"

static linpred_status write_whole(linpred__zip *zip, const char *name, const char *type, int32_t count,
                                  const void *items, linpred_error *error)
{
    size_t bytes = (size_t)count * (size_t)(type[2] - '0');
    char shape[32];
    snprintf(shape, sizeof shape, "(%d,)", (int)count);
    linpred_status status = linpred__zip_add(zip, name, type, shape, bytes, error);
    if (status == LINPRED_OK)
        status = linpred__zip_put(zip, zip->member[zip->members - 1].numbers, items, bytes, error);
    return status == LINPRED_OK ? linpred__zip_seal(zip, linpred__checksum(0, items, bytes), error) : status;
}

linpred_status linpred__npz_write_needs(linpred__zip *zip, const linpred__need *need, int32_t columns,
                                        linpred_error *error)
{
    unsigned char *decimals = linpred__alloc((size_t)columns, sizeof *decimals);
    double *largest = linpred__alloc((size_t)columns, sizeof *largest);
    linpred_status status = decimals && largest ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t j = 0; status == LINPRED_OK && j < columns; j++) {
        decimals[j] = (unsigned char)need[j].needed;
        memcpy(&largest[j], &need[j].largest, sizeof largest[j]);
    }
    if (status == LINPRED_OK)
        status = write_whole(zip, "decimals", "|u1", columns, decimals, error);
    if (status == LINPRED_OK)
        status = write_whole(zip, "largest", "<f8", columns, largest, error);
    linpred__release(decimals);
    linpred__release(largest);
    return status;
}

/* Reads a whole array and compares its checksum. */
static linpred_status read_whole(const linpred__zip *zip, const char *name, const char *type, int32_t count,
                                 void *items, linpred_error *error)
{
    linpred__npz_array array;
    linpred_status status = linpred__npz_find(zip, name, type, (uint64_t)count, &array, error);
    if (status == LINPRED_OK)
        status = linpred__zip_get(zip, array.numbers, items, (size_t)array.bytes, error);
    if (status == LINPRED_OK &&
        linpred__checksum(array.header_checksum, items, (size_t)array.bytes) != array.member->checksum)
        status = linpred__npz_damaged(zip, name, error);
    return status;
}

linpred_status linpred__npz_read_needs(const linpred__zip *zip, int32_t columns, linpred__need *needs, bool *stated,
                                       linpred_error *error)
{
    size_t count = (size_t)columns;
    if (!linpred__zip_find(zip, "decimals") || !linpred__zip_find(zip, "largest")) {
        *stated = false; /* older archives do not say it */
        return LINPRED_OK;
    }
    unsigned char *decimals = linpred__alloc(count, sizeof *decimals);
    double *largest = linpred__alloc(count, sizeof *largest);
    linpred_status status = decimals && largest ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = read_whole(zip, "decimals", "|u1", columns, decimals, error);
    if (status == LINPRED_OK)
        status = read_whole(zip, "largest", "<f8", columns, largest, error);
    for (size_t j = 0; status == LINPRED_OK && j < count; j++) {
        uint64_t bits;
        memcpy(&bits, &largest[j], sizeof bits);
        if (decimals[j] > LINPRED__MAX_DECIMALS + 1 || !(largest[j] >= 0.0))
            status = linpred__npz_damaged(zip, "decimals", error);
        needs[j].needed = decimals[j] > needs[j].needed ? decimals[j] : needs[j].needed;
        needs[j].largest = bits > needs[j].largest ? bits : needs[j].largest;
    }
    linpred__release(decimals);
    linpred__release(largest);
    return status;
}
