/* Decodes the values of a page. Numbers are little-endian. */
#include "table/parquet/values.h"

#include <string.h>

#include "core/memory.h"
#include "table/limits.h"

static uint64_t little_endian(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* Bytes of a value of a type with one length; 1 for the others, where nothing asks for it. */
static int32_t value_bytes(const linpred__parquet_column *column)
{
    switch (column->type) {
    case LINPRED__PARQUET_INT32:
    case LINPRED__PARQUET_FLOAT:
        return 4;
    case LINPRED__PARQUET_INT64:
    case LINPRED__PARQUET_DOUBLE:
        return 8;
    case LINPRED__PARQUET_FIXED:
        return column->length;
    default:
        return 1;
    }
}

bool linpred__parquet_encoding_known(linpred__parquet_type type, int32_t encoding)
{
    bool whole = type == LINPRED__PARQUET_INT32 || type == LINPRED__PARQUET_INT64;
    bool bytes = type == LINPRED__PARQUET_BYTES, fixed = type == LINPRED__PARQUET_FIXED;
    switch (encoding) {
    case LINPRED__ENCODING_PLAIN:
        return true;
    case LINPRED__ENCODING_PLAIN_DICTIONARY:
    case LINPRED__ENCODING_DICTIONARY:
        return type != LINPRED__PARQUET_BOOLEAN;
    case LINPRED__ENCODING_RLE:
        return type == LINPRED__PARQUET_BOOLEAN;
    case LINPRED__ENCODING_DELTA:
        return whole;
    case LINPRED__ENCODING_DELTA_LENGTH:
        return bytes;
    case LINPRED__ENCODING_DELTA_BYTES:
        return bytes || fixed;
    case LINPRED__ENCODING_SPLIT:
        return whole || fixed || type == LINPRED__PARQUET_FLOAT || type == LINPRED__PARQUET_DOUBLE;
    default:
        return false;
    }
}

/* Finds where the lengths end and the bytes begin. */
static bool open_lengths(linpred__parquet_values *v)
{
    if (v->encoding == LINPRED__ENCODING_DELTA_BYTES) {
        if (!linpred__deltas_open(v->at, v->end, &v->prefix))
            return false;
        v->at = linpred__deltas_end(&v->prefix);
    }
    if (!v->at || !linpred__deltas_open(v->at, v->end, &v->deltas))
        return false;
    v->at = linpred__deltas_end(&v->deltas);
    return v->at != NULL;
}

bool linpred__parquet_values_open(linpred__parquet_values *v, const linpred__parquet_column *column,
                                  const linpred__parquet_page *page)
{
    int64_t bytes = page->data_end - page->data;
    v->column = column;
    v->encoding = page->encoding;
    v->at = page->data;
    v->end = page->data_end;
    v->index = 0;
    v->last_bytes = 0;
    v->by_dictionary = false;
    v->deltas = v->prefix = (linpred__deltas){0}; /* no numbers, if the page has no bytes */
    switch (page->encoding) {
    case LINPRED__ENCODING_PLAIN_DICTIONARY:
    case LINPRED__ENCODING_DICTIONARY:
        v->by_dictionary = page->kind != LINPRED__PAGE_DICTIONARY; /* the dictionary itself is plain */
        if (!v->by_dictionary)
            v->encoding = LINPRED__ENCODING_PLAIN;
        else if (bytes > 0 && *v->at > 32)
            return false;
        else
            linpred__runs_open(v->at + (bytes > 0), v->end, bytes > 0 ? *v->at : 0, &v->runs);
        return true;
    case LINPRED__ENCODING_RLE:
        if (bytes < 4) /* a page of missing values only may be empty */
            linpred__runs_open(v->end, v->end, 1, &v->runs);
        else if (little_endian(v->at, 4) > (uint64_t)(bytes - 4))
            return false;
        else
            linpred__runs_open(v->at + 4, v->end, 1, &v->runs);
        return true;
    case LINPRED__ENCODING_DELTA:
        return bytes == 0 || linpred__deltas_open(v->at, v->end, &v->deltas);
    case LINPRED__ENCODING_DELTA_LENGTH:
    case LINPRED__ENCODING_DELTA_BYTES:
        v->text_left = LINPRED__PARQUET_PREFIXED + (uint64_t)bytes * LINPRED__PARQUET_PREFIXED_A_BYTE;
        return bytes == 0 || open_lengths(v);
    case LINPRED__ENCODING_SPLIT:
        v->stride = bytes / value_bytes(column);
        return true;
    default:
        return true;
    }
}

/* ---- the encodings ----------------------------------------------------------------------------------------------- */

/* Values of one length. With `step` 1 the bytes of a value lie together; in SPLIT they lie `step` apart. */
static void take_fixed(linpred__parquet_type type, const unsigned char *at, int64_t between, int64_t step,
                       int64_t count, linpred__parquet_batch *batch)
{
    bool wide = type == LINPRED__PARQUET_INT64 || type == LINPRED__PARQUET_DOUBLE;
    bool whole = type == LINPRED__PARQUET_INT32 || type == LINPRED__PARQUET_INT64;
    for (int64_t i = 0; i < count; i++, at += between) {
        uint64_t bits = 0;
        if (step == 1)
            bits = wide ? little_endian(at, 8) : little_endian(at, 4);
        else
            for (int k = 0; k < (wide ? 8 : 4); k++)
                bits |= (uint64_t)at[k * step] << (8 * k);
        uint32_t half = (uint32_t)bits;
        float single;
        if (whole) {
            batch->whole[i] = wide ? (int64_t)bits : (int32_t)half;
        } else if (wide) {
            memcpy(&batch->real[i], &bits, sizeof bits);
        } else {
            memcpy(&single, &half, sizeof half);
            batch->real[i] = (double)single;
        }
    }
}

static bool take_plain(linpred__parquet_values *v, int64_t count, linpred__parquet_batch *batch)
{
    int64_t left = v->end - v->at, length = value_bytes(v->column);
    if (v->column->type == LINPRED__PARQUET_BOOLEAN) {
        if ((v->index + count + 7) / 8 > left)
            return false;
        for (int64_t i = 0; i < count; i++, v->index++)
            batch->whole[i] = v->at[v->index / 8] >> (v->index % 8) & 1;
        return true;
    }
    if (v->column->type == LINPRED__PARQUET_BYTES) {
        for (int64_t i = 0; i < count; i++) {
            left = v->end - v->at;
            uint64_t bytes = left < 4 ? 0 : little_endian(v->at, 4);
            if (left < 4 || bytes > (uint64_t)(left - 4))
                return false;
            batch->slice[i] = (linpred__slice){v->at + 4, (size_t)bytes};
            v->at += 4 + bytes;
        }
        return true;
    }
    if (left / length < count)
        return false;
    if (v->column->type == LINPRED__PARQUET_FIXED)
        for (int64_t i = 0; i < count; i++)
            batch->slice[i] = (linpred__slice){v->at + i * length, (size_t)length};
    else
        take_fixed(v->column->type, v->at, length, 1, count, batch);
    v->at += count * length;
    return true;
}

/* Makes room for `bytes` more of text after the first `used`. */
static bool reserve_text(linpred__parquet_values *v, size_t used, size_t bytes)
{
    if (bytes > v->text_left)
        return false;
    v->text_left -= bytes;
    v->no_memory = !linpred__grow(&v->text, &v->text_capacity, used + bytes, 1);
    return !v->no_memory;
}

static bool take_split(linpred__parquet_values *v, int64_t count, linpred__parquet_batch *batch)
{
    if (count > v->stride - v->index)
        return false;
    const unsigned char *at = v->at + v->index;
    size_t length = (size_t)v->column->length;
    v->index += count;
    if (v->column->type != LINPRED__PARQUET_FIXED) {
        take_fixed(v->column->type, at, 1, v->stride, count, batch);
        return true;
    }
    v->no_memory = !linpred__grow(&v->text, &v->text_capacity, (size_t)count * length, 1);
    if (v->no_memory)
        return false;
    for (int64_t i = 0; i < count; i++) {
        unsigned char *to = v->text + (size_t)i * length;
        for (size_t k = 0; k < length; k++)
            to[k] = at[i + (int64_t)k * v->stride];
        batch->slice[i] = (linpred__slice){to, length};
    }
    return true;
}

static bool take_lengths(linpred__parquet_values *v, int64_t count, linpred__parquet_batch *batch)
{
    int64_t length[LINPRED__PARQUET_BATCH];
    if (!linpred__deltas_next(&v->deltas, count, length))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (length[i] < 0 || length[i] > v->end - v->at)
            return false;
        batch->slice[i] = (linpred__slice){v->at, (size_t)length[i]};
        v->at += length[i];
    }
    return true;
}

/* Each value is the beginning of the one before and a rest. The values of the batch lie in v->text; a value that
   repeats the one before is not copied. */
static bool take_prefixed(linpred__parquet_values *v, int64_t count, linpred__parquet_batch *batch)
{
    int64_t prefix[LINPRED__PARQUET_BATCH];
    size_t start[LINPRED__PARQUET_BATCH];
    if (!linpred__deltas_next(&v->prefix, count, prefix) || !take_lengths(v, count, batch))
        return false;
    size_t last = 0, last_bytes = v->last_bytes, used = last_bytes;
    for (int64_t i = 0; i < count; i++) {
        linpred__slice rest = batch->slice[i];
        if (prefix[i] < 0 || (uint64_t)prefix[i] > last_bytes)
            return false;
        size_t common = (size_t)prefix[i], bytes = common + rest.bytes;
        if (v->column->type == LINPRED__PARQUET_FIXED && bytes != (size_t)v->column->length)
            return false;
        if (rest.bytes > 0 || common < last_bytes) {
            if (!reserve_text(v, used, bytes))
                return false;
            if (common > 0)
                memcpy(v->text + used, v->text + last, common);
            if (rest.bytes > 0)
                memcpy(v->text + used + common, rest.at, rest.bytes);
            last = used;
            used += bytes;
        }
        start[i] = last;
        last_bytes = bytes;
        batch->slice[i].bytes = bytes;
    }
    for (int64_t i = 0; i < count; i++)
        batch->slice[i].at = v->text ? v->text + start[i] : v->end;
    v->last_bytes = last_bytes;
    v->index = (int64_t)last;
    return true;
}

/* Moves the last value of the batch before to the beginning of the memory. */
static void keep_last(linpred__parquet_values *v)
{
    if (v->last_bytes > 0)
        memmove(v->text, v->text + v->index, v->last_bytes);
    v->index = 0;
}

bool linpred__parquet_values_next(linpred__parquet_values *v, int64_t count, linpred__parquet_batch *batch)
{
    uint32_t truth[LINPRED__PARQUET_BATCH];
    v->no_memory = false;
    if (v->by_dictionary)
        return linpred__runs_next(&v->runs, count, batch->entry);
    switch (v->encoding) {
    case LINPRED__ENCODING_RLE:
        if (!linpred__runs_next(&v->runs, count, truth))
            return false;
        for (int64_t i = 0; i < count; i++)
            batch->whole[i] = truth[i] & 1;
        return true;
    case LINPRED__ENCODING_DELTA:
        if (!linpred__deltas_next(&v->deltas, count, batch->whole))
            return false;
        for (int64_t i = 0; v->column->type == LINPRED__PARQUET_INT32 && i < count; i++)
            batch->whole[i] = (int32_t)(uint32_t)(uint64_t)batch->whole[i];
        return true;
    case LINPRED__ENCODING_DELTA_LENGTH:
        return take_lengths(v, count, batch);
    case LINPRED__ENCODING_DELTA_BYTES:
        keep_last(v);
        return take_prefixed(v, count, batch);
    case LINPRED__ENCODING_SPLIT:
        return take_split(v, count, batch);
    default:
        return take_plain(v, count, batch);
    }
}
