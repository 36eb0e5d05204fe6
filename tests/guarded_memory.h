/* Memory with guards: each piece is followed by bytes that differ from those behind the next piece. Whoever writes
 * beyond a piece, or copies more than it holds, spoils them, which is seen when the piece is released. Before it are
 * large numbers, which show in the answers of whoever reads them. */
#ifndef LINPRED_TESTS_GUARDED_MEMORY_H
#define LINPRED_TESTS_GUARDED_MEMORY_H

#include "support.h"

struct guarded {
    size_t bytes;
    unsigned char guard;
};
enum { GUARD_BEFORE = 32, GUARD_BEHIND = 64 };
static _Atomic unsigned guards_made;

static inline void guarded_release(void *context, void *memory)
{
    (void)context;
    if (!memory)
        return;
    const struct guarded *piece = (const struct guarded *)((char *)memory - GUARD_BEFORE);
    const unsigned char *behind = (const unsigned char *)memory + piece->bytes;
    for (int i = 0; i < GUARD_BEHIND; i++)
        if (behind[i] != piece->guard)
            abort();
    free((char *)memory - GUARD_BEFORE);
}

static inline void *guarded_reallocate(void *context, void *memory, size_t bytes)
{
    char *made = malloc(GUARD_BEFORE + bytes + GUARD_BEHIND);
    const struct guarded *old = memory ? (const struct guarded *)((char *)memory - GUARD_BEFORE) : NULL;
    if (!made)
        return NULL;
    unsigned char guard = (unsigned char)(1 + guards_made++ % 251);
    memset(made, 0x5a, GUARD_BEFORE);
    *(struct guarded *)made = (struct guarded){bytes, guard};
    memset(made + GUARD_BEFORE, 0xa5, bytes);
    memset(made + GUARD_BEFORE + bytes, guard, GUARD_BEHIND);
    if (old)
        memcpy(made + GUARD_BEFORE, memory, old->bytes < bytes ? old->bytes : bytes);
    guarded_release(context, memory);
    return made + GUARD_BEFORE;
}

/* For the set-up of a group of tests. */
static inline int guard_memory(void **state)
{
    (void)state;
    static const linpred_allocator guarded = {sizeof(linpred_allocator), guarded_reallocate, guarded_release, NULL};
    linpred_set_allocator(&guarded);
    return 0;
}

#endif
