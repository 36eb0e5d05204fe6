/* The entries of one row, dense or sparse, as a borrowed view. */
#ifndef LINPRED_NUM_ENTRIES_H
#define LINPRED_NUM_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct linpred__entries {
    int64_t count;          /* in a dense row the number of columns */
    const double *values;   /* of each entry */
    const int32_t *indices; /* the column of each entry; NULL if entry k is in column k */
} linpred__entries;

static inline int32_t linpred__entry_column(const linpred__entries *entries, int64_t k)
{
    return entries->indices ? entries->indices[k] : (int32_t)k;
}

#endif
