/* The rank of the rows of a witness, modulo a prime.
 *
 * Rows overlap if Σ λ z = 0 with positive λ on rows that span the space. For if <v,z> >= 0 on every row, then 0 = <v, Σ
 * λ z> implies <v,z> = 0 on these rows, hence v = 0. The rank modulo a prime is at most the true rank, so full rank
 * modulo a prime is a proof.
 */
#include <math.h>
#include <string.h>

#include "check/witness/combination.h"
#include "core/error.h"
#include "core/int128.h"
#include "core/memory.h"

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t multiply_modulo(uint64_t a, uint64_t b)
{
    linpred__uint128 product = (linpred__uint128)a * b;
    uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = prime - 2; power > 0; power >>= 1, a = multiply_modulo(a, a))
        if (power & 1)
            result = multiply_modulo(result, a);
    return result;
}

/* x modulo the prime 2^61 - 1. There 2^61 = 1, so there are only 61 different powers of two. */
static uint64_t residue(double x)
{
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int power = ((exponent - 53) % 61 + 61) % 61;
    uint64_t value = multiply_modulo(mantissa % prime, UINT64_C(1) << power);
    return x < 0 && value > 0 ? prime - value : value;
}

/* Reduces a row by the echelon form of `rank` rows. Returns whether the row raises the rank. */
static bool reduce_row(uint64_t *form, const int32_t *pivot, int32_t rank, int32_t columns, uint64_t *row)
{
    for (int32_t i = 0; i < rank; i++) {
        uint64_t factor = row[pivot[i]];
        const uint64_t *known = form + (int64_t)i * columns;
        for (int32_t j = 0; factor > 0 && j < columns; j++)
            if (known[j] > 0) {
                uint64_t less = multiply_modulo(factor, known[j]);
                row[j] = row[j] >= less ? row[j] - less : row[j] + prime - less;
            }
    }
    int32_t at = 0;
    while (at < columns && row[at] == 0)
        at++;
    if (at == columns)
        return false;
    uint64_t factor = inverse(row[at]);
    for (int32_t j = 0; j < columns; j++)
        form[(int64_t)rank * columns + j] = multiply_modulo(row[j], factor);
    return true;
}

linpred_status linpred__check_span(const linpred__combination *witness, const linpred_data *data, bool has_intercept,
                                   int32_t *rank, linpred_error *error)
{
    int32_t columns = data->columns + has_intercept;
    uint64_t *form = linpred__alloc((size_t)columns * (size_t)columns, sizeof *form);
    uint64_t *row = linpred__alloc((size_t)columns, sizeof *row);
    int32_t *pivot = linpred__alloc((size_t)columns, sizeof *pivot);
    *rank = 0;
    for (int64_t i = 0; form && row && pivot && i < witness->count && *rank < columns; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, witness->row[i], &r);
        if (!block)
            continue;
        linpred__entries entries = linpred__entries_of(block, r);
        memset(row, 0, (size_t)columns * sizeof *row);
        for (int64_t k = 0; k < entries.count; k++)
            row[linpred__entry_column(&entries, k)] = residue(entries.values[k]);
        if (has_intercept)
            row[columns - 1] = 1;
        if (reduce_row(form, pivot, *rank, columns, row)) {
            int32_t at = 0;
            while (form[(int64_t)*rank * columns + at] == 0)
                at++;
            pivot[(*rank)++] = at;
        }
    }
    bool made = form && row && pivot;
    linpred__release(form);
    linpred__release(row);
    linpred__release(pivot);
    return made ? LINPRED_OK : linpred__no_memory(error);
}
