/* Which rows of the data are equal: a hash that equal rows share, and the comparison itself. */
#include <string.h>

#include "check/cover/cover.h"

/* The next entry of a row that is not 0. */
static bool next_entry(const linpred__entries *row, int64_t *k, int32_t *column, double *value)
{
    while (*k < row->count && row->values[*k] == 0.0)
        ++*k;
    if (*k == row->count)
        return false;
    *column = linpred__entry_column(row, *k);
    *value = row->values[(*k)++];
    return true;
}

uint64_t linpred__hash_row(const linpred__block *block, int32_t r)
{
    linpred__entries row = linpred__entries_of(block, r);
    uint64_t hash = 14695981039346656037u, bits;
    int64_t k = 0;
    int32_t column;
    for (double value; next_entry(&row, &k, &column, &value);) {
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ (uint64_t)column) * 1099511628211u;
        hash = (hash ^ bits ^ (hash >> 29)) * 1099511628211u;
    }
    return hash ^ (hash >> 32);
}

bool linpred__rows_equal(const linpred__block *block, int32_t r, const linpred__block *other, int32_t s)
{
    linpred__entries a = linpred__entries_of(block, r), b = linpred__entries_of(other, s);
    int64_t i = 0, j = 0;
    int32_t column = 0, column_b = 0;
    double value = 0.0, value_b = 0.0;
    for (;;) {
        bool more = next_entry(&a, &i, &column, &value);
        if (more != next_entry(&b, &j, &column_b, &value_b))
            return false;
        if (!more)
            return true;
        if (column != column_b || value != value_b)
            return false;
    }
}
