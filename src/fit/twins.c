#include "fit/twins.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"

/* A row's values as (column, value) pairs without the zeros: equal for dense and sparse rows of the same numbers. */
static bool same_row(const linpred__block *a, int32_t r, const linpred__block *b, int32_t s)
{
    if (a->layout == LINPRED__DENSE) {
        const double *x = a->values + r * a->stride, *y = b->values + s * b->stride;
        for (int32_t j = 0; j < a->columns; j++)
            if (x[j] != y[j])
                return false;
        return true;
    }
    int64_t i = a->start[r], k = b->start[s];
    for (;; i++, k++) {
        while (i < a->start[r + 1] && a->values[i] == 0.0)
            i++;
        while (k < b->start[s + 1] && b->values[k] == 0.0)
            k++;
        if (i == a->start[r + 1] || k == b->start[s + 1])
            return i == a->start[r + 1] && k == b->start[s + 1];
        if (a->indices[i] != b->indices[k] || a->values[i] != b->values[k])
            return false;
    }
}

/* Rows with equal x share a chain of slots that starts where their hash says; a slot holds a row + 1, 0 if empty. The
   first row of each x and label is kept. */
static bool meet(const linpred_data *data, const uint64_t *hash, int64_t *slot, uint64_t mask, int64_t row,
                 int64_t *other)
{
    int32_t r, s;
    const linpred__block *block = linpred__block_of(data, row, &r);
    for (uint64_t at = hash[row] & mask;; at = (at + 1) & mask) {
        if (slot[at] == 0) {
            slot[at] = row + 1;
            return false;
        }
        int64_t seen = slot[at] - 1;
        const linpred__block *before = linpred__block_of(data, seen, &s);
        if (hash[seen] != hash[row] || !same_row(block, r, before, s))
            continue;
        *other = seen;
        return block->target[r] != before->target[s];
    }
}

linpred_status linpred__find_twins(const linpred_data *data, linpred__pool *pool, int64_t rows, bool *found,
                                   int64_t twin[2], linpred_error *error)
{
    if (rows > data->rows)
        rows = data->rows;
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)rows)
        slots *= 2;
    uint64_t *hash = linpred__alloc((size_t)rows, sizeof *hash);
    int64_t *slot = linpred__calloc((size_t)slots, sizeof *slot);
    linpred_status status =
        hash && slot ? linpred__row_hashes(data, pool, rows, hash, error) : linpred__no_memory(error);
    *found = false;
    for (int64_t row = 0; status == LINPRED_OK && row < rows && !*found; row++) {
        *found = meet(data, hash, slot, slots - 1, row, &twin[0]);
        twin[1] = row;
    }
    linpred__release(hash);
    linpred__release(slot);
    return status;
}
