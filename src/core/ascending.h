/* The order of whole numbers, for qsort and bsearch; also of structs that begin with one. */
#ifndef LINPRED_CORE_ASCENDING_H
#define LINPRED_CORE_ASCENDING_H

#include <stdint.h>

static inline int linpred__ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#endif
