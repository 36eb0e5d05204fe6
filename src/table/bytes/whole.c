/* Maps a file, or reads a stream to its end. */
#include "table/bytes/whole.h"

#include <string.h>
#include <sys/mman.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/limits.h"

static linpred_status map_whole(const linpred__source *source, linpred__whole *whole, linpred_error *error)
{
    size_t size = (size_t)linpred__input_size(source->input);
    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, linpred__input_descriptor(source->input), 0);
    if (mapping == MAP_FAILED)
        return linpred__no_memory(error);
    *whole = (linpred__whole){mapping, size, true};
    return LINPRED_OK;
}

linpred_status linpred__whole_open(linpred__source *source, linpred__whole *whole, linpred_error *error)
{
    if (linpred__input_descriptor(source->input) >= 0 && linpred__input_size(source->input) > 0)
        return map_whole(source, whole, error);
    for (size_t wanted = LINPRED__HEAD_BYTES; !source->ended; wanted = 2 * source->held_bytes) {
        linpred_status status = linpred__source_hold(source, wanted, error);
        if (status != LINPRED_OK)
            return status;
    }
    *whole = (linpred__whole){(const unsigned char *)source->held, source->held_bytes, false};
    source->held = source->held_memory = NULL;
    source->held_bytes = source->held_capacity = 0;
    return LINPRED_OK;
}

void linpred__whole_close(linpred__whole *whole)
{
    void *data = (void *)(uintptr_t)whole->data;
    if (whole->mapped)
        munmap(data, whole->bytes);
    else
        linpred__release(data);
    *whole = (linpred__whole){0};
}
