/* The search for contradictory rows: a sieve by hashes, then a hash table of the rows that pass it. */
#include "separate/rows/contradictory_rows.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/data.h"
#include "data/fingerprint.h"

/* Looks a row up in the hash table and inserts it if its x is new. Returns whether the table holds a row with the same
   x and the other label, *other. A slot holds row + 1, or 0 if it is empty. */
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
        if (hash[seen] != hash[row] || !linpred__same_row(data, row, seen))
            continue;
        *other = seen;
        return block->target[r] != before->target[s];
    }
}

/* Lists the rows that may have a contradictory partner in `suspect`, ascending, and returns their number, or -1 if
   memory runs out. Each row sets one bit, chosen by its hash, in the bit array of its label. A row is listed if its bit
   is set for the other label. With 16 bits for each row few rows pass by chance. The bit arrays stay in cache, which a
   hash table of all rows would not. */
static int64_t sieve(const linpred_data *data, const uint64_t *hash, int64_t rows, int64_t *suspect)
{
    uint64_t words = 64;
    while (words * 4 < (uint64_t)rows)
        words *= 2;
    uint64_t *bits[2] = {linpred__calloc((size_t)words, sizeof(uint64_t)),
                         linpred__calloc((size_t)words, sizeof(uint64_t))};
    int64_t count = bits[0] && bits[1] ? 0 : -1;
    for (int round = 0; round < 2 && count >= 0; round++)
        for (int64_t row = 0; row < rows;) {
            int32_t r = (int32_t)(row % data->block_rows);
            const linpred__block *block = &data->block[row / data->block_rows]; /* its targets are enough */
            for (; r < block->rows && row < rows; r++, row++) {
                bool positive = block->target[r] > 0;
                uint64_t word = (hash[row] >> 6) & (words - 1), bit = (uint64_t)1 << (hash[row] & 63);
                if (round == 0) {
                    bits[positive][word] |= bit;
                } else {
                    suspect[count] = row; /* if it is none, the next row overwrites it */
                    count += (bits[!positive][word] & bit) != 0;
                }
            }
        }
    linpred__release(bits[0]);
    linpred__release(bits[1]);
    return count;
}

static linpred_status meet_all(const linpred_data *data, const uint64_t *hash, const int64_t *suspect, int64_t count,
                               bool *found, int64_t pair[2], linpred_error *error)
{
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)count)
        slots *= 2;
    int64_t *slot = linpred__calloc((size_t)slots, sizeof *slot);
    if (!slot)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < count && !*found; i++) {
        *found = meet(data, hash, slot, slots - 1, suspect[i], &pair[0]);
        pair[1] = suspect[i];
    }
    linpred__release(slot);
    return LINPRED_OK;
}

linpred_status linpred__find_contradictory_rows(const linpred_data *data, linpred__pool *pool, int64_t rows,
                                                bool *found, int64_t pair[2], linpred_error *error)
{
    if (rows > data->rows)
        rows = data->rows;
    *found = false;
    uint64_t *hash = linpred__alloc((size_t)rows, sizeof *hash);
    int64_t *suspect = linpred__alloc((size_t)rows, sizeof *suspect);
    linpred_status status =
        hash && suspect ? linpred__row_hashes(data, pool, rows, hash, error) : linpred__no_memory(error);
    int64_t count = status == LINPRED_OK ? sieve(data, hash, rows, suspect) : -1;
    if (status == LINPRED_OK && count < 0)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && count > 0)
        status = meet_all(data, hash, suspect, count, found, pair, error);
    linpred__release(hash);
    linpred__release(suspect);
    return status;
}
