/* The ascending order of int64_t, for qsort and bsearch. It also orders structs whose first member is an int64_t. */
#ifndef LINPRED_CORE_ASCENDING_H
#define LINPRED_CORE_ASCENDING_H

#include <stdint.h>

static inline int linpred__ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#endif
