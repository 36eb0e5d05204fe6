/* Directions and spans: what proves that logistic regression has no minimum, or that rows overlap.
 *
 *   no minimum    an integer v with y<v,(x,1)> >= 0 on every row and > 0 on some: along v the loss falls for ever
 *   overlapping   Σ λ z = 0 with positive integers λ (combination.c) on rows that span the space: a v with <v,z> >= 0
 * everywhere has 0 = <v, Σ λ z>, so <v,z> = 0 on these rows, hence v = 0.
 *
 * A sign is taken from doubles where their rounding cannot change it, else from integers. A rank modulo a prime is at
 * most the rank itself, so that full rank modulo a prime is proof.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "core/int128.h"
#include "check/integers.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"

/* ---- directions -------------------------------------------------------------------------------------------------- */

struct direction {
    int32_t count;
    bool has_intercept;
    mpz_t *v;
    double *rounded; /* v times a power of two */
    bool cut;        /* some entry is too small beside the largest for that: only integers tell signs */
};

struct lane {
    int64_t positive;
    int64_t negative;
    int64_t exactly;
};

static bool init(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static int exact_sign(const struct direction *direction, const linpred__entries *row)
{
    mpz_t sum, scratch;
    mpz_inits(sum, scratch, NULL);
    for (int64_t k = 0; k < row->count; k++)
        linpred__add_exactly(sum, direction->v[linpred__entry_column(row, k)], row->values[k], scratch);
    if (direction->has_intercept)
        linpred__add_exactly(sum, direction->v[direction->count - 1], 1.0, scratch);
    int sign = mpz_sgn(sum);
    mpz_clears(sum, scratch, NULL);
    return sign;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct direction *direction = context;
    struct lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        double sum = direction->has_intercept ? direction->rounded[direction->count - 1] : 0.0;
        double size = fabs(sum);
        for (int64_t k = 0; k < row.count; k++) {
            double product = row.values[k] * direction->rounded[linpred__entry_column(&row, k)];
            sum += product;
            size += fabs(product);
        }
        /* One more rounding a term than in a plain sum: that of v. */
        double bound = ((double)row.count + 8.0) * 2.0 * DBL_EPSILON * size + (double)(row.count + 1) * 0x1p-1000;
        bool clear = fabs(sum) > bound && !direction->cut;
        int sign = clear ? (sum > 0) - (sum < 0) : exact_sign(direction, &row);
        sign = block->target[r] > 0 ? sign : -sign;
        lane->exactly += !clear;
        lane->positive += sign > 0;
        lane->negative += sign < 0;
    }
}

static void merge(void *context, void *into, const void *from)
{
    (void)context;
    struct lane *a = into;
    const struct lane *b = from;
    a->positive += b->positive;
    a->negative += b->negative;
    a->exactly += b->exactly;
}

/* v as doubles, the largest about 1. */
static void round_direction(struct direction *direction)
{
    long top = 0;
    for (int32_t j = 0; j < direction->count; j++) {
        long exponent;
        mpz_get_d_2exp(&exponent, direction->v[j]);
        top = exponent > top ? exponent : top;
    }
    for (int32_t j = 0; j < direction->count; j++) {
        long exponent;
        double fraction = mpz_get_d_2exp(&exponent, direction->v[j]); /* towards zero: off by at most 2^-52 */
        bool small = fraction != 0.0 && exponent - top < -1000;
        direction->rounded[j] = small ? 0.0 : ldexp(fraction, (int)(exponent - top));
        direction->cut = direction->cut || small;
    }
}

linpred_status linpred__check_recession(const linpred__certificate *certificate, const linpred_data *data,
                                        linpred__pool *pool, bool has_intercept, linpred__recession *recession,
                                        linpred_error *error)
{
    struct direction direction = {.count = certificate->directions, .has_intercept = has_intercept};
    size_t count = (size_t)direction.count;
    direction.v = linpred__alloc(count, sizeof *direction.v);
    direction.rounded = linpred__alloc(count, sizeof *direction.rounded);
    if (!direction.v || !direction.rounded) {
        linpred__release(direction.v);
        linpred__release(direction.rounded);
        return linpred__no_memory(error);
    }
    for (size_t j = 0; j < count; j++)
        mpz_init_set_str(direction.v[j], certificate->direction[j], 10);
    round_direction(&direction);
    linpred__visitor visitor = {sizeof(struct lane), init, visit, merge, NULL, &direction};
    struct lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    for (size_t j = 0; j < count; j++)
        mpz_clear(direction.v[j]);
    linpred__release(direction.v);
    linpred__release(direction.rounded);
    if (status == LINPRED_OK)
        *recession = (linpred__recession){total.positive, total.negative, total.exactly};
    return status;
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t multiply(uint64_t a, uint64_t b)
{
    linpred__uint128 product = (linpred__uint128)a * b;
    uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = prime - 2; power > 0; power >>= 1, a = multiply(a, a))
        if (power & 1)
            result = multiply(result, a);
    return result;
}

/* x modulo the prime: 2^61 is 1, so a power of two is one of 61. */
static uint64_t residue(double x)
{
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int power = ((exponent - 53) % 61 + 61) % 61;
    uint64_t value = multiply(mantissa % prime, UINT64_C(1) << power);
    return x < 0 && value > 0 ? prime - value : value;
}

/* One more row into the echelon form of `rank` rows; whether it adds to the rank. */
static bool eliminate(uint64_t *form, const int32_t *pivot, int32_t rank, int32_t columns, uint64_t *row)
{
    for (int32_t i = 0; i < rank; i++) {
        uint64_t factor = row[pivot[i]];
        const uint64_t *known = form + (int64_t)i * columns;
        for (int32_t j = 0; factor > 0 && j < columns; j++)
            if (known[j] > 0) {
                uint64_t less = multiply(factor, known[j]);
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
        form[(int64_t)rank * columns + j] = multiply(row[j], factor);
    return true;
}

linpred_status linpred__check_span(const linpred__certificate *certificate, const linpred_data *data,
                                   bool has_intercept, int32_t *rank, linpred_error *error)
{
    int32_t columns = data->columns + has_intercept;
    uint64_t *form = linpred__alloc((size_t)columns * (size_t)columns, sizeof *form);
    uint64_t *row = linpred__alloc((size_t)columns, sizeof *row);
    int32_t *pivot = linpred__alloc((size_t)columns, sizeof *pivot);
    *rank = 0;
    for (int64_t i = 0; form && row && pivot && i < certificate->witnesses && *rank < columns; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, certificate->witness_row[i], &r);
        if (!block)
            continue;
        linpred__entries entries = linpred__entries_of(block, r);
        memset(row, 0, (size_t)columns * sizeof *row);
        for (int64_t k = 0; k < entries.count; k++)
            row[linpred__entry_column(&entries, k)] = residue(entries.values[k]);
        if (has_intercept)
            row[columns - 1] = 1;
        if (eliminate(form, pivot, *rank, columns, row)) {
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
