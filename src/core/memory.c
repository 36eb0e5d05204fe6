/* The allocator: realloc and free unless the caller set another one. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/error.h"
#include "core/limits.h"

static void *plain_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return realloc(memory, bytes);
}

static void plain_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

#define PLAIN                                                                                                          \
    {                                                                                                                  \
        sizeof(linpred_allocator), plain_reallocate, plain_release, NULL                                               \
    }
static const linpred_allocator plain = PLAIN;
static linpred_allocator current = PLAIN;

static void use_allocator(const linpred_allocator *allocator)
{
    current = allocator ? *allocator : plain;
}

/* Asks the system to hold the whole huge pages of large memory as such: a pass over rows then waits less for the
   translation of addresses. Whether it does changes nothing else. Memory of a caller's allocator is the caller's to
   advise. */
static void advise_large(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = 1 << 21, begin = ((uintptr_t)memory + huge - 1) / huge * huge,
                    end = ((uintptr_t)memory + bytes) / huge * huge;
    int before = errno;
    if (current.reallocate == plain_reallocate && bytes >= LINPRED__LARGE_BYTES && begin < end)
        (void)madvise((char *)memory + (begin - (uintptr_t)memory), end - begin, MADV_HUGEPAGE);
    errno = before;
#else
    (void)memory;
    (void)bytes;
#endif
}

static _Atomic size_t refused; /* the last request that failed, for the error that follows; 0: none since */

void *linpred__resize(void *memory, size_t count, size_t size)
{
    size_t bytes;
    void *got = NULL;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        bytes = SIZE_MAX;
    else
        got = current.reallocate(current.context, memory, bytes > 0 ? bytes : 1);
    if (got)
        advise_large(got, bytes);
    else
        atomic_store(&refused, bytes);
    return got;
}

size_t linpred__memory_refused(void)
{
    return atomic_exchange(&refused, 0);
}

void *linpred__alloc(size_t count, size_t size)
{
    return linpred__resize(NULL, count, size);
}

void *linpred__calloc(size_t count, size_t size)
{
    void *memory = linpred__alloc(count, size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void linpred__release(void *memory)
{
    if (memory)
        current.release(current.context, memory);
}

char *linpred__copy_text(const char *text, size_t bytes)
{
    char *copy = linpred__alloc(bytes + 1, 1);
    if (copy) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return copy;
}

int linpred__grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return 1;
    void *old;
    memcpy(&old, array, sizeof old); /* array is the address of a pointer of any type */
    size_t wanted = *capacity + *capacity / 2 + 16;
    if (wanted < needed)
        wanted = needed;
    void *grown = linpred__resize(old, wanted, size);
    if (!grown)
        return 0;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return 1;
}

bool linpred_set_allocator(const linpred_allocator *allocator)
{
    linpred_allocator next;
    if (allocator && linpred__struct_read(&next, sizeof next, allocator, "linpred_allocator", NULL) != LINPRED_OK)
        return false;
    use_allocator(allocator ? &next : NULL);
    return true;
}
