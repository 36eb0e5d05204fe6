/* Unpacks runs and deltas. Bits are packed from the least significant bit of each byte. */
#include "table/parquet/runs.h"

#include "table/parquet/thrift.h"

/* `width` bits from bit `bit` on; all bytes that hold them lie before `end`. */
static uint64_t take_bits(const unsigned char *bits, const unsigned char *end, int64_t bit, unsigned width)
{
    const unsigned char *at = bits + (bit >> 3);
    unsigned shift = (unsigned)(bit & 7), have = 0;
    uint64_t value = 0;
    if (width == 0)
        return 0;
    if (end - at >= 8) {
        for (unsigned i = 0; i < 8; i++) /* compilers make one load of it */
            value |= (uint64_t)at[i] << (8 * i);
        have = 64;
    } else {
        for (; at + have / 8 < end; have += 8)
            value |= (uint64_t)at[have / 8] << have;
    }
    value >>= shift;
    if (have - shift < width && have == 64) /* a wide number reaches into a ninth byte */
        value |= (uint64_t)at[8] << (64 - shift);
    return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

void linpred__runs_open(const unsigned char *at, const unsigned char *end, unsigned width, linpred__runs *runs)
{
    *runs = (linpred__runs){.at = at, .end = end, .width = width};
}

/* Begins the next run. */
static bool begin_run(linpred__runs *runs)
{
    linpred__thrift head = {runs->at, runs->end, false};
    uint64_t length = linpred__thrift_varint(&head);
    if (head.damaged || length < 2 || length > UINT32_MAX)
        return false;
    int64_t bytes_left = head.end - head.at;
    runs->packed = length & 1;
    if (runs->packed) {
        int64_t values = (int64_t)(length >> 1) * 8, bytes = (int64_t)(length >> 1) * runs->width;
        if (bytes > bytes_left) { /* the last run need not be whole: missing numbers are not needed */
            bytes = bytes_left;
            values = runs->width ? bytes * 8 / runs->width : values;
        }
        if (values == 0)
            return false;
        runs->bits = head.at;
        runs->bits_end = runs->at = head.at + bytes;
        runs->bit = 0;
        runs->left = values;
        return true;
    }
    unsigned bytes = (runs->width + 7) / 8;
    if (bytes > bytes_left)
        return false;
    runs->value = 0;
    for (unsigned i = 0; i < bytes; i++)
        runs->value |= (uint32_t)head.at[i] << (8 * i);
    runs->at = head.at + bytes;
    runs->left = (int64_t)(length >> 1);
    return true;
}

bool linpred__runs_next(linpred__runs *runs, int64_t count, uint32_t *numbers)
{
    while (count > 0) {
        if (runs->left == 0 && !begin_run(runs))
            return false;
        int64_t now = count < runs->left ? count : runs->left;
        if (runs->packed)
            for (int64_t i = 0; i < now; i++, runs->bit += runs->width)
                numbers[i] = (uint32_t)take_bits(runs->bits, runs->bits_end, runs->bit, runs->width);
        else
            for (int64_t i = 0; i < now; i++)
                numbers[i] = runs->value;
        runs->left -= now;
        numbers += now;
        count -= now;
    }
    return true;
}

/* ---- deltas ------------------------------------------------------------------------------------------------------ */

bool linpred__deltas_open(const unsigned char *at, const unsigned char *end, linpred__deltas *deltas)
{
    linpred__thrift head = {at, end, false};
    uint64_t block = linpred__thrift_varint(&head);
    uint64_t miniblocks = linpred__thrift_varint(&head);
    uint64_t total = linpred__thrift_varint(&head);
    uint64_t first = (uint64_t)linpred__thrift_zigzag(&head);
    if (head.damaged || block == 0 || block > 1 << 24 || miniblocks == 0 || miniblocks > block ||
        block % miniblocks != 0 || block / miniblocks % 8 != 0)
        return false;
    *deltas = (linpred__deltas){.at = head.at,
                                .end = end,
                                .total = total,
                                .last = first,
                                .first = true,
                                .miniblocks = (uint32_t)miniblocks,
                                .miniblock_values = (uint32_t)(block / miniblocks)};
    deltas->miniblock = deltas->miniblocks;
    deltas->index = deltas->miniblock_values;
    return true;
}

/* Goes to the next miniblock, and to the next block after the last. */
static bool next_miniblock(linpred__deltas *d)
{
    if (d->miniblock == d->miniblocks) {
        linpred__thrift head = {d->at, d->end, false};
        d->least = (uint64_t)linpred__thrift_zigzag(&head);
        if (head.damaged || head.end - head.at < (int64_t)d->miniblocks)
            return false;
        d->widths = head.at;
        d->at = head.at + d->miniblocks;
        d->miniblock = 0;
    }
    d->width = d->widths[d->miniblock++];
    int64_t bytes = (int64_t)d->width * d->miniblock_values / 8;
    if (d->width > 64 || bytes > d->end - d->at)
        return false;
    d->bits = d->at;
    d->at += bytes;
    d->index = 0;
    return true;
}

bool linpred__deltas_next(linpred__deltas *d, int64_t count, int64_t *numbers)
{
    if ((uint64_t)count > d->total)
        return false;
    d->total -= (uint64_t)count;
    for (int64_t i = 0; i < count; i++) {
        if (!d->first) {
            if (d->index == d->miniblock_values && !next_miniblock(d))
                return false;
            d->last += d->least + take_bits(d->bits, d->at, (int64_t)d->index++ * d->width, d->width);
        }
        d->first = false;
        numbers[i] = (int64_t)d->last;
    }
    return true;
}

const unsigned char *linpred__deltas_end(const linpred__deltas *deltas)
{
    linpred__deltas all = *deltas;
    for (uint64_t left = all.total - (all.total > 0 && all.first); left > 0;) {
        if (!next_miniblock(&all))
            return NULL;
        left -= left < all.miniblock_values ? left : all.miniblock_values;
    }
    return all.at;
}
