/* Hashes of rows and of the data: see fingerprint.h for the formula. */
#include "data/fingerprint.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/limits.h"
#include "data/tree.h"
#include "data/row.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t bits_of(double value)
{
    double plain = value + 0.0; /* turns -0 into 0 */
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static inline uint64_t term(double value, uint64_t key)
{
    uint64_t bits = bits_of(value);
    return (bits ^ (bits >> 32)) * key;
}

typedef uint64_t half_hashes __attribute__((vector_size(32)));

/* The hash of a dense row, eight columns at a time in two halves (row.h). The row is read up to the padded length; the
   keys are 0 there, so that what stands after the columns adds nothing. */
static inline __attribute__((always_inline)) uint64_t padded_row(const double *x, const uint64_t *key, int32_t columns)
{
    half_hashes sum[2] = {{0}};
    for (int32_t j = 0; j < columns; j += 8)
        for (int half = 0; half < 2; half++) {
            linpred__half_lanes value;
            half_hashes bits, k;
            memcpy(&value, x + j + 4 * half, sizeof value);
            memcpy(&k, key + j + 4 * half, sizeof k);
            value += 0.0; /* turns -0 into 0 */
            memcpy(&bits, &value, sizeof bits);
            sum[half] += (bits ^ (bits >> 32)) * k;
        }
    half_hashes t = sum[0] + sum[1];
    return (t[0] + t[2]) + (t[1] + t[3]);
}

/* h_r = Σ_j m(bits of x_rj) K_j for rows from .. to - 1. */
LINPRED__FAST static void hash_rows(const linpred__block *block, int32_t from, int32_t to, const uint64_t *key,
                                    uint64_t *hash)
{
    for (int32_t r = from; r < to; r++) {
        if (linpred__row_reads_padded(block, r)) {
            hash[r - from] = padded_row(block->values + r * block->stride, key, block->columns);
            continue;
        }
        linpred__entries row = linpred__entries_of(block, r);
        uint64_t sum = 0;
        for (int64_t k = 0; k < row.count; k++)
            sum += term(row.values[k], key[linpred__entry_column(&row, k)]);
        hash[r - from] = sum;
    }
}

static void visit_hashes(void *context, void *state, const linpred__block *block)
{
    const uint64_t *key = context;
    uint64_t *sum = state;
    uint64_t hash[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        hash_rows(block, from, to, key, hash);
        for (int32_t r = from; r < to; r++) {
            uint64_t h = mix(hash[r - from] + (uint64_t)(block->first_row + r) * 0x9E3779B97F4A7C15u);
            h = mix(h ^ bits_of(block->target[r]));
            *sum += mix(h + bits_of(linpred__row_weight(block, r)));
        }
    }
}

static void merge_hashes(void *context, void *into, const void *from)
{
    (void)context;
    *(uint64_t *)into += *(const uint64_t *)from;
}

static uint64_t key_of(int32_t column)
{
    return mix((uint64_t)column + 0x9E3779B97F4A7C15u) | 1;
}

/* The K_j of every column, padded with zeros to whole vectors; NULL if out of memory. */
static uint64_t *make_keys(int32_t columns)
{
    uint64_t *key = linpred__calloc(linpred__padded(columns), sizeof *key);
    for (int32_t j = 0; key && j < columns; j++)
        key[j] = key_of(j);
    return key;
}

bool linpred__fingerprint_visitor(const linpred_data *data, linpred__visitor *visitor)
{
    *visitor = (linpred__visitor){sizeof(uint64_t),    NULL, visit_hashes, merge_hashes, NULL, make_keys(data->columns),
                                  linpred__whole_state};
    return visitor->context != NULL;
}

uint64_t linpred__fingerprint_end(const linpred_data *data, uint64_t sum)
{
    uint64_t hash = mix(mix(sum ^ (uint64_t)data->rows) + (uint64_t)data->columns), decimals = 0;
    if (!data->decimals)
        return hash;
    for (int32_t j = 0; j < data->columns; j++)
        decimals += data->decimals->column[j] > 0 ? (uint64_t)data->decimals->column[j] * key_of(j) : 0;
    decimals += data->decimals->target > 0 ? (uint64_t)data->decimals->target * key_of(data->columns) : 0;
    return mix(hash ^ decimals);
}

linpred_status linpred__fingerprint(const linpred_data *data, linpred__pool *pool, uint64_t *fingerprint,
                                    linpred_error *error)
{
    linpred__visitor visitor;
    if (!linpred__fingerprint_visitor(data, &visitor))
        return linpred__no_memory(error);
    uint64_t sum;
    linpred_status status =
        linpred__pass_all(data, pool, &visitor, (void *[]){&sum}, 1, linpred__cut_small(data), error);
    linpred__release(visitor.context);
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
    const linpred__block *block = linpred__block_at(hashing->data, task);
    uint64_t *hash = hashing->hash + block->first_row;
    int64_t left = hashing->rows - block->first_row;
    int32_t count = left < block->rows ? (int32_t)left : block->rows;
    hash_rows(block, 0, count, hashing->key, hash);
    for (int32_t r = 0; r < count; r++)
        hash[r] = mix(hash[r]);
}

linpred_status linpred__row_hashes(const linpred_data *data, linpred__pool *pool, int64_t rows, uint64_t *hash,
                                   linpred_error *error)
{
    uint64_t *key = make_keys(data->columns);
    if (!key)
        return linpred__no_memory(error);
    struct hashing hashing = {data, key, rows, hash};
    linpred__pool_run(pool, (rows + data->block_rows - 1) / data->block_rows, hash_block, &hashing);
    linpred__release(key);
    return LINPRED_OK;
}
