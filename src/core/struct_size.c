/* Copies between structs of different versions. */
#include "core/struct_size.h"

#include <string.h>

#include "core/error.h"

/* Every struct of the interface is smaller than this. A larger size means that struct_size was not set. */
enum { MAX_BYTES = 1 << 16 };

static size_t size_of(const void *given)
{
    size_t bytes;
    memcpy(&bytes, given, sizeof bytes);
    return bytes > sizeof bytes && bytes <= MAX_BYTES ? bytes : 0;
}

bool linpred__struct_fill(void *out, const void *made, size_t known)
{
    size_t bytes = out ? size_of(out) : 0;
    if (bytes == 0)
        return false;
    size_t common = bytes < known ? bytes : known;
    memcpy((char *)out + sizeof(size_t), (const char *)made + sizeof(size_t), common - sizeof(size_t));
    memset((char *)out + common, 0, bytes - common);
    return true;
}

linpred_status linpred__struct_check(const void *out, const char *name, linpred_error *error)
{
    return size_of(out) > 0
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_USAGE, "set struct_size of %s to sizeof(%s)", name, name);
}

linpred_status linpred__struct_read(void *into, size_t known, const void *from, const char *name, linpred_error *error)
{
    size_t bytes = size_of(from);
    linpred_status status = linpred__struct_check(from, name, error);
    if (status != LINPRED_OK)
        return status;
    for (size_t i = known; i < bytes; i++)
        if (((const char *)from)[i] != 0)
            return linpred__fail(error, LINPRED_ERROR_USAGE,
                                 "%s has a member that this version, %s, does not know, and it is not 0", name,
                                 linpred_version());
    memset(into, 0, known);
    memcpy(into, from, bytes < known ? bytes : known);
    return LINPRED_OK;
}
