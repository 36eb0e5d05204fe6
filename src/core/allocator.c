/* The public call that replaces the allocator. */
#include "core/memory.h"
#include "core/struct_size.h"

bool linpred_set_allocator(const linpred_allocator *allocator)
{
    linpred_allocator next;
    if (allocator && linpred__struct_read(&next, sizeof next, allocator, "linpred_allocator", NULL) != LINPRED_OK)
        return false;
    linpred__use_allocator(allocator ? &next : NULL);
    return true;
}
