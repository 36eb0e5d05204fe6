/* Unpacks a page. The format's header says how long it is unpacked; what does not have that length is damaged. */
#include <lz4.h>
#include <snappy-c.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/memory.h"
#include "table/parquet/parquet.h"

/* As the format numbers them. */
enum { UNPACKED = 0, SNAPPY = 1, GZIP = 2, LZO = 3, BROTLI = 4, LZ4_HADOOP = 5, ZSTANDARD = 6, LZ4_RAW = 7 };

const char *linpred__parquet_codec_refusal(int32_t codec)
{
    if (codec == BROTLI || codec == LZO)
        return codec == BROTLI ? "it is packed by Brotli, which linpred does not read (zstd it does)"
                               : "it is packed by LZO, which linpred does not read (zstd it does)";
    return codec < UNPACKED || codec > LZ4_RAW ? "it is packed by a codec that linpred does not know" : NULL;
}

/* Bounds of the formats: the longest copy that the shortest code can stand for. */
int64_t linpred__parquet_codec_ratio(int32_t codec)
{
    switch (codec) {
    case SNAPPY:
        return 32; /* 64 bytes in 3 */
    case GZIP:
        return 1040; /* 258 bytes in 2 bits */
    case ZSTANDARD:
        return 1 << 16; /* a block of 128 KB in 4 bytes */
    case LZ4_HADOOP:
    case LZ4_RAW:
        return 256; /* 255 bytes in 1 */
    default:
        return 1;
    }
}

static void *zlib_reserve(void *context, unsigned count, unsigned size)
{
    (void)context;
    return linpred__alloc(count, size);
}

static void zlib_give_back(void *context, void *memory)
{
    (void)context;
    linpred__release(memory);
}

/* A page may hold several gzip members, one after the other. */
static bool unpack_gzip(linpred__slice packed, unsigned char *to, size_t wanted, bool *no_memory)
{
    z_stream z = {.zalloc = zlib_reserve, .zfree = zlib_give_back};
    if (packed.bytes > UINT32_MAX || wanted > UINT32_MAX)
        return false;
    *no_memory = inflateInit2(&z, 15 + 32) != Z_OK;
    if (*no_memory)
        return false;
    z.next_in = (unsigned char *)(uintptr_t)packed.at;
    z.avail_in = (unsigned)packed.bytes;
    z.next_out = to;
    z.avail_out = (unsigned)wanted;
    int answer;
    do
        answer = inflate(&z, Z_FINISH);
    while (answer == Z_STREAM_END && z.avail_in > 0 && z.avail_out > 0 && inflateReset(&z) == Z_OK);
    bool whole = answer == Z_STREAM_END && z.avail_out == 0;
    *no_memory = answer == Z_MEM_ERROR;
    inflateEnd(&z);
    return whole;
}

static bool unpack_lz4(const unsigned char *packed, size_t bytes, unsigned char *to, size_t wanted)
{
    return bytes <= INT32_MAX && wanted <= INT32_MAX &&
           LZ4_decompress_safe((const char *)packed, (char *)to, (int)bytes, (int)wanted) == (int)wanted;
}

static size_t big_endian(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | (size_t)at[3];
}

/* Hadoop's frames: length unpacked, length packed, both of 4 bytes, big-endian, then an LZ4 block. Some writers wrote
   no frames. */
static bool unpack_hadoop(const unsigned char *packed, size_t bytes, unsigned char *to, size_t wanted)
{
    size_t at = 0, made = 0;
    while (bytes - at >= 8) {
        size_t unpacked = big_endian(packed + at), length = big_endian(packed + at + 4);
        if (length > bytes - at - 8 || unpacked > wanted - made ||
            !unpack_lz4(packed + at + 8, length, to + made, unpacked))
            break;
        at += 8 + length;
        made += unpacked;
    }
    return (at == bytes && made == wanted) || unpack_lz4(packed, bytes, to, wanted);
}

static bool unpack_zstandard(linpred__slice packed, unsigned char *to, size_t wanted, bool *no_memory)
{
    size_t made = ZSTD_decompress(to, wanted, packed.at, packed.bytes);
    *no_memory = ZSTD_isError(made) && ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation;
    return made == wanted;
}

bool linpred__parquet_unpack(int32_t codec, linpred__slice packed, unsigned char *to, size_t wanted, bool *no_memory)
{
    const char *text = (const char *)packed.at;
    size_t length = 0;
    *no_memory = false;
    switch (codec) {
    case SNAPPY:
        if (snappy_uncompressed_length(text, packed.bytes, &length) != SNAPPY_OK || length != wanted)
            return false;
        return snappy_uncompress(text, packed.bytes, (char *)to, &length) == SNAPPY_OK && length == wanted;
    case GZIP:
        return unpack_gzip(packed, to, wanted, no_memory);
    case ZSTANDARD:
        return unpack_zstandard(packed, to, wanted, no_memory);
    case LZ4_HADOOP:
        return unpack_hadoop(packed.at, packed.bytes, to, wanted);
    case LZ4_RAW:
        return unpack_lz4(packed.at, packed.bytes, to, wanted);
    default:
        return false;
    }
}
