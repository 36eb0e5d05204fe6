#include "data/fingerprint.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t bits_of(double value)
{
    double plain = value + 0.0; /* -0 and 0 are the same value */
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static inline uint64_t term(double value, uint64_t key)
{
    uint64_t bits = bits_of(value);
    return (bits ^ (bits >> 32)) * key;
}

LINPRED__FAST static uint64_t dense_row(const double *x, const uint64_t *key, int32_t columns)
{
    uint64_t sum = 0;
    for (int32_t j = 0; j < columns; j++)
        sum += term(x[j], key[j]);
    return sum;
}

static uint64_t sparse_row(const linpred__block *block, int32_t r, const uint64_t *key)
{
    uint64_t sum = 0;
    for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
        sum += term(block->values[k], key[block->indices[k]]);
    return sum;
}

static bool init(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static uint64_t row_hash(const linpred__block *block, int32_t r, const uint64_t *key)
{
    return block->layout == LINPRED__DENSE ? dense_row(block->values + r * block->stride, key, block->columns)
                                           : sparse_row(block, r, key);
}

uint64_t linpred__fingerprint_rows(const linpred__block *block, const uint64_t *key)
{
    uint64_t sum = 0;
    for (int32_t r = 0; r < block->rows; r++) {
        uint64_t h = row_hash(block, r, key);
        h = mix(h + (uint64_t)(block->first_row + r) * 0x9E3779B97F4A7C15u);
        h = mix(h ^ bits_of(block->target[r]));
        sum += mix(h + bits_of(linpred__row_weight(block, r)));
    }
    return sum;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    *(uint64_t *)state += linpred__fingerprint_rows(block, context);
}

static void merge(void *context, void *into, const void *from)
{
    (void)context;
    *(uint64_t *)into += *(const uint64_t *)from;
}

uint64_t *linpred__fingerprint_keys(int32_t columns)
{
    uint64_t *key = linpred__alloc((size_t)columns, sizeof *key);
    for (int32_t j = 0; key && j < columns; j++)
        key[j] = mix((uint64_t)j + 0x9E3779B97F4A7C15u) | 1;
    return key;
}

uint64_t linpred__fingerprint_end(const linpred_data *data, uint64_t sum)
{
    return mix(mix(sum ^ (uint64_t)data->rows) + (uint64_t)data->columns);
}

linpred_status linpred__fingerprint(const linpred_data *data, linpred__pool *pool, uint64_t *fingerprint,
                                    linpred_error *error)
{
    uint64_t *key = linpred__fingerprint_keys(data->columns);
    if (!key)
        return linpred__no_memory(error);
    linpred__visitor visitor = {sizeof(uint64_t), init, visit, merge, NULL, key};
    uint64_t sum;
    linpred_status status = linpred__pass(data, pool, &visitor, &sum, error);
    linpred__release(key);
    if (status == LINPRED_OK)
        *fingerprint = linpred__fingerprint_end(data, sum);
    return status;
}

struct hashing {
    const linpred_data *data;
    const uint64_t *key;
    int64_t rows;
    uint64_t *hash;
};

static void hash_block(void *context, int64_t task)
{
    const struct hashing *hashing = context;
    const linpred__block *block = &hashing->data->block[task];
    for (int32_t r = 0; r < block->rows && block->first_row + r < hashing->rows; r++)
        hashing->hash[block->first_row + r] = mix(row_hash(block, r, hashing->key));
}

linpred_status linpred__row_hashes(const linpred_data *data, linpred__pool *pool, int64_t rows, uint64_t *hash,
                                   linpred_error *error)
{
    uint64_t *key = linpred__fingerprint_keys(data->columns);
    if (!key)
        return linpred__no_memory(error);
    struct hashing hashing = {data, key, rows, hash};
    linpred__pool_run(pool, (rows + data->block_rows - 1) / data->block_rows, hash_block, &hashing);
    linpred__release(key);
    return LINPRED_OK;
}
