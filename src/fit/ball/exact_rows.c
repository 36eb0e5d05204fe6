/* Lifted rows y ((x-c)/2^u, ||x-c||²/2^q, 1) without rounding, and integer weights for them in the units of the file.
   u and q are `unit` and `square_unit` of lift.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "fit/ball/lift.h"

/* Sparse rows under construction. */
struct builder {
    linpred__gathered made;
    size_t values_capacity;
    size_t indices_capacity;
    size_t exponents_capacity;
    bool wide;       /* entries have exponents */
    int64_t entries; /* of all rows so far */
    bool whole;      /* every number so far is a sum of doubles */
    bool memory;     /* no allocation failed */
};

/* Appends value 2^exponent. The exponent is 0 if rows are not wide. */
static void put_far(struct builder *b, int32_t column, double value, long exponent)
{
    size_t needed = (size_t)b->entries + 1;
    b->memory = b->memory && linpred__grow(&b->made.values, &b->values_capacity, needed, sizeof(double)) &&
                linpred__grow(&b->made.indices, &b->indices_capacity, needed, sizeof(int32_t)) &&
                (!b->wide || linpred__grow(&b->made.exponents, &b->exponents_capacity, needed, sizeof(int16_t)));
    if (!b->memory)
        return;
    if (b->wide)
        b->made.exponents[b->entries] = (int16_t)exponent;
    b->made.values[b->entries] = value;
    b->made.indices[b->entries++] = column;
}

static void put(struct builder *b, int32_t column, double value)
{
    put_far(b, column, value, 0);
}

/* value 2^-exponent. Clears b->whole if that is not exact. */
static double in_units(struct builder *b, double value, int exponent)
{
    double scaled = ldexp(value, -exponent);
    b->whole = b->whole && ldexp(scaled, exponent) == value;
    return scaled;
}

/* Appends y (x-c, ||x-c||², 1). The square, in units of 4^-1074, is cut into pieces of 53 bits. */
static void put_wide_row(struct builder *b, const linpred__ball_lift *lift, int64_t row)
{
    enum { LOWEST = 1074 };
    const linpred_data *data = lift->data;
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    double y = lift->inside * block->target[r];
    mpz_t sum, x, piece;
    mpz_inits(sum, x, piece, NULL);
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t j = linpred__entry_column(&entries, k);
        double moved = entries.values[k] - lift->about[j];
        linpred__set_shifted(x, moved, LOWEST);
        mpz_addmul(sum, x, x);
        if (moved != 0.0)
            put(b, j, y * moved);
    }
    while (mpz_sgn(sum) > 0) {
        size_t bits = mpz_sizeinbase(sum, 2), drop = bits > 53 ? bits - 53 : 0;
        mpz_tdiv_q_2exp(piece, sum, drop);
        put_far(b, data->columns, y * mpz_get_d(piece), (long)drop - 2 * LOWEST);
        mpz_tdiv_r_2exp(sum, sum, drop);
    }
    mpz_clears(sum, x, piece, NULL);
    put(b, data->columns + 1, y);
}

/* Appends y ((x-c)/2^u, ||x-c||²/2^q, 1). The square takes as many entries as it needs to be exact. */
static void put_row(struct builder *b, const linpred__ball_lift *lift, int64_t row)
{
    const linpred_data *data = lift->data;
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    double y = lift->inside * block->target[r];
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t j = linpred__entry_column(&entries, k);
        double moved = entries.values[k] - lift->about[j], x = in_units(b, moved, lift->unit);
        double root = in_units(b, moved, lift->square_unit / 2);
        linpred__exact_add(&sum, root, root);
        if (x != 0.0)
            put(b, j, y * x);
    }
    while (b->whole && b->memory && linpred__exact_sign(&sum) != 0) {
        double part = linpred__exact_value(&sum);
        if (part == 0.0) { /* what is left is below the smallest double */
            b->whole = false;
            break;
        }
        put(b, data->columns, y * part);
        linpred__exact_add(&sum, -part, 1.0);
    }
    put(b, data->columns + 1, y);
}

linpred_status linpred__ball_gather(const linpred__ball_lift *lift, const int64_t *row, int64_t count,
                                    linpred__gathered *gathered, bool *whole, linpred_error *error)
{
    struct builder b = {.wide = lift->wide, .whole = true, .memory = true};
    b.made.start = linpred__alloc((size_t)count + 1, sizeof *b.made.start);
    b.memory = b.made.start != NULL;
    for (int64_t i = 0; i < count && b.memory && b.whole; i++) {
        b.made.start[i] = b.entries;
        if (row[i] == lift->data->rows)
            put(&b, lift->data->columns, -1.0);
        else if (lift->wide)
            put_wide_row(&b, lift, row[i]);
        else
            put_row(&b, lift, row[i]);
    }
    if (!b.memory || !b.whole) {
        linpred__gathered_clear(&b.made);
        *whole = b.whole;
        return b.memory ? LINPRED_OK : linpred__no_memory(error);
    }
    b.made.start[count] = b.entries;
    b.made.rows = (linpred__rows){.rows = (int32_t)count,
                                  .columns = lift->data->columns + 2,
                                  .values = b.made.values,
                                  .start = b.made.start,
                                  .indices = b.made.indices,
                                  .exponents = b.made.exponents};
    *gathered = b.made;
    *whole = true;
    return LINPRED_OK;
}

/* The exponent of the lowest bit that is set in any c_j, or 0 if that exponent is positive. */
static int lowest_bit(const double *c, int32_t columns)
{
    int lowest = 0;
    for (int32_t j = 0; j < columns; j++) {
        int exponent;
        double fraction = frexp(c[j], &exponent);
        if (fraction == 0.0)
            continue;
        int64_t mantissa = (int64_t)ldexp(fraction, 53);
        exponent += __builtin_ctzll((unsigned long long)mantissa) - 53;
        lowest = exponent < lowest ? exponent : lowest;
    }
    return lowest;
}

/* integer = c 2^g. The product must be an integer. */
static void set_integer(mpz_t integer, double c, int g)
{
    int exponent;
    mpz_set_d(integer, ldexp(frexp(c, &exponent), 53));
    if (c != 0.0 && exponent - 53 + g >= 0)
        mpz_mul_2exp(integer, integer, (mp_bitcnt_t)(exponent - 53 + g));
    else if (c != 0.0)
        mpz_tdiv_q_2exp(integer, integer, (mp_bitcnt_t)(53 - exponent - g));
}

/* Let W be the weights of exact rows: W_j of the columns, -A of the square, W_1 of the constant. Let g be such that c
 * 2^g is integral. Then 2^q <W, exact row> = Σ (W_j 2^(q-u) + 2 A c_j) x_j - A ||x||² + (W_1 2^q - Σ W_j c_j 2^(q-u) -
 * A ||c||²). Multiplied by 2^e, e = 2g + |q| + |q-u|, all weights on the right are integers. */
static void expand(const linpred__ball_lift *lift, const linpred__integers *w, linpred__integers *out)
{
    int32_t d = lift->data->columns;
    int q = lift->square_unit, slope = q - lift->unit, g = -lowest_bit(lift->about, d);
    int e = 2 * g + abs(q) + abs(slope);
    mpz_t c, term, curvature;
    mpz_inits(c, term, curvature, NULL);
    mpz_neg(curvature, w->value[d]);
    mpz_mul_2exp(out->value[d], w->value[d], (mp_bitcnt_t)e);
    mpz_mul_2exp(out->value[d + 1], w->value[d + 1], (mp_bitcnt_t)(q + e));
    for (int32_t j = 0; j < d; j++) {
        mpz_mul_2exp(out->value[j], w->value[j], (mp_bitcnt_t)(slope + e));
        set_integer(c, lift->about[j], g);
        mpz_mul(term, w->value[j], c);
        mpz_mul_2exp(term, term, (mp_bitcnt_t)(slope - g + e));
        mpz_sub(out->value[d + 1], out->value[d + 1], term);
        mpz_mul(term, curvature, c);
        mpz_mul(c, term, c);
        mpz_mul_2exp(c, c, (mp_bitcnt_t)(e - 2 * g));
        mpz_sub(out->value[d + 1], out->value[d + 1], c);
        mpz_mul_2exp(term, term, (mp_bitcnt_t)(e - g + 1));
        mpz_add(out->value[j], out->value[j], term);
    }
    mpz_clears(c, term, curvature, NULL);
    linpred__integers_reduce(out);
}

linpred_status linpred__ball_direction(const linpred__ball_lift *lift, const linpred__integers *w,
                                       linpred__direction *direction, linpred_error *error)
{
    linpred__integers out;
    if (!linpred__integers_open(w->count, &out))
        return linpred__no_memory(error);
    expand(lift, w, &out);
    linpred_status status = linpred__direction_open(direction, w->count) ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t j = 0; j < w->count && status == LINPRED_OK; j++) {
        if (lift->inside < 0)
            mpz_neg(out.value[j], out.value[j]);
        direction->entry[j] = linpred__integers_text(&out, j);
        if (!direction->entry[j])
            status = linpred__no_memory(error);
    }
    linpred__integers_close(&out);
    return status;
}
