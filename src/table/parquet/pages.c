/* The pages of a chunk: header, checksum, unpacking, and where definition levels and values lie.
 *
 * A page of version 1 is packed as a whole: levels with their length in 4 bytes, then values. In a page of version 2
 * the levels lie unpacked before the packed values.
 */
#include <string.h>
#include <zlib.h>

#include "core/memory.h"
#include "table/limits.h"
#include "table/parquet/parquet.h"

void linpred__parquet_pages_open(const linpred__parquet_file *file, const linpred__parquet_place *place, bool optional,
                                 linpred__parquet_pages *pages)
{
    *pages = (linpred__parquet_pages){
        .file = file, .place = place, .at = place->offset, .end = place->offset + place->bytes, .optional = optional};
}

/* ---- headers ----------------------------------------------------------------------------------------------------- */

/* The part of a page header for its kind: the numbers of its fields differ. */
static void read_kind(linpred__thrift *t, const linpred__thrift_field *of, linpred__parquet_page *page)
{
    bool second = of->id == 8, data = of->id == 5 || second;
    linpred__thrift_field field = {0};
    linpred__thrift_struct(t, of);
    while (linpred__thrift_next(t, &field)) {
        if (field.id == 1)
            page->values = linpred__thrift_whole(t, &field);
        else if (field.id == (second ? 4 : 2))
            page->encoding = (int32_t)(linpred__thrift_whole(t, &field) & 0xFF);
        else if (data && !second && field.id == 3)
            page->level_encoding = (int32_t)(linpred__thrift_whole(t, &field) & 0xFF);
        else if (second && field.id == 5)
            page->level_bytes = linpred__thrift_whole(t, &field);
        else if (second && field.id == 6)
            page->repeat_bytes = linpred__thrift_whole(t, &field);
        else if (second && field.id == 7)
            page->packed = linpred__thrift_truth(t, &field);
        else
            linpred__thrift_skip(t, &field);
    }
}

static void read_header(linpred__thrift *t, linpred__parquet_page *page)
{
    int64_t kind = -1;
    bool described = false;
    *page = (linpred__parquet_page){.values = -1, .unpacked_bytes = -1, .body_bytes = -1, .encoding = -1};
    page->packed = true;
    linpred__thrift_field field = {0};
    while (linpred__thrift_next(t, &field))
        switch (field.id) {
        case 1:
            kind = linpred__thrift_whole(t, &field);
            break;
        case 2:
            page->unpacked_bytes = linpred__thrift_whole(t, &field);
            break;
        case 3:
            page->body_bytes = linpred__thrift_whole(t, &field);
            break;
        case 4:
            page->crc = (uint32_t)linpred__thrift_whole(t, &field);
            page->has_crc = true;
            break;
        case 5:
        case 7:
        case 8:
            described = (kind == LINPRED__PAGE_DATA && field.id == 5) ||
                        (kind == LINPRED__PAGE_DICTIONARY && field.id == 7) ||
                        (kind == LINPRED__PAGE_DATA_2 && field.id == 8);
            read_kind(t, &field, page);
            break;
        default:
            linpred__thrift_skip(t, &field);
        }
    t->damaged = t->damaged || kind < LINPRED__PAGE_DATA || kind > LINPRED__PAGE_DATA_2 ||
                 (kind != LINPRED__PAGE_INDEX && !described);
    page->kind = (int)kind;
    if (page->kind == LINPRED__PAGE_INDEX)
        page->values = 0;
}

bool linpred__parquet_pages_next(linpred__parquet_pages *pages, linpred__parquet_page *page)
{
    if (pages->at >= pages->end || pages->wrong)
        return false;
    const unsigned char *data = pages->file->data;
    linpred__thrift t = {data + pages->at, data + pages->end, false};
    read_header(&t, page);
    int64_t left = t.end - t.at;
    int64_t levels = page->level_bytes;
    if (t.damaged)
        pages->wrong = "the header of a page cannot be read";
    else if (page->body_bytes < 0 || page->body_bytes > left || page->unpacked_bytes < 0 || page->values < 0 ||
             page->values > INT32_MAX)
        pages->wrong = "a page is longer than its column";
    else if (levels < 0 || page->repeat_bytes != 0 || levels > page->body_bytes || levels > page->unpacked_bytes)
        pages->wrong = "the levels of a page are longer than the page";
    if (pages->wrong)
        return false;
    page->body = t.at;
    pages->at = t.at + page->body_bytes - data;
    return true;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Sets *to to `wanted` bytes that the packed ones hold; without a codec to the bytes themselves. */
static bool unpack(linpred__parquet_pages *pages, const unsigned char *packed, int64_t bytes, int64_t wanted,
                   const unsigned char **to)
{
    int32_t codec = pages->place->codec;
    *to = packed;
    if (wanted == 0)
        return true;
    if (codec == 0) {
        if (bytes != wanted)
            pages->wrong = "a page has not the length that its header says";
        return !pages->wrong;
    }
    if (wanted / linpred__parquet_codec_ratio(codec) > bytes + LINPRED__PARQUET_SPARE) {
        pages->wrong = "a page is said to be longer than its packed bytes can be";
        return false;
    }
    if (!linpred__grow(&pages->unpacked, &pages->unpacked_capacity, (size_t)wanted, 1))
        return false;
    bool no_memory;
    linpred__slice from = {packed, (size_t)bytes};
    bool whole = linpred__parquet_unpack(codec, from, pages->unpacked, (size_t)wanted, &no_memory);
    if (!whole && !no_memory)
        pages->wrong = "a packed page is damaged";
    *to = pages->unpacked;
    return whole;
}

/* Cuts the definition levels off the beginning of an unpacked page of version 1. */
static void cut_levels(linpred__parquet_pages *pages, linpred__parquet_page *page)
{
    const unsigned char *at = page->data;
    page->levels = page->levels_end = at;
    if (!pages->optional || page->kind != LINPRED__PAGE_DATA)
        return;
    int64_t left = page->data_end - at;
    uint32_t bytes =
        left < 4 ? 0 : (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    if (page->level_encoding != LINPRED__ENCODING_RLE)
        pages->wrong = "the definition levels have an outdated encoding";
    else if (left < 4 || bytes > left - 4)
        pages->wrong = "the levels of a page are longer than the page";
    if (pages->wrong)
        return;
    page->levels = at + 4;
    page->levels_end = page->data = at + 4 + bytes;
}

bool linpred__parquet_page_unpack(linpred__parquet_pages *pages, linpred__parquet_page *page)
{
    if (page->has_crc && (uint32_t)crc32_z(0, page->body, (size_t)page->body_bytes) != page->crc) {
        pages->wrong = "the checksum of a page is wrong";
        return false;
    }
    if (page->kind != LINPRED__PAGE_DATA_2) {
        if (!unpack(pages, page->body, page->body_bytes, page->unpacked_bytes, &page->data))
            return false;
        page->data_end = page->data + page->unpacked_bytes;
        cut_levels(pages, page);
        return !pages->wrong;
    }
    const unsigned char *values = page->body + page->level_bytes;
    int64_t bytes = page->body_bytes - page->level_bytes, wanted = page->unpacked_bytes - page->level_bytes;
    page->levels = page->body;
    page->levels_end = values;
    page->data = values;
    if (page->packed && !unpack(pages, values, bytes, wanted, &page->data))
        return false;
    page->data_end = page->data + (page->packed ? wanted : bytes);
    return true;
}
